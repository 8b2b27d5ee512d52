"""What is proposed for the tables of a first user, and for messy ones in several languages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.study.trial_tables import MESSY_TABLES, SIX_TABLES

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.microdata.roles import Role
from sfumato.sources.source import source_of
from sfumato.study.file.study_file import read_study_file
from sfumato.study.proposal.proposal import LARGEST_LATTICE, Proposal, propose
from sfumato.study.proposal.proposed_study_file import write_proposal

if TYPE_CHECKING:
    from pathlib import Path

TABLES = SIX_TABLES | MESSY_TABLES
SHORT = {
    Role.IDENTIFYING: "i",
    Role.QUASI_IDENTIFYING: "q",
    Role.SENSITIVE: "s",
    Role.INSENSITIVE: "-",
}
ROLES = {
    "visits": "iiiqqqqsqsqq",
    "adult": "q-qqqqqs",
    "frame": "iqqqqs",
    "register": "qqqqs",
    "fifteen": "q" * 15 + "s",
    "ten": "iqqs",
    "recensement": "iqqqqqqsi",
    "encuesta": "iqqqqsq",
    "payroll": "iiqqqs",
    "school": "iiqqqqs",
    "web log": "iqqqqqqi",
}
HIERARCHIES: dict[str, dict[str, dict[str, object]]] = {
    "visits": {
        "geb.": {"date": ["month", "year", "decade"], "format": ["%d.%m.%Y", "%m/%d/%Y"]},
        "Geschl.": {"taxonomy": "sex", "language": "de"},
        "PLZ": {"prefix": 5, "keep": [4, 1]},
    },
    "adult": {
        "age": {"intervals": [5, 10, 20], "low": 15, "high": 90},
        "education": {"taxonomy": "education", "levels": ["group"]},
        "native-country": {"taxonomy": "countries", "levels": ["region"]},
        "sex": {"flat": True},
    },
    "frame": {
        "born": {"date": ["month", "year", "decade"]},
        "weekday": {"taxonomy": "weekdays", "levels": ["part of the week"]},
    },
    "register": {
        "area": {"taxonomy": "nuts", "levels": ["country"]},
        "isco": {"taxonomy": "isco-08", "levels": ["major group"]},
    },
    "fifteen": {"state": {"taxonomy": "us-states", "levels": ["region"]}},
    "ten": {"zip": {"prefix": 5, "keep": [4, 3]}},
    "recensement": {
        "Sexe": {"flat": True},
        "Diplôme": {"taxonomy": "education"},
        "Pays de naissance": {"taxonomy": "countries", "levels": ["subregion", "region"]},
        "date_fin": {"date": ["month", "quarter", "year"], "format": "%d/%m/%Y"},
    },
    "encuesta": {"estudios": {"taxonomy": "education", "levels": ["group"]}},
    "payroll": {"Eintritt": {"date": ["month", "year", "decade"], "format": "%d.%m.%y"}},
    "school": {"mese": {"taxonomy": "months", "levels": ["quarter"]}},
    "web log": {"time": {"date": ["day"]}},
}


def proposed(name: str, folder: Path) -> Proposal:
    table = folder / f"{name}.csv"
    TABLES[name]().to_csv(table, index=False)
    source, engine = source_of(table), DuckDBEngine()
    proposal = propose(
        engine.profile(source), where=str(source), count=partial(engine.joint_counts, source)
    )
    write_proposal(folder / "study.toml", proposal, source=source, force=False)
    return proposal


@pytest.mark.parametrize("name", TABLES)
def test_roles_and_hierarchies(name: str, tmp_path: Path) -> None:
    proposal = proposed(name, tmp_path)
    assert "".join(SHORT[column.role] for column in proposal.columns) == ROLES[name]
    found = {each.name: each.hierarchy.settings for each in proposal.columns if each.hierarchy}
    expected = HIERARCHIES[name]
    assert {column: found[column] for column in expected} == expected
    assert proposal.lattice <= LARGEST_LATTICE
    # What is proposed covers all values, and every level merges some.
    study = read_study_file(tmp_path / "study.toml").study
    assert study.lattice.nodes == proposal.lattice
    for column, hierarchy in study.hierarchies.items():
        if not next(c for c in proposal.columns if c.name == column).profile.numbers:
            occurring = [len(names) for names in hierarchy.labels]
            assert occurring == sorted(set(occurring), reverse=True), column


@pytest.mark.parametrize("name", ["ten", "frame", "payroll", "school"])
def test_they_can_be_searched_without_an_edit(name: str, tmp_path: Path) -> None:
    proposed(name, tmp_path)
    result = read_study_file(tmp_path / "study.toml").study.search()
    assert result.exact
    assert all(solution.values["k"] >= 5 for solution in result.front)


def test_numbers_that_people_wrote_are_numbers(tmp_path: Path) -> None:
    columns = {column.name: column for column in proposed("visits", tmp_path).columns}
    assert columns["Gewicht"].hierarchy is not None
    assert columns["Gewicht"].hierarchy.settings["decimal"] == ","
    assert columns["Liegetage"].profile.numbers is not None
    remarks = " ".join(columns["Wohnort"].remarks)
    assert "differ from another one in case, blanks, accents or signs only" in remarks
    assert "1 rare value looks misspelt" in remarks
    study = (tmp_path / "study.toml").read_text(encoding="utf-8")
    assert 'markers = ["k.A"]' in study
