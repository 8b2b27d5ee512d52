"""How Spark spells what DuckDB spells otherwise: the one place that knows the differences.

The settings that the texts rely on are set while they run, see `settled`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.engines.gaps import Capability, Gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

SETTINGS = {
    # Names are told apart as they are written, as everywhere else.
    "spark.sql.caseSensitive": "true",
    # Casts that cannot be done are errors, and decimals have no exponent.
    "spark.sql.ansi.enabled": "true",
    # Moments with a time zone would be written as the clock of the cluster shows them.
    "spark.sql.session.timeZone": "UTC",
    # A row with too few fields is an error, also where the lacking field is not asked for.
    "spark.sql.csv.parser.columnPruning.enabled": "false",
}
"""What a session must be set to while our queries run."""

_PLAIN = re.compile(r"[\w .,:;*()\[\]{}<>=+/@#$%&!?~^|-]*", re.ASCII)

_TEXTS = ("string", "varchar", "char")
_WITHOUT_TEXT = ("binary", "array", "map", "struct", "variant", "interval", "geo", "void")
"""Types whose text Spark and DuckDB write each in their own way."""


GAPS = Gaps(
    engine="Spark",
    instead={
        Capability.PROFILE: (
            "write some thousand of its rows to a Parquet file, and let DuckDB propose the study"
        ),
        Capability.MATCH_BY_ORDER: (
            "rows on a cluster have no order: name a key column that both tables have"
        ),
        Capability.COUNT_NESTED: (
            "engines write their values in different ways: make a view with a text or a number"
        ),
        Capability.READ_WHOLE: "export it to a CSV or Parquet file, or use DuckDB",
        Capability.READ_MEMORY: "write it to a Parquet file, or use DuckDB",
        Capability.READ_DATABASE: "write it to a Parquet file, or use DuckDB",
    },
)
"""What the engine cannot do."""


class SparkDialect:
    """Spark's own spelling."""

    def literal(self, value: str) -> str:
        """Return a text as an SQL literal, whatever the session says about backslashes.

        >>> SparkDialect().literal("35-44"), SparkDialect().literal("it's")
        ("'35-44'", "decode(unhex('69742773'), 'UTF-8')")
        """
        if _PLAIN.fullmatch(value):
            return f"'{value}'"
        return f"decode(unhex('{value.encode().hex()}'), 'UTF-8')"

    def quoted_name(self, value: str) -> str:
        """Return a name in quotes.

        >>> SparkDialect().quoted_name("a `b`.c")
        '`a ``b``.c`'
        """
        return "`" + value.replace("`", "``") + "`"

    def value_text(self, column: str, kind: str) -> str:
        """Return the SQL of a value's text, as DuckDB would write it."""
        if kind.startswith(_TEXTS):
            return column
        text = f"CAST({column} AS STRING)"
        if kind in ("double", "float"):
            return _number_text(column, kind)
        return f"concat({text}, '+00')" if kind == "timestamp" else text

    def is_number(self, kind: str) -> bool:
        """Say whether the values of a type are numbers."""
        return kind.endswith("int") or kind.startswith(("double", "float", "decimal"))

    def passed_on(self, column: str, kind: str) -> str:
        """Return the SQL of a value that goes to a Parquet file as it is."""
        return f"CAST({column} AS STRING)" if kind.startswith(("variant", "interval")) else column

    def join_kind(self, kind: str) -> str | None:  # noqa: ARG002 (of no type)
        """Return None: values are looked up by their texts."""
        return None

    def digest(self, texts: Sequence[str]) -> str:
        """Return the SQL of a sum of hashes of rows of texts."""
        return f"CAST(coalesce(sum(CAST({self.row_hash(texts)} AS DECIMAL(20, 0))), 0) AS STRING)"

    def row_hash(self, texts: Sequence[str]) -> str:
        """Return the SQL of a hash of a row of texts.

        Spark's hash passes over what is missing, so that ('a', NULL) would be (NULL, 'a').
        """
        marked = ", ".join(f"coalesce(concat('=', {text}), '')" for text in texts)
        return f"xxhash64({marked})"

    def keyed_hash(self, texts: Sequence[str], key: str) -> str:
        """Return the SQL of a hash of texts in any order, in hexadecimal: SHA-256 after a key."""
        parts = ", ".join(f"sha2(concat('{key}', {text}), 256)" for text in texts)
        return f"sha2(concat('{key}', array_join(array_sort(array({parts})), '')), 256)"

    def combinations(self, texts: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of texts there are."""
        return f"approx_count_distinct({self.row_hash(texts)}, 0.01)"

    def hashed_combinations(self, hashes: Sequence[str]) -> str:
        """Return the SQL of about how many different rows of hashes there are."""
        return f"approx_count_distinct(xxhash64({', '.join(hashes)}), 0.01)"

    def different_texts(self, text: str, condition: str) -> str:
        """Return the SQL of the list of a column's different texts that meet a condition."""
        return f"collect_set(CASE WHEN {condition} THEN {text} END)"

    def only_digits(self, text: str) -> str:
        """Return the SQL of whether a text has digits and nothing else."""
        return f"{text} RLIKE '^[0-9]+$'"

    def has_text(self, kind: str) -> bool:
        """Say whether values of a type can be counted: their text is the same on every engine."""
        return not kind.startswith(_WITHOUT_TEXT)


def _number_text(column: str, kind: str) -> str:
    """Return the SQL of the text of a floating number: as few digits as tell it apart.

    Java before 19 writes a digit too many now and then, so that one fewer is tried. DuckDB writes
    exponents below 1e-4 and from 1e16 on, of two digits at least; Java has other rules.
    """
    digits = 15 if kind == "double" else 6
    fewer = f"format_string('%.{digits}e', {column})"
    shortest = (
        f"CASE WHEN try_cast({fewer} AS {kind.upper()}) = {column} THEN {fewer} "
        f"ELSE CAST({column} AS STRING) END"
    )
    positional = (
        f"regexp_replace(CAST(try_cast({shortest} AS DECIMAL(38, 20)) AS STRING), '[.]?0+$', '')"
    )
    scientific = f"lower(regexp_replace({shortest}, '[.]?0*[eE][+]?(-?)0*([0-9]+)$', 'e$1$2'))"
    padded = (
        f"regexp_replace(regexp_replace({scientific}, 'e([0-9])', 'e+$1'), "
        "'e(.)([0-9])$', 'e$10$2')"
    )
    return (
        f"CASE WHEN isnan({column}) THEN NULL "
        f"WHEN abs({column}) < 1e15D AND {column} = rint({column}) "
        f"THEN CAST(CAST({column} AS BIGINT) AS STRING) "
        f"WHEN abs({column}) = double('inf') "
        f"THEN CASE WHEN {column} > 0 THEN 'inf' ELSE '-inf' END "
        f"WHEN abs({column}) < 1e16D AND {column} = rint({column}) "
        f"THEN concat(CAST(CAST({column} AS BIGINT) AS STRING), '.0') "
        f"WHEN abs({column}) >= CAST('1e-4' AS {kind.upper()}) AND abs({column}) < 1e16D "
        f"THEN {positional} "
        f"ELSE {padded} END"
    )
