"""A microaggregated release: the statistics of the blocks, in the classes of the partition."""

from __future__ import annotations

import csv
import json
from datetime import date
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.release.naive_microaggregation import (
    DATE,
    Kind,
    category_kind,
    microaggregated_rows,
    number_kind,
)
from tests.release.rewritten_rows import read_rows
from tests.slow_variants import slow
from tests.study.people import ATTRIBUTES, people, study_of_people

import sfumato as sf
from sfumato.recoding.cuts import Cuts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.engines.messages.rewrite_plan import RewritePlan, Target
    from sfumato.hierarchies.builders.builder import HierarchyBuilder
    from sfumato.sources.source import Source

CITIES = ("Rome", "Paris", "Oslo", "Bern")
CITY_TREE = {"South": ["Rome", "Paris"], "North": ["Oslo", "Bern"]}

ages = st.sampled_from(["20", "21.0", "22", "2.3e1", "27", "31", "38", "39", None, "?"])
doses = st.sampled_from(["0.1", "0.25", "1.125", "2", "-0", "3.999", "4", "7.5", None])
days = st.sampled_from(["2020-01-31", "2020-02-01", "2020-02-29", "2021-02-01", None])
cities = st.sampled_from([*CITIES, None])
table_rows = st.lists(
    st.tuples(ages, doses, days, cities, st.sampled_from([*"xyz", None]), st.sampled_from("pq")),
    min_size=1,
    max_size=30,
)
NAMES = ["age", "dose", "day", "city", "ill", "pay"]


@settings(
    max_examples=examples(15),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rows=table_rows,
    policy=st.sampled_from(["category", "drop"]),
    name=st.sampled_from(["out.csv", "out.parquet"]),
    star=st.booleans(),
    k=st.integers(1, 3),
    statistics=st.tuples(
        *[st.sampled_from(["mean", "median", "mode"])] * 3, st.sampled_from(["median", "mode"])
    ),
    digits=st.integers(0, 3),
    data=st.data(),
)
def test_against_plain_python(
    tmp_path: Path,
    rows: list[tuple[str | None, ...]],
    policy: str,
    name: str,
    star: bool,
    k: int,
    statistics: tuple[str, ...],
    digits: int,
    data: st.DataObject,
) -> None:
    builders: tuple[HierarchyBuilder, ...] = (
        sf.Intervals(widths=(2, 10), low=20, high=39),
        sf.Intervals(widths=(1, 4), unit=0.5, low=-1, high=8),
        sf.Dates(levels=("day", "month", "year"), first="2020-01-01", last="2021-12-31"),
        sf.Groups(levels=[CITY_TREE]),
    )
    study = sf.Study(
        source=pd.DataFrame(rows, columns=NAMES),
        attributes=[
            *(
                sf.quasi_identifying(
                    column,
                    builder,
                    statistic=which,
                    digits=digits if which == "mean" and column != "day" else None,
                )
                for column, builder, which in zip(NAMES, builders, statistics, strict=False)
            ),
            sf.sensitive("ill"),
            sf.insensitive("pay"),
        ],
        suppression=sf.given_k(k),
        missing=sf.MissingValues(policy=sf.MissingPolicy(policy), markers=("?",)),
    )
    try:
        levels = data.draw(
            st.fixed_dictionaries(
                {column: st.integers(0, h.height) for column, h in study.hierarchies.items()}
            )
        )
    except sf.SourceError:
        return  # Every row has a gap, and those are left out.
    if study.evaluate(levels).empty:
        return
    number = number_kind(digits)
    kinds: Mapping[str, Kind] = dict(
        zip(NAMES, (number, number, DATE, category_kind(CITIES)), strict=False)
    )
    expected = microaggregated_rows(
        [dict(zip(NAMES, row, strict=True)) for row in rows],
        study,
        levels,
        k,
        kinds={c: (kinds[c], which) for c, which in zip(NAMES, statistics, strict=False)},
        star=star,
    )
    suppressed = "star" if star else "drop"
    out = tmp_path / name
    out.unlink(missing_ok=True)
    if expected is None:
        with pytest.raises(sf.ReleaseError, match="the same statistic would be one"):
            study.release(
                levels, out, values="microaggregated", suppressed_rows=suppressed, force=True
            )
        assert not out.exists()
        return
    release = study.release(
        levels, out, values="microaggregated", suppressed_rows=suppressed, force=True
    )
    assert read_rows(out) == (NAMES, expected)
    assert release.promised == study.evaluate(levels).values


