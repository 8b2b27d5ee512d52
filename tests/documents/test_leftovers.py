"""What a killed process leaves: found by its mark, put in order and removed only on request."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

from sfumato.documents.leftovers import check_settled, ended, leftover_at, leftovers
from sfumato.documents.placing import NOTE, noted_moves, place_together, settle
from sfumato.documents.private_folder import MARK, make_private_folder, private_folder
from sfumato.documents.running_process import Life, RunningProcess
from sfumato.errors import ReleaseError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, signal, sys
from pathlib import Path
from sfumato.documents import placing
from sfumato.documents.private_folder import make_private_folder

place, step = Path(sys.argv[1]), int(sys.argv[2])
folder = make_private_folder(place)
files = {}
for name in ("one", "two"):
    (folder / name).write_text("new " + name)
    files[folder / name] = place / name
if "folder" in sys.argv[3:]:
    (folder / "three").mkdir()
    (folder / "three" / "part").write_text("new three")
    files[folder / "three"] = place / "three"
steps = 0

def killing(call):
    def stepped(*args, **kwargs):
        global steps
        if steps == step:
            os.kill(os.getpid(), signal.SIGKILL)
        steps += 1
        return call(*args, **kwargs)
    return stepped

for name in ("rename", "replace", "hardlink_to", "unlink", "touch", "open"):
    setattr(Path, name, killing(getattr(Path, name)))
placing.place_together(files, folder, force="force" in sys.argv[3:])
print("done", steps)
"""


def killed(place: Path, step: int, *options: str) -> bool:
    """Place files in a process that is killed at a step; say whether it got there."""
    asked = [sys.executable, "-c", KILLED, str(place), str(step), *options]
    done = subprocess.run(asked, check=False, capture_output=True, text=True)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode == -9


def contents(place: Path) -> dict[str, str]:
    """Every file that can be seen in a folder, with its text."""
    return {
        str(path.relative_to(place)): path.read_text()
        for path in sorted(place.rglob("*"))
        if path.is_file() and not path.relative_to(place).parts[0].startswith(".sfumato-")
    }


@pytest.mark.parametrize("options", [(), ("force",), ("force", "folder")])
def test_wherever_it_is_killed_all_files_are_new_or_all_are_old(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    before = {}
    if "force" in options:
        before = {"one": "old one", "two": "old two"}
        if "folder" in options:
            before |= {"three/part": "old three"}
    after = {"one": "new one", "two": "new two"}
    after |= {"three/part": "new three"} if "folder" in options else {}
    outcomes = []
    for step in range(60):
        place = tmp_path / str(step)
        place.mkdir()
        for name, text in before.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(text)
        if not killed(place, step, *options):
            break
        (leftover,) = leftovers([place])
        assert leftover.life is Life.ENDED
        if contents(place) not in (before, after):
            with raises(SettingsError, code="left-behind"):
                check_settled([place / name for name in ("one", "two", "three")])
        leftover.remove()
        assert contents(place) in (before, after), step
        assert sorted(path.name for path in place.iterdir()) == sorted(
            {name.split("/")[0] for name in contents(place)}
        )
        check_settled([place / "one", place / "two"])
        outcomes.append(contents(place) == after)
    else:
        pytest.fail("the process never came to its end")
    # Every step up to the last move is undone, those after it are finished.
    assert outcomes == sorted(outcomes)
    assert True in outcomes
    assert False in outcomes


def test_a_note_that_somebody_else_wrote_moves_nothing(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("kept")
    folder = make_private_folder(tmp_path)
    status = precious.stat()
    move = {
        "finished": str(folder / "x"),
        "ready": str(precious),
        "destination": str(precious),
        "earlier": str(precious),
        "device": status.st_dev,
        "inode": status.st_ino,
    }
    for seal in (None, "", "00" * 32):
        note = {"moves": json.dumps([move]), "seal": seal}
        (folder / NOTE).write_text(json.dumps(note))
        assert noted_moves(folder) == ()
        settle(folder)
        assert precious.read_text() == "kept"


def test_a_note_holds_only_for_its_own_folder(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    for step in range(60):
        shutil.rmtree(place)
        place.mkdir()
        assert killed(place, step)
        (leftover,) = leftovers([place])
        if leftover.places:
            break
    stolen = make_private_folder(tmp_path)
    (stolen / NOTE).write_bytes((leftover.folder / NOTE).read_bytes())
    assert noted_moves(leftover.folder)
    assert noted_moves(stolen) == ()


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"kind": "other"}', "null"])
def test_marks_that_are_not_ours(text: str, tmp_path: Path) -> None:
    folder = tmp_path / ".sfumato-other"
    folder.mkdir()
    (folder / MARK).write_text(text)
    (folder / "work").write_text("somebody's")
    assert leftover_at(folder) is None
    assert ended([tmp_path]) == ()


def test_a_process_that_runs_keeps_its_folder(tmp_path: Path) -> None:
    with private_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / MARK).stat().st_mode & 0o777 == 0o600
        (leftover,) = leftovers([tmp_path])
        assert leftover.life is Life.RUNNING
        assert ended([tmp_path]) == ()
        with raises(SettingsError, code="still-running", file=folder):
            leftover.remove()
        assert folder.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_are_not_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_private_folder(tmp_path)
    assert leftover_at(folder) is not None
    linked = tmp_path / "elsewhere" / ".sfumato-link"
    linked.parent.mkdir()
    linked.symlink_to(folder)
    assert leftover_at(linked) is None
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert leftover_at(folder) is None


def test_a_folder_that_was_never_marked(tmp_path: Path) -> None:
    folder = tmp_path / ".sfumato-new"
    folder.mkdir()
    leftover = leftover_at(folder)
    assert leftover is not None
    assert leftover.life is Life.UNKNOWN
    os.utime(folder, (time.time() - 3600,) * 2)
    leftover = leftover_at(folder)
    assert leftover is not None
    assert leftover.life is Life.ENDED


def test_lives_of_processes() -> None:
    this = RunningProcess.this()
    assert this.life is Life.RUNNING
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    assert replace(this, pid=done.pid).life is Life.ENDED
    # The number of a process that ended, which another one has by now.
    assert replace(this, started="1").life is Life.ENDED
    assert replace(this, boot="another").life is Life.ENDED
    assert replace(this, machine="another").life is Life.UNKNOWN
    assert replace(this, space="another").life is Life.UNKNOWN


@pytest.mark.parametrize("content", [None, [], {}, {"pid": 1}, {"pid": "1", "machine": "a"}])
def test_what_describes_no_process(content: object) -> None:
    assert RunningProcess.of(content) is None


def test_a_place_that_appears_meanwhile_stays(tmp_path: Path) -> None:
    with private_folder(tmp_path) as folder:
        (folder / "one").write_text("new")
        (folder / "two").write_text("new")
        (tmp_path / "two").write_text("somebody's")
        files = {folder / "one": tmp_path / "one", folder / "two": tmp_path / "two"}
        with raises(ReleaseError, code="already-exists", file=tmp_path / "two"):
            place_together(files, folder, force=False)
    assert contents(tmp_path) == {"two": "somebody's"}
