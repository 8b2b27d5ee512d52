"""Which labels of a released column cover a value that somebody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.errors import SourceError
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain
from sfumato.recoding.label_reader import LabelReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from sfumato.microdata.missing import MissingValues


def shown_labels(
    cells: Sequence[str | None], hierarchy: PartitionedDomain, *, missing: MissingValues
) -> dict[str | None, str]:
    """Return the label that each cell of a release shows, ``*`` if it tells nothing.

    A value that is no label is taken for its leaf, as in a file that was not recoded.

    >>> from sfumato.microdata.missing import MissingValues
    >>> rows = [("9", "low", "*"), ("10", "high", "*"), ("11", "high", "*")]
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> level = Hierarchy.from_rows(rows, name="level")
    >>> shown_labels(["high", "9.0", None], level, missing=MissingValues())
    {'high': 'high', '9.0': '9', None: '*'}
    """
    labels = {label for names in hierarchy.labels for label in names}
    reader = LabelReader(hierarchy=hierarchy)
    silent = {TOP, hierarchy.labels[-1][0]}
    shown: dict[str | None, str] = {}
    for cell in cells:
        if cell is None or _is_missing(cell, missing) or cell in silent:
            shown[cell] = TOP
        elif cell in labels:
            shown[cell] = cell
        else:
            shown[cell] = _read_label(cell, hierarchy, reader)
    return shown


def _read_label(cell: str, hierarchy: PartitionedDomain, reader: LabelReader) -> str:
    """Return the value that a cell is, or the label itself if it is one of a local recoding."""
    leaf = int(hierarchy.locate([cell])[0])
    if leaf >= 0:
        return hierarchy.domain.leaves[leaf]
    if reader.leaves(cell) is None:
        raise SourceError(
            f"{cell!r} is neither a value nor a label of the column's hierarchy",
            code="value-not-in-hierarchy",
            remedy="attack a table that was recoded with the hierarchies of the study",
        )
    return cell


class LabelRun(NamedTuple):
    """A label, and leaves next to each other that it covers: from ``first`` to ``last``."""

    label: str
    first: int
    last: int


def label_runs(labels: Iterable[str], hierarchy: PartitionedDomain) -> list[LabelRun]:
    """Return what every label covers, as runs of leaves; ``*`` covers -1 too, any other value.

    A name that blocks of several levels have covers them all, so its runs can overlap.

    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> rows = [("9", "low", "*"), ("10", "high", "*"), ("11", "high", "*")]
    >>> level = Hierarchy.from_rows(rows, name="level")
    >>> [tuple(run) for run in label_runs(["high", "{9, 11}", "*"], level)]
    [('high', 1, 2), ('{9, 11}', 0, 0), ('{9, 11}', 2, 2), ('*', -1, 2)]
    """
    wanted = set(labels)
    found: dict[str, list[tuple[int, int]]] = {TOP: [(-1, hierarchy.leaf_count - 1)]}
    for names, codes in zip(hierarchy.labels[:-1], hierarchy.levels, strict=False):
        # Blocks of a hierarchy are single runs; admissible partitions may have others.
        firsts, lasts = _ends(np.flatnonzero(np.diff(codes)), codes.shape[0])
        for first, last, block in zip(firsts, lasts, codes[firsts].tolist(), strict=True):
            if names[block] in wanted:
                found.setdefault(names[block], []).append((first, last))
    reader = LabelReader(hierarchy=hierarchy)
    for label in wanted - found.keys():
        leaves = reader.leaves(label)
        assert leaves is not None, "a label that is shown can be read"
        places = _ends(np.flatnonzero(np.diff(leaves) != 1), leaves.shape[0])
        firsts, lasts = (leaves[each].tolist() for each in places)
        found[label] = list(zip(firsts, lasts, strict=True))
    return [
        LabelRun(label, first, last)
        for label in labels
        for first, last in dict.fromkeys(found[label])
    ]


def _ends(gaps: NDArray[np.intp], count: int) -> tuple[list[int], list[int]]:
    """Return where runs begin and end among so many leaves with a gap after some of them."""
    inner = gaps.tolist()
    return [0, *(gap + 1 for gap in inner)], [*inner, count - 1]


def known_leaves(
    values: Sequence[str | None], hierarchy: PartitionedDomain, *, missing: MissingValues
) -> list[tuple[str | None, int | None]]:
    """Return the leaf of every value: -1 outside the domain, None for one that is missing.

    >>> from sfumato.microdata.missing import MissingValues
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> level = Hierarchy.from_rows([("9", "*"), ("10", "*")], name="level")
    >>> known_leaves(["10", "11", None], level, missing=MissingValues())
    [('10', 1), ('11', -1), (None, None)]
    """
    known = [value for value in values if value is not None]
    leaf_of = dict(zip(known, hierarchy.locate(known).tolist(), strict=True))
    return [
        (value, None if value is None or _is_missing(value, missing) else leaf_of[value])
        for value in values
    ]


def _is_missing(cell: str | None, missing: MissingValues) -> bool:
    return cell is None or cell in missing.markers or cell == missing.label
