"""All problems of a study file: each with its place, what is wrong there and what would work.

pydantic tells the place and the type of each problem; its own sentences and the values that it
keeps are not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Literal, get_args, get_origin

from pydantic import ValidationError

from sfumato.errors import SettingsError, SfumatoError
from sfumato.errors.suggestions import closest
from sfumato.study.file.column_table import (
    COARSENING_TABLES,
    COLUMN_TABLES,
    DISTANCE_TABLES,
    ROLES,
)
from sfumato.study.file.hierarchy_table import KINDS, PARAMETERS
from sfumato.study.file.study_document import StudyDocument, homes, tables_of
from sfumato.study.file.table import MARK, RefusedKeyError, Table, key_of, table_in
from sfumato.study.file.toml_text import (
    Place,
    key_text,
    table_and_key,
    value_at,
    value_text,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

    from sfumato.study.file.study_document import StudyDocument


_TYPES = {
    "string_type": "a text in quotes",
    "string_too_short": "a text in quotes",
    "bool_type": "true or false, without quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "greater_than_equal": "a whole number from 1 on",
    "list_type": "a list",
    "dict_type": "a table",
}
_TAGGED = {
    MARK + name: table
    for name, table in {
        **COLUMN_TABLES,
        **DISTANCE_TABLES,
        **COARSENING_TABLES,
        **KINDS,
    }.items()
}


class Explainer:
    """Explains the problems of one document."""

    def __init__(self, file: Path, model: type[StudyDocument], document: dict[str, object]) -> None:
        self._file = file
        self._model = model
        self._document = document
        self._methods = tuple(tables_of(tables_of(model)["search"]))

    def explain_all(self, problems: Sequence[ErrorDetails]) -> list[SfumatoError]:
        """Return all problems as errors; a key that is only misspelt is not missing too."""
        misspelt = set()
        for each in problems:
            table, _ = self._found_at(each["loc"])
            if each["type"] == "extra_forbidden" and table is not None:
                meant = closest(str(each["loc"][-1]), table.key_names())
                misspelt.add((*each["loc"][:-1], meant))
        return [
            self.explain(each)
            for each in problems
            if each["type"] != "missing" or each["loc"] not in misspelt
        ]

    def explain(self, problem: ErrorDetails) -> SfumatoError:
        """Return a problem as an error that knows its place."""
        place = tuple(part for part in problem["loc"] if not _is_tag(part))
        refused = problem.get("ctx", {}).get("error")
        if isinstance(refused, SfumatoError):
            return self.located(refused, place)
        table, field = self._found_at(problem["loc"])
        if problem["type"] == "extra_forbidden":
            return self._unknown_key(place, table or self._model)
        if problem["type"] == "role":
            return self._no_role(place)
        return self.located(self._wrong_value(problem, place, field), place)

    def located(self, error: SfumatoError, place: Place) -> SfumatoError:
        """Return an error with its place in the file; a key that it names is one of the table."""
        if error.where.file is None:
            key = self._key_in(place, error.where.key)
            error.where = replace(error.where, key=None)
            place = place if key is None else (*place, key)
        if not place:
            return error.located(file=self._file)
        table, keys = table_and_key(self._document, place, methods=self._methods)
        column = str(place[1]) if place[0] == "columns" and len(place) > 1 else None
        return error.located(file=self._file, table=table, column=column, key=keys)

    def _key_in(self, place: Place, parameter: str | None) -> str | None:
        """Return the key of the table at a place that sets a parameter, None if there is none."""
        value = value_at(self._document, place)
        if parameter is None or not isinstance(value, Mapping | None):
            return None
        names = (key_of(parameter), *PARAMETERS.get(parameter, ()))
        written_there = (name for name in names if value is not None and name in value)
        _, field = self._found_at((*place, names[0]))
        return next(written_there, None if field is None else names[0])

    def _found_at(self, location: Place) -> tuple[type[Table] | None, FieldInfo | None]:
        """Return the table that the last key belongs to, and its field if it has one."""
        table: type[Table] | None = self._model
        owner, field = table, None
        for part in location:
            if part in _TAGGED:
                table = _TAGGED[str(part)]
            elif table is not None and not isinstance(part, int) and not _is_tag(part):
                owner, field = table, _field(table, part)
                table = None if field is None else table_in(field.annotation)
        return owner, field

    def _wrong_value(
        self, problem: ErrorDetails, place: Place, field: FieldInfo | None
    ) -> SettingsError:
        kind, context = problem["type"], problem.get("ctx", {})
        if kind == "missing":
            return _missing(place, remedy=f"add it, like {_example(place, field)}")
        if kind in ("model_type", "dict_type", "list_type"):
            return self._not_a_table(place, field)
        value = value_at(self._document, place)
        if kind == "hierarchy-kind":
            return SettingsError(
                str(context["said"]),
                code="not-a-hierarchy",
                expected=str(context["expected"]),
                suggestion=context["suggestion"],
            )
        if kind in ("enum", "literal_error"):
            return _unknown_choice(value, _options(None if field is None else field.annotation))
        if kind in _TYPES or kind == "expected":
            expected = str(context["expected"]) if kind == "expected" else _TYPES[kind]
            if field is not None and field.examples and " like " not in expected:
                expected += f", like {_example(place, field)}"
            code = "out-of-range" if kind == "greater_than_equal" else "wrong-type"
            return SettingsError(code=code, found=written(value), expected=expected)
        return SettingsError(problem["msg"])

    def _unknown_key(self, place: Place, table: type[Table]) -> SfumatoError:
        *above, key = place
        value = value_at(self._document, place)
        known = table.key_names()
        home = homes(self._model).get(str(key))
        close = closest(str(key), known)
        if table in COLUMN_TABLES.values():
            # A name with a dot makes a table with a role; a slip in a key does not.
            if isinstance(value, dict) and ("role" in value or not close):
                return self._dotted_name(tuple(above), str(key))
            roles = [role for role, other in COLUMN_TABLES.items() if key in other.key_names()]
            if roles:
                own = next(role for role, other in COLUMN_TABLES.items() if other is table)
                error = SettingsError(
                    f"the column is {own}, and only {' or '.join(roles)} columns have this key",
                    code="conflicting-settings",
                    remedy=f'leave it out, or set role = "{roles[0]}"',
                )
                return self.located(error, place)
        if place[0] == "columns":
            home = None
        is_table = not above and isinstance(value, dict)
        error = SettingsError(
            f"there is no such {'table' if is_table else 'key'}",
            code="unknown-table" if is_table else "unknown-key",
            found=repr(key),
            expected=known,
            suggestion=None if home else close,
            remedy=f"it belongs under {home}" if home else None,
        )
        if above or is_table:
            return self.located(error, place)
        return error.located(file=self._file, key=str(key))

    def _dotted_name(self, place: Place, key: str) -> SfumatoError:
        error = SettingsError(
            "there is no such table",
            code="unknown-table",
            found=repr(key),
            suggestion=f"[columns.{key_text(f'{place[1]}.{key}')}]",
            remedy="the name of a column with a dot stands in quotes",
        )
        return self.located(error, (*place, key))

    def _no_role(self, place: Place) -> SfumatoError:
        value = value_at(self._document, place)
        if not isinstance(value, dict):
            error = SettingsError(
                code="wrong-type", found=written(value), expected="a table with a role"
            )
            return self.located(error, place)
        for key, inside in value.items():
            if "role" not in value and isinstance(inside, dict) and "role" in inside:
                return self._dotted_name(place, key)
        role = (*place, "role")
        if "role" in value:
            return self.located(_unknown_choice(value["role"], ROLES), role)
        return self.located(_missing(role, expected=ROLES), role)

    def _not_a_table(self, place: Place, field: FieldInfo | None) -> SettingsError:
        table = None if field is None else table_in(field.annotation)
        expected = "a table with a table for each column"
        if place[0] == "statements":
            expected = (
                "a list of tables: each stands under [[statements]], in double brackets, with "
                "protect = 'Health = 2'"
            )
        elif table is not None:
            expected = f"a table with the keys {', '.join(table.key_names())}"
        value = value_at(self._document, place)
        return SettingsError(code="wrong-type", found=written(value), expected=expected)


def _missing(
    place: Place, *, expected: Sequence[str] | None = None, remedy: str | None = None
) -> SettingsError:
    return SettingsError(
        f"{key_text(str(place[-1]))} is missing",
        code="missing-setting",
        expected=expected,
        remedy=remedy,
    )


def _unknown_choice(value: object, choices: Sequence[str]) -> SettingsError:
    return SettingsError(
        code="unknown-choice",
        found=written(value),
        expected=choices,
        suggestion=closest(str(value), choices),
    )


def _is_tag(part: str | int) -> bool:
    return isinstance(part, str) and part.startswith(MARK)


def _field(table: type[Table], key: str | int) -> FieldInfo | None:
    return next((f for name, f in table.model_fields.items() if key in (f.alias, name)), None)


def _options(annotation: object) -> list[str]:
    """Return the texts that a field chooses from."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(each.value) for each in annotation]
    if get_origin(annotation) is Literal:
        return [str(each) for each in get_args(annotation)]
    return [text for each in get_args(annotation) for text in _options(each)]


