"""A study that is proposed in Python is the one that ``sfumato init`` writes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises
from tests.study.people import people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("person", [(), ("name",)])
@pytest.mark.parametrize("in_memory", [True, False])
def test_it_is_the_study_of_init(person: tuple[str, ...], in_memory: bool, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    people().to_csv(table, index=False)
    options = [word for name in person for word in ("--person", name)]
    assert main(["init", str(table), "--quiet", *options]) == 0
    written = sf.read_study_file(tmp_path / "study.toml").study
    proposed = sf.propose(people() if in_memory else table, person=person)
    own = {"source", "engine", "described_in"}
    for each in fields(sf.Study):
        if each.name not in own:
            assert getattr(proposed, each.name) == getattr(written, each.name), each.name
    assert proposed.described_in is None
    assert proposed.search().front == written.search().front


def test_it_is_edited_and_searched() -> None:
    proposed = sf.propose(people())
    roles = {a.name: a.role for a in proposed.attributes}
    assert roles["name"] is sf.Role.IDENTIFYING
    edited = replace(
        proposed.with_attributes(
            sf.insensitive("income"), sf.quasi_identifying("smokes", sf.Flat())
        ),
        require=["k>=3"],
        objectives=["k", "loss"],
    )
    assert [a.name for a in edited.attributes] == [a.name for a in proposed.attributes]
    now = {a.name: a.role for a in edited.attributes}
    assert (now["income"], now["smokes"]) == (sf.Role.INSENSITIVE, sf.Role.QUASI_IDENTIFYING)
    assert edited.pick(edited.search().front).solution.values["k"] >= 3
    assert {a.name: a.role for a in proposed.attributes} == roles


def test_what_cannot_be_proposed() -> None:
    plain = pd.DataFrame({"name": [f"person {i}" for i in range(50)], "passport": range(50)})
    with raises(SettingsError, code="no-quasi-identifier"):
        sf.propose(plain)
    with raises(SourceError, code="unknown-column", column="who"):
        sf.propose(people(), person="who")
    with raises(SettingsError, code="wrong-type", key="changed"):
        sf.propose(people()).with_attributes("income")  # type: ignore[arg-type]
