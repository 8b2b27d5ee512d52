"""What is wrong with the keys and the types of a study file, in words.

pydantic tells the place and the type of each problem; its own sentences and the values that it
keeps are not used.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal, get_args, get_origin

from sfumato.errors.suggestions import closest, did_you_mean
from sfumato.study.file.column_table import COLUMN_TABLES, DISTANCE_TABLES, ROLES
from sfumato.study.file.hierarchy_table import KINDS
from sfumato.study.file.place import Place, place_text, value_at, written
from sfumato.study.file.study_document import StudyDocument, header, homes, tables_of
from sfumato.study.file.table import MARK, RefusedKeyError, Table, table_in
from sfumato.study.file.toml_text import key_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

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
    MARK + name: table for name, table in {**COLUMN_TABLES, **DISTANCE_TABLES, **KINDS}.items()
}


class Explainer:
    """Explains the problems of one document."""

    def __init__(self, model: type[StudyDocument], document: dict[str, object]) -> None:
        self._model = model
        self._document = document
        self._methods = tuple(tables_of(tables_of(model)["search"]))

    def explain_all(self, problems: Sequence[ErrorDetails]) -> list[str]:
        """Return all problems as sentences; a key that is only misspelt is not missing too."""
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

    def explain(self, problem: ErrorDetails) -> str:
        """Return a problem as a sentence that begins with its place."""
        place = tuple(part for part in problem["loc"] if not _is_tag(part))
        table, field = self._found_at(problem["loc"])
        kind, context = problem["type"], problem.get("ctx", {})
        refused = context.get("error")
        if isinstance(refused, RefusedKeyError):
            return f"{self.text((*place, *refused.keys))}: {refused}"
        if kind == "extra_forbidden":
            return self._unknown_key(place, table or self._model)
        if kind == "role":
            return self._no_role(place)
        if kind == "missing":
            return f"{self.text(place)} is missing; add it, such as {_example(place, field)}"
        if kind in ("model_type", "dict_type", "list_type"):
            return self._not_a_table(place, field)
        value = written(value_at(self._document, place))
        if kind in ("enum", "literal_error"):
            return f"{self.text(place)} is {value}; {self._choice(place, field)}"
        if kind in _TYPES or kind == "expected":
            expected = str(context.get("expected") if kind == "expected" else _TYPES[kind])
            if field is not None and field.examples and "such as" not in expected:
                expected += f", such as {_example(place, field)}"
            return f"{self.text(place)} is {value}; it must be {expected}"
        return f"{self.text(place)}: {problem['msg']}"

    def text(self, place: Place) -> str:
        """Return a place as the file names it."""
        return place_text(self._document, place, methods=self._methods)

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

    def _unknown_key(self, place: Place, table: type[Table]) -> str:
        *above, key = place
        value = value_at(self._document, place)
        known = table.key_names()
        home = homes(self._model).get(str(key))
        close = closest(str(key), known)
        hint = did_you_mean(close)
        if not above:
            what = f"table [{key}]" if isinstance(value, dict) else f"key {key!r} at the top"
            hint = f"; it belongs under {home}" if home else hint
            return f"a study has no {what}{hint}; its tables are {_joined(map(header, known))}"
        where = self.text(tuple(above))
        if table in COLUMN_TABLES.values():
            # A name with a dot makes a table with a role; a slip in a key does not.
            if isinstance(value, dict) and ("role" in value or not close):
                return self._dotted_name(tuple(above), str(key))
            roles = [role for role, other in COLUMN_TABLES.items() if key in other.key_names()]
            if roles:
                own = next(role for role, other in COLUMN_TABLES.items() if other is table)
                return (
                    f"{self.text(place)}: the column is {own}, and only {' or '.join(roles)} "
                    f'columns have this key; leave it out, or set role = "{roles[0]}"'
                )
        elif home and place[0] != "columns":
            hint = f"; it belongs under {home}"
        return f"{where} has no key {key!r}{hint}; its keys are {_joined(known)}"

    def _dotted_name(self, place: Place, key: str) -> str:
        name = f"{place[1]}.{key}"
        return (
            f"{self.text(place)} has no table {key!r}; if the column is called {name}, write "
            f"[columns.{key_text(name)}]"
        )

    def _no_role(self, place: Place) -> str:
        value = value_at(self._document, place)
        if not isinstance(value, dict):
            return f"{self.text(place)} is {written(value)}; it must be a table with a role"
        if "role" in value:
            close = closest(str(value["role"]), ROLES)
            hint = did_you_mean(close)
            return (
                f"{self.text((*place, 'role'))} is {written(value['role'])}; choose one of "
                f"{_joined(ROLES)}{hint}"
            )
        for key, inside in value.items():
            if isinstance(inside, dict) and "role" in inside:
                return self._dotted_name(place, key)
        return f"{self.text((*place, 'role'))} is missing; choose one of {_joined(ROLES)}"

    def _not_a_table(self, place: Place, field: FieldInfo | None) -> str:
        value = written(value_at(self._document, place))
        if place[0] == "statements":
            return (
                f"[statements] is {value}; there can be several statements, so each stands under "
                "[[statements]], in double brackets, with protect = 'Health = 2'"
            )
        table = None if field is None else table_in(field.annotation)
        keys = (
            "a table for each column" if table is None else f"the keys {_joined(table.key_names())}"
        )
        return f"{self.text(place)} is {value}; it must be a table with {keys}"

    def _choice(self, place: Place, field: FieldInfo | None) -> str:
        options = _options(None if field is None else field.annotation)
        close = closest(str(value_at(self._document, place)), options)
        hint = did_you_mean(close)
        return f"choose one of {_joined(options)}{hint}"


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


def _joined(names: Iterable[str]) -> str:
    return ", ".join(names)
