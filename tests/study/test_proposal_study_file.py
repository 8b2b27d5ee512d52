from __future__ import annotations

import shutil
import tomllib
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from tests.raised import raises
from tests.study.proposal_tables import (
    FIRST_NAMES,
    RARE,
    SURNAMES,
    write_messy_hospital,
    write_typed_parquet,
)

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SettingsError, SourceError
from sfumato.microdata.roles import Role
from sfumato.sources.source import DatabaseTable, source_of
from sfumato.study.file.named_paths import source_seal
from sfumato.study.file.study_file import read_study_file
from sfumato.study.proposal.proposal import Proposal, propose
from sfumato.study.proposal.proposed_study_file import (
    check_study_path,
    source_settings,
    write_proposal,
)

if TYPE_CHECKING:
    from pathlib import Path


COLOURS = ("red", "green", "blue", 'say "grey"', "n\\a")


def init(data: Path, study: Path) -> Proposal:
    source = source_of(data)
    engine = DuckDBEngine()
    proposal = propose(
        engine.profile(source), where=str(source), count=partial(engine.joint_counts, source)
    )
    write_proposal(study, proposal, source=source, force=False)
    return proposal


def roles(proposal: Proposal) -> dict[str, str]:
    return {column.name: column.role.value for column in proposal.columns}


@pytest.mark.slow
def test_adult_can_be_searched_as_it_is_proposed(adult_path: Path, tmp_path: Path) -> None:
    data = tmp_path / "adult.csv"
    shutil.copy(adult_path, data)
    proposal = init(data, tmp_path / "study.toml")
    read = read_study_file(tmp_path / "study.toml")
    assert roles(proposal).pop("salary-class") == "sensitive"
    assert len(proposal.of_role(Role.QUASI_IDENTIFYING)) == 8
    result = read.study.search()
    assert read.study.lattice.nodes == proposal.lattice
    best = max(solution.values["k"] for solution in result.front.solutions)
    assert best == 30_162
    assert read.study.hierarchies["age"].block_count(1) == 9


def test_a_messy_hospital_file(tmp_path: Path) -> None:
    data, study = tmp_path / "klinik.csv", tmp_path / "study.toml"
    write_messy_hospital(data)
    proposal = init(data, study)
    assert roles(proposal) == {
        "Aufnahmenummer": "identifying",
        "Nachname": "identifying",
        "Vorname": "identifying",
        "Geburtsdatum": "quasi-identifying",
        "PLZ": "quasi-identifying",
        "Geschlecht": "quasi-identifying",
        "Größe (cm)": "quasi-identifying",
        "Aufnahme": "quasi-identifying",
        "Diagnose": "sensitive",
        "Kosten": "sensitive",
        "Station": "quasi-identifying",
        "Liegedauer": "quasi-identifying",
        "Bemerkung": "identifying",
        "Versicherung": "insensitive",
    }
    text = study.read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    assert settings["source"] == {
        "path": "klinik.csv",
        "delimiter": ";",
        "quote": '"',
        "encoding": "latin-1",
        "header": True,
    }
    columns = settings["columns"]
    # Two and three characters tell no less than four of these codes do.
    assert columns["PLZ"]["hierarchy"] == {"prefix": 5, "keep": [4, 1]}
    assert columns["Geburtsdatum"]["hierarchy"]["format"] == "%d.%m.%Y"
    assert columns["Aufnahme"]["hierarchy"]["format"] == "%d.%m.%Y %H:%M"
    assert settings["missing"]["markers"] == ["?", "NA"]
    read = read_study_file(study)
    read.study.search()
    assert read.study.lattice.nodes == proposal.lattice
    assert read.study.count_table.rows == 600
    assert f"{proposal.lattice:,} recodings" in text


def test_the_file_shows_no_value_of_a_person(tmp_path: Path) -> None:
    data, study = tmp_path / "klinik.csv", tmp_path / "study.toml"
    write_messy_hospital(data)
    init(data, study)
    text = study.read_text(encoding="utf-8")
    rows = [line.split(";") for line in data.read_text(encoding="latin-1").splitlines()]
    names = rows[0]
    shown = {"Geschlecht", "Station"}
    for name, values in zip(names, zip(*rows[1:], strict=True), strict=True):
        if name not in shown:
            assert not [v for v in set(values) if len(v) > 3 and v in text], name
    for statement in (*SURNAMES, *FIRST_NAMES, RARE, "J18", "K35", "ruft an"):
        assert statement not in text
    # Values that many rows have are shown where they are grouped; rarer ones go with some group.
    assert '"Nord"' in text
    assert "Values too rare to be shown here" in text
    station = tomllib.loads(text)["columns"]["Station"]["hierarchy"]
    assert station["others"] in station["groups"][0]


