"""A source as DuckDB sees it: a relation whose columns are called by their positions.

DuckDB renames columns whose names differ only in case, reads every file that a path with ``*``,
``?`` or ``[`` matches, and takes folders like ``year=2020`` for columns. None of that happens
here: names come from the source itself, and a path means one file, or a folder of parts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.engines.column_names import check_names
from sfumato.engines.duckdb.dialect import DIALECT, GAPS
from sfumato.engines.duckdb.foreign_databases import ForeignDatabase
from sfumato.engines.sql.opened_table import Relation
from sfumato.errors import SourceError
from sfumato.errors.suggestions import closest
from sfumato.sources.csv_dialect import CsvDialect, common_dialect, is_compressed
from sfumato.sources.parts import no_file, parts_of
from sfumato.sources.read_files import read_file
from sfumato.sources.source import (
    CsvFile,
    DatabaseTable,
    MemoryTable,
    ParquetFile,
    PostgresTable,
    Source,
    StatisticsFile,
    Worksheet,
    path_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb


def relation_of(connection: duckdb.DuckDBPyConnection, source: Source) -> Relation:
    """Return the relation of a source; what it needs is attached or registered as ``origin``."""
    GAPS.check_source(source)
    if isinstance(source, CsvFile):
        parts = parts_of(source.path)
        return _csv_relation(parts, common_dialect(source, parts))
    if isinstance(source, ParquetFile):
        parts = parts_of(source.path)
        table = f"read_parquet({_files(parts)}, hive_partitioning = false)"
        names = _names_of_schema(_common_schema(connection, parts))
    elif isinstance(source, DatabaseTable | PostgresTable):
        table = _attached(connection, source)
        described = connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        names = tuple(str(row[0]) for row in described)
    elif isinstance(source, Worksheet | StatisticsFile):
        read = MemoryTable(table=read_file(source))
        connection.register("origin", read.table)
        table, names = "origin", read.column_names
    else:
        assert isinstance(source, MemoryTable), "all other sources are refused"
        connection.register("origin", source.table)
        table, names = "origin", source.column_names
    check_names(names, where=str(source))
    listing = ", ".join(f"c{position}" for position in range(len(names)))
    return Relation(sql=f"(SELECT * FROM {table}) AS origin_rows({listing})", names=names)


def files_of(source: Source) -> tuple[str, ...]:
    """Return the files that a source is read from, by the names under which DuckDB opens them."""
    if isinstance(source, PostgresTable) or ForeignDatabase.of(source) is not None:
        # Attached before files are named.
        return ()
    if isinstance(source, DatabaseTable):
        # Changes that were not yet written into a database lie in a file beside it.
        path = str(source.path.absolute())
        return (path, f"{path}.wal")
    if isinstance(source, Worksheet | StatisticsFile):
        return ()
    origin = path_of(source)
    if origin is None:
        return ()
    # A file that is not there is refused when it is opened; a target is not there yet.
    parts = parts_of(origin) if origin.is_dir() else (origin,)
    return tuple(name for part in parts for name in (str(part), _matching(part)))


def _csv_relation(parts: Sequence[Path], dialect: CsvDialect) -> Relation:
    kinds = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(dialect.columns)))
    alone = len(dialect.columns) == 1
    literal = DIALECT.literal
    # Unless it is told, DuckDB takes the first line break, though it be inside a name.
    spelled = (dialect.line_break or "").replace("\r", r"\r").replace("\n", r"\n")
    ends = f"new_line = {literal(spelled)}, " if spelled else ""
    table = (
        f"read_csv({_files(parts)}, auto_detect = false, hive_partitioning = false, "
        f"header = {_flag(dialect.header)}, skip = {dialect.blank_lines}, "
        f"delim = {literal(dialect.delimiter)}, quote = {literal(dialect.quote)}, "
        f"escape = {literal(dialect.quote)}, {ends}encoding = {literal(dialect.encoding)}, "
        f"compression = {literal('gzip' if is_compressed(parts[0]) else 'none')}, "
        f"allow_quoted_nulls = {_flag(not alone)}, columns = {{{kinds}}})"
    )
    if alone:
        # Blank lines are not rows, but DuckDB takes them for nulls where there is one column; a
        # value that is missing is written "" there.
        table = f"(SELECT nullif(c0, '') AS c0 FROM {table} WHERE c0 IS NOT NULL) AS origin_rows"
    return Relation(sql=table, names=dialect.columns)


def _common_schema(
    connection: duckdb.DuckDBPyConnection, parts: Sequence[Path]
) -> list[tuple[str, int | None]]:
    """Return the names and numbers of children of a schema that all parts must have.

    DuckDB takes the columns of the first part, casts others to their types, and leaves out what
    only others have.
    """
    schemas: list[list[tuple[object, ...]]] = []
    for part in parts:
        nodes = connection.execute(
            "SELECT name, num_children, type, converted_type, CAST(logical_type AS VARCHAR) "
            f"FROM parquet_schema({_file(part)})"
        ).fetchall()
        # The root has a name that no reader sees.
        schemas.append([(None, *nodes[0][1:]), *nodes[1:]])
        if schemas[-1] != schemas[0]:
            raise SourceError(
                f"{part} has other columns, or columns of other types, than {parts[0].name}",
                code="other-columns",
                file=part,
                expected=f"those of {parts[0].name}",
                remedy="write all parts with one schema, or name those that have it",
            )
    return [
        (str(name), children if isinstance(children, int) else None)
        for name, children, *_ in schemas[0]
    ]


def _names_of_schema(nodes: Sequence[tuple[str, int | None]]) -> tuple[str, ...]:
    """Return the names below the root of a Parquet schema, which is listed in preorder."""
    following = iter(nodes)

    def pass_over(children: int | None) -> None:
        for _ in range(children or 0):
            pass_over(next(following)[1])

    def below_root() -> Iterator[str]:
        for _ in range(next(following)[1] or 0):
            name, children = next(following)
            yield str(name)
            pass_over(children)

    return tuple(below_root())


def _attached(connection: duckdb.DuckDBPyConnection, source: DatabaseTable | PostgresTable) -> str:
    """Attach a database read-only, unless it is, and return the SQL name of the table."""
    catalog, default = "origin", "main"
    foreign = ForeignDatabase.of(source)
    if foreign is not None:
        catalog, default = foreign.catalog, foreign.default_schema
    elif isinstance(source, DatabaseTable):
        _must_be_file(source.path)
        path = DIALECT.literal(str(source.path.absolute()))
        connection.execute(f"ATTACH {path} AS origin (READ_ONLY, TYPE duckdb)")
    # The default schema comes last, so that its table "a.b" wins over the table b of a schema a.
    found = connection.execute(
        "SELECT table_schema, table_name FROM information_schema.tables "
        f"WHERE table_catalog = '{catalog}' ORDER BY table_schema = '{default}'"
    ).fetchall()
    tables = {
        str(name)
        if schema == default
        else f"{schema}.{name}": f"{DIALECT.quoted_name(schema)}.{DIALECT.quoted_name(name)}"
        for schema, name in found
    }
    if source.table not in tables:
        raise SourceError(
            f"{source.place} has no table {source.table!r}" + ("" if tables else ", nor any other"),
            code="no-table-named",
            file=source.place,
            found=repr(source.table),
            expected=sorted(tables),
            suggestion=closest(source.table, tables),
        )
    return f"{catalog}.{tables[source.table]}"


def _must_be_file(path: Path) -> None:
    if not path.exists():
        raise no_file(path)
    if path.is_dir():
        raise SourceError(
            f"{path} is a folder", code="is-a-folder", file=path, remedy="give one file of it"
        )


def _files(parts: Sequence[Path]) -> str:
    """Return the SQL of one file, or of a list of them."""
    return _file(parts[0]) if len(parts) == 1 else f"[{', '.join(map(_file, parts))}]"


def _file(path: Path) -> str:
    """Return a path as an SQL literal that matches nothing but itself."""
    return DIALECT.literal(_matching(path))


def _matching(path: Path) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))


def _flag(value: bool) -> str:
    return "true" if value else "false"
