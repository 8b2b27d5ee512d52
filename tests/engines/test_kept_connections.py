"""Connections are used again for the very same files and settings, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.kept_connections import connections_kept
from sfumato.engines.duckdb.session import connected
from sfumato.errors import SourceError
from sfumato.sources.source import CsvFile, DatabaseTable

if TYPE_CHECKING:
    from pathlib import Path

    Settings = dict[str, str | bool | int | float | list[str]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[duckdb.DuckDBPyConnection]:
    """Every connection that is made."""
    connections: list[duckdb.DuckDBPyConnection] = []
    connect = duckdb.connect

    def counting(
        config: dict[str, str | bool | int | float | list[str]],
    ) -> duckdb.DuckDBPyConnection:
        connections.append(connect(config=config))
        return connections[-1]

    monkeypatch.setattr(duckdb, "connect", counting)
    return connections


def csv_file(path: Path) -> CsvFile:
    path.write_text("a,b\n1,x\n2,y\n")
    return CsvFile(path=path)


def test_one_connection_for_the_same_files(
    made: list[duckdb.DuckDBPyConnection], tmp_path: Path
) -> None:
    one, other = csv_file(tmp_path / "one.csv"), csv_file(tmp_path / "other.csv")
    engine = DuckDBEngine()
    with connections_kept():
        for source in (one, other, one):
            engine.count(source, ["a"])
            engine.columns(source)
        assert len(made) == 2
        DuckDBEngine(threads=1).count(one, ["a"])
        assert len(made) == 3
    for connection in made:
        with pytest.raises(duckdb.Error):
            connection.execute("SELECT 1")
    engine.count(one, ["a"])
    assert len(made) == 4


def test_users_at_the_same_time_have_connections_of_their_own(
    made: list[duckdb.DuckDBPyConnection], tmp_path: Path
) -> None:
    source = csv_file(tmp_path / "one.csv")
    with connections_kept():
        with connected([source]) as first, connected([source]) as second:
            first.execute("CREATE TEMP TABLE own AS SELECT 1")
            with pytest.raises(duckdb.CatalogException):
                second.execute("FROM own")
        with connected([source]) as third, pytest.raises(duckdb.CatalogException):
            third.execute("FROM own")
    assert len(made) == 2


def test_a_kept_connection_is_locked_as_any_other(tmp_path: Path) -> None:
    source, secret = csv_file(tmp_path / "one.csv"), csv_file(tmp_path / "secret.csv")
    with connections_kept():
        for _ in range(2):
            with connected([source]) as connection:
                assert connection.execute("SELECT current_setting('TimeZone')").fetchall() == [
                    ("UTC",)
                ]
                connection.execute(f"FROM '{source.path}'")
                for refused in (
                    f"FROM '{secret.path}'",
                    f"COPY (SELECT 1) TO '{tmp_path / 'made.csv'}'",
                    "SET enable_external_access = true",
                    "INSTALL httpfs",
                ):
                    with pytest.raises(duckdb.Error):
                        connection.execute(refused)
    assert not (tmp_path / "made.csv").exists()


def test_one_that_failed_is_not_used_again(
    made: list[duckdb.DuckDBPyConnection], tmp_path: Path
) -> None:
    source = csv_file(tmp_path / "one.csv")
    with connections_kept():
        with pytest.raises(SourceError):
            DuckDBEngine().count(source, ["none"])
        assert DuckDBEngine().count(source, ["a"]).counts.sum() == 2
    assert len(made) == 2


def test_a_database_is_let_go_between_uses(tmp_path: Path) -> None:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people AS SELECT 1 AS a")
    source = DatabaseTable(path=path, table="people")
    with connections_kept():
        assert DuckDBEngine().columns(source) == ("a",)
        with duckdb.connect(str(path)) as connection:
            connection.execute("ALTER TABLE people ADD COLUMN b INTEGER")
        assert DuckDBEngine().columns(source) == ("a", "b")


def test_a_release_connects_a_few_times(
    made: list[duckdb.DuckDBPyConnection], tmp_path: Path
) -> None:
    rows = "".join(f"{i % 5},{'FM'[i % 2]}\n" for i in range(40))
    (tmp_path / "people.csv").write_text(f"age,sex\n{rows}")
    study = sf.Study(
        source=tmp_path / "people.csv",
        attributes=[
            sf.quasi_identifying("age", sf.Flat()),
            sf.quasi_identifying("sex", sf.Flat()),
        ],
    )
    study.release({"age": 1, "sex": 0}, tmp_path / "released.csv", ledger=False)
    # The source, the source with the target, and the written file with and without its target.
    assert len(made) <= 4
    assert not list(tmp_path.glob(".sfumato-*"))
