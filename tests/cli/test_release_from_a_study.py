"""``sfumato release STUDY``: search and release in one process."""

from __future__ import annotations

import csv
import json
import os
import signal
from typing import TYPE_CHECKING

import pytest
from tests.heeded_signals import heeded_signals
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.exit_codes import INTERRUPTED
from sfumato.cli.main import main
from sfumato.search.methods import pbg_ea
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = '[suppression]\npolicy = "limit"\nlimit = 0.2\n[search]\nobjectives = ["k", "loss"]\n'
PBG = '[search]\nmethod = "pbg-ea"\n[search.pbg-ea]\npopulation = 4\niterations = 9\n'


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_people(tmp_path, PEOPLE + LIMIT)


def release(study: Path, *more: str) -> int:
    return main(["release", str(study), "-o", str(study.with_name("out.csv")), *more])


def test_it_releases_what_search_and_release_do(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(study, "--pick", "k>=4", "--json", "--no-ledger") == 0
    said = json.loads(capsys.readouterr().out)
    assert main(["search", str(study), "-o", str(tmp_path / "run")]) == 0
    command = ["release", str(tmp_path / "run"), "--pick", "k>=4", "--no-ledger", "--quiet"]
    assert main([*command, "-o", str(tmp_path / "two.csv")]) == 0
    rows = [
        sorted(csv.reader((tmp_path / name).read_text().splitlines()))
        for name in ("out.csv", "two.csv")
    ]
    assert rows[0] == rows[1]
    kept = read_run(tmp_path / "study-run")
    assert said["private_certificate"].startswith(str(kept.folder / "releases"))
    assert kept.result.front[said["solution"]].values["k"] >= 4


@pytest.mark.parametrize(
    "more",
    [("--pick", "kk>=4"), (), ("--pick", "k>=4", "--codebook", "codebook.docx")],
)
def test_what_is_wrong_is_told_before_the_search(more: tuple[str, ...], study: Path) -> None:
    assert release(study, *more) == 1
    assert not study.with_name("study-run").exists()
    assert not study.with_name("out.csv").exists()


def test_nothing_is_replaced_unless_asked(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release(study, "--pick", "k>=4", "--no-ledger") == 0
    first = study.with_name("out.csv").read_bytes()
    study.with_name("out.csv").rename(study.with_name("first.csv"))
    study.with_name("out.csv.certificate.json").unlink()
    capsys.readouterr()
    assert release(study, "--pick", "k>=2", "--no-ledger", "--json") == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "already-exists"
    assert release(study, "--pick", "k>=2", "--no-ledger", "--force") == 0
    assert study.with_name("out.csv").read_bytes() != first
    # The private certificate of the first release outlives the run that it was made from.
    assert len(list((study.with_name("study-run") / "releases").iterdir())) == 2


def test_the_release_stays_out_of_the_run_that_will_be(study: Path) -> None:
    place = study.with_name("study-run") / "out.csv"
    assert main(["release", str(study), "--pick", "k>=4", "-o", str(place)]) == 1
    assert not place.parent.exists()


def test_a_stopped_search_releases_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pbg_ea._pool

    def interrupted(*arguments: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        return whole(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pbg_ea, "_pool", interrupted)
    study = write_people(tmp_path, PEOPLE + PBG)
    with heeded_signals():
        assert release(study, "--pick", "k>=2") == INTERRUPTED
    assert "nothing is released" in " ".join(capsys.readouterr().err.split())
    assert not study.with_name("out.csv").exists()
    assert not read_run(study.with_name("study-run")).result.finished
