"""Rows and their counts as plain Python, to compare engines and tables with."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.engines.messages.grouped_counts import GroupedCounts
    from sfumato.microdata.count_table import CountTable
    from sfumato.sources.source import ColumnarTable, Source

Row = tuple[str | None, ...]


def rows_of(grouped: GroupedCounts) -> Counter[Row]:
    """Return the counted rows, columns in the order in which they were asked for."""
    rows: Counter[Row] = Counter()
    for position, count in enumerate(grouped.counts.tolist()):
        row = tuple(c.values[c.codes[position]] for c in grouped.columns.values())
        assert row not in rows, "a combination came twice"
        rows[row] = count
    return rows


def counted_rows(
    data: Source | ColumnarTable | str | Path, columns: Sequence[str] | None = None
) -> Counter[Row]:
    """Count a source with DuckDB, all of its columns unless some are named."""
    engine = DuckDBEngine()
    source = source_of(data)
    return rows_of(engine.count(source, columns or engine.columns(source)))


def rows_of_table(table: CountTable) -> Counter[tuple[str, ...]]:
    """Return the rows of a count table: leaves of the QIs, then sensitive values and label."""
    rows: Counter[tuple[str, ...]] = Counter()
    for cell in range(table.cells):
        leaves = tuple(
            hierarchy.domain.leaves[table.cell_codes[position, cell]]
            for position, hierarchy in enumerate(table.hierarchies)
        )
        for entry in range(table.entry_starts[cell], table.entry_starts[cell + 1]):
            values = tuple(
                column.values[table.entry_codes[position, entry]]
                for position, column in enumerate(table.columns.values())
            )
            rows[(*leaves, *values)] += int(table.entry_counts[entry])
    return rows
