from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from tests.raised import raises

from sfumato.engines.messages.column_profile import CodeShape, ColumnProfile, DateShape, NumberShape
from sfumato.errors import SourceError
from sfumato.microdata.column_words import column_words, names_person, tells
from sfumato.microdata.roles import Role
from sfumato.study.proposal.proposal import LARGEST_LATTICE, propose
from sfumato.study.proposal.proposed_hierarchies import proposed_hierarchy
from sfumato.study.proposal.proposed_hierarchy import Detail
from sfumato.study.proposal.proposed_roles import proposed_role


def column(
    name: str,
    *,
    rows: int = 1000,
    distinct: int = 10,
    markers: tuple[tuple[str, int], ...] = (),
    missing: int = 0,
    longest: int = 8,
    numbers: NumberShape | None = None,
    dates: DateShape | None = None,
    codes: CodeShape | None = None,
    comma_numbers: bool = False,
) -> ColumnProfile:
    present = rows - missing - sum(count for _, count in markers)
    return ColumnProfile(
        name=name,
        rows=rows,
        missing=missing,
        markers=markers,
        distinct=distinct,
        unique_share=distinct / present if present else 0.0,
        shortest=min(longest, 3),
        longest=longest,
        numbers=numbers,
        dates=dates,
        codes=codes,
        comma_numbers=comma_numbers,
    )


def whole(least: int, greatest: int) -> NumberShape:
    return NumberShape(
        least=Decimal(least),
        greatest=Decimal(greatest),
        whole=True,
        decimals=0,
        bulk_low=Decimal(least),
        bulk_high=Decimal(greatest),
    )


def fractional(least: str, greatest: str, decimals: int = 2) -> NumberShape:
    return NumberShape(
        least=Decimal(least),
        greatest=Decimal(greatest),
        whole=False,
        decimals=decimals,
        bulk_low=Decimal(least),
        bulk_high=Decimal(greatest),
    )


BIRTHS = DateShape(format=None, unit="day", first=dt.date(1930, 1, 1), last=dt.date(2004, 12, 31))


@pytest.mark.parametrize(
    ("profile", "role"),
    [
        (column("last name"), Role.IDENTIFYING),
        (column("Nachname", distinct=2), Role.IDENTIFYING),
        (column("prénom"), Role.IDENTIFYING),
        (column("e-mail"), Role.IDENTIFYING),
        (column("Straße"), Role.IDENTIFYING),
        (column("name"), Role.IDENTIFYING),
        (column("hospital name", distinct=4), Role.QUASI_IDENTIFYING),
        (column("hospital name", distinct=400), Role.IDENTIFYING),
        (column("patient_id", distinct=900, numbers=whole(7, 90_000)), Role.IDENTIFYING),
        (column("ward_id", distinct=8, numbers=whole(1, 8)), Role.QUASI_IDENTIFYING),
        (column("x", distinct=990, longest=20), Role.IDENTIFYING),
        (
            column("x", distinct=990, longest=20, rows=1000, numbers=whole(5, 10**6)),
            Role.QUASI_IDENTIFYING,
        ),
        (column("x", distinct=1000, numbers=whole(0, 999)), Role.IDENTIFYING),
        (column("x", distinct=1000, numbers=whole(5, 10**6)), Role.IDENTIFYING),
        (column("x", distinct=1000, numbers=fractional("0", "1")), Role.QUASI_IDENTIFYING),
        (column("x", distinct=1000, dates=BIRTHS), Role.QUASI_IDENTIFYING),
        (column("x", distinct=6, rows=6, numbers=whole(1, 6)), Role.IDENTIFYING),
        (column("x", distinct=6, rows=6, numbers=whole(20, 60)), Role.QUASI_IDENTIFYING),
        (column("town", distinct=6, rows=6), Role.QUASI_IDENTIFYING),
        (column("story", distinct=300, longest=500), Role.IDENTIFYING),
        (column("comment", distinct=3), Role.IDENTIFYING),
        (column("Diagnosis"), Role.SENSITIVE),
        (column("Krankheitstage", distinct=40, numbers=whole(0, 60)), Role.SENSITIVE),
        (column("sick days", distinct=40, numbers=whole(0, 60)), Role.SENSITIVE),
        (column("IllnessDays", distinct=40, numbers=whole(0, 60)), Role.SENSITIVE),
        (column("tage_krank", distinct=40, numbers=whole(0, 60)), Role.SENSITIVE),
        (column("date of diagnosis", distinct=900, dates=BIRTHS), Role.QUASI_IDENTIFYING),
        (column("age at diagnosis", distinct=90, numbers=whole(0, 100)), Role.QUASI_IDENTIFYING),
        (column("diagnosis text", distinct=950, longest=90), Role.IDENTIFYING),
        (column("total_cost", distinct=1000, numbers=fractional("1", "9000")), Role.SENSITIVE),
        (
            column(
                "credit card",
                distinct=1000,
                numbers=whole(10**15, 10**16 - 1),
                codes=CodeShape(length=16, digits=True, leading_zeros=False),
            ),
            Role.IDENTIFYING,
        ),
        (column("fnlwgt", distinct=700, numbers=whole(1, 10**6)), Role.INSENSITIVE),
        (column("nothing", distinct=0, missing=1000), Role.INSENSITIVE),
        (column("constant", distinct=1), Role.INSENSITIVE),
        (column("half constant", distinct=1, missing=400), Role.QUASI_IDENTIFYING),
        (column("answer", distinct=1, markers=(("none", 300),)), Role.QUASI_IDENTIFYING),
        (column("zip", distinct=990, longest=5), Role.QUASI_IDENTIFYING),
    ],
)
def test_roles(profile: ColumnProfile, role: Role) -> None:
    proposed = proposed_role(profile)
    assert proposed.role is role, proposed.reason
    assert proposed.reason


