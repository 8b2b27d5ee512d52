"""Cells that a spreadsheet would run: escaped when written, read back as they were."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import ReleaseError

if TYPE_CHECKING:
    from pathlib import Path

CELLS = ["=1+1", "'=1+1", "''=x", "'", "-", "-5", "'-5", "+49 1", "@x", "plain", "it's", "-1e3"]
WRITTEN = {
    "=1+1": "'=1+1",
    "'=1+1": "''=1+1",
    "''=x": "'''=x",
    "'-5": "''-5",
    "+49 1": "'+49 1",
    "@x": "'@x",
}


def study(**names: str) -> sf.Study:
    table = pd.DataFrame(
        {"age": [20 + i % 2 for i in range(24)], "illness": CELLS * 2, "note": CELLS[::-1] * 2}
    ).rename(columns=names)
    return sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("age", sf.Flat()), sf.sensitive("illness")],
        objectives=["k", "distinct-l", "t", "loss"],
        unlisted_insensitive=True,
    )


def cells(path: Path, column: str) -> list[str]:
    with path.open(encoding="utf-8", newline="") as lines:
        return sorted(row[column] for row in csv.DictReader(lines))


@pytest.mark.parametrize("column", ["illness", "note"])
def test_formulas_are_escaped_and_numbers_are_not(column: str, tmp_path: Path) -> None:
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    made = study()
    release = made.release({"age": 1}, out, escape_formulas=True, private_certificate=private)
    assert cells(out, column) == sorted(WRITTEN.get(cell, cell) for cell in CELLS * 2)
    assert not [f for f in release.findings if f.code == "formula-cells"]
    # The certificate beside the file says how it is read, so that an audit sees the values.
    whole = made.audit(out, private_certificate=private).whole_table
    assert whole is not None
    assert whole["t"] == release.promised["t"]
    plain = sf.CsvFile(path=out, delimiter=",", quote='"', header=True, escaped_formulas=True)
    assert sorted(map(str, made.engine.values(plain, [column])[column])) == sorted(CELLS)


def test_without_the_option_they_are_found(tmp_path: Path) -> None:
    release = study().release({"age": 1}, tmp_path / "out.csv")
    assert cells(tmp_path / "out.csv", "note") == sorted(CELLS * 2)
    assert {f.columns for f in release.findings if f.code == "formula-cells"} == {
        ("illness",),
        ("note",),
    }


def test_a_parquet_file_is_not_opened_by_spreadsheets(tmp_path: Path) -> None:
    release = study().release({"age": 1}, tmp_path / "out.parquet", escape_formulas=True)
    assert sorted(pd.read_parquet(tmp_path / "out.parquet")["note"]) == sorted(CELLS * 2)
    assert not [f for f in release.findings if f.code == "formula-cells"]


def test_a_name_that_would_run_is_refused(tmp_path: Path) -> None:
    with raises(ReleaseError, code="formula-name", column="=note"):
        study(note="=note").release({"age": 1}, tmp_path / "out.csv", escape_formulas=True)
    assert not (tmp_path / "out.csv").exists()
