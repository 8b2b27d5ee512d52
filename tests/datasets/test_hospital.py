"""The files of the demo's hospital: shipped as they were drawn, never written over others."""

from __future__ import annotations

import csv
import hashlib
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tools.hospital.make import SHIPPED, tables

import sfumato as sf
from sfumato.datasets.hospital import HospitalFiles, hospital, write_hospital
from sfumato.search.space import Space
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

DISCHARGES_SHA256 = "ac8a13c3a2e5944c939875615e892bf0bb44051b857afffe169d807a5be75e9e"
REGISTER_SHA256 = "bd59a6563a9a18ccae346d6a0b1a6d9f6c841eeaeb76d32f5554d113505788ee"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> HospitalFiles:
    return write_hospital(tmp_path_factory.mktemp("hospital") / "made" / "here")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_shipped_files_are_these_bytes(written: HospitalFiles) -> None:
    """The documentation quotes metrics of these files: new files need new metrics there."""
    assert sha256(written.data) == DISCHARGES_SHA256
    assert sha256(written.register) == REGISTER_SHA256


def test_the_generator_makes_the_shipped_files(written: HospitalFiles) -> None:
    """Run ``python -m tools.hospital`` after a change of the generator that is meant.

    If this fails without one, look first whether tests/tools/test_hospital_chance.py fails: numpy
    then changed the raw words of PCG64, which it promises not to do.
    """
    assert (written.data.read_bytes(), written.register.read_bytes()) == tables()


def test_the_shipped_files_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 700_000


def test_the_study_file_is_read_and_finds_a_front(written: HospitalFiles) -> None:
    study = read_study_file(written.study).study
    assert study.hierarchies["zip"].labels[0][0] == "00201"
    assert study.hierarchies["birth_date"].leaf_count == 40_178  # days from 1915 to 2024
    assert study.spaces == (Space.LATTICE, Space.LOCAL)
    found = replace(study, space="lattice").search()
    assert found.exact
    assert found.nodes == 6 * 5 * 2 * 6 * 4
    assert 20 <= len(found.front) <= 100
    assert any(s.values["k"] >= 5 and s.values["distinct-l"] >= 3 for s in found.front)


def test_the_study_file_says_what_its_comments_say(written: HospitalFiles) -> None:
    settings = tomllib.loads(written.study.read_text(encoding="utf-8"))
    assert list(settings["columns"]) == list(rows_of(written.data)[0])
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
    assert 2000 < len({row["cost"] for row in rows_of(written.data)}) < 3000


def test_files_that_are_there_are_kept(tmp_path: Path) -> None:
    first = write_hospital(tmp_path)
    first.study.write_text("my own", encoding="utf-8")
    first.data.unlink()
    with raises(sf.SettingsError, code="already-exists"):
        write_hospital(tmp_path)
    assert first.study.read_text(encoding="utf-8") == "my own"
    assert not first.data.exists()
    write_hospital(tmp_path, force=True)
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
    with raises(sf.SfumatoError, code="unwritable-file"):
        write_hospital(tmp_path / "file")


def test_the_study_is_that_of_the_study_file(tmp_path: Path) -> None:
    assert hospital(tmp_path).count_table.rows == 20_000
