"""What killed commands leave: the next one tells of it, and tidy removes it on request."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.study.study_files import write_people

from sfumato.cli.main import main
from sfumato.documents.private_folder import make_private_folder

if TYPE_CHECKING:
    import pytest

LEAVE = (
    "import os, sys; from pathlib import Path; "
    "from sfumato.documents.private_folder import make_private_folder; "
    "folder = make_private_folder(Path(sys.argv[1])); "
    "(folder / 'rows').write_text('private'); print(folder); sys.stdout.flush(); os._exit(9)"
)


def left_in(place: Path) -> Path:
    asked = [sys.executable, "-c", LEAVE, str(place)]
    return Path(subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip())


def test_nothing_was_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tidy", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folders": []}


def test_what_was_left_is_removed_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, own = left_in(tmp_path), make_private_folder(tmp_path)
    assert main(["tidy", str(tmp_path)]) == 0
    assert "--remove" in capsys.readouterr().out
    assert folder.is_dir()
    assert main(["tidy", str(tmp_path), "--remove", "--json"]) == 0
    shown = {each["folder"]: each for each in json.loads(capsys.readouterr().out)["folders"]}
    assert shown[str(folder)]["removed"] is True
    assert shown[str(own)] | {"process": "running", "removed": False} == shown[str(own)]
    assert not folder.exists()
    assert own.is_dir()


def test_a_folder_of_another_machine_is_removed_only_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = left_in(tmp_path)
    mark = folder / "made-by.json"
    content = json.loads(mark.read_text())
    content["process"]["machine"] = "elsewhere"
    mark.write_text(json.dumps(content))
    assert main(["tidy", str(tmp_path), "--remove", "--json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)["folders"]
    assert (shown["process"], shown["removed"]) == ("unknown", False)
    assert main(["tidy", str(folder), "--remove"]) == 0
    assert not folder.exists()


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tidy", str(tmp_path / "none"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "no-such-folder"


def test_the_next_commands_tell_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = write_people(tmp_path)
    run = tmp_path / "run"
    folder = left_in(tmp_path)
    assert main(["search", str(study), "-o", str(run), "--quiet"]) == 0
    assert "sfumato tidy" in capsys.readouterr().err
    released = tmp_path / "released.csv"
    assert main(["release", str(run), "--pick", "0", "-o", str(released), "--quiet"]) == 0
    assert "sfumato tidy" in capsys.readouterr().err
    new = tmp_path / "new.toml"
    assert main(["init", str(tmp_path / "people.csv"), "-o", str(new), "--quiet"]) == 0
    assert "sfumato tidy" in capsys.readouterr().err
    assert folder.is_dir()
