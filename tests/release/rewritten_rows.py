"""What a release should hold, worked out row by row in plain Python: the oracle of the rewrite."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from typing import TYPE_CHECKING

import pyarrow.parquet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import sfumato as sf

Row = tuple[str | None, ...]


def rewritten_rows(
    rows: Sequence[Mapping[str, str | None]],
    study: sf.Study,
    levels: Mapping[str, int],
    threshold: int,
    *,
    star: bool = False,
) -> Counter[Row]:
    """Return the released rows: texts as they were counted, None for missing values."""
    identifying = {a.name for a in study.attributes if a.role == "identifying"}
    sensitive = {a.name for a in study.attributes if a.role == "sensitive"}
    counted = [*study.hierarchies, *sensitive]
    counted += [a.name for a in study.attributes if a.label and a.name not in counted]
    if study.missing.policy == "drop":
        rows = [row for row in rows if not any(_missing(study, row[name]) for name in counted)]
    recoded = [
        {name: _label(study, name, row[name], levels[name]) for name in levels} for row in rows
    ]
    sizes = Counter(tuple(labels.values()) for labels in recoded)
    released: Counter[Row] = Counter()
    for row, labels in zip(rows, recoded, strict=True):
        kept = sizes[tuple(labels.values())] >= threshold
        if not kept and not star:
            continue
        cells: list[str | None] = []
        for name, value in row.items():
            if name in identifying:
                continue
            if name in labels:
                cells.append(labels[name] if kept else "*")
            else:
                cells.append(value if kept else None)
        released[tuple(cells)] += 1
    return released


def _missing(study: sf.Study, value: str | None) -> bool:
    return value is None or value in study.missing.markers


def _label(study: sf.Study, name: str, value: str | None, level: int) -> str:
    hierarchy = study.hierarchies[name]
    if _missing(study, value):
        leaves = list(hierarchy.domain.leaves)
        places = [t for t in (*study.missing.markers, study.missing.label) if t in leaves]
        leaf = leaves.index(places[0])
    else:
        assert value is not None
        leaf = int(hierarchy.locate([value])[0])
    return hierarchy.labels[level][int(hierarchy.levels[level][leaf])]


def read_rows(path: Path, *, delimiter: str = ",") -> tuple[list[str], Counter[Row]]:
    """Read a released file with tools that sfumato does not use."""
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        columns = [[_text(v) for v in column.to_pylist()] for column in table.columns]
        return table.column_names, Counter(zip(*columns, strict=True))
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream, delimiter=delimiter))
    return lines[0], Counter(tuple(cell or None for cell in line) for line in lines[1:])


def without_empty_texts(rows: Counter[Row]) -> Counter[Row]:
    """Return the rows as CSV tells them: an empty text is a missing value."""
    merged: Counter[Row] = Counter()
    for row, count in rows.items():
        merged[tuple(cell or None for cell in row)] += count
    return merged


def _text(value: object) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
