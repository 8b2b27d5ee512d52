from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

from sfumato.engines.duckdb import profile as duckdb_profile
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.messages.column_profile import (
    MISSING_MARKERS,
    ODD_MARKERS,
    SHOWN_FROM,
    ColumnProfile,
)
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.domains.date_unit import read_period
from sfumato.hierarchies.domains.exact_number import is_whole, parse_number
from sfumato.hierarchies.domains.number_style import NumberStyle
from sfumato.sources.source import DatabaseTable, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def profile_of(values: Sequence[object]) -> ColumnProfile:
    table = pa.table({"column": pa.array(values), "other": pa.array(range(len(values)))})
    return DuckDBEngine(threads=1).profile(source_of(table))[0]


TEXTS = st.one_of(
    st.none(),
    st.sampled_from(["?", "NA", " ? ", "none", "unknown", ""]),
    st.integers(-2000, 2000).map(str),
    st.decimals(-50, 50, places=2).map(str),
    st.sampled_from(["1e3", ".5", "5.", "+7", "007", "1_0", "1,5", "inf", "nan", "١٢"]),
    st.text(max_size=6),
    st.dates(dt.date(1900, 1, 1), dt.date(2050, 1, 1)).map(str),
)
COLUMNS = st.one_of(
    st.lists(TEXTS, min_size=1, max_size=30),
    st.lists(st.sampled_from(["1", "2.5", "?", None, "1e2", "-3", " 4 "]), min_size=1, max_size=30),
    st.lists(st.sampled_from(["a", "b", "none", "?", None]), min_size=1, max_size=40),
    st.lists(st.integers(0, 10**6).map(lambda n: f"{n:06}"), min_size=1, max_size=20),
)


def is_marker(text: str) -> bool:
    return text.strip(" ") in (*MISSING_MARKERS, *ODD_MARKERS)


@settings(max_examples=examples(60))
@given(values=COLUMNS)
def test_a_profile_is_what_python_counts(values: list[str | None]) -> None:
    profile = profile_of(pa.array(values, pa.string()))
    texts = [value for value in values if value is not None]
    known = [text for text in texts if not is_marker(text)]
    assert profile.rows == len(values)
    assert profile.missing == values.count(None)
    marked = [text for text in texts if is_marker(text)]
    assert profile.markers == tuple(sorted((t, marked.count(t)) for t in set(marked)))
    assert profile.present == len(known)
    assert (profile.distinct, profile.distinct_exact) == (len(set(known)), True)
    assert profile.unique_share == (len(set(known)) / len(known) if known else 0)
    assert (profile.shortest, profile.longest) == (
        min(map(len, known), default=0),
        max(map(len, known), default=0),
    )
    frequent = {text: known.count(text) for text in known if known.count(text) >= SHOWN_FROM}
    assert dict(profile.frequent) == frequent
    if profile.numbers is not None:
        numbers = [parse_number(text) for text in known]
        assert None not in numbers
        exact = [number for number in numbers if number is not None]
        assert (profile.numbers.least, profile.numbers.greatest) == (min(exact), max(exact))
        assert profile.numbers.whole == all(map(is_whole, exact))
        assert min(exact) <= profile.numbers.bulk_low <= profile.numbers.bulk_high <= max(exact)
    elif known:
        # What Python reads beyond ASCII and outside 10⁵⁰ is not taken for a number.
        assert any(parse_number(t) is None or not t.isascii() for t in known)
    if profile.codes is not None:
        assert {len(text) for text in known} == {profile.codes.length}
        assert profile.codes.digits == all(text.isdigit() for text in known)
        assert profile.codes.leading_zeros == any(text.startswith("0") for text in known)


FORMATS = (
    None,
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y/%m/%d",
    "%d-%m-%Y",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%Y",
    "%m/%y",
    "%d %b %Y",
    "%B %d, %Y",
    "%Y%m%d",
    "%d.%m.%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
)