def test_the_example_of_groups_can_be_used(tmp_path: Path) -> None:
    """With one quasi-identifier values have nothing to be alike in, so that they stay flat."""
    data, study = tmp_path / "colours.csv", tmp_path / "study.toml"
    lines = [f'"{v.replace(chr(34), chr(34) * 2)}";{n}.5' for n in range(60) for v in COLOURS]
    data.write_text("colour;cost\n" + "\n".join(lines) + "\n", encoding="utf-8")
    init(data, study)
    lines = study.read_text(encoding="utf-8").splitlines()
    position = next(n for n, line in enumerate(lines) if line.startswith("# hierarchy = { groups"))
    flat = next(n for n, line in enumerate(lines) if line == "hierarchy = { flat = true }")
    lines[flat], lines[position] = "", lines[position].removeprefix("# ")
    study.write_text("\n".join(lines), encoding="utf-8")
    hierarchies = read_study_file(study).study.hierarchies
    assert sorted(hierarchies["colour"].domain.leaves) == sorted(COLOURS)
    assert hierarchies["colour"].block_count(1) == 2


def test_values_that_behave_alike_are_grouped(tmp_path: Path) -> None:
    """Colours go by their shade and sizes by their order; a rare colour is not written."""
    data, study = tmp_path / "colours.csv", tmp_path / "study.toml"
    sizes = ["medium", "very high", "low", "high"]
    rows = [
        {"colour": colour, "shade": 1 + (n % 10 < 9) * (place % 2), "rank": sizes[n % 4]}
        for n in range(40)
        for place, colour in enumerate(COLOURS)
    ]
    rows.append({"colour": "mauve", "shade": 1, "rank": "low"})

    def written(costs: int) -> str:
        table = pa.Table.from_pylist(
            [{**row, "cost": n * costs % 97} for n, row in enumerate(rows)]
        )
        csv.write_csv(table, data)
        study.unlink(missing_ok=True)
        init(data, study)
        return study.read_text(encoding="utf-8")

    text = written(1)
    assert "mauve" not in text
    columns = tomllib.loads(text)["columns"]
    assert columns["cost"]["role"] == "sensitive"
    shades = {frozenset(group) for group in _leaves(columns["colour"]["hierarchy"]["groups"])}
    assert shades == {frozenset(COLOURS[::2]), frozenset(COLOURS[1::2])}
    assert columns["rank"]["hierarchy"]["groups"] in (
        [{"low to medium": ["low", "medium"], "high to very high": ["high", "very high"]}],
        [{"low": ["low"], "medium to very high": ["medium", "high", "very high"]}],
        [{"low to high": ["low", "medium", "high"], "very high": ["very high"]}],
    )
    assert "# The groups are a proposal made from the data" in text
    hierarchy = read_study_file(study).study.hierarchies["colour"]
    assert sorted(hierarchy.domain.leaves) == sorted([*COLOURS, "mauve"])
    # Neither another run nor other sensitive values change it.
    assert written(1) == text
    others = tomllib.loads(written(13))["columns"]
    assert {name: column.get("hierarchy") for name, column in others.items()} == {
        name: column.get("hierarchy") for name, column in columns.items()
    }


def _leaves(levels: list[dict[str, list[str]]]) -> list[list[str]]:
    """Return the values of the groups of the last level."""
    groups = {label: list(members) for label, members in levels[0].items()}
    for level in levels[1:]:
        groups = {
            label: [value for member in members for value in groups[member]]
            for label, members in level.items()
        }
    return list(groups.values())


def test_typed_columns(tmp_path: Path) -> None:
    data, study = tmp_path / "typed.parquet", tmp_path / "study.toml"
    write_typed_parquet(data)
    proposal = init(data, study)
    assert roles(proposal) == {
        "lfd": "identifying",
        "born": "quasi-identifying",
        "height": "quasi-identifying",
        "smoker": "quasi-identifying",
        "visits": "quasi-identifying",
        "income": "sensitive",
        "empty": "insensitive",
    }
    assert tomllib.loads(study.read_text("utf-8"))["source"] == {"path": "typed.parquet"}
    read = read_study_file(study)
    read.study.search()
    assert read.study.lattice.nodes == proposal.lattice


def test_odd_names_of_columns(tmp_path: Path) -> None:
    data, study = tmp_path / "odd.parquet", tmp_path / "study.toml"
    odd = ["a.b", 'quoted "x"', "line\nbreak", "tab\t", "#", "ü", "[x]", "a = 1", " "]
    pq.write_table(pa.table({name: ["a", "b", "c"] * 10 for name in odd}), data)
    init(data, study)
    read = read_study_file(study)
    assert [attribute.name for attribute in read.study.attributes] == odd
    assert read.study.count_table.rows == 30


def test_no_quasi_identifier_is_said(tmp_path: Path) -> None:
    data, study = tmp_path / "costs.csv", tmp_path / "study.toml"
    data.write_text("id,cost\n" + "".join(f"{n},{n % 7}.5\n" for n in range(50)), "utf-8")
    proposal = init(data, study)
    assert roles(proposal) == {"id": "identifying", "cost": "sensitive"}
    text = study.read_text(encoding="utf-8")
    assert "No column looks quasi-identifying" in text
    with raises(SettingsError, code="no-quasi-identifier", table="[columns]"):
        read_study_file(study)