def test_words_are_whole() -> None:
    assert column_words("lastName") == ("last", "name")
    assert column_words("HIVStatus") == ("hiv", "status")
    assert not names_person(column_words("namespace"))
    assert not tells(column_words("village"), frozenset({"age"}))
    assert tells(column_words("last_name"), frozenset({"lastname"}))


@pytest.mark.parametrize(
    ("profile", "settings"),
    [
        (
            column("age", distinct=72, numbers=whole(17, 90)),
            {"intervals": [5, 10, 20], "low": 15, "high": 90},
        ),
        (
            column("price", distinct=900, numbers=fractional("0.37", "4.99")),
            {"intervals": [0.1, 0.5, 1], "unit": 0.02, "low": 0.3, "high": 5},
        ),
        (
            column("wealth", distinct=500, numbers=whole(-3, 1_000_000)),
            {
                "intervals": [50_000, 100_000, 200_000],
                "unit": 1000,
                "low": -50_000,
                "high": 1_000_000,
            },
        ),
        (column("stage", distinct=4, numbers=whole(1, 4)), {"flat": True}),
        (column("birth", dates=BIRTHS), {"date": ["month", "year", "decade"]}),
        (
            column(
                "x",
                distinct=400,
                numbers=whole(1067, 99998),
                codes=CodeShape(length=5, digits=True, leading_zeros=True),
            ),
            {"prefix": 5},
        ),
        (
            column(
                "x", distinct=400, codes=CodeShape(length=10, digits=False, leading_zeros=False)
            ),
            {"prefix": 10, "keep": [8, 7, 5, 3, 2]},
        ),
        (column("zip", distinct=400, longest=5, numbers=whole(501, 99998)), {"prefix": True}),
        (column("weight", distinct=80, comma_numbers=True), {"flat": True}),
        (column("colour"), {"flat": True}),
    ],
)
def test_hierarchies(profile: ColumnProfile, settings: dict[str, object]) -> None:
    assert proposed_hierarchy(profile).settings == settings


@pytest.mark.parametrize(
    ("first", "last", "units"),
    [
        (dt.date(2020, 1, 1), dt.date(2020, 9, 1), ["month", "quarter"]),
        (dt.date(2018, 1, 1), dt.date(2020, 9, 1), ["month", "quarter", "year"]),
        (dt.date(1918, 1, 1), dt.date(2020, 9, 1), ["month", "year", "decade"]),
    ],
)
def test_units_fit_the_span(first: dt.date, last: dt.date, units: list[str]) -> None:
    days = DateShape(format="%d.%m.%y", unit="day", first=first, last=last)
    proposed = proposed_hierarchy(column("x", dates=days))
    assert proposed.settings == {"date": units, "format": "%d.%m.%y"}
    assert "two digits" in proposed.remarks[0]
    months = DateShape(format=None, unit="month", first=first, last=last)
    proposed = proposed_hierarchy(column("x", dates=months))
    settings = proposed.settings
    assert proposed.in_words.startswith("0 the month, 1 the ")
    assert settings == {"date": [u for u in units if u != "month"], "unit": "month"}


def test_a_far_outlier_does_not_set_the_widths() -> None:
    numbers = NumberShape(
        least=Decimal(18),
        greatest=Decimal(9999),
        whole=True,
        decimals=0,
        bulk_low=Decimal(18),
        bulk_high=Decimal(91),
    )
    proposed = proposed_hierarchy(column("years", distinct=75, numbers=numbers))
    assert proposed.settings == {"intervals": [5, 10, 20], "low": 15, "high": 10_000}
    assert "far from all others" in proposed.remarks[0]


def test_wide_tables_keep_the_lattice_small() -> None:
    profiles = [column("age", distinct=72, numbers=whole(17, 90))]
    profiles += [column("birth", dates=BIRTHS, distinct=900)]
    profiles += [column(f"c{n}", distinct=40, numbers=whole(0, 60)) for n in range(30)]
    proposal = propose(profiles, where="wide.csv")
    assert proposal.lattice <= LARGEST_LATTICE
    quasi = [c.name for c in proposal.of_role(Role.QUASI_IDENTIFYING)]
    assert quasi[:2] == ["age", "birth"]
    assert len(quasi) > 5
    left_out = proposal.of_role(Role.IDENTIFYING)
    assert len(quasi) + len(left_out) == len(profiles)
    assert all("left out for now" in c.proposed.reason for c in left_out)
    # The columns whose names say that others know them keep some levels between.
    assert proposal.columns[0].hierarchy == proposed_hierarchy(profiles[0], detail=Detail.MIDDLE)


def test_markers_are_those_that_mean_missing() -> None:
    proposal = propose(
        [
            column("age", numbers=whole(1, 90), markers=(("none", 3), ("?", 2))),
            column("offence", markers=(("x", 5), ("unknown", 1))),
            column("name", markers=(("k.A.", 5),)),
        ],
        where="people.csv",
    )
    assert proposal.markers == ("none", "?", "unknown")


def test_what_cannot_be_proposed() -> None:
    with raises(SourceError, code="one-column"):
        propose([column("a;b")], where="people.csv")
    with raises(SourceError, code="no-rows"):
        propose([column("a", rows=0, distinct=0), column("b", rows=0, distinct=0)], where="x.csv")
    with raises(SourceError, code="unnamed-column"):
        propose([column("a"), column("")], where="x.parquet")
