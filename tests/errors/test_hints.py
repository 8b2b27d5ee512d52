"""Hints speak the syntax of the file that they are about."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors import SettingsError, SfumatoError
from sfumato.errors.hint import Hint
from sfumato.study.file.study_file import read_study_file

if TYPE_CHECKING:
    from pathlib import Path

HINT = Hint(python="set header=True", file="set header = true")


def test_a_hint_is_python_unless_a_file_is_meant() -> None:
    error = SettingsError("there is no header", code="no-header", remedy=HINT)
    assert error.remedy == "set header=True"
    again = pickle.loads(pickle.dumps(error))
    assert str(again.in_file_syntax()) == "there is no header; set header = true"
    plain = SettingsError("no", code="no", remedy="do so")
    assert plain.in_file_syntax().remedy == "do so"


def test_several_problems_speak_it_too() -> None:
    each = SettingsError("there is no header", code="no-header", remedy=HINT)
    several = SfumatoError.several([each], file="a.toml").in_file_syntax()
    assert [one.remedy for one in several.problems] == ["set header = true"]


def test_a_study_file_hears_toml_and_a_study_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_people(tmp_path, PEOPLE + '[search]\nobjectives = ["k", "cm"]\n')
    text = path.read_text().replace("label = true", "label = false")
    path.write_text(text)
    assert main(["search", str(path), "-o", str(tmp_path / "run")]) == 1
    assert "label = true" in capsys.readouterr().err
    with pytest.raises(SfumatoError) as caught:
        read_study_file(path).study.search()
    assert "label = true" in str(caught.value)
    table = pd.DataFrame({"sex": ["f", "m"]})
    study = sf.Study(
        source=table, attributes=[sf.quasi_identifying("sex", sf.Flat())], objectives=["k", "cm"]
    )
    with pytest.raises(SfumatoError) as caught:
        study.search()
    assert "label=True" in str(caught.value)
