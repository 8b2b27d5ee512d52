"""Recodings by cuts: partitions of the ordered domains into blocks of neighbouring values."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import SettingsError
from sfumato.hierarchies.hierarchy import tree_of
from sfumato.recoding.block_labels import block_label, block_labels
from sfumato.recoding.recoding import ColumnRecoding, Page, Recoding, too_fine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier

MOST_EXAMPLES = 6


@dataclass(frozen=True, kw_only=True)
class Cuts(ColumnRecoding):
    """The leaves at which a new block begins, for every quasi-identifier.

    (8, 23) cuts a domain before its leaves 8 and 23, so that it has three blocks.

    >>> Cuts.of({"age": [8, 23]}) == Cuts.of({"age": (8, 23)})
    True
    """

    kind: ClassVar[str] = "cuts"
    heading: ClassVar[str] = "blocks"
    freedom: ClassVar[str] = "partitions"
    labels_of_kept_rows: ClassVar[bool] = True

    columns: tuple[tuple[str, tuple[int, ...]], ...]

    @classmethod
    def of(cls, cuts: Mapping[str, Sequence[int]]) -> Cuts:
        """Return the recoding that begins a block at the given leaves of every column."""
        columns = []
        for name, leaves in cuts.items():
            at = tuple(int(leaf) for leaf in leaves)
            if any(low >= high for low, high in zip((0, *at), at, strict=False)):
                raise SettingsError(
                    f"the cuts of column {name!r} are {list(at)}",
                    code="wrong-order",
                    column=name,
                    found=str(list(at)),
                    expected="the first leaves of blocks, ascending from 1 on",
                )
            columns.append((name, at))
        return cls(columns=tuple(columns))

    @property
    def cuts(self) -> dict[str, tuple[int, ...]]:
        """The cuts of every quasi-identifier."""
        return dict(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(name for name, _ in self.columns)

    def numbers(self) -> dict[str, int]:
        """Return the number of blocks of every quasi-identifier."""
        return {name: len(leaves) + 1 for name, leaves in self.columns}

    def stored(self) -> dict[str, object]:
        """Return the cuts by column."""
        return {name: list(leaves) for name, leaves in self.columns}

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Cuts:
        """Return the recoding of stored cuts."""
        cuts: dict[str, list[int]] = {}
        for name, leaves in stored.items():
            if not isinstance(leaves, list | tuple) or not all(type(at) is int for at in leaves):
                raise TypeError(f"the cuts of {name!r} must be a list of whole numbers")
            cuts[name] = list(leaves)
        return cls.of(cuts)

    def block_of_leaf(self, name: str, hierarchy: PartitionedDomain) -> Codes:
        """Return the block of every leaf between the cuts of a column."""
        begins = np.zeros(hierarchy.leaf_count, dtype=np.int32)
        begins[list(self.cuts[name])] = 1
        return sealed_codes(np.cumsum(begins))

    def labels(self, name: str, hierarchy: PartitionedDomain) -> tuple[str, ...]:
        """Return the label of every block between the cuts of a column."""
        return block_labels(tree_of(hierarchy, column=name), self.cuts[name])

    def check_column(self, identifier: CountedQuasiIdentifier) -> None:
        """Refuse cuts beyond the domain, or inside a block of the minimum level."""
        cuts, hierarchy = self.cuts[identifier.name], identifier.hierarchy
        starts = hierarchy.block_starts(identifier.minimum_level)
        if identifier.minimum_level and not set(cuts) <= set(starts.tolist()):
            raise too_fine(identifier)
        if cuts and cuts[-1] >= hierarchy.leaf_count:
            raise SettingsError(
                f"column {identifier.name!r} cannot be cut before leaf {cuts[-1]}",
                code="out-of-range",
                column=identifier.name,
                found=str(cuts[-1]),
                expected=f"a leaf from 1 to {hierarchy.leaf_count - 1}",
            )

    @classmethod
    def pages(
        cls, name: str, hierarchy: PartitionedDomain, recodings: Iterable[Recoding]
    ) -> tuple[Page, ...]:
        """Return the partitions that the recodings have, with labels of joined values."""
        tree = tree_of(hierarchy, column=name)
        chosen = {each.cuts[name] for each in recodings if isinstance(each, Cuts)}
        pages = []
        for leaves in sorted(chosen, key=lambda cuts: (-len(cuts), cuts)):
            joined = [
                block_label(tree, first, end - 1)
                for first, end in itertools.pairwise((0, *leaves, tree.leaf_count))
                if end - first > 1
            ]
            pages.append(
                Page(key=leaves, blocks=len(leaves) + 1, examples=tuple(joined[:MOST_EXAMPLES]))
            )
        return tuple(pages)

    def page_of(self, name: str, pages: tuple[Page, ...]) -> int:
        """Return the page with the cuts of a column."""
        return [page.key for page in pages].index(self.cuts[name])
