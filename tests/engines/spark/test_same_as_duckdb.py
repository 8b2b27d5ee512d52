"""Spark, with Java here or through Spark Connect, and DuckDB: the same to the last row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.spark.odd_tables import (
    ODD_CSV,
    ODD_NAMES,
    combinations,
    odd_parquet,
    people,
    released,
    study,
)

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from pathlib import Path

SAME = ("cell_codes", "cell_sizes", "entry_starts", "entry_codes", "entry_counts")


def same_counts(engine: sf.SparkEngine, path: Path) -> tuple[str, ...]:
    source = source_of(path)
    names = sf.DuckDBEngine().columns(source)
    assert engine.columns(source) == names
    assert combinations(engine.count(source, names)) == combinations(
        sf.DuckDBEngine().count(source, names)
    )
    return names


def test_counts_of_a_text_file(engine: sf.SparkEngine, tmp_path: Path) -> None:
    path = tmp_path / "odd {1} [*].csv"
    path.write_bytes(ODD_CSV.encode())
    (tmp_path / "odd {1} [x].csv").write_text("other,columns\n1,2\n")
    assert same_counts(engine, path) == ODD_NAMES


def test_counts_of_typed_columns(engine: sf.SparkEngine, tmp_path: Path) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()
    assert "year" not in same_counts(engine, odd_parquet(folder / "odd.parquet"))


SMALL: dict[str, str | bytes] = {
    "one.csv": "a,b\n01,x\n",
    "none.csv": "a,b\n",
    "alone.csv": 'v\n"a"\n\nb\n""\n c\n',
    "latin.csv": "a;b\nMünchen;1\nKöln;\n".encode("latin-1"),
    "quotes.tsv": "a\tb\n'x\t1'\t'it''s'\n'say \"\"'\t2\n",
}


def test_small_and_odd_files(engine: sf.SparkEngine, tmp_path: Path) -> None:
    for name, text in SMALL.items():
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        same_counts(engine, path)
    for rows in (0, 1):
        path = tmp_path / f"{rows}.parquet"
        pq.write_table(pa.table({"a": pa.array(["x"] * rows), "b": pa.array([None] * rows)}), path)
        same_counts(engine, path)


@pytest.mark.parametrize(("chosen", "kind"), [("classic", "csv"), ("connect", "parquet")])
def test_front_release_audit_and_comparison(
    request: pytest.FixtureRequest, tmp_path: Path, chosen: str, kind: str
) -> None:
    engine: sf.SparkEngine = request.getfixturevalue(chosen)
    file = people(tmp_path / f"people.{kind}")
    here, there = study(file), study(file, engine)
    for name in SAME:
        assert np.array_equal(getattr(here.count_table, name), getattr(there.count_table, name))
    assert here.count_table.hierarchies == there.count_table.hierarchies
    front = there.search().front
    assert front == here.search().front
    solution = max(front, key=lambda each: each.suppressed)
    assert solution.suppressed > 0
    how = "drop" if file.suffix == ".csv" else "star"
    mine, theirs = tmp_path / f"here{file.suffix}", tmp_path / f"there{file.suffix}"
    private = tmp_path / "private.json"
    expected = here.release(solution, mine, suppressed_rows=how)
    found = there.release(solution, theirs, suppressed_rows=how, private_certificate=private)
    assert released(theirs) == released(mine)
    assert (found.rows, found.starred) == (expected.rows, expected.starred)
    assert found.metrics == expected.metrics
    assert found.verified == expected.verified
    assert all(part.name.startswith("part-") for part in theirs.iterdir())
    public = json.loads((tmp_path / f"there{file.suffix}.certificate.json").read_text())
    other = json.loads((tmp_path / f"here{file.suffix}.certificate.json").read_text())
    assert public["release"].pop("parts") == len(list(theirs.iterdir()))
    for key in ("file", "sha256"):
        public["release"].pop(key)
        other["release"].pop(key)
    assert public == other
    whole = there.audit(theirs, private_certificate=private).whole_table
    assert whole is not None
    promised = there.evaluate(solution).values
    assert whole["k"] == promised["k"]
    assert whole["loss"] == pytest.approx(promised["loss"])
    assert there.audit(theirs).metrics == here.audit(mine).metrics


def decade(age: object) -> str:
    first = int(str(age)) // 10 * 10
    return f"[{first}, {first + 10})" if first < 50 else "[50, 60)"


def test_comparison_by_a_key(classic: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.parquet")
    table = pq.read_table(path).slice(0, 100)
    table = table.set_column(1, "post code", pa.array(["*"] * 100))
    table = table.set_column(2, "a.ge", pa.array([decade(age) for age in table["a.ge"]]))
    sexes = [value or "(missing)" for value in table['S`e"x'].to_pylist()]
    pq.write_table(table.set_column(3, 'S`e"x', pa.array(sexes)), tmp_path / "other.parquet")
    node = {"post code": 0, "a.ge": 2, 'S`e"x': 0}
    found = [
        one.compare(tmp_path / "other.parquet", node, key="Name").sentences
        for one in (study(path), study(path, classic))
    ]
    assert found[0] == found[1]
    with pytest.raises(SettingsError, match="name a key column"):
        study(path, classic).compare(tmp_path / "other.parquet", node)


def test_the_order_of_a_release_is_that_of_its_rows_not_of_the_source(
    classic: sf.SparkEngine, tmp_path: Path
) -> None:
    node = {"post code": 1, "a.ge": 3, 'S`e"x': 1}
    path = people(tmp_path / "people.parquet")
    reversed_path = tmp_path / "reversed.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take(pa.array(range(table.num_rows - 1, -1, -1))), reversed_path)
    texts = []
    for name, source in (("one.csv", path), ("two.csv", reversed_path)):
        study(source, classic).release(node, tmp_path / name)
        parts = sorted((tmp_path / name).iterdir())
        texts.append([part.read_text() for part in parts])
    assert texts[0] == texts[1]


def test_minimum_levels_and_the_guard(classic: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.parquet")
    minimum_levels = {"post code": 0, "a.ge": 2, 'S`e"x': 0}

    def with_minimum(chosen: object, most: int = 1000) -> sf.Study:
        plain = study(path, chosen)
        return sf.Study(
            source=path,
            attributes=[
                sf.quasi_identifying(a.name, a.hierarchy, minimum_level=minimum_levels[a.name])
                if a.hierarchy is not None
                else a
                for a in plain.attributes
            ],
            engine=plain.engine,
            most_combinations=most,
        )

    here, there = with_minimum(None), with_minimum(classic)
    for name in SAME:
        assert np.array_equal(getattr(here.count_table, name), getattr(there.count_table, name))
    assert here.search().front == there.search().front
    with pytest.raises(SourceError, match=r"minimum-level = 3 of column 'a\.ge'"):
        _ = with_minimum(classic, most=40).count_table


def test_a_table_of_the_catalog(engine: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.parquet")
    engine.connected().read.parquet(str(path)).createOrReplaceTempView("people_view")
    here, there = study(path), study(sf.CatalogTable(table="people_view"), engine)
    assert np.array_equal(here.count_table.cell_codes, there.count_table.cell_codes)
    assert there.release({"post code": 1, "a.ge": 3, 'S`e"x': 1}, tmp_path / "out.parquet").rows
    assert engine.content(sf.CatalogTable(table="people_view")) == engine.content(source_of(path))
    with pytest.raises(SourceError, match="is known to Spark alone"):
        _ = study(sf.CatalogTable(table="people_view")).count_table


def test_a_session_keeps_its_own_settings_and_views(
    classic: sf.SparkEngine, tmp_path: Path
) -> None:
    session = classic.connected()
    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    views = {table.name for table in session.catalog.listTables()}
    try:
        same_counts(classic, odd_parquet(tmp_path / "odd.parquet"))
        assert session.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        assert {table.name for table in session.catalog.listTables()} == views
    finally:
        session.conf.unset("spark.sql.session.timeZone")
