"""How a study file says what the hierarchy of a column is: a file, or the settings of a builder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.hierarchies.builders.alternatives import Alternatives
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.groups import Groups
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.prefixes import Prefixes
from sfumato.hierarchies.domains.date_unit import UNITS
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv
from sfumato.hierarchies.formats.partitions_csv import read_partitions_csv
from sfumato.study.file.study_keys import StudyTable, nearest, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.hierarchies.hierarchy import Hierarchy
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain

EXAMPLES = (
    '"age.csv", { intervals = [5, 10, 20] }, { prefix = 5 }, { date = ["month", "year"] }, '
    "{ groups = […] } or { flat = true }"
)


PARTITION_EXAMPLES = (
    '"day.csv", a file with a column for each partition, or a list of hierarchies, such as '
    "[{ intervals = [5, 10] }, { intervals = [7] }]"
)


def partitions_of(column: StudyTable, key: str = "partitions") -> Alternatives | PartitionedDomain:
    """Return the admissible partitions that a key of a column's table describes.

    A file of partitions, or a list of hierarchies as they are written everywhere.
    """
    value = column.values[key]
    if isinstance(value, list):
        places = [
            StudyTable.of(
                {"hierarchy": each},
                file=column.file,
                place=f"{column.place} {key}, number {number}:",
                known=("hierarchy",),
            )
            for number, each in enumerate(value, start=1)
        ]
        with column.naming(key):
            return Alternatives(hierarchies=tuple(map(hierarchy_of, places)))
    value = {"file": value} if isinstance(value, str) else value
    if not isinstance(value, dict) or "file" not in value:
        raise column.wrong(key, f"write {PARTITION_EXAMPLES}")
    settings = StudyTable.of(
        value, file=column.file, place=f"{column.place} {key}", known=("file", *_FORMS["file"][0])
    )
    path = settings.text("file", example='"partitions/day.csv"')
    assert path is not None
    with settings.naming():
        return read_partitions_csv(
            settings.file.parent / path,
            delimiter=settings.text("delimiter", example='";"') or ";",
            encoding=settings.text("encoding", example='"latin-1"') or "utf-8-sig",
        )


def hierarchy_of(column: StudyTable, key: str = "hierarchy") -> Hierarchy | HierarchyBuilder:
    """Return the hierarchy that a key of a column's table describes."""
    value = column.values[key]
    if isinstance(value, str):
        return hierarchy_file(column, key)
    if not isinstance(value, dict):
        raise column.wrong(key, f"write {EXAMPLES}")
    forms = [form for form in _FORMS if form in value]
    if len(forms) != 1:
        raise SettingsError(f"{column.at(key)}: {_no_single_form(value, forms)}; write {EXAMPLES}")
    known, build = _FORMS[forms[0]]
    settings = StudyTable.of(
        value, file=column.file, place=f"{column.place} {key}", known=(forms[0], *known)
    )
    with settings.naming():
        return build(settings)


def hierarchy_file(column: StudyTable, key: str) -> Hierarchy:
    """Return the hierarchy of a file that a key names by its path, or by a table about it."""
    value = column.values[key]
    if isinstance(value, str):
        value = {"file": value}
    if not isinstance(value, dict):
        raise column.wrong(key, f'write the path of a hierarchy file, such as {key} = "age.csv"')
    settings = StudyTable.of(
        value, file=column.file, place=f"{column.place} {key}", known=("file", *_FORMS["file"][0])
    )
    if "file" not in value:
        raise SettingsError(
            f'{column.at(key)} has no file; write the path, such as {key} = "age.csv"'
        )
    with settings.naming():
        return _file(settings)


def _no_single_form(value: dict[str, object], forms: list[str]) -> str:
    if forms:
        return f"a hierarchy is one of {' and '.join(forms)}, not both"
    if not value:
        return "the table is empty"
    first = next(iter(value))
    return f"nothing says what kind of hierarchy it is ({first!r} does not){nearest(first, _FORMS)}"


def _file(settings: StudyTable) -> Hierarchy:
    path = settings.text("file", example='"hierarchies/age.csv"')
    assert path is not None
    return read_hierarchy_csv(
        settings.file.parent / path,
        delimiter=settings.text("delimiter", example='";"') or ";",
        encoding=settings.text("encoding", example='"latin-1"') or "utf-8-sig",
    )


def _intervals(settings: StudyTable) -> Intervals:
    widths = settings.numbers("intervals", example="[5, 10, 20]")
    unit = settings.number("unit", example="1")
    origin = settings.number("origin", example="0")
    assert widths is not None
    return Intervals(
        widths=widths,
        unit=1 if unit is None else unit,
        low=settings.number("low", example="17"),
        high=settings.number("high", example="90"),
        origin=0 if origin is None else origin,
    )


def _prefixes(settings: StudyTable) -> Prefixes:
    length = settings.values["prefix"]
    if length is not True and (isinstance(length, bool) or not isinstance(length, int)):
        raise SettingsError(
            f"prefix is {written(length)}; write the length of the codes, such as prefix = 5, or "
            "prefix = true for codes of any length"
        )
    keep = settings.values.get("keep")
    if keep is not None and not (
        isinstance(keep, list) and all(type(each) is int for each in keep)
    ):
        raise settings.wrong("keep", "write a list of whole numbers, such as keep = [3, 1]")
    return Prefixes(
        length=None if length is True else length,
        keep=keep,
        values=settings.texts("values", example='["24120", "24126"]'),
    )


def _dates(settings: StudyTable) -> Dates:
    units = settings.texts("date", example='["month", "year"]')
    assert units is not None
    for unit in units:
        if unit not in UNITS:
            raise SettingsError(
                f"date lists {unit!r}{nearest(unit, UNITS)}; choose among {', '.join(UNITS)}"
            )
    unit = settings.choice("unit", UNITS) or "day"
    levels = units if units and units[0] == unit else (unit, *units)
    return Dates(
        levels=levels,  # type: ignore[arg-type]
        format=settings.text("format", example='"%d.%m.%Y"'),
        first=settings.day("first"),
        last=settings.day("last"),
    )


def _groups(settings: StudyTable) -> Groups:
    return Groups(levels=settings.groups("groups"))


def _flat(settings: StudyTable) -> Flat:
    if settings.values["flat"] is True:
        return Flat()
    if isinstance(settings.values["flat"], list):
        return Flat(values=settings.texts("flat", example='["Male", "Female"]'))
    raise SettingsError(
        f"flat is {written(settings.values['flat'])}; write flat = true, or the values: "
        'flat = ["Male", "Female"]'
    )


_FORMS: dict[str, tuple[tuple[str, ...], Callable[[StudyTable], Hierarchy | HierarchyBuilder]]] = {
    "file": (("delimiter", "encoding"), _file),
    "intervals": (("unit", "low", "high", "origin"), _intervals),
    "prefix": (("keep", "values"), _prefixes),
    "date": (("unit", "format", "first", "last"), _dates),
    "groups": ((), _groups),
    "flat": ((), _flat),
}
"""For each form of a hierarchy its other keys, and how it is made."""