@settings(max_examples=examples(50))
@given(
    days=st.lists(
        st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2060, 1, 1)), min_size=1, max_size=20
    ),
    format=st.sampled_from(FORMATS),
)
def test_dates_are_read_as_the_builder_reads_them(
    days: list[dt.datetime],
    format: str | None,  # noqa: A002
) -> None:
    texts = [day.date().isoformat() if format is None else day.strftime(format) for day in days]
    dates = profile_of([*texts, "?", None]).dates
    assert dates is not None
    periods = [read_period(text, unit=dates.unit, format=dates.format) for text in texts]
    assert None not in periods
    if dates.format == format:
        read = [
            dt.datetime.strptime(t, format).date() if format else day
            for t, day in zip(texts, (day.date() for day in days), strict=True)
        ]
        assert (dates.first, dates.last) == (min(read), max(read))
    else:
        # Day and month can be read the other way round, and then both are told.
        assert format in (dates.other_format, dates.format) or dates.format is None
    Dates(levels=(dates.unit,), format=dates.format).build(texts, column="date")


@pytest.mark.parametrize(
    ("texts", "format", "other"),
    [
        (["03/04/1998", "05/06/1998"], "%m/%d/%Y", "%d/%m/%Y"),
        (["03/04/1998", "25/06/1998"], "%d/%m/%Y", None),
        (["1998-03-04", "1998-03-05T10:30:00Z", "1998-03-05 10:30:00.5+02:00"], None, None),
    ],
)
def test_formats_that_cannot_be_told_apart_are_named(
    texts: list[str],
    format: str | None,  # noqa: A002
    other: str | None,
) -> None:
    dates = profile_of(texts).dates
    assert dates is not None
    assert (dates.format, dates.other_format) == (format, other)


@pytest.mark.parametrize(
    "texts",
    [
        ["1998-02-30"],
        ["0000-01-01"],
        ["31.02.1998", "01.03.1998"],
        ["1998-03-04", "soon"],
        ["1998-03-04 25:00"],
        ["1998"],
    ],
)
def test_what_is_no_date_is_none(texts: list[str]) -> None:
    assert profile_of(texts).dates is None


def test_a_value_far_behind_the_first_rows_counts() -> None:
    texts = ["1998-03-04"] * (duckdb_profile.FIRST_ROWS + 10)
    assert profile_of(texts).dates is not None
    assert profile_of([*texts, "soon"]).dates is None
    numbers = ["12"] * (duckdb_profile.FIRST_ROWS + 10)
    assert profile_of([*numbers, "twelve"]).numbers is None
    codes = profile_of([*numbers, "123"]).codes
    assert codes is None


def test_first_rows_without_values_rule_nothing_out() -> None:
    texts = [None] * (duckdb_profile.FIRST_ROWS + 10) + ["04.03.1998", "14.12.2001"]
    dates = profile_of(texts).dates
    assert dates is not None
    assert (dates.format, dates.first.year, dates.last.year) == ("%d.%m.%Y", 1998, 2001)


def test_months() -> None:
    dates = profile_of(["1998-03", "2001-12"]).dates
    assert dates is not None
    assert (dates.format, dates.unit, dates.last) == (None, "month", dt.date(2001, 12, 1))


def test_numbers_with_commas() -> None:
    for texts, style, greatest in (
        (["1,5", "12.345,67", "3,14", "?"], NumberStyle(decimal=",", thousands="."), "12345.67"),
        (["1,234.50", "12,000"], NumberStyle(thousands=","), "12000"),
        (["1\u202f234,5", "7"], NumberStyle(decimal=",", thousands=" "), "1234.5"),
        (["1’234.5", "-7.25"], NumberStyle(thousands="'"), "1234.5"),
        (["1,5", "2.25"], NumberStyle(decimal=",."), "2.25"),
    ):
        numbers = profile_of(texts).numbers
        assert numbers is not None
        assert (numbers.style, numbers.greatest) == (style, Decimal(greatest))
    assert profile_of(["1,5", "Rue 3,4"]).numbers is None


def test_numbers_that_change_their_form_in_later_rows() -> None:
    numbers = profile_of([*map(str, range(duckdb_profile.FIRST_ROWS)), "1.234,5"]).numbers
    assert numbers is not None
    assert numbers.style == NumberStyle(decimal=",", thousands=".")
    assert numbers.greatest == duckdb_profile.FIRST_ROWS - 1


def test_a_few_frequent_texts_among_numbers_are_markers() -> None:
    profile = profile_of([*map(str, range(400)), *["k.W."] * 6])
    assert profile.numbers is not None
    assert profile.markers == (("k.W.", 6),)
    rare = profile_of([*map(str, range(400)), "k.W.", "see note"])
    assert rare.numbers is None
    assert (rare.odd, rare.expected, rare.markers) == (2, "number", ())


