"""Spark, with Java here or through Spark Connect, keeps the contract of engines, and its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.engine_contract import CountingContract, GapContract, ReleaseContract, counted
from tests.engines.odd_tables import ODD_PARQUET_ROWS, odd_parquet, people, study

import sfumato as sf
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

NODE = {"post code": 1, "a.ge": 3, 'S`e"x': 1}


class TestClassic(CountingContract, GapContract, ReleaseContract):
    """A session with Java in this process."""

    kind = "csv"

    @pytest.fixture
    def engine(self, classic: sf.SparkEngine) -> sf.SparkEngine:
        return classic


class TestConnect(CountingContract, ReleaseContract):
    """A session of a Spark Connect server."""

    kind = "parquet"

    @pytest.fixture
    def engine(self, connect: sf.SparkEngine) -> sf.SparkEngine:
        return connect


def test_the_order_of_a_release_is_that_of_its_rows_not_of_the_source(
    classic: sf.SparkEngine, tmp_path: Path
) -> None:
    path = people(tmp_path / "people.parquet")
    reversed_path = tmp_path / "reversed.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take(pa.array(range(table.num_rows - 1, -1, -1))), reversed_path)
    texts = []
    for name, source in (("one.csv", path), ("two.csv", reversed_path)):
        study(source, classic).release(NODE, tmp_path / name)
        parts = sorted((tmp_path / name).iterdir())
        texts.append([part.read_text() for part in parts])
    assert texts[0] == texts[1]


def test_a_table_of_the_catalog(engine: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.parquet")
    engine.connected().read.parquet(str(path)).createOrReplaceTempView("people_view")
    here, there = study(path), study(sf.CatalogTable(table="people_view"), engine)
    assert np.array_equal(here.count_table.cell_codes, there.count_table.cell_codes)
    assert there.release(NODE, tmp_path / "out.parquet").rows
    assert engine.content(sf.CatalogTable(table="people_view")) == engine.content(source_of(path))


def test_a_session_keeps_its_own_settings_and_views(
    classic: sf.SparkEngine, tmp_path: Path
) -> None:
    session = classic.connected()
    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    views = {table.name for table in session.catalog.listTables()}
    try:
        assert counted(classic, odd_parquet(tmp_path / "odd.parquet")) == ODD_PARQUET_ROWS
        assert session.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        assert {table.name for table in session.catalog.listTables()} == views
    finally:
        session.conf.unset("spark.sql.session.timeZone")
