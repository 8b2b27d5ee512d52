"""The policy of a study: what a release must meet, in searches, picks and certificates."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables
from tests.raised import raises
from tests.report.made_run import hostile_study

import sfumato as sf
from sfumato.cli.exit_codes import DONE, NOT_MET
from sfumato.cli.main import main
from sfumato.errors import Notice
from sfumato.front.decisions.criterion import read_criterion
from sfumato.measures.catalogue import measure
from sfumato.search.methods.sweep import sweep
from sfumato.search.problem import Problem
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs import run_folder
from sfumato.study.runs.run_folder import read_run
from sfumato.views.run.report_computing import compute_report

if TYPE_CHECKING:
    from pathlib import Path

POLICY = ["k>=5", "distinct-l>=2"]
# Five people of town A share their illness: k = 5 at level 0, with distinct-l = 1. At level 1 of
# age k is still 5, for those of town C.
ROWS = [
    *[("2", "A", "flu")] * 5,
    *[("3", "A", ill) for ill in ("flu", "cold", "gout", "flu", "cold")],
    *[("4", "B", ill) for ill in ("gout", "cold", "gout", "flu", "cold", "flu")],
    *[("9", "C", ill) for ill in ("gout", "cold", "flu", "flu", "cold")],
]
PEOPLE = pandas.DataFrame(ROWS, columns=["age", "town", "ill"])
STUDY = """
[source]
path = "people.csv"

[columns.age]
role = "quasi-identifying"
hierarchy = {{ intervals = [2, 4], low = 2, high = 9 }}

[columns.town]
role = "quasi-identifying"
hierarchy = {{ flat = true }}

[columns.ill]
role = "sensitive"

[search]
objectives = ["k", "normalized-loss"]