@pytest.mark.parametrize("suppressed_rows", ["drop", slow("star")])
def test_the_metrics_are_those_of_the_partition(tmp_path: Path, suppressed_rows: str) -> None:
    study = study_of_people(
        objectives=["k", "loss", "recursive-l(c=3)"], suppression=sf.limited(0.1)
    )
    for solution in study.search().front.solutions[1::20]:
        releases = {
            values: study.release(
                solution,
                tmp_path / f"{values}.csv",
                private_certificate=tmp_path / f"{values}.json",
                suppressed_rows=suppressed_rows,
                values=values,
                force=True,
            )
            for values in ("generalized", "microaggregated")
        }
        one, other = releases.values()
        assert one.metrics == other.metrics
        assert one.promised == other.promised
        assert one.verified == other.verified
        assert other.statistics == {"age": "mean", "zip": "mode", "sex": "mode"}
        audit = study.audit(
            tmp_path / "microaggregated.csv", private_certificate=tmp_path / "microaggregated.json"
        )
        assert audit.whole_table is not None
        assert audit.levels == solution.levels
        assert audit.statistics == other.statistics
        for name, value in audit.whole_table.items():
            assert value == pytest.approx(one.promised[name], rel=1e-12), name


def test_suppressed_people_leave_no_trace(tmp_path: Path) -> None:
    """The released rows are those that a table without the suppressed people gives."""
    table = people(300)
    levels = {"age": 1, "zip": 1, "sex": 0}
    study = sf.Study(source=table, attributes=ATTRIBUTES, suppression=sf.given_k(12))
    release = study.release(levels, tmp_path / "all.csv", values="microaggregated")
    assert release.suppressed > 20
    blocks = pd.DataFrame(
        {n: h.levels[levels[n]][h.locate(table[n].tolist())] for n, h in study.hierarchies.items()}
    )
    kept = blocks.groupby(list(levels))["age"].transform("size") >= 12
    alone = sf.Study(source=table[kept.to_numpy()], attributes=study.attributes)
    alone.release(levels, tmp_path / "kept.csv", values="microaggregated")
    assert read_rows(tmp_path / "all.csv") == read_rows(tmp_path / "kept.csv")


def test_nothing_but_statistics_is_in_the_files(tmp_path: Path) -> None:
    table = people(400)
    table["name"] = [f"CANARY{row}" for row in range(400)]
    table["zip"] = [f"9{int(z):04}7" for z in table["zip"].str[-2:]]
    table["height"] = [f"1{row % 61:02}.{row:03}77" for row in range(400)]
    source = tmp_path / "PRIVATEPLACE.csv"
    table.to_csv(source, index=False)
    attributes = (
        *ATTRIBUTES,
        sf.quasi_identifying(
            "height", sf.Intervals(widths=(20,), low=100, high=180, fractional=True)
        ),
    )
    study = sf.Study(source=source, attributes=attributes, suppression=sf.limited(0.05))
    folder = tmp_path / "public"
    folder.mkdir()
    levels = {"age": 2, "zip": 3, "sex": 1, "height": 1}
    shown: set[str] = set()
    for name in ("out.csv", "out.parquet"):
        release = study.release(levels, folder / name, values="microaggregated")
        recoding = release.private_certificate["recoding"]
        assert isinstance(recoding, dict)
        shown |= set(recoding["zip"]["block_of_value"])
    with (folder / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["zip"] for row in rows} == shown
    assert len(shown) < 5
    values = {*table["height"], *set(table["zip"]) - shown, "PRIVATEPLACE", "CANARY"}
    for path in folder.iterdir():
        content = path.read_bytes().decode("latin-1")
        assert [value for value in values if value in content] == [], path
    assert {row["sex"] for row in rows} < {"F", "M"}


