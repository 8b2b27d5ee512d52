"""How DuckDB spells what other engines spell otherwise: the one place that knows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.engines.gaps import Capability, Gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

FLOATING = ("DOUBLE", "FLOAT")

_EXACT_AS_TEXT = (
    "VARCHAR",
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
    "DATE",
    *FLOATING,
)
"""Types whose text can be cast back to the very value, so that rows are joined without casts."""

_AS_TEXT_IN_PARQUET = ("INTERVAL", "TIME WITH TIME ZONE", "UNION", "BIT", "BIGNUM")
"""Types that Parquet does not hold as they are."""

_ENUM = re.compile(r"""(?P<name>"(?:[^"]|"")*")|\bENUM\('(?:[^']|'')*'(?:, ?'(?:[^']|'')*')*\)""")
"""An ENUM in the text of a type, or a quoted name of a field, which may look like one. An ENUM is
written with all its values in the dictionary, those of suppressed people blanked out but counted,
in lists and structs too."""


GAPS = Gaps(
    engine="DuckDB",
    instead={
        Capability.READ_CATALOG: (
            'choose Spark: SparkEngine(…), or kind = "spark" under [engine] of the study file'
        ),
    },
)
"""What the engine cannot do."""


class DuckDBDialect:
    """DuckDB's own spelling."""

    def literal(self, value: str) -> str:
        """Return a text as an SQL literal.

        >>> DIALECT.literal("it's")
        "'it''s'"
        """
        return "'" + value.replace("'", "''") + "'"

    def quoted_name(self, value: str) -> str:
        """Return a name in quotes.

        >>> DIALECT.quoted_name("total sum")
        '"total sum"'
        """
        return '"' + value.replace('"', '""') + '"'

    def value_text(self, column: str, kind: str) -> str:
        """Return the SQL of a value's text.

        A whole number has no decimal point even if it is floating: pandas turns 39 into 39.0 where
        a column has gaps. What is not a number is missing. What is counted, released and audited
        is written by this one rule.
        """
        text = f"CAST({column} AS VARCHAR)"
        if kind not in FLOATING:
            return text
        # The text is asked, not isnan(…): DuckDB takes from the statistics of a Parquet file,
        # which ignore NaN, that a column has none. So it also takes conditions for true that NaN
        # fails, and only TRY_CAST can meet one.
        whole = f"{column} = trunc({column}) AND abs({column}) < 1e15"
        return (
            f"CASE WHEN {text} IN ('nan', '-nan') THEN NULL "
            f"WHEN {whole} THEN CAST(TRY_CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
        )

    def has_text(self, kind: str) -> bool:  # noqa: ARG002 (every type)
        """Return True: values of every type are counted by their texts."""
        return True

    def is_number(self, kind: str) -> bool:
        """Say whether the values of a type are numbers."""
        return kind in FLOATING or kind.endswith(("INT", "INTEGER")) or kind.startswith("DECIMAL")

    def passed_on(self, column: str, kind: str) -> str:
        """Return the SQL of a value that goes to a Parquet file as it is."""
        if kind in ("HUGEINT", "UHUGEINT"):
            # Parquet has no such integers, and DuckDB would write them as floating point.
            return f"CAST({column} AS DECIMAL(38, 0))"
        if kind.startswith(_AS_TEXT_IN_PARQUET):
            return f"CAST({column} AS VARCHAR)"
        plain = _ENUM.sub(lambda found: found["name"] or "VARCHAR", kind)
        return column if plain == kind else f"CAST({column} AS {plain})"

    def join_kind(self, kind: str) -> str | None:
        """Return the type by which values are looked up, None if it is their text."""
        return kind if kind in _EXACT_AS_TEXT or kind.startswith("DECIMAL") else None

    def digest(self, texts: Sequence[str]) -> str:
        """Return the SQL of a sum of hashes of rows of texts."""
        return f"CAST(coalesce(sum(CAST({self.row_hash(texts)} AS HUGEINT)), 0) AS VARCHAR)"

    def keyed_hash(self, texts: Sequence[str], key: str) -> str:
        """Return the SQL of a hash of texts in any order, in hexadecimal: SHA-256 after a key."""
        parts = ", ".join(f"sha256('{key}' || {text})" for text in texts)
        return f"sha256('{key}' || array_to_string(list_sort([{parts}]), ''))"

    def combinations(self, texts: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of texts there are."""
        return f"approx_count_distinct({self.row_hash(texts)})"

    def row_hash(self, texts: Sequence[str]) -> str:
        """Return the SQL of a hash of a row of texts."""
        return f"hash({', '.join(texts)})"

    def hashed_combinations(self, hashes: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of hashes there are."""
        return f"approx_count_distinct(hash({', '.join(hashes)}))"

    def different_texts(self, text: str, condition: str) -> str:
        """Return the SQL of the list of a column's different texts that meet a condition."""
        return f"list(DISTINCT {text}) FILTER (WHERE {text} IS NOT NULL AND {condition})"

    def only_digits(self, text: str) -> str:
        """Return the SQL of whether a text has digits and nothing else."""
        return f"regexp_full_match({text}, '[0-9]+')"


DIALECT = DuckDBDialect()
