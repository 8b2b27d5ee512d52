"""What not every engine can do: declared once, refused in one way, listed in docs/spark.md."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.sources.source import (
    CatalogTable,
    DatabaseTable,
    MemoryTable,
    PostgresTable,
    StatisticsFile,
    Worksheet,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.sources.source import Source


class Capability(enum.StrEnum):
    """What some engines can do and others cannot; the value completes "an engine can …"."""

    PROFILE = "describe columns, to propose a study"
    MATCH_BY_ORDER = "match the rows of two tables by their order"
    COUNT_NESTED = "count columns of binary, nested or interval types"
    READ_MEMORY = "read a table in memory"
    READ_DATABASE = "read a table of a database"
    READ_WHOLE = "read a spreadsheet or a file of SAS, SPSS or Stata"
    READ_CATALOG = "read a table of a Spark catalog"


@dataclass(frozen=True, kw_only=True)
class Gaps:
    """What an engine cannot do, and what to do instead.

    >>> gaps = Gaps(engine="Spark", instead={Capability.READ_MEMORY: "write it to a file"})
    >>> gaps.check(Capability.READ_CATALOG, where="people")
    >>> gaps.check(Capability.READ_MEMORY, where="people")
    Traceback (most recent call last):
    ...
    sfumato.errors.SourceError: people: Spark cannot read a table in memory; write it to a file
    """

    engine: str
    instead: Mapping[Capability, str]

    def check(
        self,
        capability: Capability,
        *,
        where: str,
        column: str | None = None,
        data_type: str | None = None,
    ) -> None:
        """Refuse what the engine cannot do with a source, or with a column of a type."""
        if capability in self.instead:
            about = "" if data_type is None else f"column {column!r} has the type {data_type}, and "
            raise SourceError(
                f"{about}{self.engine} cannot {capability}",
                code=f"cannot-{capability.name.lower().replace('_', '-')}",
                file=where,
                column=column,
                found=data_type,
                remedy=self.instead[capability],
            )

    def check_source(self, source: Source) -> None:
        """Refuse a source of a kind that the engine cannot read."""
        needed = {
            MemoryTable: Capability.READ_MEMORY,
            DatabaseTable: Capability.READ_DATABASE,
            PostgresTable: Capability.READ_DATABASE,
            CatalogTable: Capability.READ_CATALOG,
            Worksheet: Capability.READ_WHOLE,
            StatisticsFile: Capability.READ_WHOLE,
        }.get(type(source))
        if needed is not None:
            self.check(needed, where=str(source))