@pytest.mark.slow
def test_the_same_for_any_threads_and_order_of_rows(tmp_path: Path) -> None:
    table = people(500)
    table["pay"] = [f"{0.1 + row * 0.7:.3f}" for row in range(500)]
    attributes = [
        *ATTRIBUTES,
        sf.quasi_identifying(
            "pay", sf.Intervals(widths=(100,), low=0, high=400, fractional=True), digits=9
        ),
    ]
    found = []
    for number, (threads, source) in enumerate(
        [(1, table), (4, table), (2, table.sample(frac=1, random_state=3))]
    ):
        path = tmp_path / f"{number}.csv"
        study = sf.Study(
            source=source, attributes=attributes, engine=sf.DuckDBEngine(threads=threads)
        )
        study.release({"age": 2, "zip": 4, "sex": 1, "pay": 1}, path, values="microaggregated")
        found.append(read_rows(path))
    assert found[0] == found[1] == found[2]


def test_cuts_anywhere(tmp_path: Path) -> None:
    study = study_of_people(suppression=sf.given_k(3))
    recoding = Cuts.of({"age": (3, 11), "zip": (9,), "sex": ()})
    out, private = tmp_path / "o.csv", tmp_path / "p.json"
    release = study.release(recoding, out, values="microaggregated", private_certificate=private)
    table = people()
    ages = table["age"].astype(int)
    means = {
        f"{ages[(ages >= a) & (ages < b)].mean():.2f}" for a, b in ((20, 23), (23, 31), (31, 40))
    }
    with out.open(newline="") as stream:
        written = {row["age"] for row in csv.DictReader(stream)}
    assert release.suppressed == 0
    assert {float(age) for age in written} == {float(age) for age in means}
    audit = study.audit(out, private_certificate=private)
    assert audit.whole_table is not None
    assert audit.whole_table["loss"] == pytest.approx(release.promised["loss"])


def test_an_audit_does_not_take_statistics_for_values(tmp_path: Path) -> None:
    """A median is a value of the domain; without a word from the certificate it looks like one."""
    study = study_of_people()
    out, private = tmp_path / "o.parquet", tmp_path / "p.json"
    levels = {"age": 3, "zip": 5, "sex": 1}
    release = study.release(levels, out, values="microaggregated", private_certificate=private)
    audit = study.audit(out)
    assert audit.statistics == release.statistics
    assert audit.metrics["k"] == 80
    assert "loss" not in audit.metrics
    assert "statistics of blocks" in audit.not_measured["loss"]
    assert audit.levels == {"age": None, "zip": None, "sex": None}
    known = study.audit(out, private_certificate=private)
    assert known.metrics["loss"] == release.promised["loss"] == 80 * 4


def test_a_comparison_knows_statistics_by_their_certificate(tmp_path: Path) -> None:
    table = people().assign(id=[str(row) for row in range(80)])
    study = sf.Study(source=table, attributes=[*ATTRIBUTES, sf.insensitive("id")])
    paths = {values: tmp_path / f"{values}.csv" for values in ("generalized", "microaggregated")}
    for values, path in paths.items():
        study.release({"age": 1, "zip": 3, "sex": 1}, path, values=values)
    both = study.compare(*paths.values(), key="id", properties="class-size")
    assert {v.outcome for v in both.verdicts["class-size"]} == {sf.Outcome.EQUAL}
    with pytest.raises(sf.SfumatoError, match="are statistics of blocks, as its certificate says"):
        study.compare(*paths.values(), key="id", properties="row-loss")
    (tmp_path / "microaggregated.csv.certificate.json").unlink()
    with raises(sf.SourceError, code="rows-do-not-match", column="zip"):
        study.compare(*paths.values(), key="id", properties="class-size")


