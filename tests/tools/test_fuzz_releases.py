"""The fuzz run of releases: it finds nothing, and it would find what is wrong."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from tools.fuzz_releases.__main__ import main
from tools.fuzz_releases.columns import CategoryColumn, DateColumn, NumberColumn, set_items
from tools.fuzz_releases.reader import read_release
from tools.fuzz_releases.studies import draw_study
from tools.fuzz_releases.trial import run_trial

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tools.fuzz_releases.studies import DrawnStudy

SEED = 1


def fitting(wanted: Callable[[DrawnStudy], bool], folder: Path) -> DrawnStudy:
    """Return the first study that is wanted, is released and has no faults; its files are kept."""
    for number in range(1000):
        drawn = draw_study(SEED, number)
        if not wanted(drawn):
            continue
        kept = folder / str(number)
        trial = run_trial(SEED, number, kept)
        assert not trial.faults
        if not trial.refused:
            return drawn
    raise AssertionError("no such study")


def is_plain(drawn: DrawnStudy) -> bool:
    """Say whether a study is released as one CSV file of labels that can be changed below."""
    return (
        drawn.target == "out.csv"
        and not drawn.microaggregated
        and not drawn.star
        and drawn.row_id is not None
        and len(drawn.sensitive) == 1
        and drawn.space == "lattice"
        and len(drawn.rows) >= 20
    )


def test_a_number_is_always_the_same_study() -> None:
    assert draw_study(7, 3) == draw_study(7, 3)
    assert draw_study(7, 3) != draw_study(7, 4) != draw_study(8, 4)


def test_the_reader_finds_what_was_changed(tmp_path: Path) -> None:
    drawn = fitting(is_plain, tmp_path)
    folder = tmp_path / str(drawn.number)
    path, certificate = folder / "out.csv", folder / "out.csv.certificate.json"
    before = path.read_text(encoding="utf-8"), certificate.read_text(encoding="utf-8")
    assert not read_release(drawn, folder).faults
    with path.open(newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)

    def faults(lines: list[list[str]]) -> list[str]:
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(lines)
        found = read_release(drawn, folder).faults
        path.write_text(before[0], encoding="utf-8")
        return found

    secret, label = header.index(drawn.sensitive[0]), header.index(drawn.columns[0].name)
    for place, text in ((secret, "another illness"), (label, "another label")):
        changed = [list(row) for row in rows]
        changed[0][place] = text
        assert faults([header, *changed])
    assert faults([header, *rows[1:]])
    assert faults([header, *rows, rows[0]])
    document = json.loads(before[1])
    document["metrics"]["k"] += 1
    certificate.write_text(json.dumps(document), encoding="utf-8")
    assert [fault for fault in read_release(drawn, folder).faults if "public k" in fault]


@pytest.mark.parametrize(
    ("label", "leaves"),
    [
        ("21", {21}),
        ("[20, 25)", {20, 21, 22, 23, 24}),
        ("[20, 22]", {20, 21, 22}),
        ("under 12", {10, 11}),
        ("28 and over", {28, 29, 30}),
        ("{10, 12}", {10, 12}),
        ("{10, (missing)}", {10, None}),
        ("(missing)", {None}),
        ("[10, 12) or (missing)", {10, 11, None}),
    ],
)
def test_labels_of_numbers_are_read(label: str, leaves: set[int | None]) -> None:
    column = NumberColumn(
        name="age",
        declared=True,
        unit=Decimal(1),
        widths=(Decimal(5),),
        low=Decimal(10),
        high=Decimal(30),
        fractional=False,
    )
    assert column.covers(label, [], missing=True) == {frozenset(leaves)}


def test_labels_of_dates_and_categories_are_read() -> None:
    dates = DateColumn(
        name="day", declared=True, levels=("month",), first="2024-01-01", last="2024-12-31"
    )
    begin = 2024 * 12
    for label, months in [
        ("2024-Q1", {0, 1, 2}),
        ("2024-11 to 2024-12", {10, 11}),
        ("before 2024-02", {0}),
        ("from 2024-12 on", {11}),
    ]:
        assert dates.covers(label, [], missing=False) == {frozenset(begin + m for m in months)}
    zips = CategoryColumn(name="zip", declared=False, kind="prefix", values=("12", "13", "2"))
    assert zips.covers("1*", zips.values, missing=False) == {frozenset({"12", "13"})}
    assert set_items('{a, "b, ""c"""}') == ["a", 'b, "c"']


@pytest.mark.filterwarnings("ignore::sfumato.errors.Notice")
@pytest.mark.slow
def test_some_dozen_studies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "60", "--seed", "11"]) == 0, capsys.readouterr().out
