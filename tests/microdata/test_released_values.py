"""Coarsening and spelling of columns beside the quasi-identifiers: settings and refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import SettingsError, SourceError
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path


def study(*attributes: sf.Attribute, markers: tuple[str, ...] = ()) -> sf.Study:
    table = pd.DataFrame(
        {
            "age": [20, 30, 40, 50] * 5,
            "income": ["100", "k.A.", "260", "240"] * 5,
            "day": ["2020-01-31", "2020-02-30", "", "2021-12-01"] * 5,
            "illness": ["Flu", "FLU", "gout", "flu"] * 5,
        }
    )
    return sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("age", sf.Flat()), *attributes],
        missing=sf.MissingValues(markers=markers),
        unlisted_insensitive=True,
    )


def test_values_that_cannot_be_read_are_refused() -> None:
    rule = sf.CoarseNumbers(round=50)
    with raises(SourceError, code="not-a-number", column="income", key="coarsen"):
        _ = study(sf.sensitive("income", coarsen=rule)).count_table
    with raises(SourceError, code="not-a-date", column="day", key="coarsen"):
        _ = study(sf.insensitive("day", coarsen=sf.CoarseDates(unit="year"))).count_table


def test_missing_values_stay_missing() -> None:
    rule = sf.CoarseNumbers(round=50, bottom=150)
    counted = study(sf.sensitive("income", coarsen=rule), markers=("k.A.",)).count_table
    assert counted.columns["income"].values == ("(missing)", "150", "250")


def test_a_normalized_column_has_one_spelling() -> None:
    counted = study(sf.sensitive("illness", normalize=True)).count_table
    assert counted.columns["illness"].values == ("flu", "gout")
    counted = study(sf.sensitive("illness", normalize=["Gout", "FLU"])).count_table
    assert counted.columns["illness"].values == ("FLU", "Gout")


@pytest.mark.parametrize("listed", [[], "flu", [1], ["flu", " "], {"flu"}])
def test_spellings_that_make_no_sense(listed: object) -> None:
    with raises(SettingsError, code="wrong-type", key="normalize", column="illness"):
        sf.sensitive("illness", normalize=listed)  # type: ignore[arg-type]
    with raises(SettingsError, code="conflicting-settings", key="normalize", column="illness"):
        sf.sensitive("illness", normalize=["Flu", "gout", "flu"])


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({"round": 0}, "out-of-range", "round"),
        ({"round": "wide"}, "not-a-number", "round"),
        ({}, "missing-setting", None),
        ({"top": 1, "bottom": 2}, "conflicting-settings", "bottom"),
        ({"round": "1e-30"}, "too-many-digits", "round"),
    ],
)
def test_numbers_that_make_no_sense(
    settings: dict[str, float | str], code: str, key: str | None
) -> None:
    with raises(SettingsError, code=code, key=key):
        sf.CoarseNumbers(**settings)


@pytest.mark.parametrize(
    ("settings", "code", "key"),
    [
        ({}, "missing-setting", None),
        ({"unit": "week"}, "unknown-choice", "unit"),
        ({"top": "soon"}, "not-a-date", "top"),
        ({"top": "2000-01-01", "bottom": "2001-01-01"}, "conflicting-settings", "bottom"),
    ],
)
def test_dates_that_make_no_sense(settings: dict[str, str], code: str, key: str | None) -> None:
    with raises(SettingsError, code=code, key=key):
        sf.CoarseDates(**settings)  # type: ignore[arg-type]


def test_only_columns_that_are_passed_on_are_changed() -> None:
    rule = sf.CoarseNumbers(round=5)
    with raises(SettingsError, code="conflicting-settings", column="age", key="coarsen"):
        sf.Attribute(name="age", role=sf.Role.QUASI_IDENTIFYING, hierarchy=sf.Flat(), coarsen=rule)
    with raises(SettingsError, code="conflicting-settings", column="ward", key="normalize"):
        sf.Attribute(name="ward", role=sf.Role.INSENSITIVE, normalize=True)
    with raises(SettingsError, code="conflicting-settings", column="pay", key="normalize"):
        sf.sensitive("pay", coarsen=rule, normalize=True)


STUDY = """\
[source]
path = "people.csv"
[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [10] }
[columns.income]
role = "sensitive"
coarsen = { round = 100, top = 5000 }
[columns.day]
role = "insensitive"
coarsen = { unit = "month", bottom = "1990-01-01" }
[columns.illness]
role = "sensitive"
normalize = true
"""


def test_study_files_say_it_too(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    by_name = {a.name: a for a in read_study_file(path).study.attributes}
    assert by_name["income"].coarsen == sf.CoarseNumbers(round=100, top=5000)
    assert by_name["day"].coarsen == sf.CoarseDates(unit="month", bottom="1990-01-01")
    assert by_name["illness"].normalize
    path.write_text(STUDY.replace("= true", '= ["Flu"]'), encoding="utf-8")
    by_name = {a.name: a for a in read_study_file(path).study.attributes}
    assert by_name["illness"].normalize == ("Flu",)
    path.write_text(STUDY.replace("round = 100", "round = -1"), encoding="utf-8")
    with raises(SettingsError, code="out-of-range"):
        read_study_file(path)