[release]
{release}
"""


def study(**settings: object) -> sf.Study:
    return sf.Study(
        source=PEOPLE,
        attributes=[
            sf.quasi_identifying("age", sf.Intervals(low=2, high=9, widths=(2, 4))),
            sf.quasi_identifying("town", sf.Flat()),
            sf.sensitive("ill"),
        ],
        objectives=["k", "normalized-loss"],
        **settings,  # type: ignore[arg-type]
    )


def write(folder: Path, release: str = 'require = ["k>=5", "distinct-l>=2"]') -> Path:
    PEOPLE.to_csv(folder / "people.csv", index=False)
    path = folder / "study.toml"
    path.write_text(STUDY.format(release=release))
    return path


def test_what_misses_the_policy_is_not_released(tmp_path: Path) -> None:
    """k = 5 with distinct-l = 1 was released without a word."""
    finest, out = {"age": 0, "town": 0}, tmp_path / "out.csv"
    free = study()
    found = free.evaluate(finest)
    assert (found.values["k"], found.values["distinct-l"]) == (5, 1)
    free.release(finest, tmp_path / "free.csv")
    asked = study(require=POLICY)
    with raises(
        sf.UnmetError,
        code="policy-not-met",
        key="require",
        found="k = 5, distinct-l = 1",
        expected=" and ".join(POLICY),
    ):
        asked.release(finest, out)
    # A solution of a search without the policy is judged as it was found.
    solution = next(s for s in free.search().front if s.levels == finest)
    with raises(sf.UnmetError, code="policy-not-met", found="k = 5, distinct-l = 1"):
        asked.release(solution, out)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("out")] == []


def test_a_search_looks_among_what_meets_the_policy() -> None:
    """Without it the front has k = 5 at no loss, and nothing that meets distinct-l>=2 beside it."""
    front = study(require=POLICY).search().front
    assert all(study().evaluate(each).values["distinct-l"] >= 2 for each in front)
    least = min(each.values["normalized-loss"] for each in front)
    meeting = [
        found.values["normalized-loss"]
        for age in range(4)
        for town in range(2)
        if (found := study().evaluate({"age": age, "town": town})).values["k"] >= 5
        and found.values["distinct-l"] >= 2
    ]
    assert least == min(meeting)
    assert least not in [each.values["normalized-loss"] for each in study().search().front]


@settings(max_examples=examples(60))
@given(
    table=random_tables(most_rows=30, most_identifiers=3),
    limit=st.sampled_from([0, 0.1, 3]),
    names=st.sampled_from([("k", "loss"), ("k", "distinct-l", "loss"), ("loss",)]),
)
def test_a_front_never_lacks_a_solution_that_exists(
    table: RandomTable, limit: float | int, names: tuple[str, ...]
) -> None:
    """For all that meets the policy there is a solution that is at least as good."""
    if not table.naive.sensitive:
        return
    policy = tuple(map(read_criterion, ("k>=2", "distinct-l>=2")))
    suppression = sf.limited(limit, threshold="every")
    objectives = tuple(measure(name) for name in names)
    free = Problem(table=table.counted, objectives=objectives, suppression=suppression)
    besides = [measure(name) for name in ("k", "distinct-l") if name not in names]
    judged = replace(free, objectives=(*objectives, *besides))
    asked = replace(free, suppression=replace(suppression, criteria=policy))
    points = judged.points(judged.tables.sweep_batch(()))
    k, diverse = (points.values[:, judged.names.index(name)] for name in ("k", "distinct-l"))
    existing = points.values[(k >= 2) & (diverse >= 2), : len(names)]
    if not len(existing):
        with raises(sf.UnmetError, code="criteria-unmet"):
            sweep(asked)
        return
    signs = [1 if name == "loss" else -1 for name in names]
    front = [[each.values[name] for name in names] for each in sweep(asked).front]
    for point in existing.tolist():
        assert any(
            all(
                s * mine <= s * other for s, mine, other in zip(signs, solution, point, strict=True)
            )
            for solution in front
        )


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, run, out = write(tmp_path), tmp_path / "run", tmp_path / "out.csv"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == DONE
    capsys.readouterr()
    # Without a rule: the least loss that meets the policy.
    assert main(["front", str(run), "--json"]) == DONE
    shown = json.loads(capsys.readouterr().out)
    assert "the policy (k>=5 and distinct-l>=2)" in shown["pick"]["reason"]
    assert main(["release", str(run), "-o", str(out), "--json"]) == DONE
    released = json.loads(capsys.readouterr().out)
    assert released["solution"] == shown["pick"]["id"]
    losses = [each["values"]["normalized-loss"] for each in shown["solutions"]]
    assert released["values"]["normalized-loss"] == min(losses)
    public = json.loads((tmp_path / "out.csv.certificate.json").read_text())
    private = json.loads(next((run / "releases").glob("*.json")).read_text())
    assert public["require"] == private["require"] == POLICY
    assert public["suppression"]["criteria"] == POLICY
    assert main(["audit", str(out), str(run), "--quiet"]) == DONE
    capsys.readouterr()
    # The file as it is misses the policy that the study has.
    assert main(["audit", str(tmp_path / "people.csv"), str(path), "--json"]) == NOT_MET
    assert json.loads(capsys.readouterr().out)["unmet"] == ["distinct-l>=2"]


def test_a_run_that_was_searched_without_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, run, out = write(tmp_path, ""), tmp_path / "run", tmp_path / "out.csv"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == DONE
    assert main(["release", str(run), "-o", str(out)]) == 1
    assert "--pick" in capsys.readouterr().err
    # Enforced at the release, whatever was searched; the command ends with exit code 3.
    found = read_run(run)
    finest = next(s for s in found.result.front if s.levels == {"age": 0, "town": 0})
    asked = replace(found.study_file, study=replace(found.study_file.study, require=POLICY))
    changed = replace(found, study_file=asked)
    monkeypatch.setattr(run_folder, "read_run", lambda *_, **__: changed)
    capsys.readouterr()
    assert main(["release", str(run), "--pick", str(finest.id), "-o", str(out)]) == NOT_MET
    said = capsys.readouterr().err
    assert "distinct-l = 1" in said
    assert "distinct-l>=2" in said
    assert not out.exists()


def test_a_report_opens_with_the_least_loss_that_meets_the_policy(tmp_path: Path) -> None:
    """It opened with the knee, at 55 % loss, where 20 % would do."""
    path, run = write(tmp_path), tmp_path / "run"
    assert main(["search", str(path), "-o", str(run), "--quiet"]) == DONE
    found = read_run(run)
    opened = found.result.front[compute_report(found).chosen]
    assert opened.id == found.pick().solution.id == found.pick("policy").solution.id
    assert opened.values["normalized-loss"] == min(
        each.values["normalized-loss"] for each in found.result.front
    )
    assert compute_report(found, opening=found.pick("1")).chosen == 1
    assert compute_report(found).knee_weighs == "1/k against normalized-loss"


def test_a_policy_under_failing_is_silent_in_public(tmp_path: Path) -> None:
    asked = study(require=POLICY, suppression=sf.limited(5, failing=True))
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    with pytest.warns(Notice, match="distinct-l>=2"):
        release = asked.release({"age": 0, "town": 0}, out, private_certificate=private)
    assert release.suppressed == 5
    public = json.loads((tmp_path / "out.csv.certificate.json").read_text())
    assert public["require"] == public["suppression"]["criteria"] == ["k>=5"]
    assert json.loads(private.read_text())["require"] == POLICY


def test_parameters_in_a_policy(tmp_path: Path) -> None:
    asked = study(require=["recursive-l(c=3)>=2", "t<=0.3"], suppression=sf.limited(5))
    solution = asked.search().front[0]
    release = asked.release(solution, tmp_path / "out.csv")
    assert release.metrics["recursive-l(c=3)"] >= 2
    assert release.certificate["require"] == ["recursive-l(c=3)>=2", "t<=0.3"]


@pytest.mark.parametrize(
    ("require", "code"),
    [
        (["loss<=5"], "not-a-criterion"),
        (["k<=5"], "wrong-direction"),
        (["k>=5, t<=0.2"], "several-constraints"),
        ([5], "wrong-type"),
    ],
)
def test_policies_that_are_none(require: list[str], code: str) -> None:
    with raises(sf.SettingsError, code=code, key="require"):
        study(require=require)


@pytest.mark.parametrize(
    "release", ['require = "k>=5"', 'require = ["kk>=5"]', 'require = ["k>=5", "k >= 5"]']
)
def test_wrong_policies_in_a_study_file(tmp_path: Path, release: str) -> None:
    with pytest.raises(sf.SfumatoError) as caught:
        read_study_file(write(tmp_path, release))
    assert "[release] require" in str(caught.value)


def test_picking_from_a_study_starts_from_its_policy() -> None:
    asked = study(require=POLICY)
    front = asked.search().front
    found = asked.pick(front)
    assert found.reason == (
        f"solution {found.solution.id}: least normalized-loss among {len(front)} with the policy "
        "(k>=5 and distinct-l>=2)"
    )
    assert found.solution.values["normalized-loss"] == min(
        each.values["normalized-loss"] for each in front
    )
    # Bounds on what is not an objective.
    bounded = asked.pick(front, "distinct-l>=3").solution
    assert asked.evaluate(bounded).values["distinct-l"] >= 3


def test_picking_from_a_study_without_a_policy_needs_a_rule() -> None:
    free = study()
    front = free.search().front
    with raises(sf.SettingsError, code="no-policy", key="rule"):
        free.pick(front)
    assert free.pick(front, "k>=5").solution.values["k"] >= 5


@pytest.mark.parametrize("space", ["lattice", ["lattice", "local"]])
def test_a_pick_of_the_study_is_that_of_all_metrics(space: str | list[str]) -> None:
    free = study(space=space)
    front = free.search().front
    metrics = [free.evaluate(each).values for each in front]
    for rule in ("k>=5", "t<=0.5", "k>=5,distinct-l>=2", "0"):
        assert free.pick(front, rule) == sf.pick(rule, front, metrics)


def test_the_knee_of_a_study_says_what_it_weighs() -> None:
    free = hostile_study()
    assert "the best balance of 1/k against loss" in free.pick(free.search().front, "knee").reason


def test_the_front_says_that_there_is_no_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, run = write(tmp_path, ""), tmp_path / "run"
    assert main(["search", str(path), "-o", str(run)]) == DONE
    assert "none: nothing is required of a release" in capsys.readouterr().out
    assert main(["front", str(run)]) == DONE
    assert "The study has no policy (require under [release])" in capsys.readouterr().out
    assert main(["front", str(run), "--json"]) == DONE
    shown = json.loads(capsys.readouterr().out)
    assert (shown["policy"], shown["pick"]) == ([], None)
    assert main(["report", str(run)]) == DONE
    said = " ".join(capsys.readouterr().err.split())
    assert (
        "the best balance of 1/k against normalized-loss, because the study has no policy" in said
    )


def test_the_rule_policy_needs_one() -> None:
    asked = study()
    front = asked.search().front
    metrics = [asked.evaluate(each).values for each in front]
    with raises(sf.SettingsError, code="no-policy", key="rule", found="policy"):
        sf.pick("policy", front, metrics)
    found = sf.pick("policy", front, metrics, policy=POLICY)
    assert metrics[found.solution.id]["distinct-l"] >= 2
    with raises(sf.UnmetError, code="no-such-solution"):
        sf.pick("policy", front, metrics, policy=["distinct-l>=9"])
