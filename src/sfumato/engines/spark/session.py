"""The SQL that engines share, run by Spark: views and cached results under names of our own."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.engines.spark.dialect import SparkDialect
from sfumato.engines.sql.session import fits_in_32_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from sfumato.engines.sql.session import Values


class SparkSqlSession:
    """A session that others use too: what we make in it has its own name and is removed."""

    dialect: ClassVar[SparkDialect] = SparkDialect()

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self._prefix = f"sfumato_{secrets.token_hex(6)}"
        self._views: list[str] = []
        self._kept: list[DataFrame] = []

    def named(self, table: str) -> str:
        """Return what a table of ours is called in a query."""
        return f"{self._prefix}_{table}"

    def view(self, table: str, frame: DataFrame) -> str:
        """Give rows a name, and return it."""
        name = self.named(table)
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def materialize(self, table: str, query: str) -> None:
        """Make a table of the rows of a query; they are kept by the cluster."""
        frame = self.session.sql(query).persist()
        self._kept.append(frame)
        self.view(table, frame)

    def fill(
        self, table: str, columns: Mapping[str, Values], *, kinds: Mapping[str, str] | None = None
    ) -> None:
        """Make a table of values, sent to the cluster."""
        import pyarrow as pa

        texts = {name for name, kind in (kinds or {}).items() if kind == "VARCHAR"}
        assert len(texts) == len(kinds or {}), "values are looked up by their texts"
        if not len(next(iter(columns.values()))):
            # Spark Connect takes no table without rows.
            empty = ", ".join(f"CAST(NULL AS INT) AS {name}" for name in columns)
            self.view(table, self.session.sql(f"SELECT {empty} WHERE false"))
            return
        made = {
            name: pa.array(values, type=pa.string() if name in texts else _kind_of(values))
            for name, values in columns.items()
        }
        self.view(table, self.session.createDataFrame(pa.table(made)))

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return the rows of a query, of which there are few."""
        return [tuple(row) for row in self.session.sql(query).collect()]

    def arrow(self, query: str) -> pa.Table:
        """Return the rows of a query as columns."""
        return self.session.sql(query).toArrow()

    def types(self, query: str) -> list[tuple[str, str]]:
        """Return the names and types of the columns of a query."""
        return list(self.session.sql(query).dtypes)

    def close(self) -> None:
        """Remove all that was made, as far as the session still answers."""
        with suppress(Exception):
            for frame in self._kept:
                frame.unpersist()
            for name in self._views:
                self.session.catalog.dropTempView(name)


def _kind_of(values: Values) -> pa.DataType:
    import pyarrow as pa

    if isinstance(values, np.ndarray):
        return pa.from_numpy_dtype(values.dtype)
    found = next((type(value) for value in values if value is not None), None)
    if found is float:
        return pa.float64()
    if found is int:
        return pa.int32() if fits_in_32_bits(values) else pa.int64()
    return pa.string()
