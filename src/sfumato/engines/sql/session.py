"""What the SQL that engines share needs of an engine: where it runs, and how it is spelled.

The text is the same for all engines. What differs is known by the dialect, one file for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.arrays import Codes

Values: TypeAlias = "Sequence[str | None] | Sequence[int] | Sequence[float] | Codes"
"""A column of a table that Python makes; its type is that of the values."""


class SqlDialect(Protocol):
    """How an engine spells what the others spell otherwise."""

    def literal(self, value: str) -> str:
        """Return a text as an SQL literal."""
        ...

    def quoted_name(self, value: str) -> str:
        """Return a name in quotes."""
        ...

    def value_text(self, column: str, kind: str) -> str:
        """Return the SQL of a value's text: the one rule by which all is counted and released."""
        ...

    def has_text(self, kind: str) -> bool:
        """Say whether the values of a type have a text, so that they can be counted."""
        ...

    def is_number(self, kind: str) -> bool:
        """Say whether the values of a type are numbers."""
        ...

    def passed_on(self, column: str, kind: str) -> str:
        """Return the SQL of a value that goes to a Parquet file as it is."""
        ...

    def join_kind(self, kind: str) -> str | None:
        """Return the type by which values are looked up, None if it is their text."""
        ...

    def digest(self, texts: Sequence[str]) -> str:
        """Return the SQL of a sum of hashes of rows of texts, itself a text of digits."""
        ...

    def keyed_hash(self, texts: Sequence[str], key: str) -> str:
        """Return the SQL of a hash of texts in any order, in hexadecimal: SHA-256 after a key."""
        ...

    def combinations(self, texts: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of texts there are."""
        ...

    def row_hash(self, texts: Sequence[str]) -> str:
        """Return the SQL of a hash of a row of texts, a whole number that is never missing."""
        ...

    def hashed_combinations(self, hashes: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of such hashes there are."""
        ...

    def different_texts(self, text: str, condition: str) -> str:
        """Return the SQL of the list of a column's different texts that meet a condition."""
        ...

    def only_digits(self, text: str) -> str:
        """Return the SQL of whether a text has digits and nothing else."""
        ...


class SqlSession(Protocol):
    """A place to run queries; the tables that are made in it go away with it."""

    @property
    def dialect(self) -> SqlDialect:
        """How this engine spells SQL."""
        ...

    def named(self, table: str) -> str:
        """Return what a table of ours is called in a query."""
        ...

    def materialize(self, table: str, query: str) -> None:
        """Make a table of the rows of a query, which several queries will read."""
        ...

    def fill(
        self, table: str, columns: Mapping[str, Values], *, kinds: Mapping[str, str] | None = None
    ) -> None:
        """Make a table of values; ``kinds`` are types that texts are to be converted to."""
        ...

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the rows of a query, of which there are few."""
        ...

    def types(self, query: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a query."""
        ...


def whole_number(value: object) -> int:
    """Return a number of a query's row as a whole one; nothing counts as none."""
    return int(value or 0)  # type: ignore[call-overload, no-any-return]


def fits_in_32_bits(values: Values) -> bool:
    """Say whether whole numbers fit in the smaller type of them.

    >>> fits_in_32_bits([1, 2**31 - 1]), fits_in_32_bits([2**31])
    (True, False)
    """
    return all(value is None or abs(value) < 2**31 for value in values)  # type: ignore[arg-type]
