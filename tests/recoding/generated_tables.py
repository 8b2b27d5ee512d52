"""Generated count tables of any width, and their classes by dictionary and by NumPy.

The judges here share nothing with the kernels: one groups the rows in a dictionary, the other
sorts recoded columns with NumPy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.grouped_counts import GroupedColumn, GroupedCounts
from sfumato.hierarchies.domains.category_domain import CategoryDomain
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.counting import build_count_table
from sfumato.microdata.roles import quasi_identifying, sensitive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes, Counts
    from sfumato.classes.class_batch import ClassBatch
    from sfumato.microdata.count_table import CountTable


@cache
def texts(count: int) -> tuple[str, ...]:
    """Return values whose order as texts is their order as numbers."""
    return tuple(f"v{i:07}" for i in range(count))


def hierarchy(leaves: int, widths: Sequence[int]) -> Hierarchy:
    """Return a hierarchy over ``leaves`` whose level ``i`` has blocks of ``widths[i - 1]``.

    The top follows unless the last width makes one block already.
    """
    levels = [np.arange(leaves) // width for width in (1, *widths)]
    if levels[-1][-1] != 0:
        levels.append(np.zeros(leaves, dtype=np.int64))
    labels = [
        texts(leaves),
        *(tuple(f"L{i}B{b}" for b in range(int(level[-1]) + 1)) for i, level in enumerate(levels)),
    ]
    del labels[1]
    return Hierarchy(
        domain=CategoryDomain(values=texts(leaves)),
        levels=tuple(level.astype(np.int32) for level in levels),
        labels=tuple(labels),
    )


@dataclass(frozen=True, kw_only=True)
class Generated:
    """Rows as codes: a row of ``codes`` for each quasi-identifier, a column for each data row.

    ``sensitive`` maps a column to its number of values and their codes; ``weights`` is how often
    each row occurs.
    """

    hierarchies: Sequence[Hierarchy]
    codes: Codes
    sensitive: Mapping[str, tuple[int, Codes]] = field(default_factory=dict)
    weights: Counts | None = None

    @property
    def counts(self) -> Counts:
        if self.weights is not None:
            return self.weights
        return np.ones(self.codes.shape[1], dtype=np.int64)

    def counted(self) -> CountTable:
        """Return the count table of the rows."""
        columns = {
            f"q{q}": GroupedColumn(values=texts(tree.leaf_count), codes=self.codes[q])
            for q, tree in enumerate(self.hierarchies)
        }
        attributes = [quasi_identifying(f"q{q}", t) for q, t in enumerate(self.hierarchies)]
        for name, (width, values) in self.sensitive.items():
            columns[name] = GroupedColumn(values=texts(width), codes=values)
            attributes.append(sensitive(name))
        return build_count_table(GroupedCounts(columns=columns, counts=self.counts), attributes)

    def classes(self, blocks: Sequence[Codes]) -> dict[tuple[int, ...], Counter[tuple[str, str]]]:
        """Group the rows in a dictionary; ``blocks[q][leaf]`` is the block of a leaf.

        The counter has the class size under ``("", "")`` and the counts of sensitive values
        under (column, value).
        """
        recoded = [of[row].tolist() for of, row in zip(blocks, self.codes, strict=True)]
        carried = [
            (name, [texts(width)[code] for code in values])
            for name, (width, values) in self.sensitive.items()
        ]
        weights = self.counts.tolist()
        found: dict[tuple[int, ...], Counter[tuple[str, str]]] = {}
        for i, key in enumerate(zip(*recoded, strict=True)):
            members = found.setdefault(key, Counter())
            members["", ""] += weights[i]
            for name, values in carried:
                members[name, values[i]] += weights[i]
        return found

    def at(self, node: Sequence[int]) -> list[Codes]:
        """Return the blocks of a node of the lattice."""
        return [tree.levels[level] for tree, level in zip(self.hierarchies, node, strict=True)]


def clustered(
    rng: np.random.Generator, hierarchies: Sequence[Hierarchy], rows: int, *, clusters: int = 12
) -> Codes:
    """Return rows that differ from one of a few prototypes in a few columns only.

    So wide tables have classes to merge at all levels, not only at the top.
    """
    leaves = np.array([tree.leaf_count for tree in hierarchies])
    prototypes = rng.integers(0, leaves[:, None], size=(len(leaves), clusters))
    codes = prototypes[:, rng.integers(0, clusters, rows)]
    strays = rng.random(codes.shape) < 2 / len(leaves)
    codes = np.where(strays, rng.integers(0, leaves[:, None], size=codes.shape), codes)
    return codes.astype(np.int32)


def classes_of(batch: ClassBatch, n: int) -> dict[tuple[int, ...], Counter[tuple[str, str]]]:
    """Return one recoding of a batch in the form of `Generated.classes`."""
    found: dict[tuple[int, ...], Counter[tuple[str, str]]] = {}
    columns = range(len(batch.books))
    low, high = int(batch.offsets[n]), int(batch.offsets[n + 1])
    codes = [batch.codes(q, slice(low, high)).tolist() for q in columns]
    for i, key in enumerate(zip(*codes, strict=True)):
        assert key not in found, "two classes have the same codes"
        found[key] = Counter({("", ""): int(batch.sizes[low + i])})
        for name in batch.carried.spans:
            assert isinstance(name, str)
            values = batch.table.columns[name].values
            counts = batch.counts(name)
            entries = slice(int(counts.starts[low + i]), int(counts.starts[low + i + 1]))
            shown = counts.values[entries].tolist()
            assert shown == sorted(set(shown)), "carried values ascend, each once"
            for code, count in zip(shown, counts.counts[entries].tolist(), strict=True):
                found[key][name, values[code]] = count
    return found


def check_ascending(batch: ClassBatch) -> None:
    """Every table of the batch ascends strictly by key, and by codes in the layout's order."""
    for n in range(batch.recodings):
        inside = slice(int(batch.offsets[n]), int(batch.offsets[n + 1]))
        keys = [tuple(key) for key in batch.keys[inside].tolist()]
        assert keys == sorted(set(keys))
        codes = [batch.codes(q, inside).tolist() for q in batch.layout.order]
        vectors = list(zip(*codes, strict=True))
        assert vectors == sorted(vectors)


