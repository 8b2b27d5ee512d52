"""``sfumato measures`` and ``sfumato methods`` list every member with what it needs."""

from __future__ import annotations

import json

import pytest

import sfumato
from sfumato.cli.main import main
from sfumato.measures.catalogue import measure_classes
from sfumato.search.catalogue import search_methods

OWN = f"sfumato {sfumato.__version__}"


def test_measures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures", "--json"]) == 0
    records = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert set(measure_classes()) <= set(records)
    found = records["recursive-l"]
    assert found["measure"] == "recursive-l(c)"
    assert (found["kind"], found["better"], found["unit"]) == ("privacy", "higher", "values")
    assert found["needs"] == ["a sensitive column"]
    assert (found["package"], found["version"]) == ("sfumato", sfumato.__version__)
    assert records["height"]["needs"] == ["levels"]
    assert records["cm"]["needs"] == ["a class label"]
    assert records["secure"]["needs"] == ["confidential statements"]
    assert records["s-l"]["measure"] == "s-l([column])"


def test_methods_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    records = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert set(search_methods()) <= set(records)
    found = records["pbg-ea"]
    assert (found["spaces"], found["criteria"]) == (["lattice"], "kept")
    assert found["resumable"] is True
    assert "population" in found["settings"]
    assert records["sweep"]["settings"] == []
    assert records["incognito"]["criteria"] == "needed"


@pytest.mark.parametrize(("command", "name"), [("measures", "k"), ("methods", "sweep")])
def test_a_line_for_each(command: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command]) == 0
    shown = capsys.readouterr()
    (line,) = [line for line in shown.out.splitlines() if line.split()[:1] == [name]]
    assert line.rstrip().endswith(OWN)
    assert shown.err == ""
