"""What a recoding is. Each kind is a file beside this one; nobody else asks which kind it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from sfumato.errors import SettingsError
from sfumato.errors.listing import listed
from sfumato.recoding.written_column import ColumnBlocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountedQuasiIdentifier, CountTable


@dataclass(frozen=True, kw_only=True)
class Page:
    """A partition: how many blocks it has, and some of their labels.

    ``key`` tells it from the others of its column as documents do: a level, or cuts. ``name`` is
    the name of an admissible partition.
    """

    key: int | tuple[int, ...]
    blocks: int
    examples: tuple[str, ...] = ()
    name: str | None = None

    @property
    def is_level(self) -> bool:
        """Whether it is a level of a hierarchy, so that pages lie one above the other."""
        return isinstance(self.key, int)


FREEDOMS = ("global", "partitions", "local")
"""How freely recodings choose, the least first: levels of hierarchies, cuts of columns, classes."""

KINDS: dict[str, type[Recoding]] = {}
"""The kinds of recodings by the key under which documents store them."""


class Recoding(ABC):
    """A function of the cell: what becomes of every combination of quasi-identifier values.

    It is hashable. A kind knows how it maps cells to classes, what their labels are, how it is
    stored and how it is described. It registers itself under its ``kind``.
    """

    kind: ClassVar[str]
    """The key under which documents store such a recoding."""
    heading: ClassVar[str]
    """What `numbers` are: a level, or a number of blocks."""
    freedom: ClassVar[str] = FREEDOMS[0]
    """How freely it chooses: one of `FREEDOMS`."""
    labels_of_kept_rows: ClassVar[bool] = False
    """Whether labels are made of values, so that a release may only name those of kept rows."""

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            KINDS[cls.kind] = cls

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""

    @abstractmethod
    def numbers(self) -> dict[str, int]:
        """Return the number that tables show for every quasi-identifier."""

    @abstractmethod
    def stored(self) -> dict[str, object]:
        """Return the recoding as JSON values, by column: what `read` takes."""

    def shown(self) -> dict[str, object]:
        """Return what lists of solutions show of it as JSON values: what is stored, unless long."""
        return self.stored()

    @classmethod
    @abstractmethod
    def read(cls, stored: Mapping[str, object]) -> Self:
        """Return the recoding that `stored` returned; what is not one is a Value- or TypeError."""

    @abstractmethod
    def check(self, table: CountTable) -> None:
        """Refuse a table that the recoding is not about, or does not fit."""

    @property
    def levels(self) -> dict[str, int]:
        """The level of every quasi-identifier; empty for a kind without levels."""
        return {}

    def __str__(self) -> str:
        return ", ".join(f"{name} {number}" for name, number in self.numbers().items())


class ColumnRecoding(Recoding):
    """One partition of the domain for every quasi-identifier: global recoding."""

    @abstractmethod
    def block_of_leaf(self, name: str, hierarchy: PartitionedDomain) -> Codes:
        """Return the block of every leaf of a quasi-identifier."""

    @abstractmethod
    def labels(self, name: str, hierarchy: PartitionedDomain) -> tuple[str, ...]:
        """Return the label of every block of a quasi-identifier."""

    @abstractmethod
    def check_column(self, identifier: CountedQuasiIdentifier) -> None:
        """Refuse what goes beyond the domain of a quasi-identifier, or below its minimum level."""

    @classmethod
    @abstractmethod
    def pages(
        cls, name: str, hierarchy: PartitionedDomain, recodings: Iterable[Recoding]
    ) -> tuple[Page, ...]:
        """Return the partitions of a column that some recodings choose from, fine to coarse."""

    @abstractmethod
    def page_of(self, name: str, pages: tuple[Page, ...]) -> int:
        """Return which of the `pages` of a column this recoding chose."""

    def level_of(self, name: str) -> int | None:  # noqa: ARG002
        """Return the level of a quasi-identifier; None for a kind without levels."""
        return None

    @property
    def levels(self) -> dict[str, int]:
        """The level of every quasi-identifier; empty for a kind without levels."""
        found = {name: self.level_of(name) for name in self.names}
        return {name: level for name, level in found.items() if level is not None}

    def blocks(self, table: CountTable) -> tuple[ColumnBlocks, ...]:
        """Return what becomes of every value, in the order of the table's quasi-identifiers."""
        self.check(table)
        return self.blocks_in(dict(zip(table.names, table.hierarchies, strict=True)))

    def blocks_in(self, hierarchies: Mapping[str, PartitionedDomain]) -> tuple[ColumnBlocks, ...]:
        """Return what becomes of every value of the given hierarchies, in their order."""
        return tuple(
            ColumnBlocks(
                name=name,
                block_of_leaf=self.block_of_leaf(name, hierarchy),
                labels=self.labels(name, hierarchy),
                level=self.level_of(name),
            )
            for name, hierarchy in hierarchies.items()
        )

    def check(self, table: CountTable) -> None:
        """Refuse a recoding of other columns, or one that does not fit them."""
        if set(self.names) != set(table.names) or len(set(self.names)) < len(self.names):
            raise SettingsError(
                f"the recoding is about {', '.join(self.names)}, and the quasi-identifiers are "
                f"{', '.join(table.names)}",
                code="other-columns",
                found=listed(self.names),
                remedy="give one choice for each",
            )
        for identifier in table.quasi_identifiers:
            self.check_column(identifier)


def too_fine(identifier: CountedQuasiIdentifier) -> SettingsError:
    """Return the error of a recoding that goes below the minimum level of a column."""
    return SettingsError(
        f"the recoding of column {identifier.name!r} is finer than its minimum level, level "
        f"{identifier.minimum_level}, at which its rows were counted",
        code="below-minimum-level",
        column=identifier.name,
        remedy="choose a coarser one, or lower the minimum level",
    )


def stored_recoding(recoding: Recoding) -> dict[str, dict[str, object]]:
    """Return a recoding as a document stores it: its kind, and its choices by column."""
    return {recoding.kind: recoding.stored()}


def read_recoding(document: Mapping[str, object]) -> Recoding:
    """Return the recoding that a document stores under the key of its kind.

    >>> from sfumato.recoding.levels import Levels
    >>> read_recoding({"id": 3, "levels": {"age": 2}})
    Levels(columns=(('age', 2),))
    """
    for kind, cls in KINDS.items():
        stored = document.get(kind)
        if isinstance(stored, dict):
            return cls.read(stored)
    raise ValueError(f"no recoding is stored; expected one of the keys {', '.join(KINDS)}")
