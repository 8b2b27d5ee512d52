"""A random workload of COUNT queries (Xiao and Tao 2006; LeFevre et al. 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.measures.drawn_leaves import drawn_leaves
from sfumato.microdata.count_table import exact_bincount
from sfumato.statements.predicate import word_text
from sfumato.utility.count_queries import Condition, CountQuery

if TYPE_CHECKING:
    from sfumato.arrays import Counts
    from sfumato.utility.analysed_table import AnalysedColumn, AnalysedTable

_MOST_NAMED = 6


@dataclass(frozen=True, kw_only=True)
class RandomWorkload:
    """Queries drawn at random: how many, about how many columns, and how selective.

    Every query asks for ``columns`` different columns, drawn evenly. Of each it asks for
    ⌈d · selectivity^(1/columns)⌉ of the d values that occur: neighbours where values are ordered,
    any others where they are not. So about a share of ``selectivity`` of the combinations is meant.
    """

    count: int = 1000
    columns: int = 2
    selectivity: float = 0.05
    seed: int = 1

    def __post_init__(self) -> None:
        for key in ("count", "columns"):
            number = getattr(self, key)
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise SettingsError.wrong_setting(
                    key, number, "a whole number from 1 up", code="out-of-range"
                )
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise SettingsError.wrong_setting(
                "seed", self.seed, "a whole number from 0 up", code="out-of-range"
            )
        share = self.selectivity
        if not isinstance(share, int | float) or not 0 < share <= 1:
            raise SettingsError.wrong_setting(
                "selectivity", share, "a share above 0 and up to 1", code="out-of-range"
            )


def random_queries(workload: RandomWorkload, table: AnalysedTable) -> tuple[CountQuery, ...]:
    """Draw the queries of a workload; the same seed and table give the same ones."""
    rng = np.random.default_rng(workload.seed)
    occurring = [_occurring(column, table.counts) for column in table.columns]
    varied = [place for place, leaves in enumerate(occurring) if leaves.size > 1]
    if not varied:
        return ()
    asked = min(workload.columns, len(varied))
    share = workload.selectivity ** (1 / asked)
    found = []
    for _ in range(workload.count):
        places = sorted(rng.choice(varied, size=asked, replace=False).tolist())
        drawn = [_drawn(rng, table.columns[place], occurring[place], share) for place in places]
        found.append(
            CountQuery(
                text=" and ".join(text for text, _ in drawn),
                conditions=tuple(
                    _condition(place, table.columns[place], leaves)
                    for place, (_, leaves) in zip(places, drawn, strict=True)
                ),
            )
        )
    return tuple(found)


def _occurring(column: AnalysedColumn, counts: Counts) -> Counts:
    """Return the leaves that occur; of ordered columns without the one of missing values."""
    leaves = np.flatnonzero(exact_bincount(column.codes, counts, len(column.leaves)))
    return leaves[leaves != column.missing_leaf] if column.ordered else leaves


def _drawn(
    rng: np.random.Generator, column: AnalysedColumn, occurring: Counts, share: float
) -> tuple[str, Counts]:
    """Return the text of a condition and the leaves that it means."""
    leaves = drawn_leaves(rng, occurring, share, ordered=column.ordered)
    if column.ordered:
        first, last = int(leaves[0]), int(leaves[-1])
        ends = word_text(column.leaves[first]), word_text(column.leaves[last])
        return f"{word_text(column.name)} between {ends[0]} and {ends[1]}", leaves
    number = leaves.size
    named = ", ".join(word_text(column.leaves[leaf]) for leaf in leaves[:_MOST_NAMED].tolist())
    more = f", and {number - _MOST_NAMED} more" if number > _MOST_NAMED else ""
    return f"{word_text(column.name)} in {{{named}{more}}}", leaves


def _condition(place: int, column: AnalysedColumn, leaves: Counts) -> Condition:
    meant = np.zeros(len(column.leaves), dtype=np.float64)
    meant[leaves] = 1.0
    return Condition(column=place, values=meant[column.leaf_of_value], leaves=meant)
