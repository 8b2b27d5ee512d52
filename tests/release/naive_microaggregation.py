"""Microaggregation row by row in plain Python: the oracle of the release."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from statistics import median_low
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.release.rewritten_rows import Row

    import sfumato as sf

EPOCH = date(1, 1, 1)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How values of a column are read, ordered, written and averaged."""

    read: Callable[[str], object]
    write: Callable[[object], str]
    mean: Callable[[Sequence[object]], str] | None = None


def number_kind(digits: int) -> Kind:
    def mean(values: Sequence[object]) -> str:
        context = Context(prec=60)
        total = sum((v for v in values if isinstance(v, Decimal)), Decimal(0))
        exact = context.divide(total, Decimal(len(values)))
        rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN, context)
        return _number(rounded)

    return Kind(read=Decimal, write=lambda v: _number(Decimal(str(v))), mean=mean)


def _number(value: Decimal) -> str:
    if value == 0:
        return "0"
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _mean_day(values: Sequence[object]) -> str:
    days = [(v - EPOCH).days for v in values if isinstance(v, date)]
    low, rest = divmod(sum(days), len(days))
    return (EPOCH + timedelta(days=low + (2 * rest > len(days)))).isoformat()


DATE = Kind(read=date.fromisoformat, write=str, mean=_mean_day)


def category_kind(order: Sequence[str]) -> Kind:
    return Kind(read=order.index, write=lambda place: order[int(str(place))])


def statistic(kind: Kind, name: str, texts: Sequence[str]) -> str:
    values = [kind.read(text) for text in texts]
    if name == "mean":
        assert kind.mean is not None
        return kind.mean(values)
    if name == "median":
        return kind.write(median_low(values))  # type: ignore[type-var]
    most = max(Counter(values).values())
    return kind.write(min(v for v, n in Counter(values).items() if n == most))  # type: ignore[type-var]


def microaggregated_rows(
    rows: Sequence[Mapping[str, str | None]],
    study: sf.Study,
    levels: Mapping[str, int],
    threshold: int,
    *,
    kinds: Mapping[str, tuple[Kind, str]],
    star: bool = False,
) -> Counter[Row] | None:
    """Return the released rows, None if two blocks of a column have the same statistic."""
    sensitive = {a.name for a in study.attributes if a.role == "sensitive"}
    gaps = (None, *study.missing.markers)
    if study.missing.policy == "drop":
        counted = [*levels, *sensitive]
        rows = [row for row in rows if not any(row[name] in gaps for name in counted)]
    blocks = [
        {name: _block(study, name, row[name], levels[name]) for name in levels} for row in rows
    ]
    sizes = Counter(tuple(row.values()) for row in blocks)
    kept = [sizes[tuple(row.values())] >= threshold for row in blocks]
    shown: dict[str, dict[int, str]] = {}
    for name, (kind, which) in kinds.items():
        values: defaultdict[int, list[str]] = defaultdict(list)
        for row, block, stays in zip(rows, blocks, kept, strict=True):
            if stays:
                value = row[name]
                values[block[name]] += [] if value is None or value in gaps else [value]
        shown[name] = {
            block: statistic(kind, which, texts) if texts else study.missing.label
            for block, texts in values.items()
        }
        if len(set(shown[name].values())) < len(shown[name]):
            return None
    released: Counter[Row] = Counter()
    for row, block, stays in zip(rows, blocks, kept, strict=True):
        if stays:
            released[tuple(shown[n][block[n]] if n in levels else v for n, v in row.items())] += 1
        elif star:
            released[tuple("*" if n in levels else None for n in row)] += 1
    return released


def _block(study: sf.Study, name: str, value: str | None, level: int) -> int:
    hierarchy = study.hierarchies[name]
    if value is None or value in study.missing.markers:
        leaf = hierarchy.leaf_count - 1
        assert hierarchy.missing_leaf == leaf
    else:
        leaf = int(hierarchy.locate([value])[0])
    return int(hierarchy.levels[level][leaf])
