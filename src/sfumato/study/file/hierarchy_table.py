"""How a study file says what the hierarchy of a column is: a file, or the settings of a builder."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.groups import Groups
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.prefixes import Prefixes
from sfumato.hierarchies.domains.date_unit import UNITS, DateUnit
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.formats.partitions_csv import read_partitions_csv
from sfumato.study.file.table import (
    MARK,
    Day,
    Number,
    Numbers,
    Table,
    Texts,
    Wholes,
    is_list,
    is_text,
    is_whole,
    must_be,
    only,
    wrong_value,
)

if TYPE_CHECKING:
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.study.file.named_paths import NamedPaths

EXAMPLES = (
    '"age.csv", { intervals = [5, 10, 20] }, { prefix = 5 }, { date = ["month", "year"] }, '
    "{ groups = […] } or { flat = true }"
)

PrefixLength = Annotated[
    int,
    must_be(
        "the length of the codes, or true for codes of any length",
        lambda value: value is True or is_whole(value),
        schema=int | Literal[True],
    ),
]
FlatValues = Annotated[
    tuple[str, ...] | Literal[True],
    must_be(
        'true, or a list of texts, like flat = ["Male", "Female"]',
        lambda value: value is True or is_list(is_text)(value),
        schema=list[str] | Literal[True],
    ),
]
Groupings = Annotated[
    list[dict[str, list[str]]],
    must_be(
        "a list with a table of labels and their members for each level",
        is_list(
            lambda level: isinstance(level, dict) and all(map(is_list(is_text), level.values()))
        ),
        schema=list[dict[str, list[str]]],
    ),
]


class FileHierarchy(Table):
    """A file with a line for every value: the value first, the top last."""

    file: str = Field(
        description="The hierarchy file, relative to the study file.",
        examples=["hierarchies/age.csv"],
    )
    delimiter: str = Field(default=";", description="What separates the fields.", examples=[";"])
    encoding: str = Field(default="utf-8-sig", description="The encoding.", examples=["latin-1"])

    def built(self, paths: NamedPaths) -> Hierarchy:
        """Return the hierarchy of the file."""
        return read_hierarchy_csv(
            paths.file(self.file, key="file"), delimiter=self.delimiter, encoding=self.encoding
        )

    def partitions(self, paths: NamedPaths) -> PartitionedDomain:
        """Return the admissible partitions of the file, which has a column for each."""
        return read_partitions_csv(
            paths.file(self.file, key="file"), delimiter=self.delimiter, encoding=self.encoding
        )


class IntervalsHierarchy(Table):
    """Numbers, then intervals of growing widths."""

    intervals: Numbers = Field(
        description="The widths of the intervals, each a multiple of the one before.",
        examples=[[5, 10, 20]],
    )
    unit: Number = Field(default=1, description="The unit of the column, level 0.", examples=[1])
    low: Number | None = Field(
        default=None, description="The least number of the domain.", examples=[17]
    )
    high: Number | None = Field(
        default=None, description="The greatest number of the domain.", examples=[90]
    )
    origin: Number = Field(
        default=0, description="A number at which an interval begins.", examples=[0]
    )
    fractional: bool = Field(
        default=False,
        description="Whether the column has fractions of the unit 1.",
        examples=[True],
    )

    def built(self, paths: NamedPaths) -> Intervals:  # noqa: ARG002
        """Return the builder."""
        return Intervals(
            widths=self.intervals,
            unit=self.unit,
            low=self.low,
            high=self.high,
            origin=self.origin,
            fractional=self.fractional,
        )


class PrefixHierarchy(Table):
    """Codes whose last characters are masked, step by step."""

    prefix: PrefixLength = Field(
        description="The length of the codes, or true for codes of any length.", examples=[5]
    )
    keep: Wholes | None = Field(
        default=None, description="The lengths of the prefixes that are kept.", examples=[[3, 1]]
    )
    values: Texts | None = Field(
        default=None, description="All codes of the domain.", examples=[["24120", "24126"]]
    )

    def built(self, paths: NamedPaths) -> Prefixes:  # noqa: ARG002
        """Return the builder."""
        return Prefixes(
            length=None if self.prefix is True else self.prefix,
            keep=self.keep,
            values=self.values,
        )


class DateHierarchy(Table):
    """Days, then coarser units of the calendar."""

    date: Texts = Field(
        description=f"The units, from fine to coarse: {', '.join(UNITS[1:])}.",
        examples=[["month", "year"]],
        json_schema_extra={"items": {"enum": list(UNITS)}},
    )
    unit: DateUnit = Field(
        default="day", description="The finest unit, level 0.", examples=["month"]
    )
    format: str | None = Field(
        default=None,
        description="How the dates are written, if not as 1998-03-14.",
        examples=["%d.%m.%Y"],
    )
    first: Day | None = Field(
        default=None,
        description="The first day of the domain.",
        examples=[datetime.date(1998, 3, 14)],
    )
    last: Day | None = Field(
        default=None,
        description="The last day of the domain.",
        examples=[datetime.date(1998, 3, 14)],
    )

    def built(self, paths: NamedPaths) -> Dates:  # noqa: ARG002
        """Return the builder."""
        for unit in self.date:
            if unit not in UNITS:
                raise SettingsError.unknown_choice("date", unit, UNITS)
        levels = self.date if self.date[:1] == (self.unit,) else (self.unit, *self.date)
        return Dates(
            levels=levels,  # type: ignore[arg-type]
            format=self.format,
            first=self.first,
            last=self.last,
        )


class GroupsHierarchy(Table):
    """Values, then groups of them, level by level."""

    groups: Groupings = Field(
        description="For each level a table from the label of a group to its members.",
        examples=[[{"Once married": ["Divorced", "Widowed"]}]],
    )
    others: str | None = Field(
        default=None,
        description="The group of the first level that takes the values which are not listed.",
        examples=["Once married"],
    )

    def built(self, paths: NamedPaths) -> Groups:  # noqa: ARG002
        """Return the builder."""
        return Groups(levels=self.groups, others=self.others)


class FlatHierarchy(Table):
    """The value itself or *."""

    flat: FlatValues = Field(description="true, or all values of the domain.", examples=[True])

    def built(self, paths: NamedPaths) -> Flat:  # noqa: ARG002
        """Return the builder."""
        return Flat() if self.flat is True else Flat(values=tuple(self.flat))


KINDS: dict[str, type[Table]] = {
    "file": FileHierarchy,
    "intervals": IntervalsHierarchy,
    "prefix": PrefixHierarchy,
    "date": DateHierarchy,
    "groups": GroupsHierarchy,
    "flat": FlatHierarchy,
}
"""The kinds of hierarchies, by the key that tells the kind."""

PARAMETERS = {
    "widths": ("intervals",),
    "length": ("prefix",),
    "levels": ("date", "groups"),
    "values": ("flat",),
    "order": ("ordered",),
}
"""The keys that set a parameter of a builder or a distance where it has another name."""


def _kind(value: object) -> str:
    """Return the tag of the kind of a hierarchy that has exactly one."""
    if isinstance(value, dict):
        return MARK + next(kind for kind in KINDS if kind in value)
    return f"{MARK}path"


def _one_kind(value: object) -> object:
    """Refuse what is not a path and not a table of exactly one kind."""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        raise wrong_value(EXAMPLES)
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) == 1:
        return value
    first = next(iter(value), "")
    suggestion = None
    if kinds:
        said = f"the table says {' and '.join(kinds)}, which are different kinds of hierarchies"
    elif not value:
        said = "the table is empty"
    else:
        said = f"nothing says what kind of hierarchy it is ({first!r} does not)"
        suggestion = closest(first, KINDS)
    context = {"said": said, "expected": EXAMPLES, "suggestion": suggestion}
    raise PydanticCustomError("hierarchy-kind", "{said}; it must be {expected}", context)


HierarchySetting = Annotated[
    Annotated[str, Tag(f"{MARK}path")]
    | Annotated[FileHierarchy, Tag(f"{MARK}file")]
    | Annotated[IntervalsHierarchy, Tag(f"{MARK}intervals")]
    | Annotated[PrefixHierarchy, Tag(f"{MARK}prefix")]
    | Annotated[DateHierarchy, Tag(f"{MARK}date")]
    | Annotated[GroupsHierarchy, Tag(f"{MARK}groups")]
    | Annotated[FlatHierarchy, Tag(f"{MARK}flat")],
    Discriminator(_kind),
    BeforeValidator(_one_kind),
]
"""The path of a hierarchy file, or a table of one of the kinds."""


def built_hierarchy(setting: HierarchySetting, paths: NamedPaths) -> Hierarchy | HierarchyBuilder:
    """Return the hierarchy that a key describes."""
    table = FileHierarchy(file=setting) if isinstance(setting, str) else setting
    return table.built(paths)


def names_file(value: object) -> bool:
    """Say whether a value is a path or a table about a file."""
    return isinstance(value, str) or (isinstance(value, dict) and "file" in value)


HierarchyFileSetting = Annotated[
    Annotated[str, Tag(f"{MARK}path")] | Annotated[FileHierarchy, Tag(f"{MARK}file")],
    Discriminator(_kind),
    only('the path of a hierarchy file, like hierarchy = "age.csv"', names_file),
]
"""The path of a hierarchy file, or a table about it."""
