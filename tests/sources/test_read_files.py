"""Spreadsheets and files of statistics packages give the rows that a CSV file gives."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING

import pandas as pd
import pyreadstat
import pytest
from tests.raised import raises

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SourceError
from sfumato.sources.source import StatisticsFile, Worksheet, source_of

if TYPE_CHECKING:
    from pathlib import Path

TABLE = pd.DataFrame(
    {
        "plz": ["01067", "20095", None],
        "age": [39.0, 40.0, None],
        "born": [dt.date(1984, 5, 1), dt.date(1983, 1, 2), dt.date(2000, 12, 31)],
        "height": [1.8, 1.75, 2.0],
        "smoker": [1.0, 0.0, 9.0],
    }
)
TEXTS = {
    "plz": {"01067", "20095", None},
    "age": {"39", "40", None},
    "born": {"1984-05-01", "1983-01-02", "2000-12-31"},
    "height": {"1.8", "1.75", "2"},
    "smoker": {"0", "1", "9"},
}


def texts(path: Path, *, sheet: str | None = None) -> dict[str, set[str | None]]:
    engine, source = DuckDBEngine(), source_of(path, table=sheet)
    return {n: set(v) for n, v in engine.values(source, engine.columns(source)).items()}


def test_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    with pd.ExcelWriter(path) as writer:
        TABLE.to_excel(writer, sheet_name="first", index=False, startrow=2, startcol=1)
        TABLE.head(1).to_excel(writer, sheet_name="second", index=False)
    assert texts(path) == TEXTS
    assert texts(path, sheet="second")["age"] == {"39"}
    with raises(SourceError, code="no-table-named", suggestion="second"):
        texts(path, sheet="secund")


def test_a_spreadsheet_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    TABLE.to_excel(path, index=False)
    assert texts(path)["age"] == {"39", "40", None}
    pd.concat([TABLE, TABLE.assign(age=77)]).to_excel(path, index=False)
    assert texts(path)["age"] == {"39", "40", "77", None}


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt"])
def test_files_of_statistics_packages(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    labels: dict[str, dict[int | float, str]] = {"smoker": {0: "no", 1: "yes"}}
    table = TABLE.assign(plz=TABLE["plz"].fillna(""))
    if ending == "sav":
        pyreadstat.write_sav(table, str(path), variable_value_labels=labels)
    elif ending == "dta":
        coded = table.assign(smoker=table["smoker"].astype(int))
        pyreadstat.write_dta(coded, str(path), variable_value_labels=labels)
    else:
        pyreadstat.write_xport(table, str(path))
    found = texts(path)
    # A value without a label stays as it is.
    smoker = {"0", "1", "9"} if ending == "xpt" else {"no", "yes", "9"}
    assert found == TEXTS | {"smoker": smoker}


@pytest.mark.parametrize("name", ["people.xlsx", "people.sav", "people.sas7bdat"])
def test_broken_and_absent_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with raises(SourceError, code="no-such-file", file=path):
        texts(path)
    path.write_bytes(b"no such thing")
    with raises(SourceError, code="broken-file", file=path):
        texts(path)


def test_a_reader_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.xlsx"
    TABLE.to_excel(path, index=False)
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with raises(SourceError, code="not-installed", found="python-calamine"):
        texts(path)


def test_endings() -> None:
    assert source_of("a.XLSX") == Worksheet(path="a.XLSX")  # type: ignore[arg-type]
    assert source_of("a.ods", table="x") == Worksheet(path="a.ods", sheet="x")  # type: ignore[arg-type]
    assert source_of("a.sas7bdat") == StatisticsFile(path="a.sas7bdat")  # type: ignore[arg-type]
