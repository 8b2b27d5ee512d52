"""Searches that are stopped, by a rule or by Ctrl-C, and go on with --resume."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest
from tests.heeded_signals import heeded_signals
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.interrupting import interruption
from sfumato.cli.main import main
from sfumato.cli.output import Output
from sfumato.search.methods import pbg_ea
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PBG = '[search]\nmethod = "pbg-ea"\n[search.pbg-ea]\npopulation = 4\niterations = 9\n'


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C does what it does in a terminal, wherever the tests are started."""
    with heeded_signals():
        yield


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_people(tmp_path, PEOPLE + PBG)


def search(study: Path, folder: str, *more: str) -> int:
    return main(["search", str(study), "-o", str(study.parent / folder), *more])


def front_of(study: Path, folder: str) -> tuple[object, ...]:
    run = read_run(study.parent / folder)
    return (run.result, run.details, run.study_file.search)


def test_a_resumed_run_is_the_uninterrupted_one(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert search(study, "whole", "--seed", "5") == 0
    assert not (study.parent / "whole" / "state.json").exists()
    capsys.readouterr()
    assert search(study, "parts", "--seed", "5", "--evaluations", "6") == 0
    shown = capsys.readouterr().out
    assert f"resume it with: sfumato search {study} -o {study.parent / 'parts'} --resume" in shown
    assert "not proved exact: the best that" in shown
    stopped = read_run(study.parent / "parts").result
    assert not stopped.finished
    assert stopped.state is not None
    assert 6 <= stopped.evaluated < 10
    # A little further, then to the end. The seed is that of the run.
    assert search(study, "parts", "--resume", "--evaluations", "12") == 0
    assert stopped.evaluated < read_run(study.parent / "parts").result.evaluated < 16
    assert search(study, "parts", "--resume") == 0
    assert front_of(study, "parts") == front_of(study, "whole")
    assert not (study.parent / "parts" / "state.json").exists()
    record = json.loads((study.parent / "parts" / "run.json").read_text())
    assert (record["seed"], record["finished"]) == (5, True)


def test_json_says_whether_it_is_finished(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert search(study, "run", "--evaluations", "5", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["finished"] is False
    assert found["exact"] is False


def test_time_is_a_rule_too(study: Path) -> None:
    assert search(study, "run", "--seconds", "0.000001") == 0
    assert not read_run(study.parent / "run").result.finished
    assert search(study, "other", "--seconds", "3600") == 0
    assert read_run(study.parent / "other").result.finished


def test_what_cannot_be_resumed(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(folder: str, *more: str) -> str:
        assert search(study, folder, "--resume", *more) == 1
        return capsys.readouterr().err

    assert "does not exist" in refused("run")
    assert search(study, "run") == 0
    assert "is finished, so there is nothing to go on with" in refused("run")
    assert search(study, "run", "--force", "--evaluations", "5") == 0
    before = (study.parent / "run" / "state.json").read_bytes()
    assert "choose one" in refused("run", "--force")
    assert "ran with another seed (it was 'pbg-ea', seed 1)" in refused("run", "--seed", "2")
    assert "ran by another method" in refused("run", "--method", "sweep")
    text = study.read_text()
    study.write_text(text.replace("iterations = 9", "iterations = 10"))
    assert "ran with other settings" in refused("run")
    study.write_text(text)
    # As it was all the time, and still able to go on.
    assert (study.parent / "run" / "state.json").read_bytes() == before
    people = study.parent / "people.csv"
    people.write_text(people.read_text().replace("person 1,", "person 1b,", 1))
    assert "has changed since it was searched" in refused("run")


def test_a_changed_state_is_refused(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert search(study, "run", "--evaluations", "5") == 0
    file = study.parent / "run" / "state.json"
    record = json.loads(file.read_text())
    record["state"]["at"]["archive"] = [["x", 0]]
    file.write_text(json.dumps(record))
    assert search(study, "run", "--resume") == 1
    assert "start the search again" in capsys.readouterr().err
    file.write_text(json.dumps({**record, "state": 3}))
    assert search(study, "run", "--resume") == 1
    assert "is broken" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["sweep", "branch-and-bound"])
def test_a_stopped_exact_search_is_kept_and_marked(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # More quasi-identifiers, so that a sweep has several batches.
    flat = 'role = "quasi-identifying"\nhierarchy = { flat = true }\n'
    text = PEOPLE.replace('role = "sensitive"\ndistance = "ordered"\n', flat)
    text = text.replace('role = "sensitive"\n', flat)
    text = text.replace('role = "insensitive"\nlabel = true\n', flat)
    study = write_people(tmp_path, text)
    assert search(study, "run", "--method", method, "--evaluations", "1") == 0
    result = read_run(tmp_path / "run").result
    assert not result.finished
    assert not result.exact
    assert 0 < result.evaluated < result.nodes
    assert "was stopped" in result.reason
    assert "resume it with: sfumato search" in capsys.readouterr().out
    assert search(study, "run", "--resume") == 0
    assert search(study, "whole", "--method", method) == 0
    assert front_of(study, "run") == front_of(study, "whole")


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_what_was_found(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = 0
    whole = pbg_ea.pool_with_fitness

    def interrupted(*arguments: object) -> object:
        nonlocal rounds
        rounds += 1
        if rounds == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return whole(*arguments)  # type: ignore[arg-type]

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(pbg_ea, "pool_with_fitness", interrupted)
    assert search(study, "run") == 130
    assert "stopping with what was found so far" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before
    stopped = read_run(study.parent / "run").result
    assert "4 of 9 populations" in stopped.reason
    assert search(study, "run", "--resume") == 0
    assert search(study, "whole") == 0
    assert front_of(study, "run") == front_of(study, "whole")


@pytest.mark.usefixtures("ctrl_c")
def test_a_second_ctrl_c_aborts(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> object:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError(arguments)

    monkeypatch.setattr(pbg_ea, "pool_with_fitness", interrupted)
    assert search(study, "run") == 130
    assert "interrupted" in capsys.readouterr().err
    assert not (study.parent / "run").exists()


@pytest.mark.usefixtures("ctrl_c")
def test_interruption_puts_things_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruption(Output(quiet=True)) as asked:
        assert not asked.asked
        os.kill(os.getpid(), signal.SIGINT)
        assert asked.asked
    assert signal.getsignal(signal.SIGINT) is before


def test_wrong_rules(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rule, said in (("--evaluations", "whole number from 1 up"), ("--seconds", "above 0")):
        assert search(study, "run", rule, "0") == 1
        assert said in capsys.readouterr().err
    assert search(study, "run", "--seed", "-1") == 1
    assert "whole number from 0 up" in capsys.readouterr().err


def test_the_anytime_search_keeps_its_guarantee(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert search(study, "whole", "--method", "anytime") == 0
    assert search(study, "parts", "--method", "anytime", "--evaluations", "5") == 0
    stopped = read_run(study.parent / "parts").result
    assert (stopped.evaluated, stopped.finished, stopped.exact) == (5, False, False)
    assert stopped.guarantee is not None
    assert 0 < stopped.guarantee.epsilon < 1
    capsys.readouterr()
    assert search(study, "parts", "--resume", "--evaluations", "9", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    further = read_run(study.parent / "parts").result
    assert further.guarantee is not None
    assert found["guarantee"]["epsilon"] == further.guarantee.epsilon
    assert found["guarantee"]["slacks"] == further.guarantee.slacks
    assert further.guarantee.in_words() in found["reason"]
    assert search(study, "parts", "--resume") == 0
    assert front_of(study, "parts") == front_of(study, "whole")
    assert read_run(study.parent / "parts").result.exact


def test_seconds_are_those_of_searching(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting and compiling took the whole time on a new machine, and nothing was searched."""
    from sfumato.classes import compilation
    from sfumato.search import control

    done: list[str] = []
    load, rule = compilation.load_kernels, control.after_seconds

    def loaded() -> object:
        done.append("loaded")
        return load()

    def made(seconds: float) -> control.StopRule:
        done.append("rule")
        return rule(seconds)

    monkeypatch.setattr(compilation, "load_kernels", loaded)
    monkeypatch.setattr(control, "after_seconds", made)
    assert search(study, "timed", "--quiet", "--seconds", "600") == 0
    # Once to refuse what is wrong before anything is counted, once to begin.
    assert done[0] == "rule"
    assert done[done.index("loaded") :][-1] == "rule"
    done.clear()
    assert search(study, "wrong", "--quiet", "--seconds", "-1") == 1
    assert done == ["rule"]
    assert not (study.parent / "wrong").exists()


def test_a_release_of_a_stopped_search_says_that_others_may_lose_less(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert search(study, "part", "--quiet", "--evaluations", "6") == 0
    release = ["release", str(study.parent / "part"), "--pick", "k>=2"]
    assert main([*release, "-o", str(study.parent / "part.csv"), "--no-ledger"]) == 0
    assert "was stopped, and what it had not looked at may lose less" in capsys.readouterr().err
    assert search(study, "part", "--quiet", "--resume") == 0
    assert main([*release, "-o", str(study.parent / "whole.csv"), "--no-ledger"]) == 0
    assert "was stopped" not in capsys.readouterr().err
