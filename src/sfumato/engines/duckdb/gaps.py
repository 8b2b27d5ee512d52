"""What DuckDB cannot do."""

from __future__ import annotations

from sfumato.engines.gaps import Capability, Gaps

GAPS = Gaps(
    engine="DuckDB",
    instead={
        Capability.READ_PARTS: "give one file of it, or choose Spark",
        Capability.READ_CATALOG: (
            'choose Spark: SparkEngine(…), or kind = "spark" under [engine] of the study file'
        ),
    },
)
