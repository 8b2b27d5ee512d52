"""What Spark cannot do."""

from __future__ import annotations

from sfumato.engines.gaps import Capability, Gaps

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
        Capability.READ_MEMORY: "write it to a Parquet file, or use DuckDB",
        Capability.READ_DATABASE: "write it to a Parquet file, or use DuckDB",
    },
)
