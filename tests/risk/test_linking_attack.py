"""The linking attack against one that compares everyone with every row, by rules of its own."""

from __future__ import annotations

import csv
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import duckdb
import pandas as pd
import pytest
from tests.raised import raises
from tools.hospital.make import make_hospital

import sfumato as sf
from sfumato.datasets.hospital import HospitalFiles, write_hospital
from sfumato.microdata.output import Output
from sfumato.risk.linking_attack import AttackResult, linking_attack
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Row = dict[str, str]

KNOWN = ("birth_date", "zip", "sex")
PAYLOAD = ("diagnosis", "length_of_stay", "cost")


def rows_of(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def recoded(column: str, value: str, level: int) -> str:
    """Return the label of a value, made of its digits alone."""
    if column in ("birth_date", "admission_date"):
        quarter = f"{value[:4]}-Q{(int(value[5:7]) + 2) // 3}"
        labels = [value, value[:7], quarter, value[:4], f"{value[:3]}0s", "*"]
        return labels[level] if column == "birth_date" else [*labels[:3], "*"][level]
    if column == "zip":
        return [value, f"{value[:4]}*", f"{value[:3]}**", f"{value[:2]}***", "*"][level]
    if column == "sex":
        return [value, "*"][level]
    if not value:
        return "*" if level == 5 else "(missing)"
    width = (1, 5, 10, 20, 40, 0)[level]
    low = int(value) // width * width if width else 0
    return value if level == 0 else f"[{low}, {low + width})" if width else "*"


def agreeing(column: str, value: str, *, zips: set[str], labels: set[str]) -> set[str]:
    """Return which labels could stand for a value; of a ZIP outside the domain only * can."""
    if not value:
        return labels
    heights = {"birth_date": 6, "zip": 5, "sex": 2}[column]
    own = {recoded(column, value, level) for level in range(heights)}
    return {"", "*", "(missing)"} | (own if column != "zip" or value in zips else set())


def naive_attack(register: list[Row], table: list[Row], source: list[Row]) -> dict[str, int]:
    """Compare everyone with every row."""
    counts: Counter[str] = Counter()
    crowds = []
    zips = {row["zip"] for row in source}
    payload = [name for name in source[0] if name in table[0] and name not in QUASI_IDENTIFIERS]
    labels = {c: {row[c] for row in table} for c in KNOWN}
    for person in register:
        own = [row for row in source if all(row[name] == person[name] for name in person)]
        agree = [agreeing(c, person[c], zips=zips, labels=labels[c]) for c in KNOWN]
        found = [
            row for row in table if all(row[c] in a for c, a in zip(KNOWN, agree, strict=True))
        ]
        secrets = {row["diagnosis"] for row in found}
        counts["people"] += 1
        counts["patients"] += bool(own)
        if not found:
            continue
        crowds.append(len(found))
        counts["matched"] += 1
        if len(found) == 1:
            counts["matched_uniquely"] += 1
            counts["matched_rightly"] += any(
                all(row[name] == found[0][name] for name in payload) for row in own
            )
        if len(secrets) == 1 and "" not in secrets:
            counts["learnt_sensitive"] += 1
            counts["learnt_rightly"] += any(row["diagnosis"] in secrets for row in own)
    counts["smallest_crowd"] = min(crowds, default=0)
    return {name: count for name, count in counts.items() if count}


QUASI_IDENTIFIERS = ("birth_date", "zip", "sex", "height_cm", "admission_date")


def counts_of(result: AttackResult) -> dict[str, int]:
    names = (
        "people",
        "patients",
        "matched",
        "matched_uniquely",
        "matched_rightly",
        "learnt_sensitive",
        "learnt_rightly",
        "smallest_crowd",
    )
    return {name: getattr(result, name) for name in names if getattr(result, name)}


def released_rows(rows: Sequence[Row], levels: dict[str, int], threshold: int) -> list[Row]:
    """Return the recoded rows whose class has at least ``threshold`` of them."""
    classes = [tuple(recoded(c, row[c], level) for c, level in levels.items()) for row in rows]
    sizes = Counter(classes)
    return [
        dict(zip(levels, labels, strict=True)) | {name: row[name] for name in PAYLOAD}
        for labels, row in zip(classes, rows, strict=True)
        if sizes[labels] >= threshold
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> HospitalFiles:
    return make_hospital(tmp_path_factory.mktemp("small"), patients=250)


@pytest.fixture(scope="module")
def study(files: HospitalFiles) -> sf.Study:
    return read_study_file(files.study).study


def test_the_raw_file_gives_nearly_everyone_away(tmp_path: Path) -> None:
    files = write_hospital(tmp_path)
    study = read_study_file(files.study).study
    found = linking_attack(files.register, files.data, study=study)
    assert (found.known, found.sensitive) == (KNOWN, "diagnosis")
    assert found.matched_rightly > 0.9 * found.patients
    assert found.learnt_rightly > 0.9 * found.patients
    # Others who happen to share all three with a patient are taken for one.
    assert found.matched_rightly < found.matched_uniquely < found.matched < found.people
    # The counts again, by nothing but dictionaries.
    source, register = rows_of(files.data), rows_of(files.register)
    crowd = Counter(tuple(row[name] for name in KNOWN) for row in source)
    sizes = [crowd[tuple(row[name] for name in KNOWN)] for row in register]
    assert found.matched == sum(size > 0 for size in sizes)
    assert found.matched_uniquely == sizes.count(1)


def test_the_raw_file_against_the_oracle(files: HospitalFiles, study: sf.Study) -> None:
    found = linking_attack(files.register, files.data, study=study)
    source = rows_of(files.data)
    assert counts_of(found) == naive_attack(rows_of(files.register), source, source)


@pytest.mark.slow
def test_nobody_is_found_in_any_release_of_the_front(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    source, register = rows_of(files.data), rows_of(files.register)
    tried = 0
    for solution in replace(study, space="lattice").search().front:
        released = released_rows(source, dict(solution.levels), solution.threshold)
        assert len(source) - len(released) == solution.suppressed
        path = write_rows(tmp_path / f"release-{solution.id}.csv", released)
        found = linking_attack(files.register, path, study=study)
        assert counts_of(found) == naive_attack(register, released, source)
        if solution.values["k"] > 1:
            tried += 1
            assert found.matched_uniquely == 0
            assert found.smallest_crowd >= solution.values["k"]
        if solution.values["distinct-l"] > 1:
            assert found.learnt_sensitive == 0
    assert tried >= 3


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < 3 else pytest.mark.slow) for seed in range(12)]
)
def test_mixed_labels_against_the_oracle(
    files: HospitalFiles, study: sf.Study, tmp_path: Path, seed: int
) -> None:
    """Every cell at a level of its own, rows left out, gaps on both sides, people seen twice."""
    rng = random.Random(seed)
    source = rng.sample(rows_of(files.data), 60)
    for row in source[:8]:
        row["zip"] = source[0]["zip"]  # a crowd
    source += [dict(row, diagnosis="Stroke", cost="10") for row in source[:5]]
    for row in rng.sample(source, 3):
        row["diagnosis"] = ""
    kept = rng.sample(source, 50)
    table = [
        {c: recoded(c, row[c], rng.choice(levels)) for c, levels in _some_levels(seed).items()}
        | {name: row[name] for name in PAYLOAD}
        for row in kept
    ]
    for row in rng.sample(table, 2):
        row[rng.choice(KNOWN)] = rng.choice(["", "*", "(missing)"])
    people = [{name: row[name] for name in ("name", *KNOWN)} for row in source]
    register = rng.sample(people, 40) + rows_of(files.register)[:40] + people[:2]
    for person in rng.sample(register, 4):
        person[rng.choice(KNOWN)] = ""
    whole = sf.Study(source=pd.DataFrame(source).replace("", None), attributes=study.attributes)
    found = linking_attack(
        write_rows(tmp_path / "register.csv", register),
        write_rows(tmp_path / "table.csv", table),
        study=whole,
    )
    assert counts_of(found) == naive_attack(register, table, source)


