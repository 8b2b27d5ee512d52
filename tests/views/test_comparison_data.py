"""What the page of a comparison shows, without a browser: metrics agree, nothing small or long."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tests.raised import raises
from tests.report.made_run import HOSTILE_COLUMN, hostile_study, people
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.compare.verdict import Outcome
from sfumato.errors import SettingsError
from sfumato.views.comparison_data import FEWEST, compute_comparison, summary
from sfumato.views.comparison_view import side_view
from sfumato.views.json_text import page_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.views.comparison_data import ComparisonData

FINE = {"age": 1, HOSTILE_COLUMN: 0, "zip": 1}
COARSE = {"age": 2, HOSTILE_COLUMN: 1, "zip": 0}


@cache
def comparison() -> sf.Comparison:
    return hostile_study().compare(FINE, COARSE)


@cache
def shown() -> ComparisonData:
    return compute_comparison(comparison(), source="patients.csv", by="illness")


def test_metrics_are_those_of_the_comparison() -> None:
    data, found = shown(), comparison()
    assert data.rows == 300
    assert [p.name for p in data.properties] == list(found.vectors)
    assert data.properties[data.chosen].name == "class-size"
    assert data.columns[data.by] == "illness"
    for one in data.properties:
        everybody = found.gainers(one.name)
        assert (one.better_off, one.worse_off) == (everybody.better_off, everybody.worse_off)
        assert one.better_off + one.worse_off + one.unchanged == data.rows
        assert [(v.first, v.second, v.outcome) for v in one.verdicts] == [
            (v.first, v.second, v.outcome) for v in found.verdicts[one.name]
        ]
        assert sum(b.rows for b in one.histogram.better) == one.better_off
        assert sum(b.rows for b in one.histogram.worse) == one.worse_off
        for curve, vector in zip(one.curves, found.vectors[one.name], strict=True):
            assert set(curve.values) <= set(vector.values.tolist())
        assert len(one.groups) == len(data.columns)
    assert len(data.together) == len(found.together)
    assert data.together_on == ("class-size", "row-loss")


def test_it_names_k_and_what_is_suppressed() -> None:
    table = people()
    age, town = table["age"].astype(int), table[HOSTILE_COLUMN]
    said = {fact.term: fact.text for fact in shown().facts}
    assert said["Source"] == "patients.csv, 300 records"
    for name, labels in (
        ("A", [(age - 20) // 5, town, table["zip"].str[:4]]),
        ("B", [(age - 20) // 10, town == "Celle", table["zip"]]),
    ):
        sizes = table.groupby(labels).size()
        # The smallest classes are suppressed while they have at most 5 % of the records.
        k = max(size for size in sizes if sizes[sizes < size].sum() <= 0.05 * 300)
        suppressed = sizes[sizes < k].sum()
        kept = f"{300 - suppressed} records in {(sizes >= k).sum()} classes"
        assert f"k = {k}; {kept}" in said[name]
        assert f", {suppressed} records suppressed (" in said[name]


def test_nothing_suppressed_leaves_all_classes() -> None:
    study = replace(hostile_study(), suppression=sf.limited(0.0))
    side = side_view(study.compare(FINE, COARSE).second)
    table = people()
    labels = [(table["age"].astype(int) - 20) // 10, table[HOSTILE_COLUMN] == "Celle", table["zip"]]
    assert (side.classes, side.suppressed) == (table.groupby(labels).ngroups, 0)


def numbers_of_rows(data: ComparisonData) -> Iterator[int | None]:
    """Every number of rows that the page has of a part of the table."""
    for one in data.properties:
        for groups in one.groups:
            for group in groups:
                yield from (group.rows, group.better_off, group.worse_off, group.unchanged)
        for bins in (one.histogram.better, one.histogram.worse):
            if len(bins) > 1:
                yield from (each.rows for each in bins)


def test_no_group_is_small() -> None:
    data = shown()
    assert data.fewest == max(FEWEST, min(comparison().first.k, comparison().second.k))
    told = [number for number in numbers_of_rows(data) if number]
    assert told
    assert min(told) >= data.fewest
    for one in data.properties:
        for curve in one.by_individual:
            assert len(curve.shares) <= data.rows // data.fewest


def test_a_release_with_a_greater_k_is_spoken_of_in_greater_groups() -> None:
    study = hostile_study()
    coarse = ({"age": 3, HOSTILE_COLUMN: 1, "zip": 5}, {"age": 4, HOSTILE_COLUMN: 0, "zip": 5})
    found = study.compare(*coarse)
    data = compute_comparison(found, source="patients.csv")
    assert data.fewest == min(found.first.k, found.second.k) > FEWEST
    assert min(number for number in numbers_of_rows(data) if number) >= data.fewest


def test_nothing_is_as_long_as_the_table() -> None:
    rows = 5000
    study = study_of_many(rows)
    data = compute_comparison(study.compare({"x": 0, "y": 1}, {"x": 1, "y": 0}), source="x")

    def lengths(value: object) -> Iterator[int]:
        if isinstance(value, dict):
            for each in value.values():
                yield from lengths(each)
        elif isinstance(value, list):
            yield len(value)
            for each in value:
                yield from lengths(each)

    assert max(lengths(json.loads(page_json(data)))) <= 256


def study_of_many(rows: int) -> sf.Study:
    import pandas as pd

    frame = pd.DataFrame({
        "x": [str(i * i % 997) for i in range(rows)],
        "y": [str(i * 7 % 389) for i in range(rows)],
    })  # fmt: skip
    return sf.Study(
        source=frame,
        attributes=[
            sf.quasi_identifying("x", sf.Intervals(low=0, high=999, widths=(10, 100))),
            sf.quasi_identifying("y", sf.Intervals(low=0, high=399, widths=(10, 100))),
        ],
    )


def test_values_that_are_shown_are_common_ones() -> None:
    data = shown()
    counts = {column: people()[column].value_counts() for column in ("illness", HOSTILE_COLUMN)}
    for column, known in counts.items():
        groups = data.properties[0].groups[data.columns.index(column)]
        for group in groups:
            if group.value:
                assert known[group.value] == group.rows >= data.fewest


def test_mirrored() -> None:
    turned = compute_comparison(hostile_study().compare(COARSE, FINE), source="patients.csv")
    for one, other in zip(shown().properties, turned.properties, strict=True):
        assert (one.better_off, one.worse_off) == (other.worse_off, other.better_off)
        assert one.curves == other.curves[::-1]
        assert one.by_individual == other.by_individual[::-1]
        assert one.histogram.better == other.histogram.worse
        assert one.metrics == other.metrics[::-1]


def test_summaries_are_sentences() -> None:
    study = study_of_people()
    fine, coarse = {"age": 1, "zip": 1, "sex": 0}, {"age": 2, "zip": 2, "sex": 1}
    found = study.compare(fine, coarse, properties="class-size")
    names = ("A", "B")
    everybody, verdicts = found.gainers("class-size"), found.verdicts["class-size"]
    text = summary("class size", everybody, verdicts, names)
    assert text.startswith(f"By class size, {everybody.worse_off} records (")
    assert "better off in B, none (0 %) in A" in text
    worse = sum(verdict.outcome is Outcome.WORSE for verdict in verdicts)
    assert f"Of 10 comparators, {worse} prefer B" in text
    same = study.compare(fine, fine, properties="class-size")
    data = compute_comparison(same, source="x")
    assert data.properties[0].summary == "By class size, both are equal for every record."
    assert data.properties[0].histogram.unchanged == data.rows


def test_long_labels_become_letters() -> None:
    data, found = shown(), comparison()
    assert data.names == ("A", "B")
    said = {fact.term: fact.text for fact in data.facts}
    assert said["A"].startswith(f"{found.first.label}; k = ")
    sentences = [v.sentence for one in data.properties for v in one.verdicts]
    assert any(" is better than " in text for text in sentences)
    assert not any("zip 1" in text for text in sentences)
    assert all(text.startswith(("A ", "B ")) for text in sentences)
    short = hostile_study().compare(FINE, COARSE, properties="class-size", labels=("x", "x y"))
    assert compute_comparison(short, source="").names == ("x", "x y")
    same = hostile_study().compare(FINE, FINE, properties="class-size")
    assert compute_comparison(same, source="").names == ("the first", "the second")


def test_an_unknown_column() -> None:
    with raises(SettingsError, code="unknown-column", key="by", found="'hat'"):
        compute_comparison(comparison(), source="x", by="hat")
