"""The tables ``[columns.…]`` of a study file: what every column is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.messages.statistic import Statistic
from sfumato.errors import SettingsError
from sfumato.hierarchies.ground_distance import (
    EqualDistance,
    GroundDistance,
    HierarchicalDistance,
    OrderedDistance,
)
from sfumato.microdata.roles import Attribute, Role
from sfumato.study.file.hierarchy_settings import (
    EXAMPLES,
    hierarchy_file,
    hierarchy_of,
    partitions_of,
)
from sfumato.study.file.study_keys import StudyTable, nearest
from sfumato.study.file.toml_text import key_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

COLUMN_KEYS = (
    "role",
    "hierarchy",
    "partitions",
    "constrained",
    "minimum-level",
    "weight",
    "label",
    "distance",
    "statistic",
    "digits",
)
ROLES = tuple(role.value for role in Role)
DISTANCES = '"equal", "ordered", { ordered = ["low", "high"] } or { hierarchy = "file.csv" }'


def attributes_of(file: Path, columns: Mapping[str, object]) -> tuple[Attribute, ...]:
    """Return the columns of a study file, in its order."""
    if not columns:
        raise SettingsError(
            f"{file}: the study lists no columns; give each a table with its role, such as "
            f'[columns.age] with role = "{Role.QUASI_IDENTIFYING}"'
        )
    return tuple(_attribute(file, name, value) for name, value in columns.items())


def _attribute(file: Path, name: str, value: object) -> Attribute:
    place = f"[columns.{key_text(name)}]"
    if isinstance(value, dict):
        for key, inside in value.items():
            if key in COLUMN_KEYS or not isinstance(inside, dict):
                continue
            # A name with a dot makes a table with a role; a slip in a key does not.
            if "role" in inside or not nearest(key, COLUMN_KEYS):
                whole = key_text(f"{name}.{key}")
                raise SettingsError(
                    f"{file}: {place} has no table {key!r}; if the column is called "
                    f"{name}.{key}, write [columns.{whole}], otherwise use its keys "
                    f"{', '.join(COLUMN_KEYS)}"
                )
    column = StudyTable.of(value, file=file, place=place, known=COLUMN_KEYS)
    role = column.choice("role", ROLES)
    if role is None:
        raise SettingsError(f"{file}: {place} has no role; choose one of {', '.join(ROLES)}")
    quasi_identifying = role == Role.QUASI_IDENTIFYING
    if "hierarchy" in column.values and "partitions" in column.values:
        raise SettingsError(
            f"{file}: {place} has a hierarchy and partitions; keep one of them: the levels of a "
            "hierarchy are admissible partitions too"
        )
    if quasi_identifying and not {"hierarchy", "partitions"} & set(column.values):
        raise SettingsError(
            f"{file}: {place} is quasi-identifying and has no hierarchy; say how its values become "
            f"coarser: hierarchy = {EXAMPLES}"
        )
    for key in (
        "hierarchy",
        "partitions",
        "constrained",
        "minimum-level",
        "weight",
        "statistic",
        "digits",
    ):
        if key in column.values and not quasi_identifying:
            raise SettingsError(
                f"{column.at(key)}: the column is {role}, and only quasi-identifying ones "
                f"{_OWN.get(key, 'have a')} {key}; leave it out, or set "
                f'role = "{Role.QUASI_IDENTIFYING}"'
            )
    if "distance" in column.values and role != Role.SENSITIVE:
        raise SettingsError(
            f"{column.at('distance')}: the column is {role}, and only sensitive ones have a "
            f'distance; leave it out, or set role = "{Role.SENSITIVE}"'
        )
    weight = column.number("weight", example="1.0")
    statistic = column.choice("statistic", [each.value for each in Statistic])
    with column.naming():
        return Attribute(
            name=name,
            role=Role(role),
            hierarchy=_partitioned(column) if quasi_identifying else None,
            ground_distance=_distance(column),
            label=bool(column.flag("label")),
            weight=1.0 if weight is None else weight,
            constrained=bool(column.flag("constrained")),
            minimum_level=column.whole("minimum-level", example="1") or 0,
            statistic=None if statistic is None else Statistic(statistic),
            digits=column.whole("digits", example="2"),
        )


_OWN = {"constrained": "are", "partitions": "have", "digits": "have"}
"""How an error says that only some columns have a key."""


def _partitioned(column: StudyTable) -> PartitionedDomain | HierarchyBuilder:
    return partitions_of(column) if "partitions" in column.values else hierarchy_of(column)


def _distance(column: StudyTable) -> GroundDistance | None:
    value = column.values.get("distance")
    if value is None:
        return None
    if value == "equal":
        return EqualDistance()
    if value == "ordered":
        return OrderedDistance()
    if isinstance(value, dict) and len(value) == 1:
        settings = StudyTable.of(
            value,
            file=column.file,
            place=f"{column.place} distance",
            known=("ordered", "hierarchy"),
        )
        if "hierarchy" in value:
            return HierarchicalDistance(hierarchy=hierarchy_file(settings, "hierarchy"))
        with settings.naming():
            return OrderedDistance(order=settings.texts("ordered", example='["low", "high"]'))
    raise column.wrong("distance", f"write {DISTANCES}")