def _some_levels(seed: int) -> dict[str, list[int]]:
    fine, middle, all_levels = (0, 1), (1, 2, 3), range(6)
    chosen = (fine, middle, all_levels)[seed % 3]
    return {
        "birth_date": list(chosen),
        "zip": [min(level, 4) for level in chosen],
        "sex": [0] if seed % 2 else [0, 1],
    }


def test_parquet_and_csv_are_attacked_alike(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    parquet = tmp_path / "discharges.parquet"
    duckdb.sql(
        "COPY (SELECT * REPLACE (CAST(birth_date AS DATE) AS birth_date, "
        "CAST(cost AS BIGINT) AS cost) "
        f"FROM read_csv('{files.data}', all_varchar = true, header = true)) "
        f"TO '{parquet}' (FORMAT parquet)"
    )
    assert linking_attack(files.register, parquet, study=study) == linking_attack(
        files.register, files.data, study=study
    )


def test_a_column_that_the_table_lacks_is_not_known(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    table = [{c: row[c] for c in ("birth_date", "sex", "diagnosis")} for row in rows_of(files.data)]
    found = linking_attack(files.register, write_rows(tmp_path / "t.csv", table), study=study)
    assert found.known == ("birth_date", "sex")
    assert found.patients == linking_attack(files.register, files.data, study=study).patients


def attack_on(files: HospitalFiles, study: sf.Study, tmp_path: Path, row: Row) -> AttackResult:
    return linking_attack(files.register, write_rows(tmp_path / "table.csv", [row]), study=study)


def test_a_label_that_no_hierarchy_knows_is_an_error(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    with raises(sf.SourceError, code="value-not-in-hierarchy", file=table, column="zip"):
        attack_on(files, study, tmp_path, {"zip": "9021*", "diagnosis": "Stroke"})


def test_a_table_without_anything_to_link_by_is_an_error(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    with raises(sf.SourceError, code="no-quasi-identifier"):
        attack_on(files, study, tmp_path, {"diagnosis": "Stroke", "cost": "10"})


def test_a_table_without_the_sensitive_column_is_an_error(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    with pytest.raises(sf.SourceError, match="has no column 'diagnosis'"):
        attack_on(files, study, tmp_path, {"zip": "*", "cost": "10"})


def test_a_register_without_names_is_an_error(
    files: HospitalFiles, study: sf.Study, tmp_path: Path
) -> None:
    register = write_rows(tmp_path / "register.csv", [{"zip": "00201", "sex": "female"}])
    with raises(sf.SourceError, code="no-identifier"):
        linking_attack(register, files.data, study=study)


def test_a_file_that_is_not_there_is_an_error(files: HospitalFiles, study: sf.Study) -> None:
    with raises(sf.SourceError, code="no-such-file"):
        linking_attack(files.register.with_name("nowhere.csv"), files.data, study=study)


def test_the_sensitive_column_must_be_one(files: HospitalFiles, study: sf.Study) -> None:
    with raises(sf.SettingsError, code="unknown-choice", key="sensitive", found="'cost'"):
        linking_attack(files.register, files.data, study=study, sensitive="cost")


def covers(column: str, label: str, value: str, *, values: set[str]) -> bool:
    """Say whether a label of a local recoding could stand for a value, by its text alone."""
    if label == "*" or not value:
        return True
    if value not in values and column == "zip":
        return False
    if label.startswith("{"):
        return value in label[1:-1].split(", ")
    if label.startswith("["):
        low, high = label[1:-1].split(", ")
        return low <= value <= high
    low, _, high = label.partition(" to ")
    return low <= value <= (high or low)


@pytest.mark.parametrize("zips", ["set", "interval"])
def test_local_labels_against_the_oracle(
    files: HospitalFiles, study: sf.Study, tmp_path: Path, zips: str
) -> None:
    outputs = {"birth_date": Output.INTERVAL, "zip": Output(zips), "sex": Output.SET}
    local = replace(
        study,
        attributes=[
            replace(attribute, output=outputs.get(attribute.name, attribute.output))
            for attribute in study.attributes
        ],
        objectives=("k", "normalized-loss"),
        space="local",
    )
    settings = sf.RuinAndRecreateSettings(least_k=4, largest_k=4, bound=False)
    (solution, *_) = local.search(settings=settings).front
    local.release(solution, tmp_path / "released.csv")
    found = linking_attack(files.register, tmp_path / "released.csv", study=local)

    source, released = rows_of(files.data), rows_of(tmp_path / "released.csv")
    known = {row["zip"] for row in source}
    crowds = [
        sum(all(covers(c, row[c], person[c], values=known) for c in KNOWN) for row in released)
        for person in rows_of(files.register)
    ]
    assert found.matched == sum(size > 0 for size in crowds)
    assert found.smallest_crowd == min(size for size in crowds if size) >= 4
    assert found.matched_uniquely == crowds.count(1) == 0
