"""Texts inside SQL: literals, names, and how the value of a column is written as text."""

from __future__ import annotations

FLOATING = ("DOUBLE", "FLOAT")


def literal(value: str) -> str:
    """Return ``value`` as an SQL string literal.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + value.replace("'", "''") + "'"


def quoted_name(value: str) -> str:
    """Return ``value`` as a quoted SQL name.

    >>> quoted_name("total sum")
    '"total sum"'
    """
    return '"' + value.replace('"', '""') + '"'


def value_text(column: str, kind: str) -> str:
    """Return the SQL of a value's text.

    A whole number has no decimal point though it be floating: pandas turns 39 into 39.0 where a
    column has gaps. What is not a number is missing. What is counted, released and audited is
    written by this one rule.
    """
    text = f"CAST({column} AS VARCHAR)"
    if kind not in FLOATING:
        return text
    # The text is asked, not isnan(…): DuckDB takes from the statistics of a Parquet file, which
    # ignore NaN, that a column has none. So it also takes conditions for true that NaN fails, and
    # only TRY_CAST can meet one.
    whole = f"{column} = trunc({column}) AND abs({column}) < 1e15"
    return (
        f"CASE WHEN {text} IN ('nan', '-nan') THEN NULL "
        f"WHEN {whole} THEN CAST(TRY_CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
    )
