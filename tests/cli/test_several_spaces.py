"""Three spaces on one page: every solution says which freedom it uses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises
from tests.study.people import study_of_people
from tests.study.study_files import PEOPLE, write_people

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors import SettingsError, UnmetError
from sfumato.front.dominance import dominates
from sfumato.recoding.recoding import FREEDOMS
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import read_run, write_run
from sfumato.views.run.front_view import front_view
from sfumato.views.run.report_computing import compute_report
from sfumato.views.run.run_view import run_view

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.search.result import SearchResult
    from sfumato.study.runs.run import Run

THREE = """
[search]
space = ["lattice", "partitions", "local"]
objectives = ["k", "normalized-loss"]
[search.ruin-and-recreate]
largest-k = 8
rounds = 1
[search.nsga-ii]
population = 20
generations = 8
start = "lattice"
"""
FREE = PEOPLE.replace("{ prefix = true }", "{ prefix = true }\nconstrained = false").replace(
    '"hierarchies/sex.csv"', '"hierarchies/sex.csv"\nconstrained = false'
)
"""Cut along their tree, the few codes of these people leave nothing to partitions."""
SETTINGS = {
    "nsga-ii": sf.NsgaIISettings(population=20, generations=8, start="lattice"),
    "ruin-and-recreate": sf.RuinAndRecreateSettings(largest_k=8, rounds=1),
}
SPACES = ["lattice", "partitions", "local"]


@pytest.fixture(scope="module")
def study() -> sf.Study:
    people = study_of_people(objectives=("k", "normalized-loss"))
    free = [
        replace(a, constrained=False) if a.name in ("zip", "sex") else a for a in people.attributes
    ]
    return replace(people, attributes=free, space=SPACES)


@pytest.fixture(scope="module")
def result(study: sf.Study) -> SearchResult:
    return study.search(settings=SETTINGS)


def test_losses_are_compared_from_the_k_of_the_policy_on(tmp_path: Path) -> None:
    """The marks 2 and 3 repeated the loss at 5, beside bounds of recodings that may not be."""
    written = write_people(tmp_path, FREE + THREE + '[release]\nrequire = ["k>=4"]\n')
    assert main(["search", str(written), "-o", str(tmp_path / "run"), "--quiet"]) == 0
    freedoms = run_view(read_run(tmp_path / "run")).freedoms
    assert freedoms is not None
    assert freedoms.marks[:3] == (4, 5, 10)
    assert freedoms.text.startswith("At k ≥ 5 ")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("three")
    written = write_people(folder, FREE + THREE)
    assert main(["search", str(written), "-o", str(folder / "run"), "--quiet"]) == 0
    return read_run(folder / "run")


def test_the_front_has_what_none_with_as_little_freedom_dominates(
    study: sf.Study, result: SearchResult
) -> None:
    fronts = [
        replace(study, space=space).search(settings=SETTINGS.get(name)).front
        for space, name in zip(SPACES, ("", "nsga-ii", "ruin-and-recreate"), strict=True)
    ]
    everything = [solution for front in fronts for solution in front]
    directions = tuple(result.front.objectives.values())

    def beaten(one: sf.Solution) -> bool:
        own = np.array(list(one.values.values()))
        for other in everything:
            if FREEDOMS.index(other.freedom) > FREEDOMS.index(one.freedom):
                continue
            values = np.array(list(other.values.values()))
            equal = np.array_equal(values, own)
            if dominates(values, own, directions) or (equal and other.freedom != one.freedom):
                return True
        return False

    kept = [solution for solution in everything if not beaten(solution)]
    assert len(kept) == len(result.front)
    assert {(s.recoding, s.threshold) for s in kept} == {
        (s.recoding, s.threshold) for s in result.front
    }
    assert [s.id for s in result.front] == list(range(len(result.front)))
    assert result.front.freedoms == ("global", "partitions", "local")
    lattice = {s.recoding for s in fronts[0]}
    assert {s.recoding for s in result.front if s.freedom == "global"} == lattice
    assert result.front.columns()["freedom"] == [s.freedom for s in result.front]


def test_exactness_is_said_by_space(result: SearchResult) -> None:
    assert not result.exact
    assert [each.space.value for each in result.spaces] == SPACES
    assert [each.exact for each in result.spaces] == [True, False, False]
    assert [each.method for each in result.spaces] == ["sweep", "nsga-ii", "ruin-and-recreate"]
    assert result.method == "auto"


def test_a_run_of_several_spaces_is_read_back(run: Run, result: SearchResult) -> None:
    assert run.result.spaces == result.spaces
    assert run.result.front.freedoms == ("global", "partitions", "local")
    names = set(run.before.metrics)
    for solution, detail in zip(run.result.front, run.details, strict=True):
        assert set(detail.metrics) == names
        assert bool(detail.labels) == (solution.freedom == "local")
        for column in run.columns:
            place = column.place(solution.recoding)
            assert (place is None) == (solution.freedom == "local")
            if place is not None:
                assert column.pages[place].is_level == (solution.freedom == "global")


def test_more_freedom_never_loses_more_at_the_same_k(run: Run) -> None:
    view = run_view(run).freedoms
    assert view is not None
    assert view.marks[:3] == (2, 3, 5)
    assert [each.freedom for each in view.freedoms] == list(FREEDOMS)
    assert [each.exact for each in view.freedoms] == [True, False, False]
    for place, mark in enumerate(view.marks):
        losses = [each.losses[place] for each in view.freedoms]
        known = [loss for loss in losses if loss is not None]
        assert known == sorted(known, reverse=True)
        reached = [
            detail.metrics["normalized-loss"]
            for solution, detail in zip(run.result.front, run.details, strict=True)
            if solution.freedom == "global" and detail.metrics["k"] >= mark
        ]
        assert losses[0] == min(reached)
    assert view.bounds is not None
    for bound, loss in zip(view.bounds, view.freedoms[-1].losses, strict=True):
        assert bound is not None
        assert loss is None or 0 < bound <= loss
    assert "At k ≥ 5" in view.text
    assert "differ from class to class" in view.text


def test_front_and_search_show_the_freedoms(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["front", str(run.folder)]) == 0
    shown = capsys.readouterr().out
    assert "freedom" in shown
    assert "exact among global recodings, not proved exact among" in shown
    assert "Least normalized loss by freedom" in shown
    assert main(["front", str(run.folder), "--json"]) == 0
    view = json.loads(capsys.readouterr().out)
    assert {each["freedom"] for each in view["solutions"]} == set(FREEDOMS)
    assert [each["exact"] for each in view["freedoms"]["freedoms"]] == [True, False, False]


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_a_rule_can_ask_for_a_freedom(run: Run, freedom: str) -> None:
    view = front_view(run, rule=f"k>=2,{freedom}")
    assert {solution.freedom for solution in view.solutions} == {freedom}
    assert view.pick is not None
    losses = {s.id: s.metrics["normalized-loss"] for s in view.solutions}
    assert losses[view.pick.id] == min(losses.values())
    if freedom == "global":
        assert run.pick(f"{freedom} and knee").solution.freedom == freedom


def test_compare_takes_solutions_of_two_freedoms(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["k>=3,global", "k>=3,local"]
    assert main(["compare", str(run.folder), *rules, "--json"]) == 0
    capsys.readouterr()


def test_the_report_tells_the_freedoms_apart(run: Run) -> None:
    data = compute_report(run)
    assert data.freedoms is not None
    freedom = {solution.id: solution.freedom for solution in data.solutions}
    for solution in data.solutions:
        for beside in (solution.up, solution.down):
            if beside is not None:
                assert freedom[beside.start] == freedom[beside.end] == solution.freedom
        assert bool(solution.labels) == (solution.freedom == "local")
        assert all((level is None) == bool(solution.labels) for level in solution.levels)
    assert main(["report", str(run.folder), "--force"]) == 0
    page = (run.folder / "report.html").read_text(encoding="utf-8")
    assert "What each freedom buys" in page
    assert '<span class="key shape local"></span>' in page


def test_bounds_are_kept_and_shown_beside_local_solutions(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bounds = {2: 0.001, 5: 0.0021}
    result = replace(run.result, loss_bounds=bounds)
    place = tmp_path / "bounded"
    bounded = write_run(place, run.study_file, result, seconds=1.0)
    assert bounded.result.loss_bounds == bounds
    for solution in run_view(bounded).solutions:
        if solution.freedom != "local":
            assert solution.bound is None
            continue
        assert solution.bound is not None
        assert solution.bound.k == (5 if solution.metrics["k"] >= 5 else 2)
        assert solution.bound.least == bounds[solution.bound.k]
        assert f"no local recoding at k ≥ {solution.bound.k} can lose less" in solution.bound.text
    view = run_view(bounded).freedoms
    assert view is not None
    assert view.bounds is not None
    assert view.bounds[:3] == (0.001, 0.001, 0.0021)
    capsys.readouterr()
    assert main(["front", str(place), "--pick", "k>=5,local"]) == 0
    shown = capsys.readouterr().out
    assert "can lose less than 0.21 %" in shown
    assert "least possible" in shown
    assert main(["report", str(place)]) == 0
    assert "can lose less than 0.21 %" in (place / "report.html").read_text(encoding="utf-8")


def flu_study() -> sf.Study:
    """More than half of all have the flu: without suppression nothing meets the criterion."""
    pairs = [("A", "flu")] * 8 + [("B", "flu"), ("B", "gout")] * 6
    columns = ("age", "size", "weight", "visits")
    rows = [
        {"town": t, "ill": i, **dict.fromkeys(columns, str(n))} for n, (t, i) in enumerate(pairs)
    ]
    numbers = sf.Intervals(widths=(2, 4, 8, 16))
    return sf.Study(
        source=pd.DataFrame(rows),
        attributes=[
            sf.quasi_identifying("town", sf.Flat()),
            *(sf.quasi_identifying(name, numbers) for name in columns),
            sf.sensitive("ill"),
        ],
        criteria=["frequency-l>=2"],
        suppression=sf.limited(8),
        space=["lattice", "local"],
    )


def test_a_space_without_solutions_does_not_take_the_others_down() -> None:
    flu = flu_study()
    found = flu.search()
    assert {solution.freedom for solution in found.front} == {"global"}
    assert not found.spaces[1].exact
    with raises(UnmetError, code="criteria-unmet"):
        replace(flu, suppression=sf.NO_SUPPRESSION).search()


def in_parts(study: sf.Study, steps: list[int]) -> tuple[SearchResult, list[str]]:
    """Search in parts, the state kept as JSON between them; return which spaces each part said."""
    state, said = None, []
    for most in [*steps, 10**9]:
        reports = 0

        def rule(progress: sf.Progress, most: int = most) -> bool:
            nonlocal reports
            reports += 1
            said.append(progress.phase)
            return reports >= most

        found = study.search(settings=SETTINGS, should_stop=rule, resume=state)
        if found.finished:
            break
        assert not found.exact
        assert found.state is not None
        state = json.loads(json.dumps(found.state))
    return found, said


@pytest.mark.parametrize("steps", [[1], [2, 2, 2], [9, 30], [1, 40, 3, 3]])
def test_several_spaces_go_on_where_they_were_stopped(
    study: sf.Study, result: SearchResult, steps: list[int]
) -> None:
    found, said = in_parts(study, steps)
    assert found == result
    assert {text.split(":")[0] for text in said} == {
        f"space {n} of 3, {name}" for n, name in enumerate(SPACES, start=1)
    }


def test_a_finished_space_is_not_searched_again(study: sf.Study, result: SearchResult) -> None:
    part = study.search(settings=SETTINGS, should_stop=lambda progress: "space 3" in progress.phase)
    assert [each.finished for each in part.spaces] == [True, True, False]
    heard: list[str] = []
    again = study.search(
        settings=SETTINGS, resume=part.state, listener=lambda each: heard.append(each.phase)
    )
    assert again == result
    assert all(text.startswith("space 3 of 3, local") for text in heard)


def test_a_space_in_which_nothing_meets_the_criteria_is_searched_again() -> None:
    asked = replace(flu_study(), space=["local", "lattice"])
    whole = asked.search()
    part = asked.search(should_stop=lambda progress: "lattice" in progress.phase)
    assert not part.finished
    assert asked.search(resume=part.state) == whole


def test_the_state_of_another_search_is_refused(study: sf.Study) -> None:
    part = study.search(settings=SETTINGS, should_stop=lambda _: True)
    with raises(SettingsError, code="broken-state", key="resume"):
        study.search(settings=SETTINGS, resume={"at": {}})
    with raises(SettingsError, code="other-search", key="resume"):
        study.search(settings=SETTINGS, resume=part.state, seed=2)
    with raises(SettingsError, code="other-search", key="resume"):
        study.search(settings={}, resume=part.state)
    fewer = replace(study, space=["lattice", "local"])
    with raises(SettingsError, code="other-search", key="resume"):
        fewer.search(settings=SETTINGS, resume=part.state)


@pytest.mark.parametrize(
    ("key", "value"),
    [("front", [{"levels": {"age": 99}, "threshold": 1}]), ("front", [{}]), ("nodes", "x")],
)
def test_a_changed_front_of_a_finished_space_is_refused(
    study: sf.Study, key: str, value: object
) -> None:
    part = study.search(settings=SETTINGS, should_stop=lambda each: "space 2" in each.phase)
    state = json.loads(json.dumps(part.state))
    state["spaces"][0]["at"]["finished"][key] = value
    with pytest.raises(SettingsError):
        study.search(settings=SETTINGS, resume=state)


def test_a_run_of_several_spaces_goes_on_from_its_folder(tmp_path: Path, run: Run) -> None:
    written = write_people(tmp_path, FREE + THREE)
    folder = tmp_path / "parts"
    search = ["search", str(written), "-o", str(folder), "--quiet"]
    assert main([*search, "--evaluations", "3"]) == 0
    assert not read_run(folder).result.finished
    assert main([*search, "--resume"]) == 0
    resumed = read_run(folder)
    assert (resumed.result, resumed.details) == (run.result, run.details)


def test_a_method_must_search_all_spaces(study: sf.Study) -> None:
    with raises(SettingsError, code="conflicting-settings", key="space"):
        study.search(method="sweep")
    with raises(SettingsError, code="wrong-type", key="settings"):
        study.search(settings=SETTINGS["nsga-ii"])


@pytest.mark.parametrize(
    ("space", "code"),
    [
        ("[]", "too-few"),
        ('["local", "local"]', "duplicate"),
        ('["lattice", "locale"]', "unknown-choice"),
        ('"locale"', "unknown-choice"),
        ("3", "wrong-type"),
    ],
)
def test_spaces_that_cannot_be_searched_are_refused(tmp_path: Path, space: str, code: str) -> None:
    text = PEOPLE + f"[search]\nspace = {space}\n"
    with raises(SettingsError, code=code, table="[search]", key="space"):
        read_study_file(write_people(tmp_path, text))


def test_one_space_in_a_list_is_that_space(tmp_path: Path) -> None:
    text = PEOPLE + '[search]\nspace = ["partitions"]\n'
    read = read_study_file(write_people(tmp_path, text)).study
    assert read.space == "partitions"
    assert read.problem.space == "partitions"