def test_no_sensitive_column_is_said(tmp_path: Path) -> None:
    data, study = tmp_path / "people.csv", tmp_path / "study.toml"
    data.write_text("sex,age\n" + "".join(f"{'fm'[n % 2]},{20 + n}\n" for n in range(30)), "utf-8")
    init(data, study)
    assert "No column looks sensitive" in study.read_text(encoding="utf-8")
    read_study_file(study).study.search()


def test_the_path_is_relative_to_the_study_file(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "studies").mkdir()
    data = tmp_path / "data" / "people.csv"
    data.write_text("sex,age\nf,20\nm,30\n", encoding="utf-8")
    study = tmp_path / "studies" / "first.toml"
    init(data, study)
    assert tomllib.loads(study.read_text("utf-8"))["source"]["path"] == "../data/people.csv"
    assert read_study_file(study).study.count_table.rows == 2
    table = DatabaseTable(path=data, table="people")
    assert source_settings(table, study=study) == {
        "path": "../data/people.csv",
        "table": "people",
        # It lies outside the folder of the study.
        "seal": source_seal(table.path),
    }


def test_a_study_file_is_not_overwritten(tmp_path: Path) -> None:
    data, study = tmp_path / "people.csv", tmp_path / "study.toml"
    data.write_text("sex,age\nf,20\nm,30\n", encoding="utf-8")
    mine = "[columns]  # mine"
    study.write_text(mine, encoding="utf-8")
    with raises(SettingsError, code="already-exists"):
        init(data, study)
    assert study.read_text(encoding="utf-8") == mine
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "study.toml"]


def test_a_table_in_memory_replaces_no_data(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text("a,b\n1,2\n")
    source = source_of(pa.table({"a": [1]}))
    with raises(SettingsError, code="never-replaced"):
        check_study_path(path, source=source, force=True)
    path.write_text("")
    check_study_path(path, source=source, force=True)
    with raises(SettingsError, code="already-exists"):
        check_study_path(path, source=source, force=False)


def test_the_levels_are_said(tmp_path: Path) -> None:
    data, study = tmp_path / "people.csv", tmp_path / "study.toml"
    rows = (f"{1950 + n}-0{n % 9 + 1}-11,{n % 90},{n:05},{'fm'[n % 2]}" for n in range(50, 100))
    data.write_text("born,age,plz,sex\n" + "\n".join(rows) + "\n", encoding="utf-8")
    proposal = init(data, study)
    text = study.read_text(encoding="utf-8")
    # Each date has a month and a year of its own, and three characters are those of all codes.
    assert "\n# Levels: 0 the day, 1 the decade, 2 *\nhierarchy" in text
    assert "# Levels: 0 the value, 1 *\nhierarchy = { flat = true }" in text
    assert "# Levels: 0 the code, 1 its first 4 characters, 2 *\nhierarchy = { prefix = 5" in text
    # As many as there are, and those that there are.
    hierarchies = read_study_file(study).study.hierarchies
    for column in proposal.columns:
        assert column.hierarchy is not None
        assert column.hierarchy.level_count == len(hierarchies[column.name].labels)
        assert column.hierarchy.in_words.endswith(f", {column.hierarchy.level_count - 1} *")


def test_a_failure_while_writing_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, study = tmp_path / "people.csv", tmp_path / "study.toml"
    data.write_text("sex,age\nf,20\nm,30\n", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with raises(SettingsError, code="unwritable-file"):
        init(data, study)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_table_in_memory_has_no_study_file(tmp_path: Path) -> None:
    source = source_of(pa.table({"a": [1]}))
    with raises(SourceError, code="not-a-file"):
        source_settings(source, study=tmp_path / "study.toml")


def test_a_policy_is_proposed(tmp_path: Path) -> None:
    """Five people who look alike, and two values where something is sensitive."""
    rows = [f"{20 + n % 40},{'fm'[n % 2]},{('flu', 'gout', 'cold')[n % 3]}" for n in range(120)]
    for names, required, objectives in (
        ("age,sex,diagnosis", ["k>=5", "distinct-l>=2"], ["k", "distinct-l", "normalized-loss"]),
        ("age,diagnosis", ["k>=5"], ["k", "distinct-l", "normalized-loss"]),
        ("age,sex", ["k>=5"], ["k", "normalized-loss"]),
    ):
        columns = names.count(",") + 1
        data, study = tmp_path / f"{names}.csv", tmp_path / f"{names}.toml"
        data.write_text("\n".join([names, *(",".join(r.split(",")[:columns]) for r in rows)]))
        init(data, study)
        read = read_study_file(study).study
        assert list(map(str, read.required)) == required
        assert list(map(str, read.objectives)) == objectives
        assert all(solution.values["k"] >= 5 for solution in read.search().front)
