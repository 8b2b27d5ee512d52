"""What goes wrong on a cluster is told in plain words, and nothing is left behind."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.odd_tables import people, study
from tests.engines.spark.conftest import Server, free_port
from tests.raised import raises

import sfumato as sf
from sfumato.errors import ReleaseError, SettingsError, SfumatoError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

NODE = {"post code": 1, "a.ge": 3, 'S`e"x': 1}


def test_places_where_nobody_answers(tmp_path: Path) -> None:
    path = people(tmp_path / "people.csv")
    nobody = f"127.0.0.1:{free_port()}"
    with raises(SourceError, code="unreachable", file=f"sc://{nobody}"):
        _ = study(path, sf.SparkEngine(remote=f"sc://{nobody}")).count_table
    with raises(SourceError, code="unreachable", file=f"spark://{nobody}"):
        _ = study(path, sf.SparkEngine(master=f"spark://{nobody}")).count_table


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({"master": "local[*]", "remote": "sc://host"}, "conflicting-settings", "remote"),
        ({"remote": "spark://host:7077"}, "not-an-address", "remote"),
        ({"master": "sc://host"}, "not-an-address", "master"),
        ({"session": "local"}, "wrong-type", "session"),
    ],
)
def test_settings_that_contradict(settings: dict[str, str], code: str, key: str) -> None:
    with raises(SettingsError, code=code, key=key):
        sf.SparkEngine(**settings)  # type: ignore[arg-type]


def test_a_process_has_one_session_with_java(classic: sf.SparkEngine, tmp_path: Path) -> None:
    assert classic.connected() is not None
    with raises(SettingsError, code="other-session", key="master", found="'local[7]'"):
        _ = study(people(tmp_path / "people.csv"), sf.SparkEngine(master="local[7]")).count_table


def test_sources_that_cannot_be_read(classic: sf.SparkEngine, tmp_path: Path) -> None:
    statement = "confidential statement-value"
    broken = tmp_path / "broken.csv"
    broken.write_text(f"a,b\n1,2\n{statement}\n")
    binary = tmp_path / "binary.parquet"
    pq.write_table(pa.table({"a": pa.array([statement.encode()])}), binary)
    bad = tmp_path / "bad.csv"
    bad.write_bytes(f"a,b\n{statement},1\n".encode() + b"x,1\n" * 300_000 + b"\xe9\xff,2\n")
    part = tmp_path / "part.parquet"
    part.write_bytes(b"PAR1 this is no table PAR1")
    for source, columns, code in (
        (sf.CsvFile(path=broken), ["a"], "ragged-rows"),
        (sf.CsvFile(path=bad), ["a"], "wrong-encoding"),
        (sf.ParquetFile(path=binary), ["a"], "cannot-count-nested"),
        (sf.ParquetFile(path=part), ["a"], "not-parquet"),
        (sf.ParquetFile(path=tmp_path / "absent.parquet"), ["a"], "no-such-file"),
        (sf.CatalogTable(table="no.such_table"), ["a"], "no-table-named"),
        (sf.CsvFile(path=broken), ["A"], "unknown-column"),
    ):
        with raises(SourceError, code=code) as error:
            classic.count(source, columns)
        assert statement not in str(error.value) + repr(vars(error.value))


def test_a_job_that_dies_half_way_leaves_nothing(
    classic: sf.SparkEngine, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = people(tmp_path / "people.parquet")
    session = classic.connected()
    columns = "`Name`, `post code`, `a.ge`, `S``e\"x`, `dia'gnosis`"
    session.read.parquet(str(path)).createOrReplaceTempView("rows_of_people")
    session.sql(
        # What is not counted cannot be converted: only the rewrite will find out.
        f"SELECT {columns}, CAST(Name AS INT) AS Note FROM rows_of_people"
    ).createOrReplaceTempView("dying_view")
    out = tmp_path / "out"
    out.mkdir()
    with raises(SourceError, code="wrong-value-type") as error:
        study(sf.CatalogTable(table="dying_view"), classic).release(NODE, out / "released.parquet")
    assert "n0" not in str(error.value)
    assert list(out.iterdir()) == []
    assert "CAST_INVALID_INPUT" not in "".join(capfd.readouterr())


def test_a_part_that_is_damaged_after_the_count(classic: sf.SparkEngine, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    whole = pq.read_table(people(tmp_path / "people.parquet"))
    pq.write_table(whole.slice(0, 60), folder / "part-0.parquet")
    pq.write_table(whole.slice(60), folder / "part-1.parquet")
    counted = study(sf.ParquetFile(path=folder), classic)
    assert counted.count_table.rows == 120
    content = (folder / "part-1.parquet").read_bytes()
    (folder / "part-1.parquet").write_bytes(content[: len(content) // 2])
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(SfumatoError, match="it is not a Parquet file, or not all of it"):
        counted.release(NODE, out / "released.csv")
    assert list(out.iterdir()) == []


def test_destinations_that_exist(classic: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.csv")
    made = study(path, classic)
    out = tmp_path / "released.csv"
    made.release(NODE, out)
    first = {part.name: part.read_bytes() for part in out.iterdir()}
    with pytest.raises(ReleaseError, match="is there already"):
        made.release(NODE, out)
    assert {part.name: part.read_bytes() for part in out.iterdir()} == first
    made.release(NODE, out, force=True)
    assert sorted(first.values()) == sorted(part.read_bytes() for part in out.iterdir())
    (out / "notes.txt").write_text("mine")
    with pytest.raises(ReleaseError, match="more than parts of a release"):
        made.release(NODE, out, force=True)
    (tmp_path / "file.csv").write_text("mine")
    with pytest.raises(ReleaseError, match="is a file"):
        made.release(NODE, tmp_path / "file.csv", force=True)
    assert (tmp_path / "file.csv").read_text() == "mine"
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {"people.csv", "released.csv", "released.csv.certificate.json", "file.csv"}


def test_a_server_that_is_lost_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    server = Server(tmp_path / "server")
    try:
        lost = sf.SparkEngine(remote=server.address)
        session = lost.connected()
        people(tmp_path / "people.parquet")
        session.read.parquet(str(tmp_path / "people.parquet")).createOrReplaceTempView("rows_")
        session.sql(
            "SELECT *, reflect('java.lang.Thread', 'sleep', 1000L) AS slow FROM rows_"
        ).createOrReplaceTempView("slow_view")
        counted = study(sf.CatalogTable(table="slow_view"), lost)
        slow = sf.Study(
            source=counted.source,
            attributes=[*counted.attributes, sf.insensitive("slow")],
            suppression=counted.suppression,
            engine=lost,
        )
        assert slow.count_table.rows == 120
        out = tmp_path / "out"
        out.mkdir()

        def kill_when_it_writes() -> None:
            while not list(out.glob(".sfumato-*")):
                time.sleep(0.05)
            time.sleep(2)
            server.kill()

        killer = threading.Thread(target=kill_when_it_writes)
        killer.start()
        with raises(SfumatoError, code="lost-session"):
            slow.release(NODE, out / "released.parquet")
        killer.join()
        assert list(out.iterdir()) == []
    finally:
        server.kill()