def _example(place: Place, field: FieldInfo | None) -> str:
    key = key_text(str(place[-1]))
    if field is None or not field.examples:
        return f"{key} = …"
    return f"{key} = {value_text(field.examples[0])}"


class Problems:
    """Collects the problems of a document, to report them together."""

    def __init__(self, file: Path, document: dict[str, object], model: type[StudyDocument]) -> None:
        self._file = file
        self._document = document
        self._model = model
        self._explainer = Explainer(file, model, document)
        self._found: list[SfumatoError] = []

    def read(self) -> StudyDocument:
        """Return the document as its model, or raise what is wrong with its keys and types."""
        try:
            return self._model.model_validate(self._document)
        except ValidationError as error:
            details = error.errors(include_input=False, include_url=False)
        self._found.extend(self._explainer.explain_all(details))
        self.raise_all()
        raise AssertionError("a document that is refused has a problem")

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Collect the error that is raised inside, with its place."""
        try:
            yield
        except RefusedKeyError as refused:
            found = self._explainer.located(refused.error, (*place, *refused.keys))
            self._found.append(found)
        except SfumatoError as error:
            self._found.append(self._explainer.located(error, place))

    def raise_all(self) -> None:
        """Raise the problem, or one error that carries all of them, if there are any."""
        if not self._found:
            return
        if len(self._found) == 1:
            raise self._found[0]
        kinds = {type(error) for error in self._found}
        kind = kinds.pop() if len(kinds) == 1 else SettingsError
        raise kind.several(self._found, file=self._file)
