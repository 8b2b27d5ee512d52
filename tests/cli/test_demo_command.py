"""``sfumato demo``: its release is measured by a script that shares nothing with sfumato."""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from sfumato.cli.commands import demo as command
from sfumato.cli.main import main
from sfumato.documents.json_values import json_value

if TYPE_CHECKING:
    from sfumato.cli.output import Output
    from sfumato.views.demo_view import DemoView

IDENTIFIERS = ["birth_date", "zip", "sex", "height_cm", "admission_date"]


@dataclass(frozen=True, kw_only=True)
class Demo:
    """A demo that has run: its folder, what it printed, and the view that was rendered."""

    folder: Path
    printed: str
    view: DemoView


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Run the command as the README does, once for all tests that look at its outcome."""
    home = tmp_path_factory.mktemp("home")
    views: list[DemoView] = []
    tell = command._tell

    def seen(view: DemoView, output: Output) -> None:
        views.append(view)
        tell(view, output)

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.chdir(home)
        patch.setattr(command, "_tell", seen)
        assert main(["demo"]) == 0
    return Demo(folder=home / "sfumato-demo", printed=out.getvalue(), view=views[0])


def days(first: str, last: str) -> int:
    return (pd.Timestamp(last) - pd.Timestamp(first)).days + 1


def leaves(column: str, label: str, zips: pd.Series) -> int:
    """How many values a label covers, read from the label alone."""
    known = label.removesuffix(" or (missing)")
    if known != label:
        return leaves(column, known, zips) + 1
    low, to, high = label.partition(" to ")
    if to:
        return days(low, high)
    if column == "height_cm" and label.endswith("]"):
        low, high = label.strip("[]").split(", ")
        return int(high) - int(low) + 1
    if label == "*":
        return {"zip": zips.nunique(), "sex": 2, "height_cm": 191, "admission_date": 366}.get(
            column, days("1915-01-01", "2024-12-31")
        )
    if column == "zip":
        return int(zips.drop_duplicates().str.startswith(label.rstrip("*")).sum())
    if column == "height_cm":
        if "[" not in label:
            return 1
        low, high = label.strip("[)").split(", ")
        return min(int(high), 220) - max(int(low), 30)
    if column == "sex":
        return 1
    period = label.replace("s", "") if label.endswith("s") else label
    if label.endswith("s"):
        start, end = f"{period}-01-01", f"{int(period) + 9}-12-31"
    elif "Q" in label:
        quarter = pd.Period(label.replace("-", ""))
        start, end = str(quarter.start_time.date()), str(quarter.end_time.date())
    else:
        span = pd.Period(label)
        start, end = str(span.start_time.date()), str(span.end_time.date())
    first, last = ("1915-01-01", "2024-12-31") if column == "birth_date" else ("2024", "2024-12-31")
    return days(max(start, first), min(end, last))


def test_the_demo(demo: Demo) -> None:
    folder, view = demo.folder, demo.view
    released = pd.read_csv(folder / "released.csv", dtype=str, keep_default_na=False)
    source = pd.read_csv(folder / "discharges.csv", dtype=str)
    private = json.loads((folder / "run/releases/released.csv.private.json").read_text())
    classes = released.groupby(IDENTIFIERS)
    assert classes.size().min() == private["metrics"]["k"] == view.values["k"] >= 5
    assert classes["diagnosis"].nunique().min() == private["metrics"]["distinct-l"] >= 3
    domain = {"zip": source["zip"].nunique(), "sex": 2, "height_cm": 191, "admission_date": 366}
    domain["birth_date"] = leaves("birth_date", "*", source["zip"])
    lost = 0.0
    for column in IDENTIFIERS:
        for label, rows in released[column].value_counts().items():
            cells = leaves(column, str(label), source["zip"]) - 1
            lost += rows * cells / (domain[column] - 1)
    lost += len(IDENTIFIERS) * (len(source) - len(released))
    assert lost == pytest.approx(private["metrics"]["loss"], rel=1e-12)
    assert lost / len(IDENTIFIERS) / len(source) == pytest.approx(view.values["normalized-loss"])
    # The policy of the study picks it, and a local recoding is what loses least.
    assert view.policy == ("k>=5", "distinct-l>=3")
    assert set(view.requirements) == set(view.policy)
    assert set(view.requirements.values()) == {"met"}
    assert private["require"] == list(view.policy)
    assert "the policy (k>=5 and distinct-l>=3)" in view.reason
    assert view.freedom == "local"
    assert view.freedoms is not None
    assert view.freedoms.marks[0] == 5
    (before,), (after,) = view.attack_before.linking.values(), view.attack_after.linking.values()
    assert before.matched_rightly > 0.9 * before.patients
    assert after.matched_uniquely == 0
    assert after.learnt_rightly == 0
    learnt = {line.attack: line.learnt for line in view.attack_after.attacks}
    assert (learnt["homogeneity"], learnt["background-knowledge"]) == (0, 0)
    text = (folder / "released.csv").read_text() + (folder / "run/report.html").read_text()
    numbers = set(source["record_number"])
    assert all(re.fullmatch(r"\d{4}-\d{6}", number) for number in numbers)
    assert numbers.isdisjoint(re.findall(r"(?=(\d{4}-\d{6}))", text))
    # There are far fewer family names: those first, then the names whose family name is there.
    names = source["name"].str.partition(", ")
    shown = [family for family in names[0].unique() if family in text]
    assert not any(name in text for name in source["name"][names[0].isin(shown)])


def test_the_readme_shows_what_the_demo_prints(demo: Demo) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.split("<!-- output: demo -->\n```text\n")[1].split("```")[0]
    assert [line.rstrip() for line in demo.printed.splitlines()] == shown.splitlines()


@pytest.mark.slow
def test_a_second_demo_replaces_the_first_and_json_is_the_view(
    demo: Demo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo.folder.parent)
    before = sorted(demo.folder.rglob("*"))
    assert main(["demo", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == json_value(demo.view)
    assert sorted(demo.folder.rglob("*")) == before


def test_what_no_demo_wrote_is_kept(
    demo: Demo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["demo", "--output", str(tmp_path)]) == 1
    assert "holds files that no demo wrote: 'mine.txt'" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"
    own = demo.folder / "notes.txt"
    own.write_text("mine")
    try:
        assert main(["demo", "--output", str(demo.folder)]) == 1
        assert own.read_text() == "mine"
    finally:
        own.unlink()