@pytest.mark.slow
def test_types_in_parquet(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {
            "age": ["20", "21", "25", "26", None, "33"],
            "dose": [0.5, 1.5, 0.5, 2.5, 0.75, 9.0],
            "born": [date(1990, 1, d) for d in (1, 2, 3, 4, 5, 6)],
            "zip": ["01", "02", "03", "11", "12", "13"],
        }
    )
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(5,), low=20, high=39)),
            sf.quasi_identifying(
                "dose", sf.Intervals(widths=(5,), low=0, high=10, fractional=True)
            ),
            sf.quasi_identifying("born", sf.Dates(levels=("day", "month"))),
            sf.quasi_identifying("zip", sf.Prefixes()),
        ],
    )
    out = tmp_path / "o.parquet"
    study.release({"age": 1, "dose": 1, "born": 1, "zip": 1}, out, values="microaggregated")
    found = pyarrow.parquet.read_table(out)
    kinds = dict(zip(found.column_names, found.schema.types, strict=True))
    assert kinds == {
        "age": pyarrow.string(),  # it has a label for missing values
        "dose": pyarrow.float64(),
        "born": pyarrow.string(),
        "zip": pyarrow.string(),
    }
    assert sorted(set(found["age"].to_pylist())) == ["(missing)", "20.5", "25.5", "33"]
    assert sorted(set(found["dose"].to_pylist())) == [1.15, 9.0]
    assert set(found["born"].to_pylist()) == {"1990-01-03"}
    assert sorted(set(found["zip"].to_pylist())) == ["01", "11"]  # codes have a mode, no median
    # A starred row makes a column of texts.
    starred = sf.Study(source=table, attributes=study.attributes, suppression=sf.given_k(2))
    starred.release(
        {"age": 2, "dose": 1, "born": 1, "zip": 2},
        out,
        values="microaggregated",
        suppressed_rows="star",
        force=True,
    )
    assert sorted(pyarrow.parquet.read_table(out)["dose"].to_pylist()) == ["*"] + ["1.15"] * 5


def test_numbers_that_no_double_holds_are_texts(tmp_path: Path) -> None:
    table = pd.DataFrame({"code": ["12345678901234567", "12345678901234569", "3"]})
    column = sf.quasi_identifying(
        "code", sf.Intervals(widths=(10**18,), unit=10**17, low=0, high=10**18)
    )
    out = tmp_path / "o.parquet"
    sf.Study(source=table, attributes=[column]).release({"code": 0}, out, values="microaggregated")
    assert pyarrow.parquet.read_table(out)["code"].to_pylist() == ["8230452600823046.33"] * 3


def test_missing_values(tmp_path: Path) -> None:
    """Alone they keep their label; joined with others at the top they get the statistic."""
    table = pd.DataFrame({"z": ["a", "a", "b", None, None], "n": ["1", "2", None, None, None]})
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("z", sf.Flat()),
            sf.quasi_identifying("n", sf.Intervals(widths=(2,), low=0, high=9)),
        ],
    )
    out = tmp_path / "o.csv"
    study.release({"z": 0, "n": 1}, out, values="microaggregated")
    assert read_rows(out)[1] == {
        ("a", "1"): 1,
        ("a", "2"): 1,
        ("b", "(missing)"): 1,
        ("(missing)", "(missing)"): 2,
    }
    top = {name: hierarchy.height for name, hierarchy in study.hierarchies.items()}
    study.release(top, out, values="microaggregated", force=True)
    assert read_rows(out)[1] == {("a", "1.5"): 5}


@pytest.mark.slow
def test_missing_values_that_the_hierarchy_places(tmp_path: Path) -> None:
    tree = sf.Groups(levels=[{"first": ["a", "?"], "second": ["b", "c"]}])
    study = sf.Study(
        source=pd.DataFrame({"z": ["a", "?", None, "b", "c", "c"]}),
        attributes=[sf.quasi_identifying("z", tree)],
        missing=sf.MissingValues(markers=("?",)),
    )
    out = tmp_path / "o.csv"
    for level, expected in [
        (0, {("a",): 1, ("?",): 2, ("b",): 1, ("c",): 2}),
        (1, {("a",): 3, ("c",): 3}),
        (2, {("c",): 6}),
    ]:
        study.release({"z": level}, out, values="microaggregated", force=True)
        assert read_rows(out)[1] == expected


def test_a_private_certificate_of_another_study(tmp_path: Path) -> None:
    study = study_of_people()
    out, private = tmp_path / "o.csv", tmp_path / "p.json"
    levels = {"age": 0, "zip": 0, "sex": 0}
    study.release(levels, out, values="microaggregated", private_certificate=private)
    coarser = [
        sf.quasi_identifying("age", sf.Intervals(low=20, high=39, unit=5, widths=(10,)))
        if attribute.name == "age"
        else attribute
        for attribute in ATTRIBUTES
    ]
    other = sf.Study(source=people(), attributes=coarser)
    with raises(sf.SourceError, code="other-study"):
        other.audit(out, private_certificate=private)


