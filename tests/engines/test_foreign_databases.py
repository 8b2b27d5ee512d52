"""Databases that DuckDB's extensions read: the SQL that runs, its order, and what is refused.

No extension is installed where these tests run. So one test lets a DuckDB file stand for the file
of SQLite, which shows that what was attached before the lock can be read after it; it does not
show that the extension itself works.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.engines.duckdb import foreign_databases
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.foreign_databases import ForeignDatabase
from sfumato.engines.duckdb.relation import files_of
from sfumato.engines.duckdb.session import connected
from sfumato.errors import SettingsError, SourceError
from sfumato.sources.source import is_sqlite, source_of
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "postgresql://reader@db.example:5432/hospital"

STUDY = """\
[source]
path = "{path}"
table = "people"

[columns.age]
role = "quasi-identifying"
hierarchy = {{ intervals = [5, 10], low = 20, high = 59 }}
"""


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "people.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (age, sex)")
        connection.executemany("INSERT INTO people VALUES (?, ?)", [(30, "f"), (40, "m")])
    connection.close()
    return path


def extension_is_missing(name: str) -> bool:
    with duckdb.connect() as connection:
        (row,) = connection.execute(
            "SELECT installed FROM duckdb_extensions() WHERE list_contains(aliases, ?)", [name]
        ).fetchall()
    return not row[0]


def test_a_missing_extension_says_what_would_work(sqlite_file: Path) -> None:
    if not extension_is_missing("sqlite"):
        pytest.skip("the extension is installed here")
    source = sf.DatabaseTable(path=sqlite_file, table="people")
    with raises(SourceError, code="missing-extension", found="sqlite") as raised:
        DuckDBEngine().profile(source)
    assert "INSTALL sqlite" in str(raised.value)
    with raises(SourceError, code="missing-extension", found="postgres"):
        DuckDBEngine().profile(sf.PostgresTable(address=ADDRESS, table="people"))


def test_what_tells_the_system(sqlite_file: Path, tmp_path: Path) -> None:
    assert is_sqlite(sqlite_file)
    assert not is_sqlite(tmp_path / "none.sqlite")
    own = tmp_path / "people.db"
    duckdb.connect(str(own)).close()
    assert ForeignDatabase.of(sf.DatabaseTable(path=own, table="people")) is None
    found = ForeignDatabase.of(sf.DatabaseTable(path=sqlite_file, table="people"))
    assert found is not None
    assert found.extension == "sqlite"
    assert found.statements() == (
        "SET GLOBAL sqlite_all_varchar = true",
        f"ATTACH '{sqlite_file}' AS {found.catalog} (TYPE sqlite, READ_ONLY)",
    )
    assert files_of(sf.DatabaseTable(path=sqlite_file, table="people")) == ()
    postgres = ForeignDatabase.of(source_of(ADDRESS, table="people"))
    assert postgres is not None
    assert postgres.statements() == (
        f"ATTACH '{ADDRESS}' AS {postgres.catalog} (TYPE postgres, READ_ONLY)",
    )
    assert postgres.default_schema == "public"


class Standing:
    """A connection of DuckDB in which its own format stands for that of an extension."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, ran: list[str]) -> None:
        self.connection, self.ran = connection, ran

    def execute(self, statement: str) -> None:
        self.ran.append(statement)
        if statement.startswith("ATTACH"):
            self.connection.execute(statement.replace("TYPE sqlite", "TYPE duckdb"))


def test_what_is_attached_before_the_lock_is_read_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.sqlite"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE people AS SELECT 30 AS age, 'f' AS sex")
    ran: list[str] = []
    attach = ForeignDatabase.attach
    monkeypatch.setattr(foreign_databases, "is_sqlite", lambda _: True)
    monkeypatch.setattr(
        ForeignDatabase,
        "attach",
        lambda own, connection: attach(own, Standing(connection, ran)),  # type: ignore[arg-type]
    )
    source = sf.DatabaseTable(path=path, table="people")
    assert [column.name for column in DuckDBEngine().profile(source)] == ["age", "sex"]
    assert ran[0] == "LOAD sqlite"
    with raises(SourceError, code="no-table-named", found="'nobody'", suggestion=None):
        DuckDBEngine().profile(sf.DatabaseTable(path=path, table="nobody"))
    with connected([source]) as connection:
        for statement in (
            f"ATTACH '{tmp_path / 'other.db'}' AS other",
            "SET enable_external_access = true",
            "LOAD postgres",
            f"SELECT * FROM read_text('{__file__}')",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://reader:hunter2@db.example/hospital",
        "postgresql://db.example/hospital?password=hunter2",
        "postgres://db.example/hospital?user=reader&PASSWORD=hunter2",
    ],
)
def test_an_address_has_no_password(address: str) -> None:
    with raises(SourceError, code="password-in-address") as raised:
        sf.PostgresTable(address=address, table="people")
    assert "hunter2" not in str(raised.value)


def test_a_study_connects_only_where_it_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.format(path=ADDRESS))
    with raises(SettingsError, code="other-host", key="path"):
        read_study_file(path)
    for other in (ADDRESS + "2", "postgresql://db.example:5432/hospital", str(tmp_path)):
        with raises(SettingsError, code="other-host"):
            read_study_file(path, allow_paths=[other])
    allowed = read_study_file(path, allow_paths=[ADDRESS])
    assert allowed.study.source == sf.PostgresTable(address=ADDRESS, table="people")
    # A parameter can name another host: the address is compared whole.
    path.write_text(STUDY.format(path=ADDRESS + "?host=elsewhere.example"))
    with raises(SettingsError, code="other-host"):
        read_study_file(path, allow_paths=[ADDRESS])


def test_a_study_names_a_file_of_sqlite(sqlite_file: Path) -> None:
    path = sqlite_file.with_name("study.toml")
    path.write_text(STUDY.format(path=sqlite_file.name))
    source = read_study_file(path).study.source
    assert source == sf.DatabaseTable(path=sqlite_file, table="people")
    path.write_text(STUDY.format(path=sqlite_file.name).replace('table = "people"\n', ""))
    with raises(SettingsError, code="no-table-named", key="path"):
        read_study_file(path)
