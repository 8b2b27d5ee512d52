"""Generated microdata of any size: skewed columns, the same rows on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from sfumato.classes.suppression import limited
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.prefixes import Prefixes
from sfumato.microdata.roles import Attribute, identifying, quasi_identifying, sensitive
from sfumato.sources.source import ParquetFile
from sfumato.study.study import Study

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.hierarchies.builders.builder import HierarchyBuilder


@dataclass(frozen=True)
class Column:
    """A column: an SQL text of a skewed number ``u`` in [0, 1), and how it is recoded."""

    name: str
    sql: str
    hierarchy: HierarchyBuilder


def _letters(count: int) -> str:
    return f"'v' || lpad(CAST(CAST(floor(u * {count}) AS INTEGER) AS VARCHAR), 3, '0')"


COLUMNS = (
    Column(
        "age",
        "CAST(floor(17 + 74 * u) AS INTEGER)",
        Intervals(widths=(5, 10, 20, 40), low=17, high=90),
    ),
    Column("sex", "CASE WHEN u < 0.5 THEN 'F' ELSE 'M' END", Flat()),
    Column("region", "lpad(CAST(CAST(floor(u * 20) AS INTEGER) AS VARCHAR), 2, '0')", Prefixes()),
    Column("marital", _letters(7), Flat()),
    Column("education", _letters(16), Prefixes(keep=(3, 2))),
    Column("work", _letters(8), Flat()),
    Column("country", _letters(40), Prefixes(keep=(3,))),
    Column("race", _letters(5), Flat()),
    *(Column(f"code{i}", _letters(10), Flat()) for i in range(1, 8)),
)


def generate(path: Path, *, rows: int, columns: int) -> None:
    """Write a Parquet file with the first ``columns`` columns, a name and a diagnosis."""
    generate_part(path, first=0, rows=rows, columns=columns)


def generate_part(path: Path, *, first: int, rows: int, columns: int) -> None:
    """Write some of the rows, by their numbers."""

    def skewed(q: int, power: int) -> str:
        return f"pow((hash(i * 64 + {q}) % 1000003) / 1000003.0, {power})"

    # A high power gathers most rows in few values, as real registers do; age is spread wider.
    chosen = ", ".join(
        f"(SELECT {column.sql} FROM (SELECT {skewed(q, 2 if q == 0 else 8)} AS u)) AS {column.name}"
        for q, column in enumerate(COLUMNS[:columns])
    )
    diagnosis = f"'d' || CAST(floor({skewed(63, 3)} * 30) AS INTEGER)"
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT 'person ' || i AS name, {chosen}, {diagnosis} AS diagnosis "
            f"FROM range({first}, {first + rows}) AS t(i)) TO '{path}' (FORMAT parquet)"
        )


def attributes(columns: int) -> list[Attribute]:
    """Return the roles of the columns."""
    return [
        identifying("name"),
        *(quasi_identifying(column.name, column.hierarchy) for column in COLUMNS[:columns]),
        sensitive("diagnosis"),
    ]


def generated_study(path: Path, *, columns: int, objectives: tuple[str, ...]) -> Study:
    """Return the study of a generated file."""
    return Study(
        source=ParquetFile(path=path),
        attributes=attributes(columns),
        objectives=objectives,
        suppression=limited(0.01),
    )
