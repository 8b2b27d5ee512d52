"""The generator of the demo's hospital: its people are drawn as it claims."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache
from statistics import median, quantiles
from typing import TYPE_CHECKING

import duckdb
import pytest
from tests.slow_variants import slow
from tools.hospital.diagnoses import DIAGNOSES
from tools.hospital.make import make_hospital, tables
from tools.hospital.patients import COLUMNS, Patient, draw_patients
from tools.hospital.places import HAMLETS, ZIP_CODES
from tools.hospital.register import REGISTER_COLUMNS

import sfumato as sf
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.datasets.hospital import HospitalFiles


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> HospitalFiles:
    return make_hospital(tmp_path_factory.mktemp("hospital") / "made" / "here")


@cache
def patients() -> list[Patient]:
    return draw_patients(patients=20_000, seed=1)


def share_of(holds: Callable[[Patient], bool]) -> float:
    return sum(map(holds, patients())) / len(patients())


def age_of(patient: Patient) -> float:
    lived = date.fromisoformat(patient.admission_date) - date.fromisoformat(patient.birth_date)
    return lived.days / 365.25


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_another_seed_gives_others(tmp_path: Path) -> None:
    found = {
        sha256(make_hospital(tmp_path / str(run), patients=50, seed=seed).data)
        for run, seed in enumerate((1, 1, 2, 3))
    }
    assert len(found) == 3


def test_the_file_holds_the_patients(written: HospitalFiles) -> None:
    rows = rows_of(written.data)
    assert tuple(rows[0]) == COLUMNS
    assert [list(row.values()) for row in rows] == [patient.cells() for patient in patients()]
    assert len({row["record_number"] for row in rows}) == 20_000


def test_names_need_quoting_and_an_encoding(written: HospitalFiles) -> None:
    names = [row["name"] for row in rows_of(written.data)]
    assert all(", " in name for name in names)
    assert any("'" in name for name in names)
    assert any('"' in name for name in names)
    assert sum(not name.isascii() for name in names) > 1000


def test_zip_codes_are_skewed_and_some_are_all_but_empty() -> None:
    codes = Counter(patient.zip for patient in patients())
    assert set(codes) <= set(ZIP_CODES)
    assert 60 <= len(ZIP_CODES) <= 120
    assert all(len(code) == 5 and code.isdigit() for code in ZIP_CODES)
    assert sum(code.startswith("0") for code in ZIP_CODES) > 20
    assert not all(code.startswith("0") for code in ZIP_CODES)
    largest = codes.most_common(1)[0][1]
    assert largest > 10 * median(codes.values())
    assert 0 < max(codes[code] for code in HAMLETS) < 15


def test_ages_have_two_humps() -> None:
    decades = Counter(int(age_of(patient) // 10) for patient in patients())
    assert decades[0] > 2 * decades[1] < decades[7]
    assert share_of(lambda p: p.birth_date == p.admission_date) == pytest.approx(0.1, abs=0.01)
    assert max(age_of(patient) for patient in patients()) > 98


def test_children_are_small_and_heights_have_gaps_and_outliers() -> None:
    by_age: dict[str, list[int]] = {"newborn": [], "six": [], "woman": [], "man": []}
    for patient in patients():
        if patient.height_cm is None:
            continue
        age = age_of(patient)
        if age == 0:
            by_age["newborn"].append(patient.height_cm)
        elif 6 <= age < 7:
            by_age["six"].append(patient.height_cm)
        elif 20 <= age < 50:
            by_age["woman" if patient.sex == "female" else "man"].append(patient.height_cm)
    middle = {group: median(heights) for group, heights in by_age.items()}
    assert middle == {"newborn": 51, "six": pytest.approx(118, abs=3), "woman": 165, "man": 178}
    assert share_of(lambda p: p.height_cm is None) == pytest.approx(0.01, abs=0.003)
    assert max(by_age["man"]) > 200
    assert min(by_age["woman"]) < 140


def test_admissions_follow_the_week_and_the_season() -> None:
    days = [date.fromisoformat(patient.admission_date) for patient in patients()]
    assert {day.year for day in days} == {2024}
    assert len(set(days)) == 366
    weekend = sum(day.weekday() >= 5 for day in days) / len(days)
    assert weekend < 0.23 < 2 / 7
    months = Counter(day.month for day in days)
    assert months[1] > 1.1 * months[8]
    assert days == sorted(days)


def test_diagnoses_depend_on_sex_age_and_season() -> None:
    def of(name: str) -> list[Patient]:
        return [patient for patient in patients() if patient.diagnosis == name]

    assert {p.sex for p in of("Childbirth")} == {"female"}
    assert {p.sex for p in of("Prostate cancer")} == {"male"}
    assert {p.birth_date == p.admission_date for p in of("Healthy newborn")} == {True}
    assert min(age_of(p) for p in of("Dementia")) >= 45
    winter = sum(p.admission_date[5:7] in ("01", "02", "03") for p in of("Influenza"))
    assert winter > len(of("Influenza")) / 3
    counts = Counter(patient.diagnosis for patient in patients())
    for stigmatizing in ("HIV infection", "Opioid dependence", "Tuberculosis", "Anorexia"):
        assert 20 < counts[stigmatizing] < 200


def test_stays_and_costs_have_long_tails() -> None:
    for values in (
        [patient.length_of_stay for patient in patients()],
        [patient.cost for patient in patients()],
    ):
        hundredths = quantiles(values, n=100)
        assert min(values) >= 1
        assert hundredths[98] > 5 * hundredths[49]
        assert max(values) > 4 * hundredths[98]
    assert all(patient.cost % 10 == 0 for patient in patients())
    premature = [p.cost for p in patients() if p.diagnosis == "Premature birth"]
    healthy = [p.cost for p in patients() if p.diagnosis == "Healthy newborn"]
    assert median(premature) > 10 * median(healthy)


def test_the_tree_of_the_diagnoses_is_that_of_the_generator(written: HospitalFiles) -> None:
    tree = sf.read_hierarchy_csv(written.diagnosis_hierarchy)
    assert sorted(tree.domain.leaves) == sorted(d.name for d in DIAGNOSES)
    assert 30 <= tree.leaf_count <= 45
    blocks = [tree.block_count(level) for level in range(tree.height + 1)]
    assert blocks == sorted(set(blocks), reverse=True)


def test_the_register_lists_patients_and_others(written: HospitalFiles) -> None:
    register = rows_of(written.register)
    assert tuple(register[0]) == REGISTER_COLUMNS
    people = [(row["name"], row["birth_date"], row["zip"], row["sex"]) for row in register]
    assert len(set(people)) == len(people)
    in_hospital = Counter((p.name, p.birth_date, p.zip, p.sex) for p in patients())
    times = Counter(in_hospital[person] for person in people)
    assert set(times) == {0, 1}
    assert times[1] / 20_000 == pytest.approx(0.6, abs=0.01)
    assert times[0] / 20_000 == pytest.approx(0.9, abs=0.01)
    assert people == sorted(people)


@pytest.mark.slow
def test_parquet_holds_the_same_and_is_small(tmp_path: Path) -> None:
    text = make_hospital(tmp_path / "text", patients=500)
    typed = make_hospital(tmp_path / "typed", patients=500, format="parquet")
    found = duckdb.read_parquet(str(typed.data))
    assert [str(kind) for kind in found.types].count("DATE") == 2
    cells = [["" if cell is None else str(cell) for cell in row] for row in found.fetchall()]
    assert cells == [list(row.values()) for row in rows_of(text.data)]
    studies = [read_study_file(files.study).study for files in (text, typed)]
    fronts = [replace(study, space="lattice").search().front for study in studies]
    assert fronts[0] == fronts[1]


@pytest.mark.parametrize(("patients", "seed"), [(0, 1), (-1, 1), (5, -1)])
def test_bad_numbers_are_refused(patients: int, seed: int) -> None:
    with pytest.raises(ValueError, match="expected at least 1, from 0 up"):
        tables(patients=patients, seed=seed)


@pytest.mark.parametrize("number", [1, slow(2), slow(40)])
def test_few_patients_are_a_hospital_too(tmp_path: Path, number: int) -> None:
    study = read_study_file(make_hospital(tmp_path, patients=number).study).study
    assert study.count_table.rows == number
    # Too few for any policy.
    free = replace(study, space="lattice", require=())
    assert len(free.search().front) >= 1
