"""The tables ``[columns.…]`` of a study file: what every column is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from sfumato.engines.messages.block_statistics import Statistic
from sfumato.engines.messages.coarsening import CoarseDates, Coarsening, CoarseNumbers
from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.alternatives import Alternatives
from sfumato.hierarchies.domains.date_unit import DateUnit
from sfumato.hierarchies.ground_distance import (
    EqualDistance,
    GroundDistance,
    HierarchicalDistance,
    OrderedDistance,
)
from sfumato.microdata.output import Output
from sfumato.microdata.roles import Attribute, Role
from sfumato.study.file.hierarchy_table import (
    EXAMPLES,
    FileHierarchy,
    HierarchyFileSetting,
    HierarchySetting,
    built_hierarchy,
    names_file,
)
from sfumato.study.file.table import MARK, Number, Table, Texts, at_key, only

if TYPE_CHECKING:
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.study.file.named_paths import NamedPaths

ROLES = tuple(role.value for role in Role)
DISTANCES = '"equal", "ordered", { ordered = ["low", "high"] } or { hierarchy = "file.csv" }'
PARTITIONS = (
    '"day.csv", a file with a column for each partition, or a list of hierarchies, like '
    "[{ intervals = [5, 10] }, { intervals = [7] }]"
)
_LABEL = Field(default=False, description="Whether this is the class label of the measure cm.")
_PERSON = Field(
    default=False,
    description="Whether the column tells who a row is about, alone or with others so marked: "
    "then privacy counts people, not rows.",
)


class OrderDistance(Table):
    """Values that have an order."""

    ordered: Texts = Field(
        description="The values, from one end to the other.", examples=[["low", "high"]]
    )

    def distance(self, paths: NamedPaths) -> GroundDistance:  # noqa: ARG002
        """Return the distance of values by their places in the order."""
        return OrderedDistance(order=self.ordered)


class HierarchyDistance(Table):
    """Values that are near each other if they meet low in a hierarchy."""

    hierarchy: HierarchyFileSetting = Field(description="The hierarchy file.", examples=["a.csv"])

    def distance(self, paths: NamedPaths) -> GroundDistance:
        """Return the distance of values by the level at which they meet."""
        given = self.hierarchy
        table = FileHierarchy(file=given) if isinstance(given, str) else given
        with at_key("hierarchy"):
            return HierarchicalDistance(hierarchy=table.built(paths))


DISTANCE_TABLES: dict[str, type[Table]] = {
    "by order": OrderDistance,
    "by hierarchy": HierarchyDistance,
}
"""The distances that have a table."""


def _distance_kind(value: object) -> str:
    if isinstance(value, dict):
        return MARK + ("by hierarchy" if "hierarchy" in value else "by order")
    return f"{MARK}name"


def _is_distance(value: object) -> bool:
    return value in ("equal", "ordered") or (isinstance(value, dict) and len(value) == 1)


Distance = Annotated[
    Annotated[Literal["equal", "ordered"], Tag(f"{MARK}name")]
    | Annotated[OrderDistance, Tag(f"{MARK}by order")]
    | Annotated[HierarchyDistance, Tag(f"{MARK}by hierarchy")],
    Discriminator(_distance_kind),
    only(DISTANCES, _is_distance),
]


def _partitions_kind(value: object) -> str:
    if isinstance(value, str):
        return f"{MARK}path"
    return MARK + ("file" if isinstance(value, dict) else "list")


Partitions = Annotated[
    Annotated[str, Tag(f"{MARK}path")]
    | Annotated[FileHierarchy, Tag(f"{MARK}file")]
    | Annotated[list[HierarchySetting], Tag(f"{MARK}list")],
    Discriminator(_partitions_kind),
    only(PARTITIONS, lambda value: isinstance(value, list) or names_file(value)),
]


class CoarseNumbersTable(Table):
    """Numbers that are rounded and capped."""

    round: Number | None = Field(
        default=None, description="The unit that numbers are rounded to.", examples=[100]
    )
    top: Number | None = Field(
        default=None, description="Greater numbers become this one.", examples=[10000]
    )
    bottom: Number | None = Field(
        default=None, description="Smaller numbers become this one.", examples=[0]
    )

    def coarsening(self) -> Coarsening:
        """Return the rule."""
        return CoarseNumbers(round=self.round, top=self.top, bottom=self.bottom)


class CoarseDatesTable(Table):
    """Dates that are shortened and capped."""

    unit: DateUnit = Field(default="day", description="What is left of a date.")
    top: str | None = Field(
        default=None, description="Later dates become this one.", examples=["2020-12-31"]
    )
    bottom: str | None = Field(
        default=None, description="Earlier dates become this one.", examples=["1930-01-01"]
    )

    def coarsening(self) -> Coarsening:
        """Return the rule."""
        return CoarseDates(unit=self.unit, top=self.top, bottom=self.bottom)


COARSENINGS = '{ round = 100 }, { top = 10000, bottom = 0 } or { unit = "month" }'


def _coarsening_kind(value: object) -> str:
    dates = isinstance(value, dict) and (
        "unit" in value or any(isinstance(value.get(key), str) for key in ("top", "bottom"))
    )
    return MARK + ("dates" if dates else "numbers")


Coarsen = Annotated[
    Annotated[CoarseNumbersTable, Tag(f"{MARK}numbers")]
    | Annotated[CoarseDatesTable, Tag(f"{MARK}dates")],
    Discriminator(_coarsening_kind),
    only(COARSENINGS, lambda value: isinstance(value, dict)),
]
_COARSEN = Field(
    default=None, description="How values are made coarser before they are counted and released."
)
COARSENING_TABLES: dict[str, type[Table]] = {
    "numbers": CoarseNumbersTable,
    "dates": CoarseDatesTable,
}
"""The coarsenings that have a table."""


def _coarsening(given: CoarseNumbersTable | CoarseDatesTable | None) -> Coarsening | None:
    if given is None:
        return None
    with at_key("coarsen"):
        return given.coarsening()


class IdentifyingColumn(Table):
    """A column that tells who someone is: it is never released."""

    role: Literal["identifying"] = Field(description="What the column is to the release.")
    person: bool = _PERSON

    def attribute(self, name: str, paths: NamedPaths) -> Attribute:  # noqa: ARG002
        """Return the column."""
        return Attribute(name=name, role=Role.IDENTIFYING, person=self.person)


class InsensitiveColumn(Table):
    """A column that is released as it is."""

    role: Literal["insensitive"] = Field(description="What the column is to the release.")
    label: bool = _LABEL
    coarsen: Coarsen | None = _COARSEN
    person: bool = _PERSON

    def attribute(self, name: str, paths: NamedPaths) -> Attribute:  # noqa: ARG002
        """Return the column."""
        return Attribute(
            name=name,
            role=Role.INSENSITIVE,
            label=self.label,
            coarsen=_coarsening(self.coarsen),
            person=self.person,
        )


class SensitiveColumn(Table):
    """A column with what must not be learnt about a person."""

    role: Literal["sensitive"] = Field(description="What the column is to the release.")
    label: bool = _LABEL
    distance: Distance | None = Field(
        default=None, description="How far values are apart, for the measure t."
    )
    coarsen: Coarsen | None = _COARSEN
    normalize: bool | list[str] = Field(
        default=False,
        description="Whether values that differ only in case, blanks, invisible characters or "
        "Unicode form are one, released in lower case. A list has the spellings to release "
        "instead.",
        examples=[True, ["HIV", "Flu"]],
    )
    person: bool = _PERSON

    def attribute(self, name: str, paths: NamedPaths) -> Attribute:
        """Return the column."""
        return Attribute(
            name=name,
            role=Role.SENSITIVE,
            label=self.label,
            ground_distance=self._ground_distance(paths),
            coarsen=_coarsening(self.coarsen),
            normalize=self.normalize if isinstance(self.normalize, bool) else tuple(self.normalize),
            person=self.person,
        )

    def _ground_distance(self, paths: NamedPaths) -> GroundDistance | None:
        if isinstance(self.distance, Table):
            with at_key("distance"):
                return self.distance.distance(paths)
        if self.distance is None:
            return None
        return EqualDistance() if self.distance == "equal" else OrderedDistance()


class QuasiIdentifyingColumn(Table):
    """A column that others may know, so it is recoded."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": ["hierarchy"]}, {"required": ["partitions"]}],
        }
    )

    role: Literal["quasi-identifying"] = Field(description="What the column is to the release.")
    hierarchy: HierarchySetting | None = Field(
        default=None, description="How the values become coarser: a file, or one of the builders."
    )
    partitions: Partitions | None = Field(
        default=None,
        description="Instead of a hierarchy, partitions that need not refine each other: a file "
        "with a column for each, or a list of hierarchies.",
    )
    constrained: bool | None = Field(
        default=None,
        description="Whether the column may only be cut along its hierarchy where others may be "
        "cut anywhere. Unless set, categories may, numbers and dates may not.",
    )
    minimum_level: int = Field(
        default=0, description="The finest level that the column may have.", examples=[1]
    )
    weight: Number = Field(
        default=1.0, description="How much the loss of the column counts.", examples=[1.0]
    )
    label: bool = _LABEL
    statistic: Statistic | None = Field(
        default=None,
        strict=False,
        description="What a microaggregated release shows of each block.",
    )
    digits: int | None = Field(
        default=None, description="How many digits a mean has after the point.", examples=[2]
    )
    output: Output | None = Field(
        default=None,
        strict=False,
        description="What the labels of the column are in a local recoding.",
    )
    person: bool = _PERSON

    @model_validator(mode="after")
    def _one_way_to_coarsen(self) -> QuasiIdentifyingColumn:
        if self.hierarchy is None and self.partitions is None:
            raise SettingsError(
                "hierarchy is missing, and the column is quasi-identifying",
                code="missing-setting",
                key="hierarchy",
                expected=EXAMPLES,
            )
        if self.hierarchy is not None and self.partitions is not None:
            raise SettingsError(
                "the column has a hierarchy and partitions",
                code="conflicting-settings",
                key="partitions",
                remedy="keep one of them: the levels of a hierarchy are admissible partitions too",
            )
        return self

    def attribute(self, name: str, paths: NamedPaths) -> Attribute:
        """Return the column."""
        return Attribute(
            name=name,
            role=Role.QUASI_IDENTIFYING,
            hierarchy=self._partitioned(paths),
            label=self.label,
            weight=self.weight,
            constrained=self.constrained,
            minimum_level=self.minimum_level,
            statistic=self.statistic,
            digits=self.digits,
            output=self.output,
            person=self.person,
        )

    def _partitioned(self, paths: NamedPaths) -> PartitionedDomain | HierarchyBuilder:
        given = self.partitions
        if self.hierarchy is not None:
            with at_key("hierarchy"):
                return built_hierarchy(self.hierarchy, paths)
        with at_key("partitions"):
            if isinstance(given, list):
                return _alternatives(given, paths)
            assert given is not None
            table = FileHierarchy(file=given) if isinstance(given, str) else given
            return table.partitions(paths)


