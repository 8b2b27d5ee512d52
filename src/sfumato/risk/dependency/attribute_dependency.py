"""How much the quasi-identifiers of a recoding tell of each sensitive column (Pawlak 1991, ch. 4).

The Granulation paper names reducts and the dependency of attributes as future work (§6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.risk.dependency.reducts import Reducts, class_of_rows, reducts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.arrays import Counts, Floats
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Telling:
    """What a set of columns tells of a sensitive one.

    ``dependency`` is γ = |POS| / N, the share of the rows whose class has one sensitive value:
    these are learnt for certain. ``bits`` is the mutual information, and ``share`` its share of the
    entropy of the sensitive column (0 if that has one value). Of many small classes both are high
    by chance alone.
    """

    columns: tuple[str, ...]
    dependency: float
    bits: float
    share: float


@dataclass(frozen=True, kw_only=True)
class SensitiveDependency:
    """What all quasi-identifiers tell of a sensitive column, each alone, and all without each."""

    sensitive: str
    entropy: float
    together: Telling
    alone: tuple[Telling, ...]
    without: tuple[Telling, ...]


@dataclass(frozen=True, kw_only=True)
class AttributeDependency:
    """Which quasi-identifiers can be dropped, and how much each tells of the sensitive columns."""

    rows: int
    reducts: Reducts
    sensitive: tuple[SensitiveDependency, ...]


def attribute_dependency(
    table: CountTable, levels: Mapping[str, int] | None = None
) -> AttributeDependency:
    """Return the analysis of a counted table, recoded to some levels.

    Columns that ``levels`` leaves out stay at level 0, their values. Nothing is suppressed, and
    rows are counted, also where there is a person key.
    """
    codes = recoded(table, levels or {})
    names = tuple(table.names)
    return AttributeDependency(
        rows=table.rows,
        reducts=reducts_of(codes, names),
        sensitive=tuple(_of(table, codes, column.name) for column in table.sensitive),
    )


def recoded(table: CountTable, levels: Mapping[str, int]) -> Counts:
    """Return the codes of all cells, a column for each quasi-identifier, at their levels."""
    unknown = [name for name in levels if name not in table.names]
    if unknown:
        raise SettingsError(
            f"levels are given for {unknown[0]!r}, which is not a quasi-identifier",
            code="unknown-column",
            column=unknown[0],
            expected=tuple(table.names),
        )
    codes: Counts = np.empty((table.cells, len(table.names)), dtype=np.int64)
    for q, (name, tree) in enumerate(zip(table.names, table.hierarchies, strict=True)):
        level = levels.get(name, table.minimum_levels[q])
        if not 0 <= level < len(tree.levels):
            raise SettingsError(
                f"column {name!r} has no level {level}",
                code="out-of-range",
                column=name,
                found=str(level),
                expected=f"a level from 0 to {len(tree.levels) - 1}",
            )
        codes[:, q] = tree.levels[level][table.cell_codes[q]]
    return codes


def _of(table: CountTable, codes: Counts, sensitive: str) -> SensitiveDependency:
    carried = table.carried((sensitive,))
    cells = np.repeat(np.arange(table.cells), np.diff(carried.starts))
    values, counts = carried.values.astype(np.int64), carried.counts.astype(np.int64)
    entropy = _entropy_rows(np.bincount(values, weights=counts).astype(np.float64)) / table.rows

    def telling(columns: Iterable[int]) -> Telling:
        chosen = tuple(columns)
        classes = class_of_rows(codes, chosen)[cells]
        pairs, which = np.unique(np.stack((classes, values), axis=1), axis=0, return_inverse=True)
        joint = np.bincount(which.ravel(), weights=counts)
        sizes = np.bincount(pairs[:, 0], weights=joint)
        certain = np.bincount(pairs[:, 0]) == 1
        # Σ size · H(class) = Σ size·log size - Σ count·log count, in bits.
        inside = float((sizes * np.log2(sizes)).sum() - (joint * np.log2(joint)).sum())
        bits = max(0.0, entropy - inside / table.rows)
        return Telling(
            columns=tuple(table.names[q] for q in chosen),
            dependency=float(sizes[certain].sum() / table.rows),
            bits=bits,
            share=bits / entropy if entropy > 0 else 0.0,
        )

    every = range(codes.shape[1])
    return SensitiveDependency(
        sensitive=sensitive,
        entropy=entropy,
        together=telling(every),
        alone=tuple(telling([q]) for q in every),
        without=tuple(telling([p for p in every if p != q]) for q in every),
    )


def _entropy_rows(counts: Floats) -> float:
    """Return N·H of counts, in bits."""
    some = counts[counts > 0]
    total = some.sum()
    return max(0.0, float(total * np.log2(total) - (some * np.log2(some)).sum()))