def test_dates_in_several_formats() -> None:
    texts = ["31.12.1999", "1/15/2001", "2001-02-03", "5 Mar 2002"] * 5
    dates = profile_of(texts).dates
    assert dates is not None
    assert set(dates.format or ()) == {"%d.%m.%Y", "%m/%d/%Y", "%d %b %Y"}
    assert (dates.first, dates.last) == (dt.date(1999, 12, 31), dt.date(2002, 3, 5))


def test_outliers_are_outside_the_bulk() -> None:
    numbers = profile_of([*(str(n % 60 + 20) for n in range(1000)), "99999"]).numbers
    assert numbers is not None
    assert numbers.greatest == 99999
    assert 74 < numbers.bulk_high < 90
    assert 18 < numbers.bulk_low < 23


def test_typed_columns_are_seen_as_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "typed.parquet"
    pq.write_table(
        pa.table(
            {
                "whole": pa.array([1.0, 2.0, float("nan"), None]),
                "price": pa.array([Decimal("1.50"), Decimal("2.25"), None, Decimal("3.00")]),
                "day": pa.array([dt.date(2001, 2, 3), dt.date(2010, 1, 1), None, None]),
                "moment": pa.array([dt.datetime(2001, 2, 3, 4, 5), None, None, None]),
                "flag": pa.array([True, False, True, None]),
                "endless": pa.array([1.0, float("inf"), 2.0, 3.0]),
                "list": pa.array([[1], [2], [3], None]),
            }
        ),
        path,
    )
    profiles = {p.name: p for p in DuckDBEngine().profile(source_of(path))}
    whole = profiles["whole"]
    assert (whole.missing, whole.distinct, whole.markers) == (2, 2, ())
    assert whole.numbers is not None
    assert whole.numbers.whole
    price = profiles["price"].numbers
    assert price is not None
    assert (price.whole, price.decimals, price.greatest) == (False, 2, Decimal(3))
    assert profiles["day"].dates is not None
    assert profiles["moment"].dates is not None
    assert profiles["flag"].distinct == 2
    assert profiles["endless"].numbers is None
    assert profiles["list"].distinct == 3


def test_all_sources_give_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame({"Age": ["39", "?", None], "age": ["01234", "01235", "01235"]})
    frame.to_csv(tmp_path / "people.csv", index=False)
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.execute('CREATE TABLE t ("a b" VARCHAR, "A" VARCHAR)')
        connection.executemany("INSERT INTO t VALUES (?, ?)", frame.values.tolist())
    engine = DuckDBEngine()
    from_csv = engine.profile(source_of(tmp_path / "people.csv"))
    assert from_csv == engine.profile(source_of(frame))
    from_database = engine.profile(DatabaseTable(path=tmp_path / "people.duckdb", table="t"))
    assert [p.codes for p in from_database] == [p.codes for p in from_csv]
    assert [p.name for p in from_database] == ["a b", "A"]


def test_many_values_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_profile, "MOST_COUNTED", 5_000)
    rng = random.Random(5)
    values = [f"person {rng.randrange(60_000)}" for _ in range(80_000)]
    profile = profile_of(values)
    true = len(set(values))
    assert not profile.distinct_exact
    assert profile.distinct == pytest.approx(true, rel=0.06)
    assert profile.unique_share == pytest.approx(true / len(values), rel=0.03)
    assert profile.frequent == ()


def test_rare_values_never_leave_the_engine() -> None:
    values = ["common"] * 50 + ["Kunigunde-9173"] * (SHOWN_FROM - 1)
    profile = profile_of(values)
    assert profile.frequent == (("common", 50),)
    assert "common" not in repr(profile)


@pytest.mark.slow
def test_many_columns_are_counted_in_groups() -> None:
    table = pa.table({f"c{n}": [str(n)] * 6 + ["?"] for n in range(45)})
    profiles = DuckDBEngine().profile(source_of(table))
    assert [profile.frequent for profile in profiles] == [((str(n), 6),) for n in range(45)]
    assert {profile.markers for profile in profiles} == {(("?", 1),)}


def test_no_rows() -> None:
    (profile, _) = DuckDBEngine().profile(
        source_of(pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.int64())}))
    )
    assert (profile.rows, profile.distinct, profile.numbers, profile.dates) == (0, 0, None, None)
