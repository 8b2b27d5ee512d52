"""The table ``[engine]`` of a study file: what counts and rewrites the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.spark.engine import SparkEngine
from sfumato.errors import SettingsError
from sfumato.microdata.combination_guard import MOST_COMBINATIONS
from sfumato.study.file.table import Table

if TYPE_CHECKING:
    from sfumato.engines.engine import Engine


class EngineTable(Table):
    """What counts and rewrites the rows."""

    kind: Literal["duckdb", "spark"] = Field(
        default="duckdb", description="DuckDB, in this process, or Spark."
    )
    master: str | None = Field(
        default=None, description="Where Spark is: the URL of its master.", examples=["local[*]"]
    )
    remote: str | None = Field(
        default=None,
        description="Instead of a master, the address of a Spark Connect server.",
        examples=["sc://host:15002"],
    )
    most_combinations: int = Field(
        default=MOST_COMBINATIONS,
        ge=1,
        description="The most distinct combinations of quasi-identifiers that are counted.",
        examples=[MOST_COMBINATIONS],
    )

    def engine(self) -> Engine:
        """Return the engine; nothing is started yet."""
        if self.kind == "spark":
            return SparkEngine(master=self.master, remote=self.remote)
        for key in ("master", "remote"):
            if key in self.given:
                raise SettingsError(
                    "it says where Spark is, and the engine is DuckDB",
                    code="conflicting-settings",
                    key=key,
                    remedy='set kind = "spark", or leave it out',
                )
        return DuckDBEngine()
