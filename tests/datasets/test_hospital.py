"""The hospital's files: always the same, as they claim to be, and never written over others."""

from __future__ import annotations

import csv
import hashlib
import tomllib
from collections import Counter
from datetime import date
from functools import cache
from statistics import median, quantiles
from typing import TYPE_CHECKING

import duckdb
import pytest

import sfumato as sf
from sfumato.datasets.hospital.diagnoses import DIAGNOSES
from sfumato.datasets.hospital.hospital import HospitalFiles, hospital, write_hospital
from sfumato.datasets.hospital.patients import COLUMNS, Patient, draw_patients
from sfumato.datasets.hospital.places import HAMLETS, ZIP_CODES
from sfumato.datasets.hospital.register import REGISTER_COLUMNS
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DISCHARGES_SHA256 = "ac8a13c3a2e5944c939875615e892bf0bb44051b857afffe169d807a5be75e9e"
REGISTER_SHA256 = "bd59a6563a9a18ccae346d6a0b1a6d9f6c841eeaeb76d32f5554d113505788ee"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> HospitalFiles:
    return write_hospital(tmp_path_factory.mktemp("hospital") / "made" / "here")


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


def test_the_default_seed_gives_these_bytes(written: HospitalFiles) -> None:
    """The files are the same everywhere, so that metrics in the documentation stay true.

    If this fails after a change of the generator, the metrics of the documentation must be made
    anew, and then the digests. If it fails without one, look first whether
    test_hospital_chance.py fails: numpy then changed the raw words of PCG64, which it promises
    not to do, and the words must be made by code of our own. Otherwise some arithmetic differs
    between two machines; find the first row that differs, and what it is computed from.
    """
    assert sha256(written.data) == DISCHARGES_SHA256
    assert sha256(written.register) == REGISTER_SHA256


def test_another_seed_gives_others(tmp_path: Path) -> None:
    found = {
        sha256(write_hospital(tmp_path / str(run), patients=50, seed=seed).data)
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


def test_the_study_file_is_read_and_finds_a_front(written: HospitalFiles) -> None:
    study = read_study_file(written.study).study
    assert study.hierarchies["zip"].labels[0][0] == "00201"
    assert study.hierarchies["birth_date"].leaf_count == 40_178  # days from 1915 to 2024
    found = study.search()
    assert found.exact
    assert found.nodes == 6 * 5 * 2 * 6 * 4
    assert 20 <= len(found.front) <= 100
    assert any(s.values["k"] >= 5 and s.values["distinct-l"] >= 3 for s in found.front)


def test_the_study_file_says_what_its_comments_say(written: HospitalFiles) -> None:
    settings = tomllib.loads(written.study.read_text(encoding="utf-8"))
    assert tuple(settings["columns"]) == COLUMNS
    hierarchies = read_study_file(written.study).study.hierarchies
    heights = hierarchies["height_cm"]
    leaf = heights.locate(["172"])[0]
    labels = [
        names[codes[leaf]] for names, codes in zip(heights.labels, heights.levels, strict=True)
    ]
    assert labels == ["172", "[170, 175)", "[170, 180)", "[160, 180)", "[160, 200)", "*"]
    codes = hierarchies["zip"]
    leaf = codes.locate(["00214"])[0]
    shown = [names[blocks[leaf]] for names, blocks in zip(codes.labels, codes.levels, strict=True)]
    assert shown == ["00214", "0021*", "002**", "00***", "*"]
    assert 2000 < len({patient.cost for patient in patients()}) < 3000


def test_parquet_holds_the_same_and_is_small(tmp_path: Path) -> None:
    text = write_hospital(tmp_path / "text", patients=500)
    typed = write_hospital(tmp_path / "typed", patients=500, format="parquet")
    found = duckdb.read_parquet(str(typed.data))
    assert [str(kind) for kind in found.types].count("DATE") == 2
    cells = [["" if cell is None else str(cell) for cell in row] for row in found.fetchall()]
    assert cells == [list(row.values()) for row in rows_of(text.data)]
    fronts = [read_study_file(files.study).study.search().front for files in (text, typed)]
    assert fronts[0] == fronts[1]


def test_files_that_are_there_are_kept(tmp_path: Path) -> None:
    first = write_hospital(tmp_path, patients=5)
    first.study.write_text("my own", encoding="utf-8")
    first.data.unlink()
    with pytest.raises(sf.SettingsError, match=r"study\.toml, .*are there already.*force=True"):
        write_hospital(tmp_path, patients=5)
    assert first.study.read_text(encoding="utf-8") == "my own"
    assert not first.data.exists()
    write_hospital(tmp_path, patients=5, force=True)
    assert first.study.read_text(encoding="utf-8").startswith("# What is released")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "diagnosis.csv",
        "discharges.csv",
        "hierarchies",
        "register.csv",
        "study.toml",
    ]


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    with pytest.raises(sf.SfumatoError, match="cannot be written"):
        write_hospital(tmp_path / "file", patients=5)


@pytest.mark.parametrize("number", [0, -1, True, 1.5])
def test_bad_numbers_of_patients_are_refused(tmp_path: Path, number: int) -> None:
    with pytest.raises(sf.SettingsError, match=r"patients is .* from 1 up"):
        write_hospital(tmp_path, patients=number)


def test_bad_seeds_and_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sf.SettingsError, match="seed is -1"):
        write_hospital(tmp_path, seed=-1)
    with pytest.raises(sf.SettingsError, match="'csv' or 'parquet'"):
        write_hospital(tmp_path, format="xlsx")  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [1, 2, 40])
def test_few_patients_are_a_hospital_too(tmp_path: Path, number: int) -> None:
    study = hospital(tmp_path, patients=number)
    assert study.count_table.rows == number
    assert len(study.search().front) >= 1