def test_blocks_that_show_a_value_are_counted(tmp_path: Path) -> None:
    table = pd.DataFrame({"age": ["23", "23", "31", "34"], "sex": list("FFMM")})
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(10,), low=20, high=39)),
            sf.quasi_identifying("sex", sf.Flat()),
        ],
    )
    release = study.release({"age": 1, "sex": 0}, tmp_path / "o.csv", values="microaggregated")
    assert release.alone == {"age": 1, "sex": 0}
    recoding = release.private_certificate["recoding"]
    assert isinstance(recoding, dict)
    assert recoding["age"]["blocks_of_one_value"] == 1
    public = json.loads((tmp_path / "o.csv.certificate.json").read_text())
    assert public["values"] == "microaggregated"
    assert public["recoding"]["age"] == {
        "level": 1,
        "labels": 2,
        "blocks": {"23": "[20, 30)", "32.5": "[30, 40)"},
        "statistic": "mean",
        "digits": 2,
    }


def one_column(values: list[str], builder: sf.Intervals | sf.Flat, **settings: object) -> sf.Study:
    column = sf.Attribute(
        name="n",
        role=sf.Role.QUASI_IDENTIFYING,
        hierarchy=builder,
        **settings,  # type: ignore[arg-type]
    )
    return sf.Study(source=pd.DataFrame({"n": values}), attributes=[column])


def test_means_that_round_to_the_same_are_refused(tmp_path: Path) -> None:
    values = ["9"] + ["9.99"] * 400 + ["10"] * 400 + ["10.9"]
    builder = sf.Intervals(widths=(10,), low=0, high=20, unit=0.01)
    study = one_column(values, builder, digits=1)
    with raises(sf.ReleaseError, code="equal-statistics"):
        study.release({"n": 1}, tmp_path / "o.csv", values="microaggregated")
    assert list(tmp_path.iterdir()) == []
    told = one_column(values, builder, digits=2)
    told.release({"n": 1}, tmp_path / "o.csv", values="microaggregated")
    assert {row[0] for row in read_rows(tmp_path / "o.csv")[1]} == {"9.99", "10"}


def test_means_of_categories_that_are_the_same_are_refused(tmp_path: Path) -> None:
    tree = sf.Groups(levels=[{"odd": ["1", "3"], "even": ["2"]}])
    column = sf.quasi_identifying("n", tree, statistic="mean")
    study = sf.Study(source=pd.DataFrame({"n": ["1", "3", "2"]}), attributes=[column])
    with raises(sf.ReleaseError, code="equal-statistics"):
        study.release({"n": 1}, tmp_path / "o.csv", values="microaggregated")


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (sf.quasi_identifying("n", sf.Flat(), statistic="mean"), "not-a-number"),
        (sf.quasi_identifying("n", sf.Flat(), digits=1), "conflicting-settings"),
    ],
)
def test_statistics_that_a_column_does_not_have(
    tmp_path: Path, column: sf.Attribute, code: str
) -> None:
    study = sf.Study(source=pd.DataFrame({"n": ["a", "b"]}), attributes=[column])
    with raises(sf.SfumatoError, code=code, column="n"):
        study.release({"n": 1}, tmp_path / "o.csv", values="microaggregated")
    assert list(tmp_path.iterdir()) == []


