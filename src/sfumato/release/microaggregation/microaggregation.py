"""Microaggregation: every value replaced by the statistic of its block (Granulation §3.1).

The block is that of the column's own partition, over all kept rows, whatever class they are in:
the statistic of {t_jk | (u_i, u_j) ∈ ind(π_k)}. So a lookup from value to statistic is all that
the rewrite needs, as for labels, and rows have equal cells exactly if they are of one class. In a
local recoding a column has no partition: there blocks are the classes (`class_statistics`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.block_statistics import (
    Statistic,
    mean_position,
    median_position,
    mode_position,
)
from sfumato.errors import ReleaseError, SettingsError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.domains.domain import (
    CategoryDomain,
    DateDomain,
    MissingDomain,
    NumberDomain,
)
from sfumato.hierarchies.kept_order import kept_order
from sfumato.microdata.roles import MOST_DIGITS
from sfumato.release.microaggregation.value_scale import (
    DateScale,
    NumberScale,
    ValueScale,
    scale_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.engines.messages.block_statistics import KeptValues
    from sfumato.hierarchies.domains.domain import Domain
    from sfumato.microdata.count_table import CountedQuasiIdentifier
    from sfumato.microdata.roles import Attribute
    from sfumato.recoding.written_column import WrittenColumn


def default_statistic(domain: Domain) -> Statistic:
    """Return the statistic that suits a domain where nobody chose one.

    Numbers have a mean, dates a median (Granulation §3.2), categories a mode: the median of codes
    such as ZIP codes looks like a place between the others, and is none.

    >>> default_statistic(NumberDomain(low=17, count=74))
    <Statistic.MEAN: 'mean'>
    >>> from sfumato.hierarchies.domains.domain import CategoryDomain
    >>> default_statistic(CategoryDomain(values=("24126", "24129"), ordered=True))
    <Statistic.MODE: 'mode'>
    """
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, NumberDomain):
        return Statistic.MEAN
    return Statistic.MEDIAN if isinstance(known, DateDomain) else Statistic.MODE


DEFAULT_DIGITS = 2
"""How many digits more than its unit a mean has after the point, unless the column says."""

_EXACT_AS_DOUBLE = 15
"""A number of as many significant digits is the same after it was a double."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MicroaggregatedColumn:
    """A quasi-identifier whose blocks have statistics.

    ``blocks`` has the statistics for labels, None where no row is kept. ``digits`` is None unless
    the statistic is a mean of numbers. ``positions`` has the place on the ``scale`` of every value
    that was kept. ``alone`` counts the blocks that could hold several values but in which all kept
    rows have the same one: their statistic shows it, where a label would not. ``squared_error`` is
    SSE/SST over the kept rows, None for categories and where all values are equal.
    """

    blocks: WrittenColumn
    statistic: Statistic
    digits: int | None
    scale: ValueScale
    positions: Mapping[str, int]
    missing_label: str | None
    alone: int
    squared_error: float | None

    @property
    def form(self) -> str:
        """What the written statistics are, in words."""
        block = "class" if self.blocks.by_class else "block"
        form = f"the {self.statistic} of the {block}"
        if self.digits is not None:
            form += f", rounded to {counted(self.digits, 'digit')} after the point"
        if self.missing_label is not None and self.missing_label in self.blocks.labels:
            form += f"; {self.missing_label} if all values of the {block} are missing"
        return form

    @property
    def numbers(self) -> bool:
        """Whether all statistics are numbers that a double holds as they are written."""
        written = [label for label in self.blocks.labels if label is not None]
        return isinstance(self.scale, NumberScale) and all(
            label != self.missing_label and _is_double(label) for label in written
        )


