"""A release holds exactly the rows that it should, and its promises are those of the file."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, cast

import duckdb
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.release.rewritten_rows import read_rows, rewritten_rows, without_empty_texts
from tests.slow_variants import slow
from tests.study.people import ATTRIBUTES, people, study_of_people

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = ("out.csv", "out.parquet", "out.csv.gz", "out.tsv")
POLICIES = (
    sf.NO_SUPPRESSION,
    sf.limited(0.1),
    sf.limited(0.3, threshold="every"),
    sf.given_k(4),
    sf.BELOW_WEIGHTED_K,
)


@pytest.mark.parametrize(
    ("name", "suppressed_rows"),
    [
        pytest.param(
            name,
            rows,
            marks=() if (name, rows) == ("out.csv", "star") else pytest.mark.slow,
        )
        for name in FORMATS
        for rows in ("drop", "star")
    ],
)
def test_the_written_rows_are_those_of_the_definitions(
    tmp_path: Path, name: str, suppressed_rows: str
) -> None:
    for policy in POLICIES:
        study = study_of_people(suppression=policy)
        solutions = study.search().front.solutions
        # A release takes a while: two of each front, other ones for every format.
        for solution in solutions[len(name) % 3 :: 1 + len(solutions) // 2]:
            release = study.release(
                solution, tmp_path / name, suppressed_rows=suppressed_rows, force=True
            )
            expected = rewritten_rows(
                cast("list[dict[str, str | None]]", people().to_dict("records")),
                study,
                solution.levels,
                solution.threshold,
                star=suppressed_rows == "star",
            )
            delimiter = "\t" if name.endswith("tsv") else ","
            columns, found = read_rows(tmp_path / name, delimiter=delimiter)
            assert columns == ["age", "zip", "sex", "illness", "income", "smokes"]
            assert found == expected
            assert release.rows == len(people()) - solution.suppressed


def test_promises_are_kept_and_certified(tmp_path: Path) -> None:
    study = study_of_people(
        objectives=["k", "loss", "recursive-l(c=3)"], suppression=sf.limited(0.1)
    )
    for solution in study.search().front.solutions[::5]:
        release = study.release(
            solution,
            tmp_path / "out.csv",
            private_certificate=tmp_path / "private.json",
            force=True,
        )
        promised = study.evaluate(solution).values
        assert release.promised == promised
        private = json.loads((tmp_path / "private.json").read_text())
        assert private["metrics"]["k"] == promised["k"]
        assert private["suppressed"]["rows"] == solution.suppressed
        checked = set(private["recomputed_from_the_file_by_sql"])
        assert checked >= {"k", "distinct-l", "frequency-l", "entropy-l", "loss", "cm", "s-k"}
        audit = study.audit(tmp_path / "out.csv", private_certificate=tmp_path / "private.json")
        assert audit.whole_table is not None
        assert set(promised) - set(audit.whole_table) == set(audit.not_measured)
        for measure, value in audit.whole_table.items():
            assert value == pytest.approx(promised[measure], rel=1e-12), measure


def test_the_public_certificate_tells_nothing_beyond_the_file(tmp_path: Path) -> None:
    """All its metrics are those of an audit that has nothing but the file."""
    study = study_of_people(suppression=sf.limited(0.1))
    solution = max(study.search().front, key=lambda s: s.suppressed)
    assert solution.suppressed
    release = study.release(solution, tmp_path / "out.csv")
    text = (tmp_path / "out.csv.certificate.json").read_text()
    public = json.loads(text)
    assert public == json.loads(json.dumps(public))
    audit = study.audit(tmp_path / "out.csv")
    assert audit.whole_table is None
    assert public["metrics"] == pytest.approx(
        {name: metric for name, metric in audit.metrics.items() if name in public["metrics"]}
    )
    assert {"k", "distinct-l", "t", "c-avg"} <= set(public["metrics"])
    assert set(audit.metrics) <= set(public["metrics"]) | set(public["not_measured"])
    assert "suppressed" not in public
    assert "threshold" not in text
    assert "source" not in text
    assert str(release.promised["loss"]) not in text


def test_losses_are_not_published_where_they_would_tell_the_extremes(tmp_path: Path) -> None:
    table = pd.DataFrame({"age": ["20", "21", "22", "61"] * 3, "illness": list("abcd") * 3})
    for hierarchy, published in ((sf.Intervals(), False), (sf.Intervals(low=0, high=120), True)):
        study = sf.Study(
            source=table,
            attributes=[sf.quasi_identifying("age", hierarchy), sf.sensitive("illness")],
        )
        release = study.release({"age": 1}, tmp_path / "out.csv", force=True)
        metrics = release.certificate["metrics"]
        assert isinstance(metrics, dict)
        assert ("loss" in metrics) is published
        assert "k" in metrics


cells = st.sampled_from(["a", "b", "", "?", "it's", 'say "x"', "c,d", "ü;é", None])
numbers = st.sampled_from([1.0, 2.5, -0.0, 0.0, float("nan"), 7.0, None])
days = st.sampled_from([date(2020, 1, 31), date(2020, 2, 1), date(2021, 2, 1), None])
table_rows = st.lists(
    st.tuples(cells, numbers, days, st.booleans(), cells, numbers), min_size=1, max_size=25
)


@settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rows=table_rows,
    policy=st.sampled_from(["category", "drop"]),
    file_format=st.sampled_from(["csv", "parquet"]),
    star=st.booleans(),
    k=st.integers(1, 3),
    data=st.data(),
)
def test_typed_and_missing_values(
    tmp_path: Path,
    rows: list[tuple[object, ...]],
    policy: str,
    file_format: str,
    star: bool,
    k: int,
    data: st.DataObject,
) -> None:
    """Nulls, not a number, markers, minus zero, odd names and texts, dates and flags."""
    names = ['the "name"', "dose.mg", "day", "ill?", "Group", "pay load"]
    table = pd.DataFrame(rows, columns=names).astype({"dose.mg": "float64", "pay load": "float64"})
    path = tmp_path / "source.parquet"
    table.to_parquet(path, index=False)
    kept_empty = file_format == "parquet"
    study = sf.Study(
        source=path,
        attributes=[
            sf.quasi_identifying('the "name"', sf.Flat()),
            sf.quasi_identifying("dose.mg", sf.Intervals(widths=(2,), low=0, high=10)),
            sf.quasi_identifying("day", sf.Dates(levels=("day", "month"))),
            sf.insensitive("ill?", label=True),
            sf.sensitive("Group"),
            sf.insensitive("pay load"),
        ],
        suppression=sf.given_k(k),
        missing=sf.MissingValues(
            policy=sf.MissingPolicy(policy), markers=("?",) if kept_empty else ("?", "")
        ),
    )
    texts = [_texts(row, names) for row in rows]
    try:
        levels = data.draw(
            st.fixed_dictionaries(
                {name: st.integers(0, h.height) for name, h in study.hierarchies.items()}
            )
        )
    except sf.SfumatoError:
        # Nothing is left, or a column has nothing but gaps to build a hierarchy of.
        return
    expected = rewritten_rows(texts, study, levels, k, star=star)
    destination = tmp_path / f"out.{file_format}"
    destination.unlink(missing_ok=True)
    empty = study.evaluate(levels).empty
    suppressed_rows = "star" if star else "drop"
    if empty:
        with raises(sf.UnmetError, code="nothing-to-release"):
            study.release(levels, destination, suppressed_rows=suppressed_rows, force=True)
        assert not destination.exists()
        return
    study.release(levels, destination, suppressed_rows=suppressed_rows, force=True)
    columns, found = read_rows(destination)
    assert columns == names
    assert found == (expected if kept_empty else without_empty_texts(expected))


def _texts(row: tuple[object, ...], names: list[str]) -> dict[str, str | None]:
    def text(value: object) -> str | None:
        if value is None or value != value:
            return None
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() else str(value)
        return str(value)

    return {name: text(value) for name, value in zip(names, row, strict=True)}


def test_the_order_of_the_rows_says_nothing_about_that_of_the_source(tmp_path: Path) -> None:
    rows = 4000
    table = pd.DataFrame({"group": ["a"] * rows, "place": range(rows)})
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("group", sf.Flat()), sf.insensitive("place")],
    )
    orders = []
    for number in range(2):
        path = tmp_path / f"{number}.csv"
        study.release({"group": 0}, path)
        orders.append(pd.read_csv(path)["place"])
        assert sorted(orders[-1]) == list(range(rows))
    source = pd.Series(range(rows))
    # The standard deviation of a correlation of independent orders is 1 / sqrt(4000) = 0.016.
    assert abs(orders[0].corr(source)) < 0.1
    assert abs(orders[1].corr(source)) < 0.1
    assert abs(orders[0].corr(orders[1])) < 0.1
    # Nor are neighbours of the source neighbours in the release.
    assert (orders[0].diff().abs() == 1).sum() < 30


def test_columns_that_differ_only_in_case_are_refused(tmp_path: Path) -> None:
    table = pd.DataFrame({"Age": ["1", "2"], "age": ["3", "4"]})
    study = sf.Study(
        source=table, attributes=[sf.quasi_identifying("Age", sf.Flat()), sf.insensitive("age")]
    )
    with pytest.raises(sf.SfumatoError, match="'Age' and 'age' differ only in upper and lower"):
        study.release({"Age": 1}, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_suppressed_rows_are_dropped_or_starred_or_nothing(tmp_path: Path) -> None:
    study = study_of_people()
    with raises(sf.SettingsError, code="unknown-choice", key="suppressed_rows", found="'hide'"):
        study.release({"age": 0, "zip": 0, "sex": 0}, tmp_path / "o.csv", suppressed_rows="hide")
    everything = sf.Study(source=people(), attributes=ATTRIBUTES, suppression=sf.given_k(1000))
    with raises(sf.SfumatoError, code="nothing-to-release"):
        everything.release({"age": 0, "zip": 0, "sex": 0}, tmp_path / "o.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("out.csv", "category"),
        ("out.parquet", "drop"),
        slow("out.csv", "drop"),
        slow("out.parquet", "category"),
    ],
)
def test_not_a_number_in_parquet_is_missing(tmp_path: Path, name: str, policy: str) -> None:
    """The statistics of a Parquet file ignore NaN, and DuckDB believes them."""
    values = "(VALUES ('nan'), ('1'), ('2.5'), ('nan'), ('1'), ('2.5'), ('7'), ('7')) AS t(v)"
    duckdb.connect().execute(
        f"COPY (SELECT CAST(v AS DOUBLE) AS dose, CAST(v AS FLOAT) AS other, "
        f"CAST(v AS DOUBLE) AS load, CAST(v AS DOUBLE) AS ill FROM {values}) "
        f"TO '{tmp_path / 'source.parquet'}' (FORMAT parquet)"
    )
    study = sf.Study(
        source=tmp_path / "source.parquet",
        attributes=[
            sf.quasi_identifying("dose", sf.Intervals(widths=(5,), fractional=True, low=0, high=9)),
            sf.quasi_identifying("other", sf.Flat()),
            sf.insensitive("load"),
            sf.sensitive("ill"),
        ],
        missing=sf.MissingValues(policy=sf.MissingPolicy(policy)),
    )
    release = study.release({"dose": 1, "other": 0}, tmp_path / name)
    _, found = read_rows(tmp_path / name)
    expected: dict[tuple[str | None, ...], int] = {
        ("[0, 5)", "1", "1", "1"): 2,
        ("[0, 5)", "2.5", "2.5", "2.5"): 2,
    }
    expected |= {("[5, 10)", "7", "7", "7"): 2}
    if policy == "category":
        expected |= {("(missing)", "(missing)", None, None): 2}
    assert found == expected
    assert release.metrics["k"] == 2


def test_losses_do_not_tell_of_values_that_only_suppressed_people_have(tmp_path: Path) -> None:
    """Those of an open domain are withheld; a leaf for missing values nobody kept lacks is not."""
    zips = ["24126"] * 5 + ["24300"] * 5
    for rare, hierarchy, published in [
        ("99999", sf.Prefixes(), False),
        ("99999", sf.Prefixes(values=("24126", "24300", "99999")), True),
        (None, sf.Prefixes(values=("24126", "24300", "99999")), True),
    ]:
        study = sf.Study(
            source=pd.DataFrame({"zip": [*zips, rare]}),
            attributes=[sf.quasi_identifying("zip", hierarchy)],
            suppression=sf.given_k(2),
        )
        release = study.release({"zip": 2}, tmp_path / "out.csv", force=True)
        metrics = release.certificate["metrics"]
        assert isinstance(metrics, dict)
        assert ("loss" in metrics) is published, rare
        assert "gl" in release.promised
        assert '"of"' not in (tmp_path / "out.csv.certificate.json").read_text()


def test_a_category_that_only_suppressed_people_have_is_in_no_dictionary(tmp_path: Path) -> None:
    illness = pd.Categorical(["flu"] * 4 + ["asthma"] * 4 + ["cancer"])
    table = pd.DataFrame({"z": ["a"] * 8 + ["b"], "ill": illness, "load": illness})
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("z", sf.Flat()),
            sf.sensitive("ill"),
            sf.insensitive("load"),
        ],
        suppression=sf.given_k(2),
    )
    study.release({"z": 0}, tmp_path / "out.parquet")
    written = pyarrow.parquet.ParquetFile(tmp_path / "out.parquet")
    read = written.read_row_group(0, columns=["ill", "load"])
    for column in read.columns:
        assert pyarrow.types.is_string(column.type)
        assert set(column.dictionary_encode().combine_chunks().dictionary.to_pylist()) == {
            "flu",
            "asthma",
        }


def test_great_integers_keep_their_digits_in_parquet(tmp_path: Path) -> None:
    great = 2**70
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute(
            f"CREATE TABLE t AS SELECT 'a' AS z, {great}::HUGEINT AS great, "
            "INTERVAL 1 MONTH AS span FROM range(3)"
        )
    study = sf.Study(
        source=sf.DatabaseTable(path=tmp_path / "d.duckdb", table="t"),
        attributes=[
            sf.quasi_identifying("z", sf.Flat()),
            sf.insensitive("great"),
            sf.insensitive("span"),
        ],
    )
    study.release({"z": 0}, tmp_path / "out.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [int(row["great"]) for row in table] == [great] * 3
    assert [row["span"] for row in table] == ["1 month"] * 3


def test_empty_texts_that_csv_cannot_hold(tmp_path: Path) -> None:
    table = pd.DataFrame({"z": list("aab"), "ill": ["flu", "", None]})
    study = sf.Study(
        source=table, attributes=[sf.quasi_identifying("z", sf.Flat()), sf.sensitive("ill")]
    )
    with raises(sf.ReleaseError, code="empty-text", column="ill"):
        study.release({"z": 1}, tmp_path / "out.csv")
    # What is missing is not a value; a text without characters is.
    assert study.release({"z": 1}, tmp_path / "out.parquet").metrics["distinct-l"] == 2