def test_settings_that_make_no_sense(tmp_path: Path) -> None:
    with raises(
        sf.SettingsError, code="unknown-choice", column="n", key="statistic", found="'average'"
    ):
        sf.quasi_identifying("n", sf.Flat(), statistic="average")
    with raises(sf.SettingsError, code="conflicting-settings", column="n", key="digits", found="1"):
        sf.quasi_identifying("n", sf.Flat(), statistic="mode", digits=1)
    with raises(sf.SettingsError, code="out-of-range", column="n", key="digits", found="99"):
        sf.quasi_identifying("n", sf.Intervals(), digits=99)
    with raises(sf.SettingsError, code="conflicting-settings", column="n", key="statistic"):
        sf.Attribute(name="n", role=sf.Role.SENSITIVE, statistic=sf.Statistic.MEAN)
    with raises(sf.SettingsError, code="unknown-choice", key="values", found="'averaged'"):
        study_of_people().release(
            {"age": 0, "zip": 0, "sex": 0}, tmp_path / "o.csv", values="averaged"
        )


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("out.csv", "category"),
        ("out.parquet", "drop"),
        slow("out.csv", "drop"),
        slow("out.parquet", "category"),
    ],
)
def test_types_of_the_source(tmp_path: Path, name: str, policy: str) -> None:
    """Whole numbers, floating point with NaN, decimals, days and flags, as Parquet has them."""
    duckdb.connect().execute(
        "COPY (SELECT CAST(a AS INTEGER) AS age, CAST(d AS DOUBLE) AS dose, "
        "CAST(d AS FLOAT) AS single, CAST(p AS DECIMAL(9, 3)) AS pay, "
        "CAST(b AS DATE) AS born, CAST(a AS INTEGER) > 30 AS old FROM (VALUES "
        "('20', '0.1', '1.125', '2020-01-01'), ('23', '0.2', '1.250', '2020-01-31'), "
        "('27', 'nan', '2.000', '2020-01-03'), (NULL, '0.7', '2.500', '2020-01-02'), "
        "('38', '-0.0', '2.875', '2020-01-01')) AS t(a, d, p, b)) "
        f"TO '{tmp_path / 'source.parquet'}' (FORMAT parquet)"
    )
    dose = sf.Intervals(widths=(1,), unit=0.1, low=0, high=2)
    study = sf.Study(
        source=tmp_path / "source.parquet",
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(20,), low=0, high=59)),
            sf.quasi_identifying("dose", dose, digits=4),
            sf.quasi_identifying("single", dose, statistic="median"),
            sf.quasi_identifying("pay", sf.Intervals(widths=(5,), unit=0.125, low=0, high=9)),
            sf.quasi_identifying("born", sf.Dates(levels=("day", "month"))),
            sf.quasi_identifying("old", sf.Flat()),
        ],
        missing=sf.MissingValues(policy=sf.MissingPolicy(policy)),
    )
    levels = {"age": 1, "dose": 1, "single": 1, "pay": 1, "born": 1, "old": 1}
    study.release(levels, tmp_path / name, values="microaggregated")
    gap = "(missing)"
    if policy == "drop":
        # Three rows are left: 20, 23 and 38.
        expected = {("27", "0.1", "0.1", "1.75", "2020-01-01", "false"): 3}
    else:
        # Four ages of 20, 23, 27, 38; doses 0.1, 0.2, 0.7, 0; a flag whose gap the top joins.
        rest = ("1.95", "2020-01-02", "false")
        expected = {
            ("27", "0.25", "0.1", *rest): 3,
            ("27", gap, gap, *rest): 1,
            (gap, "0.25", "0.1", *rest): 1,
        }
    assert read_rows(tmp_path / name)[1] == expected


def test_a_statistic_that_was_tampered_with(tmp_path: Path) -> None:
    class Meddling(sf.DuckDBEngine):
        def rewrite(self, source: Source, plan: RewritePlan, target: Target) -> None:
            super().rewrite(source, plan, target)
            text = target.path.read_text()
            target.path.write_text(text.replace(text.splitlines()[1].split(",")[0], "27.77"))

    study = sf.Study(source=people(), attributes=ATTRIBUTES, engine=Meddling())
    with raises(sf.UnmetError, code="not-verified"):
        study.release({"age": 2, "zip": 5, "sex": 1}, tmp_path / "o.csv", values="microaggregated")
    assert list(tmp_path.iterdir()) == []


class WrongCounts(sf.DuckDBEngine):
    """An engine that miscounts the values of the kept rows."""

    def kept_values(
        self, source: Source, plan: RewritePlan, target: Target
    ) -> dict[str, dict[tuple[int, str | None], int]]:
        found = super().kept_values(source, plan, target)
        for column, values in found.items():
            if column == self.column():
                values[max(values, key=lambda value: value[1] or "")] += 60
        return found

    @staticmethod
    def column() -> str:
        raise NotImplementedError


# The mean, the median and the mode.
@pytest.mark.parametrize("column", ["age", slow("zip"), slow("sex")])
def test_wrong_statistics_are_found_out(tmp_path: Path, column: str) -> None:
    """Rows, metrics and digest agree with the plan: only the source tells that it is wrong."""
    wrong = type("Wrong", (WrongCounts,), {"column": staticmethod(lambda: column)})
    study = sf.Study(source=people(), attributes=ATTRIBUTES, engine=wrong())
    with raises(sf.UnmetError, code="not-verified", column=column):
        study.release({"age": 3, "zip": 5, "sex": 1}, tmp_path / "o.csv", values="microaggregated")
    assert list(tmp_path.iterdir()) == []