def microaggregate(
    identifiers: Sequence[CountedQuasiIdentifier],
    attributes: Sequence[Attribute],
    blocks: Sequence[WrittenColumn],
    kept: Mapping[str, KeptValues],
) -> tuple[MicroaggregatedColumn, ...]:
    """Return the statistics of all blocks; ``kept`` has the kept rows of every block and value."""
    by_name = {attribute.name: attribute for attribute in attributes}
    return tuple(
        _column(identifier, by_name[identifier.name], column, kept[identifier.name])
        for identifier, column in zip(identifiers, blocks, strict=True)
    )


def refuse_equal_statistics(
    columns: Sequence[MicroaggregatedColumn],
    blocks: Sequence[WrittenColumn],
    kept: Mapping[str, KeptValues],
) -> None:
    """Refuse two blocks of a column with the same statistic: they would merge classes."""
    merged = [
        fault
        for column, named in zip(columns, blocks, strict=True)
        for fault in _merged(column, named, kept[named.name])
    ]
    if merged:
        raise ReleaseError(
            "blocks with the same statistic would be one in the release, and their classes with "
            f"them: {'; '.join(merged)}",
            code="equal-statistics",
        )


def _column(
    identifier: CountedQuasiIdentifier,
    attribute: Attribute,
    column: WrittenColumn,
    kept: KeptValues,
) -> MicroaggregatedColumn:
    leaf_of, missing = identifier.leaf_of_value, identifier.missing_leaf
    texts = {text: None for _, text in kept if text is not None and leaf_of[text] != missing}
    domain = _seen_domain(identifier, {leaf_of[text] for text in texts})
    statistic = attribute.statistic or default_statistic(domain)
    digits = _digits(identifier, attribute, statistic)
    scale, positions = scale_of(
        tuple(texts),
        domain=domain,
        statistic=statistic,
        digits=digits,
        column=identifier.name,
    )
    rows = _rows_by_block(positions, kept)
    labels: list[str | None] = [None] * len(column.labels)
    without = {block for block, text in kept if leaf_of[text] == missing}
    missing_label = None
    if missing is not None and without:
        # Where nothing else is known of a block, its rows say that they are missing.
        missing_label = identifier.hierarchy.domain.leaves[missing]
        for block in without:
            labels[block] = missing_label
    sizes = column.sizes.tolist()
    broad = not _leaves_are_values(identifier.hierarchy.domain)
    for block, of_block in rows.items():
        labels[block] = _written(statistic, scale, of_block)
    return MicroaggregatedColumn(
        blocks=replace(column, labels=tuple(labels)),
        statistic=statistic,
        digits=digits,
        scale=scale,
        positions=positions,
        missing_label=missing_label,
        alone=sum(
            len(of_block) == 1 and (broad or sizes[block] > 1) for block, of_block in rows.items()
        ),
        squared_error=_squared_error(scale, rows, labels),
    )


def _seen_domain(identifier: CountedQuasiIdentifier, kept: Collection[int]) -> Domain:
    """Return a domain that kept rows decide where nobody declared one: missing values apart.

    Of categories, one that only somebody suppressed has could make an order of all others.
    """
    domain = identifier.hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if identifier.domain_declared or not isinstance(known, CategoryDomain) or not kept:
        return known
    order = kept_order(identifier.hierarchy, np.array(sorted(kept), dtype=np.int32))
    values = tuple(known.leaves[leaf] for leaf in order.leaves)
    return CategoryDomain(values=values, ordered=order.ordered)


def _squared_error(
    scale: ValueScale, rows: Mapping[int, Mapping[int, int]], labels: Sequence[str | None]
) -> float | None:
    """Return Σ (value - statistic)² / Σ (value - mean)² over the rows that have a value."""
    if not isinstance(scale, NumberScale | DateScale) or not rows:
        return None
    number = {place: scale.number(place) for of_block in rows.values() for place in of_block}
    all_rows: defaultdict[int, int] = defaultdict(int)
    errors = []
    for block, of_block in rows.items():
        written = scale.read(str(labels[block]))
        for position, count in of_block.items():
            all_rows[position] += count
            errors.append(count * (number[position] - written) ** 2)
    mean = math.fsum(number[p] * n for p, n in all_rows.items()) / sum(all_rows.values())
    total = math.fsum(n * (number[p] - mean) ** 2 for p, n in all_rows.items())
    return math.fsum(errors) / total if total else None


