"""The study file as a whole: its tables, with those of all methods that have settings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from pydantic import Field, create_model

from sfumato.study.file.column_table import Column
from sfumato.study.file.engine_table import EngineTable
from sfumato.study.file.missing_table import MissingTable
from sfumato.study.file.release_table import ReleaseTable
from sfumato.study.file.search_table import SearchTable, search_table, settings_kinds
from sfumato.study.file.source_table import SourceTable
from sfumato.study.file.statement_table import StatementTable
from sfumato.study.file.suppression_table import SuppressionTable
from sfumato.study.file.table import Table, table_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class StudyDocument(Table):
    """A study: where the rows are, what every column is, and what matters."""

    source: SourceTable = Field(default=SourceTable(), description="Where the rows are.")
    columns: dict[str, Column] = Field(default={}, description="What every column is, by its name.")
    missing: MissingTable = Field(
        default=MissingTable(), description="What becomes of missing values."
    )
    suppression: SuppressionTable = Field(
        default=SuppressionTable(), description="Which rows may be left out."
    )
    statements: list[StatementTable] = Field(
        default=[], description="What people protect, a table for each predicate."
    )
    search: SearchTable = Field(
        default=SearchTable(), description="What to look for, where and how."
    )
    release: ReleaseTable = Field(
        default=ReleaseTable(), description="What the released table looks like."
    )
    engine: EngineTable = Field(
        default=EngineTable(), description="What counts and rewrites the rows."
    )


def study_document(named: Iterable[str] = ()) -> type[StudyDocument]:
    """Return the model of a study file; methods of other packages are in it if ``named``."""
    return document_with(tuple(settings_kinds(named).items()))


@cache
def document_with(kinds: tuple[tuple[str, type[object]], ...]) -> type[StudyDocument]:
    """Return the model of a study file that has the settings of some methods."""
    search = search_table(dict(kinds))
    return create_model(
        "StudyDocument",
        __base__=StudyDocument,
        __doc__=StudyDocument.__doc__,
        search=(search, Field(default=search(), description="What to look for, where and how.")),
    )


def header(table: str) -> str:
    """Return how a study file heads a table: one that it can have several times by two brackets.

    >>> header("source"), header("statements")
    ('[source]', '[[statements]]')
    """
    return f"[[{table}]]" if table == "statements" else f"[{table}]"


def homes(model: type[StudyDocument]) -> Mapping[str, str]:
    """Return under which header a key belongs, or under which ones it could."""
    tables = tables_of(model)
    found: dict[str, str] = {}
    for method, settings in tables_of(tables["search"]).items():
        for key in settings.key_names():
            before = f"{found[key]} or " if key in found else ""
            found[key] = f"{before}[search.{method}]"
    counts = Counter(key for table in tables.values() for key in table.key_names())
    return found | {
        key: header(name)
        for name, table in tables.items()
        for key in table.key_names()
        if counts[key] == 1
    }


def tables_of(model: type[Table]) -> dict[str, type[Table]]:
    """Return the tables in a table, by their names; those of columns are not among them."""
    inside = {
        field.alias or name: table_in(field.annotation)
        for name, field in model.model_fields.items()
    }
    return {name: table for name, table in inside.items() if table is not None}
