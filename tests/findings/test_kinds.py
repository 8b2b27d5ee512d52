"""What each kind of findings finds, and what it leaves alone."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.messages.column_facts import TextCounts
from sfumato.findings.catalogue import FINDINGS
from sfumato.findings.kinds.singled_out_rows import LEAST_SHARE
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def study(
    table: pd.DataFrame, *others: sf.Attribute, missing: sf.MissingValues | None = None
) -> sf.Study:
    return sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("age", sf.Intervals(widths=(10, 20))), *others],
        unlisted_insensitive=True,
        missing=missing or sf.MissingValues(),
    )


def ages(rows: int, seed: int = 1) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(20, 80) for _ in range(rows)]


def of_code(findings: Sequence[sf.Finding], code: str) -> list[sf.Finding]:
    return [finding for finding in findings if finding.code == code]


def test_visits_of_people_are_found_without_a_person_key() -> None:
    """Rows of 40 people, three visits each: k would count visits."""
    table = pd.DataFrame({"age": ages(120), "patient": [f"p{i % 40}" for i in range(120)]})
    (found,) = of_code(study(table, sf.identifying("patient")).findings(), "repeated-identifier")
    assert found.columns == ("patient",)
    assert found.counts == {"values": 40, "rows": 120}
    assert found.severity is sf.Severity.WARNING


def test_one_row_a_person_is_no_finding() -> None:
    table = pd.DataFrame({"age": ages(120), "patient": [f"p{i}" for i in range(120)]})
    assert study(table, sf.identifying("patient")).findings() == ()


def test_a_single_repeated_value_is_told_apart_exactly() -> None:
    """Sketches are some percent off; the values are counted."""
    names = [f"p{max(i, 1)}" for i in range(5000)]
    table = pd.DataFrame({"age": ages(5000), "patient": names})
    (found,) = study(table, sf.identifying("patient")).findings()
    assert found.counts == {"values": 4999, "rows": 5000}


def test_an_identifying_group_is_no_person() -> None:
    table = pd.DataFrame({"age": ages(4000), "hospital": [f"h{i % 7}" for i in range(4000)]})
    assert study(table, sf.identifying("hospital")).findings() == ()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("contact", [f"{i}@example.org" for i in range(60)]),
        ("PatientID", [f"{i % 55}" for i in range(60)]),
        ("label", [f"text {i}" for i in range(60)]),
        ("account", [f"{10**10 + i}" for i in range(60)]),
    ],
)
def test_identifiers_among_unlisted_columns(name: str, values: list[str]) -> None:
    table = pd.DataFrame({"age": ages(60), name: values})
    (found,) = of_code(study(table).findings(), "released-identifier")
    assert found.columns == (name,)
    assert not of_code(study(table).findings(), "singled-out-rows")


LETTERS = {
    "A": ("surname", [f"name {i}" for i in range(60)]),
    "D": ("reach", [f"030 {5550000 + i}" for i in range(60)]),
    "E": ("fax", [f"fax {i}" for i in range(60)]),
    "F": ("contact", [f"{i}@example.org" for i in range(60)]),
    "G": ("ssn", [f"{100 + i}-12-3456" for i in range(60)]),
    "H": ("mrn", [f"m{i}" for i in range(60)]),
    "I": ("member_id", [f"i{i}" for i in range(60)]),
    "J": ("iban", [f"konto {i}" for i in range(60)]),
    "K": ("passport", [f"c{i}" for i in range(60)]),
    "L": ("licence_plate", [f"k {i}" for i in range(60)]),
    "M": ("label", [f"00:1b:44:11:3a:{i:02x}" for i in range(60)]),
    "N": ("source", [f"https://example.org/{i}" for i in range(60)]),
    "O": ("visitor", [f"10.0.0.{i}" for i in range(60)]),
    "P": ("fingerprint", [f"f{i}" for i in range(60)]),
    "Q": ("photo", [f"{i}.jpg" for i in range(60)]),
    "R": ("token", [f"q{i}" for i in range(60)]),
}
"""A column with each of the identifiers of the Safe Harbor."""

COARSENED = {
    "B": ("city", ["Bonn", "Kiel", "Ulm"] * 20),
    "C": ("visit", [f"2024-03-{1 + i % 20:02d}" for i in range(60)]),
}


@pytest.mark.parametrize("letter", sorted(LETTERS))
def test_identifiers_are_told_with_their_letter(letter: str) -> None:
    name, values = LETTERS[letter]
    (found,) = study(pd.DataFrame({"age": ages(60), name: values})).findings()
    assert (found.code, found.columns) == ("released-identifier", (name,))
    assert f"({letter} of HIPAA's Safe Harbor)" in found.message
    assert not any(value in str(found.record()) for value in values)


@pytest.mark.parametrize("letter", sorted(COARSENED))
def test_what_the_safe_harbor_coarsens_is_a_notice(letter: str) -> None:
    name, values = COARSENED[letter]
    (found,) = study(pd.DataFrame({"age": ages(60), name: values})).findings()
    assert (found.code, found.severity) == ("safe-harbor", sf.Severity.NOTICE)
    assert f"({letter} of HIPAA's Safe Harbor)" in found.message
    assert not any(value in str(found.record()) for value in values)


def test_all_eighteen_letters_are_tested() -> None:
    assert "".join(sorted(LETTERS | COARSENED)) == "ABCDEFGHIJKLMNOPQR"


def test_a_date_that_is_cut_to_the_year_is_no_finding() -> None:
    table = pd.DataFrame({"age": ages(60), "visit": COARSENED["C"][1]})
    cut = sf.insensitive("visit", coarsen=sf.CoarseDates(unit="year"))
    assert study(table, cut).findings() == ()


def test_ages_with_a_top_of_90_are_no_finding() -> None:
    table = pd.DataFrame({"age": ages(60), "mother_age": [*range(36, 94), 20, 20]})
    (found,) = of_code(study(table).findings(), "safe-harbor")
    assert found.columns == ("mother_age",)
    capped = sf.insensitive("mother_age", coarsen=sf.CoarseNumbers(top=90))
    assert of_code(study(table, capped).findings(), "safe-harbor") == []


def test_old_people_are_told_where_ages_are_released_as_they_are() -> None:
    table = pd.DataFrame({"age": [*range(20, 80), 93]})
    asked = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("age", sf.Intervals(widths=(10, 20), low=20, high=99))],
    )
    assert of_code(asked.findings(), "safe-harbor") == []
    assert of_code(asked.findings({"age": 1}), "safe-harbor") == []
    (found,) = of_code(asked.findings({"age": 0}), "safe-harbor")
    assert found.columns == ("age",)
    assert "ages over 89 (C of" in found.message
    assert "93" not in str(found.record())


def test_an_audited_table_is_told_by_the_labels_that_were_written() -> None:
    asked = sf.Study(
        source=pd.DataFrame({"age": [30, 95] * 5, "day": ["2024-01-01", "2024-02-01"] * 5}),
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(widths=(10, 20), low=20, high=99)),
            sf.quasi_identifying("day", sf.Dates()),
        ],
    )
    raw = pd.DataFrame(
        {"age": [30, 95, 40] * 4, "day": ["2024-01-01", "2024-02-01", "2024-01-03"] * 4}
    )
    coarse = pd.DataFrame({"age": ["[30, 40)"] * 12, "day": ["2024"] * 12})
    found = of_code(asked.audit(raw).findings, "safe-harbor")
    assert {each.columns for each in found} == {("age",), ("day",)}
    assert of_code(asked.audit(coarse).findings, "safe-harbor") == []


def test_categories_and_measurements_are_no_identifiers() -> None:
    table = pd.DataFrame(
        {
            "age": ages(600),
            "ward": [f"w{i % 9}" for i in range(600)],
            "glucose": [i / 7 for i in range(600)],
        }
    )
    findings = study(table).findings()
    assert not of_code(findings, "released-identifier")
    (found,) = of_code(findings, "singled-out-rows")
    assert found.columns == ("glucose",)
    assert found.counts["rows"] == 600


@pytest.mark.parametrize("seed", range(6))
def test_rows_singled_out_against_brute_force(seed: int) -> None:
    """Every reported set has the rows that are alone; every minimal set that counts is reported."""
    rng = random.Random(seed)
    rows = rng.randrange(30, 400)
    columns = {f"c{i}": rng.choice((2, 5, 20, 60)) for i in range(4)}
    table = pd.DataFrame(
        {"age": ages(rows, seed)}
        | {name: [f"v{rng.randrange(w)}" for _ in range(rows)] for name, w in columns.items()}
    )
    alone = {}
    for size in (1, 2, 3):
        for names in combinations(columns, size):
            counts = Counter(zip(*(table[n] for n in names), strict=True))
            alone[names] = sum(1 for count in counts.values() if count == 1)
    telling = {names: n for names, n in alone.items() if n >= max(1, LEAST_SHARE * rows)}
    minimal = {
        names: n
        for names, n in telling.items()
        if not any(set(others) < set(names) for others in telling)
    }
    found = of_code(study(table).findings(), "singled-out-rows")
    assert {finding.columns: finding.counts["rows"] for finding in found} == minimal


def test_a_triple_is_found_beside_many_pairs() -> None:
    """Fifteen pairs have many combinations and single out nobody; four triples single out all."""
    table = pd.DataFrame({"age": [30] * 2000})
    for copy in "pqrs":
        table[copy] = [f"{copy}{i % 20}" for i in range(2000)]
    table["b"] = [f"b{i // 20 % 20}" for i in range(2000)]
    table["c"] = [f"c{i // 400}" for i in range(2000)]
    found = of_code(study(table).findings(), "singled-out-rows")
    assert {f.columns for f in found} == {(copy, "b", "c") for copy in "pqrs"}
    assert {f.counts["rows"] for f in found} == {2000}


def test_spellings_of_a_sensitive_value() -> None:
    values = ["Flu"] * 6 + ["flu "] * 5 + ["fl\u200bu"] * 5 + ["gout"] * 8 + ["Gout"]
    table = pd.DataFrame({"age": ages(len(values)), "illness": values})
    (found,) = of_code(study(table, sf.sensitive("illness")).findings(), "spelling-variants")
    assert found.counts == {"values": 2, "spellings": 5, "rows": 25}
    # What a single person has is not shown, not even to the publisher.
    assert found.examples == ("'Flu', 'flu ', 'fl\\u200bu'",)
    assert "Flu" not in str(found) + repr(found) + str(found.record())


def test_missing_sensitive_values() -> None:
    table = pd.DataFrame({"age": ages(9), "illness": ["flu", None, "?"] * 3})
    missing = sf.MissingValues(markers=("?",))
    findings = study(table, sf.sensitive("illness"), missing=missing).findings()
    (found,) = of_code(findings, "missing-sensitive-values")
    assert found.counts == {"rows": 6, "of": 9}
    assert found.severity is sf.Severity.NOTICE
    asked = replace(missing, count_as_value=True)
    findings = study(table, sf.sensitive("illness"), missing=asked).findings()
    (found,) = of_code(findings, "missing-sensitive-values")
    assert found.severity is sf.Severity.WARNING


def test_cells_that_a_spreadsheet_would_run() -> None:
    cells = ["=1+1", "+49 170", "-x", "@sum", "\tx", "-5", "+5.5", "-", "a=b", None] * 2
    table = pd.DataFrame({"age": ages(20), "remark": cells, "name": ["=x"] * 20})
    (found,) = of_code(study(table, sf.identifying("name")).findings(), "formula-cells")
    assert found.columns == ("remark",)
    assert found.counts == {"cells": 10}


def test_every_kind_has_its_own_code() -> None:
    for name, kind in FINDINGS.built_in.items():
        assert kind.name == name
        assert kind.__doc__


@pytest.mark.parametrize("gaps", [0, 1, 700])
@pytest.mark.parametrize("visits", [1, 2])
def test_of_very_many_rows_some_values_are_drawn_with_all_their_rows(
    gaps: int, visits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.findings.examined_table.MOST_GROUPS", 1000)
    monkeypatch.setattr("sfumato.findings.examined_table.DRAWN_GROUPS", 500)
    names = [None if i < gaps else f"p{i // visits}" for i in range(6000)]
    table = pd.DataFrame({"age": ages(6000), "patient": names, "note": list(range(6000))})
    findings = study(table, sf.identifying("patient")).findings()
    (alone,) = of_code(findings, "singled-out-rows")
    assert (alone.columns, alone.counts["rows"]) == (("note",), 6000)
    found = of_code(findings, "repeated-identifier")
    assert len(found) == (visits > 1)
    if found:
        assert found[0].counts["values"] == pytest.approx((6000 - gaps) / 2, rel=0.05)
        assert found[0].counts["rows"] == 6000 - gaps


def test_facts_of_counted_texts_are_those_of_the_cells() -> None:
    cells = ["=1", "-5", "a@b.de", "123456789", "-x", "1.5", None, "'a"] * 3
    table = pd.DataFrame({"age": ages(24), "cell": cells, "more": [*cells[3:], *cells[:3]]})
    engine, source = DuckDBEngine(), source_of(table)
    read = engine.facts(source, ["age", "cell", "more"])
    grouped = engine.count(source, ["age", "cell"])
    counted = {
        name: TextCounts(
            column.values, np.bincount(column.codes, weights=grouped.counts).astype(np.int64)
        )
        for name, column in grouped.columns.items()
    }
    found = engine.facts(source, ["age", "cell", "more"], counted=counted)
    # Read from the rows the number of different values is a sketch.
    assert found.columns["age"].distinct == len(set(table["age"]))
    exact = {name: len(set(table[name].dropna())) for name in table}
    for facts in (found, read):
        columns = {n: replace(c, distinct=exact[n]) for n, c in facts.columns.items()}
        assert columns == {n: replace(c, distinct=exact[n]) for n, c in read.columns.items()}
    assert engine.facts(source, ["age", "cell"], counted=counted).rows == 24