def _leaves_are_values(domain: Domain) -> bool:
    """Say whether a leaf stands for one value: it may be an interval, or a month."""
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if isinstance(known, NumberDomain):
        return known.whole
    return not isinstance(known, DateDomain) or known.unit == "day"


def _rows_by_block(positions: Mapping[str, int], kept: KeptValues) -> dict[int, dict[int, int]]:
    """Return, for every block, the kept rows of each position; missing values have none."""
    rows: defaultdict[int, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (block, text), count in kept.items():
        if text is not None and text in positions:
            rows[block][positions[text]] += count
    return {block: dict(of_block) for block, of_block in rows.items()}


def _written(statistic: Statistic, scale: ValueScale, rows: Mapping[int, int]) -> str:
    if statistic is Statistic.MEAN:
        assert isinstance(scale, NumberScale | DateScale)
        return scale.write_mean(mean_position(rows))
    find = median_position if statistic is Statistic.MEDIAN else mode_position
    return scale.write(find(rows))


def _digits(
    identifier: CountedQuasiIdentifier, attribute: Attribute, statistic: Statistic
) -> int | None:
    """Return how many digits a mean has after the point, None if nothing is rounded to digits."""
    domain = identifier.hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    if statistic is not Statistic.MEAN or isinstance(known, DateDomain):
        if attribute.digits is not None:
            what = "dates" if statistic is Statistic.MEAN else f"the {statistic}"
            raise SettingsError(
                f"digits says how a mean of numbers is rounded, and the column is released by "
                f"{what}",
                code="conflicting-settings",
                column=attribute.name,
                key="digits",
                found=str(attribute.digits),
                remedy="leave digits out",
            )
        return None
    if attribute.digits is not None:
        return attribute.digits
    if isinstance(known, NumberDomain):
        exponent = int(known.exact_unit.normalize().as_tuple().exponent)
        return min(MOST_DIGITS, max(0, -exponent) + DEFAULT_DIGITS)
    return DEFAULT_DIGITS


def _merged(column: MicroaggregatedColumn, named: WrittenColumn, kept: KeptValues) -> list[str]:
    """Say which blocks have the same statistic, and what would tell them apart."""
    blocks_of: defaultdict[str, list[str]] = defaultdict(list)
    for written, label in zip(column.blocks.labels, named.labels, strict=True):
        if written is not None:
            blocks_of[written].append(str(label))
    same = [blocks for blocks in blocks_of.values() if len(blocks) > 1]
    if not same:
        return []
    shown = " and in ".join(listed(blocks, most=4) for blocks in same[:3])
    more = f" and in {len(same) - 3} more places" if len(same) > 3 else ""
    digits = _digits_that_tell_apart(column, kept)
    advice = (
        f"digits = {digits} would tell them apart"
        if digits is not None
        else "choose statistic = 'median' or 'mode', or another recoding"
    )
    return [f"the {column.statistic} of column {named.name!r} in {shown}{more} ({advice})"]


def _digits_that_tell_apart(column: MicroaggregatedColumn, kept: KeptValues) -> int | None:
    if column.digits is None or not isinstance(column.scale, NumberScale):
        return None
    rows = _rows_by_block(column.positions, kept)
    means = [mean_position(of_block) for of_block in rows.values()]
    for digits in range(column.digits + 1, MOST_DIGITS + 1):
        finer = replace(column.scale, digits=digits)
        if len({finer.write_mean(mean) for mean in means}) == len(means):
            return digits
    return None


def _is_double(text: str) -> bool:
    digits = text.lstrip("-").replace(".", "").strip("0")
    return len(digits) <= _EXACT_AS_DOUBLE and (text == "0" or 1e-4 <= abs(float(text)) < 1e15)