def _alternatives(given: list[HierarchySetting], paths: NamedPaths) -> Alternatives:
    hierarchies = []
    for number, each in enumerate(given):
        with at_key(number):
            hierarchies.append(built_hierarchy(each, paths))
    return Alternatives(hierarchies=tuple(hierarchies))


COLUMN_TABLES: dict[str, type[Table]] = {
    "identifying": IdentifyingColumn,
    "quasi-identifying": QuasiIdentifyingColumn,
    "sensitive": SensitiveColumn,
    "insensitive": InsensitiveColumn,
}
"""The table of a column, by its role."""


def _role(value: object) -> str:
    assert isinstance(value, dict)
    return f"{MARK}{value['role']}"


def _has_role(value: object) -> object:
    if isinstance(value, dict) and value.get("role") in ROLES:
        return value
    raise PydanticCustomError("role", "a column is a table with a role")


Column = Annotated[
    Annotated[IdentifyingColumn, Tag(f"{MARK}identifying")]
    | Annotated[QuasiIdentifyingColumn, Tag(f"{MARK}quasi-identifying")]
    | Annotated[SensitiveColumn, Tag(f"{MARK}sensitive")]
    | Annotated[InsensitiveColumn, Tag(f"{MARK}insensitive")],
    Discriminator(_role),
    BeforeValidator(_has_role),
]
