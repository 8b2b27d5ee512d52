"""Which labels of a released column cover a value that somebody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.hierarchies.partitioned_domain import TOP, PartitionedDomain

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

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
    silent = {TOP, hierarchy.labels[-1][0]}
    shown: dict[str | None, str] = {}
    for cell in cells:
        if cell is None or _is_missing(cell, missing) or cell in silent:
            shown[cell] = TOP
        elif cell in labels:
            shown[cell] = cell
        else:
            leaf = int(hierarchy.locate([cell])[0])
            if leaf < 0:
                raise SourceError(
                    f"{cell!r} is neither a value nor a label of the column's hierarchy",
                    code="value-not-in-hierarchy",
                    remedy="attack a table that was recoded with the hierarchies of the study",
                )
            shown[cell] = hierarchy.domain.leaves[leaf]
    return shown


def covering_labels(
    values: Sequence[str | None],
    hierarchy: PartitionedDomain,
    *,
    shown: Set[str],
    missing: MissingValues,
) -> list[tuple[str | None, str]]:
    """Return every value with each of the labels ``shown`` that covers it.

    A missing value is covered by all of them, one outside the domain by ``*`` alone.

    >>> from sfumato.microdata.missing import MissingValues
    >>> rows = [("9", "low", "*"), ("10", "high", "*"), ("11", "high", "*")]
    >>> from sfumato.hierarchies.hierarchy import Hierarchy
    >>> level = Hierarchy.from_rows(rows, name="level")
    >>> covering_labels(["9", "10"], level, shown={"9", "low", "high"}, missing=MissingValues())
    [('9', '9'), ('9', 'low'), ('10', 'high')]
    """
    known = [value for value in values if value is not None]
    leaf_of = dict(zip(known, hierarchy.locate(known).tolist(), strict=True))
    inner = list(zip(hierarchy.labels[:-1], (c.tolist() for c in hierarchy.levels), strict=False))
    covers: list[tuple[str | None, str]] = []
    for value in values:
        if _is_missing(value, missing):
            covering = set(shown)
        else:
            leaf = leaf_of[str(value)]
            named = {names[codes[leaf]] for names, codes in inner} if leaf >= 0 else set()
            covering = ({TOP} | named) & shown
        covers += [(value, label) for label in sorted(covering)]
    return covers


def _is_missing(cell: str | None, missing: MissingValues) -> bool:
    return cell is None or cell in missing.markers or cell == missing.label
