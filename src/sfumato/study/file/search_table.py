"""The table ``[search]`` of a study file, and those of the methods that have settings."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import Field, create_model

from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.search.catalogue import SEARCHES, method_named, search_methods
from sfumato.search.control import check_seed
from sfumato.search.space import Space, spaces_named
from sfumato.study.file.table import (
    Number,
    NumbersByName,
    Table,
    Texts,
    at_key,
    is_list,
    is_text,
    must_be,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.measures.measure import Measure


DEFAULT_OBJECTIVES = ("k", "normalized-loss")

SpaceNames = Annotated[
    str | tuple[str, ...],
    must_be(
        "a space or a list of spaces",
        lambda value: is_text(value) or is_list(is_text)(value),
        schema=Space | list[Space],
    ),
]


class SearchTable(Table):
    """What to look for, where and how."""

    method: str = Field(default="auto", description="The search method.", examples=["auto"])
    space: SpaceNames = Field(
        default="lattice",
        description="One level for every column, partitions that cut the values of a column "
        "anywhere, admissible partitions, or local recodings; or a list of several.",
        examples=["lattice", ["lattice", "partitions", "local"]],
    )
    objectives: Texts = Field(
        default=DEFAULT_OBJECTIVES,
        description="The measures to weigh against each other.",
        examples=[["k", "normalized-loss"]],
    )
    criteria: Texts = Field(
        default=(),
        description="What every class must meet.",
        examples=[["k>=5", "distinct-l>=3"]],
    )
    seed: int = Field(
        default=1, description="The seed of searches that draw at random.", examples=[1]
    )

    def measures(self) -> tuple[Measure, ...]:
        """Return the objectives."""
        with at_key("objectives"):
            if not self.objectives:
                raise SettingsError(
                    code="too-few",
                    found="[]",
                    expected='a list of measures, like ["k", "normalized-loss"]',
                )
            found = tuple(map(measure, self.objectives))
            check_unique(found)
        return found

    def class_criteria(self) -> tuple[ClassCriterion, ...]:
        """Return the criteria."""
        with at_key("criteria"):
            found = tuple(map(read_criterion, self.criteria))
            check_unique(found)
        return found

    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces to search."""
        with at_key("space"):
            return spaces_named(self.space)

    def settings(self) -> SearchSettings:
        """Return which search runs, with the settings of the methods that have a table."""
        settings = {}
        for name, kind in settings_kinds(self.given).items():
            table = getattr(self, _field_name(name), None)
            if table is not None:
                given = {key: getattr(table, key) for key in table.model_fields_set}
                with at_key(name):
                    settings[name] = kind(**given)
        return SearchSettings(method=self.method, seed=self.seed, settings=settings)


def check_unique(named: tuple[object, ...]) -> None:
    """Refuse a list that has something more than once."""
    twice = [text for text, count in Counter(map(str, named)).items() if count > 1]
    if twice:
        raise SettingsError(
            f"{twice[0]!r} is given more than once",
            code="duplicate",
            found=repr(twice[0]),
            remedy="name it once",
        )


def settings_kinds(named: Iterable[str] = ()) -> dict[str, type[object]]:
    """Return the dataclasses of the settings of all methods that have some, by method.

    Methods of other packages are among them if they are ``named``, and are imported then.
    """
    offered = {name: method_named(name) for name in named if name in SEARCHES.offers}
    methods = {**search_methods(), **offered}
    return {n: method.settings for n, method in methods.items() if method.settings is not None}


def _field_name(method: str) -> str:
    """Return the name of the field that holds the table of a method, whatever it is called."""
    return "method_" + re.sub(r"\W", "_", method)


def search_table(kinds: Mapping[str, type[object]]) -> type[SearchTable]:
    """Return the table ``[search]`` with a table in it for each method that has settings."""
    fields = {
        _field_name(name): (
            settings_table(name, kind) | None,
            Field(default=None, alias=name, description=f"The settings of the method {name}."),
        )
        for name, kind in kinds.items()
    }
    return create_model("SearchTable", __base__=SearchTable, __doc__=SearchTable.__doc__, **fields)  # type: ignore[call-overload, no-any-return]


def settings_table(method: str, kind: type[object]) -> type[Table]:
    """Return the table ``[search.METHOD]`` that a dataclass of settings describes.

    A field may say what it is for: ``population: Annotated[int, "nodes in a population"] = 25``.
    """
    default = kind()
    hints = get_type_hints(kind, include_extras=True)
    fields = {}
    # A settings dataclass is what the catalogue let in.
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        value = getattr(default, field.name)
        said, hint = _described(hints[field.name])
        number = isinstance(value, int | float | str) and not isinstance(value, bool)
        example = value if number else {"k": 5, "loss": 100} if hint is NumbersByName else 1
        fields[field.name] = (
            hint if value is not None else hint | None,  # type: ignore[operator]
            Field(default=value, description=said or None, examples=[example]),
        )
    name = "".join(word.capitalize() for word in method.split("-"))
    described = f"The settings of the method {method}."
    return create_model(f"{name}Table", __base__=Table, __doc__=described, **fields)  # type: ignore[call-overload, no-any-return]


def _described(hint: object) -> tuple[str, object]:
    """Return what a field is for, and the type that a study file has for it."""
    if get_origin(hint) is Annotated:
        plain, *notes = get_args(hint)
        return next((note for note in notes if isinstance(note, str)), ""), _document_type(plain)
    return "", _document_type(hint)


def _document_type(hint: object) -> object:
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        hint = kinds[0] if len(kinds) == 1 else hint
    if hint is float:
        return Number
    if get_origin(hint) is Mapping:
        return NumbersByName
    if hint in (int, bool, str) or get_origin(hint) is Literal:
        return hint
    raise TypeError(f"a study file cannot hold settings of type {hint}")


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Which search runs, the seed of those that draw at random, and the settings of each.

    ``settings`` has those of the methods for which the study file has a table, chosen or not.

    >>> SearchSettings().method
    'auto'
    """

    method: str = "auto"
    seed: int = 1
    settings: Mapping[str, object] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        method_named(self.method)
        check_seed(self.seed)

    def for_space(self, space: Space) -> object | None:
        """Return the settings of the method that runs in a space, None for its defaults.

        >>> from sfumato.search.methods.nsga_ii import NsgaIISettings
        >>> from sfumato.search.space import Space
        >>> search = SearchSettings(settings={"nsga-ii": NsgaIISettings(population=20)})
        >>> search.for_space(Space.LATTICE), search.for_space(Space.PARTITIONS).population
        (None, 20)
        """
        return self.settings.get(method_named(self.method).in_space(space).name)

    def for_spaces(self, spaces: Sequence[Space]) -> object | None:
        """Return what a search of one or several spaces takes as its settings."""
        return self.for_space(spaces[0]) if len(spaces) == 1 else self.settings