def check_identical(one: ClassBatch, other: ClassBatch) -> None:
    """Two batches agree in every array."""
    for left, right in (
        (one.choices, other.choices),
        (one.offsets, other.offsets),
        (one.keys, other.keys),
        (one.sizes, other.sizes),
        (one.carried.starts, other.carried.starts),
        (one.carried.values, other.carried.values),
        (one.carried.counts, other.carried.counts),
    ):
        assert left.dtype == right.dtype
        assert np.array_equal(left, right)


def sorted_classes(batch: ClassBatch, node: Sequence[int]) -> tuple[Codes, Counts]:
    """Return the codes (in the layout's order) and sizes of a node's classes, by NumPy's sort."""
    table = batch.table
    recoded = np.stack(
        [table.hierarchies[q].levels[node[q]][table.cell_codes[q]] for q in batch.layout.order]
    )
    order = np.lexsort(recoded[::-1])
    recoded = recoded[:, order]
    changes = (recoded[:, 1:] != recoded[:, :-1]).any(axis=0)
    first = np.flatnonzero(np.concatenate(([True], changes)))
    return recoded[:, first], np.add.reduceat(table.cell_sizes[order], first)


def check_sorted(batch: ClassBatch, n: int) -> None:
    """A recoding of a batch has the classes that NumPy's sort gives, in the same order."""
    codes, sizes = sorted_classes(batch, batch.choices[n].tolist())
    inside = slice(int(batch.offsets[n]), int(batch.offsets[n + 1]))
    assert np.array_equal(batch.sizes[inside], sizes)
    for position, q in enumerate(batch.layout.order):
        assert np.array_equal(batch.codes(q, inside), codes[position])
