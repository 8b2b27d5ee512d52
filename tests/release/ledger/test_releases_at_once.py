"""Two processes that release the same people at once: both are remembered, or one is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.release.ledger.ledger_tables import BY_AGE, BY_PLACE, patients, study_of, together

import sfumato as sf
from sfumato.errors import UnmetError
from sfumato.release.ledger.ledger import Ledger

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

PROGRAM = """
import sys
from pathlib import Path
import sfumato as sf
from tests.release.ledger.ledger_tables import BY_AGE, BY_PLACE, patients, study_of
study = study_of(patients())
study.count_table
print("ready", flush=True)
sys.stdin.readline()
levels = {"age": BY_AGE, "place": BY_PLACE}[sys.argv[1]]
for number in range(int(sys.argv[3])):
    try:
        study.release(levels, Path(sys.argv[2]) / f"{sys.argv[1]}-{number}.csv")
        print("released", flush=True)
    except sf.UnmetError as error:
        print(error.code, flush=True)
"""


def at_once(folder: Path, *kinds: str, times: int) -> list[list[str]]:
    """Release by each kind in a process of its own, all at the same time; return what they say."""
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root), str(Path(sf.__file__).parents[1])])
    processes = []
    for number, kind in enumerate(kinds):
        own = folder / str(number)
        own.mkdir()
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", PROGRAM, kind, str(own), str(times)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": paths},
            )
        )
    for each in processes:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in processes:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    said = [each.communicate()[0].split() for each in processes]
    assert [each.returncode for each in processes] == [0] * len(kinds)
    return said


@pytest.mark.slow
def test_none_is_lost(tmp_path: Path) -> None:
    said = at_once(tmp_path, "age", "age", times=5)
    assert said == [["released"] * 5] * 2
    entries = sf.Ledger.opened().entries()
    files = {str(path) for path in tmp_path.glob("*/*.csv")}
    assert {each.file for each in entries} == files
    assert len(entries) == 10


@pytest.mark.slow
def test_two_that_join_to_people_alone(tmp_path: Path) -> None:
    """Whoever comes second is refused, however close they are."""
    said = at_once(tmp_path, "age", "place", times=1)
    assert sorted(said) == [["composition"], ["released"]]
    assert len(sf.Ledger.opened().entries()) == 1
    assert len(list(tmp_path.glob("*/*.csv"))) == 1


def interrupted(study: sf.Study, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the next release of a study meet another one, which is written just before it."""
    held = Ledger.held

    def meanwhile(ledger: Ledger) -> AbstractContextManager[None]:
        monkeypatch.setattr(Ledger, "held", held)
        study.release(BY_AGE, path)
        return held(ledger)

    monkeypatch.setattr(Ledger, "held", meanwhile)


def test_what_was_released_while_this_release_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not looked at: both were written, and joined to people alone."""
    study = study_of(patients())
    interrupted(study, tmp_path / "one.csv", monkeypatch)
    with raises(UnmetError, code="composition"):
        study.release(BY_PLACE, tmp_path / "second.csv")
    assert not list(tmp_path.glob("second*"))
    interrupted(study, tmp_path / "other.csv", monkeypatch)
    accepted = study.release(BY_PLACE, tmp_path / "second.csv", accept_composition=True)
    assert len(together(accepted).earlier) == 2
    # The private certificate has both, too.
    said = accepted.private_certificate["composition"]
    assert isinstance(said, dict)
    assert len(said["earlier"]) == 2
