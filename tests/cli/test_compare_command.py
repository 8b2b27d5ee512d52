"""``sfumato compare``: two solutions of a run, or tables matched with a study's source."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.main import main
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.run_folder import write_run

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run

EXTRA = """
[suppression]
policy = "limit"
limit = 0.1
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("people")
    study_file = read_study_file(write_people(folder, PEOPLE + EXTRA))
    return write_run(folder / "run", study_file, study_file.study.search(), seconds=0)


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["compare", *arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_two_solutions(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    last = str(len(run.result.front) - 1)
    assert main(["compare", str(run.folder), "0", last]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("solution 0: ")
    assert f"solution {last}: " in shown
    assert "class-size: " in shown
    assert "class-size, row-loss together" in shown
    for name in ("coverage", "hypervolume", "lexicographic"):
        assert name in shown


def test_json_mirrors(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    there = compared(capsys, str(run.folder), "0", "1", "--property", "class-size")
    back = compared(capsys, str(run.folder), "1", "0", "--property", "class-size")
    assert (there["first"], there["second"]) == (back["second"], back["first"])
    first, second = there["properties"]["class-size"], back["properties"]["class-size"]  # type: ignore[index]
    mirror = {"better": "worse", "worse": "better"}
    for one, other in zip(first["verdicts"], second["verdicts"], strict=True):
        assert one["comparator"] == other["comparator"]
        assert mirror.get(one["outcome"], one["outcome"]) == other["outcome"]
    better = first["gainers"]["better_off_in_first"]
    assert better == second["gainers"]["better_off_in_second"]


def test_by_value_adds_up(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--property", "class-size", "--comparator", "coverage", "--by", "sex")
    found = compared(capsys, str(run.folder), "0", "1", *options)
    one = found["properties"]["class-size"]  # type: ignore[index]
    assert [verdict["comparator"] for verdict in one["verdicts"]] == ["coverage"]
    for metric in ("rows", "better_off_in_first", "better_off_in_second"):
        assert sum(group[metric] for group in one["by_value"]) == one["gainers"][metric]
    assert main(["compare", str(run.folder), "0", "1", *options, "--words"]) == 0
    shown = capsys.readouterr().out
    assert "by coverage: " in shown
    assert "better off in solution 1" in shown


def test_a_rule_picks_a_solution(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(capsys, str(run.folder), "0", "k>=2", "--property", "class-size")
    assert str(found["second"]).startswith("solution ")


@pytest.fixture(scope="module")
def tables(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source as two other tools would write it: one hides the sex, the other nothing."""
    folder = tmp_path_factory.mktemp("tools")
    with Path(run.source.path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in ("open.csv", "hidden.csv"):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            for row in rows:
                writer.writerow({**row, "sex": "*"} if name == "hidden.csv" else row)
    return folder / "open.csv", folder / "hidden.csv"


def test_two_tables(
    run: Run, tables: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for study in (run.folder, run.folder / "study.toml"):
        for options in ((), ("--key", "name")):
            arguments = (*map(str, tables), "--study", str(study), *options)
            found = compared(capsys, *arguments, "--property", "class-size")
            assert (found["first"], found["second"]) == ("open.csv", "hidden.csv")
            one = found["properties"]["class-size"]  # type: ignore[index]
            assert one["gainers"]["better_off_in_first"] == 0
            assert one["gainers"]["better_off_in_second"] > 0
    mixed = compared(capsys, str(run.folder), "0", str(tables[1]), "--key", "name")
    assert (mixed["first"], mixed["second"]) == ("solution 0", "hidden.csv")


def test_errors_teach(
    run: Run, tables: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, said in [
        ([str(run.folder), "0"], "a run folder and two of its solutions"),
        (list(map(str, tables)), "--study study.toml"),
        ([str(run.folder), "0", "999"], "999"),
        ([str(run.folder), "0", "1", "--comparator", "bigger"], "there is no comparator 'bigger'"),
        ([str(run.folder), "0", "1", "--by", "hat"], "there is no column 'hat'"),
        ([str(tables[0]), "--study", str(run.folder)], "two anonymizations are compared, and 1"),
        ([*map(str, tables), "--study", str(run.folder), "--key", "id"], "has no column 'id'"),
    ]:
        assert main(["compare", *arguments]) == 1
        assert said in " ".join(capsys.readouterr().err.split())


def test_a_page(
    run: Run, tables: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "comparison.html"
    arguments = ["compare", str(run.folder), "0", "1", "--by", "sex", "--report", str(page)]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    assert f"The page is in {page}" in " ".join(shown.out.split())
    assert "not for publication" in shown.err
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert data["source"] == Path(run.source.path).name
    assert str(Path(run.source.path).parent) not in text
    assert data["columns"][data["by"]] == "sex"
    assert data["names"] == ["solution 0", "solution 1"]
    assert main(arguments) == 1
    assert "exists; name another file with --report" in " ".join(capsys.readouterr().err.split())
    assert main([*arguments, "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == "solution 0"
    both = [*map(str, tables), "--study", str(run.folder / "study.toml")]
    assert main(["compare", *both, "--report", str(tmp_path / "tables.html")]) == 0
    assert "hidden.csv" in (tmp_path / "tables.html").read_text(encoding="utf-8")


def test_places_where_no_page_may_be(
    run: Run, tables: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [*map(str, tables), "--study", str(run.folder)]
    for place, said in [
        (tables[0], "is a table that is compared, and is never replaced"),
        (Path(run.source.path), "is the source of the study, and is never replaced"),
        (run.folder / "study.toml", "is not an HTML file, so the comparison does not replace it"),
        (tmp_path, "is a folder; name a file in it"),
    ]:
        before = place.read_bytes() if place.is_file() else b""
        assert main(["compare", *both, "--report", str(place), "--force"]) == 1
        assert said in " ".join(capsys.readouterr().err.split())
        assert not before or place.read_bytes() == before
    assert main(["compare", *both, "--force"]) == 1
    assert "no page is written without --report" in " ".join(capsys.readouterr().err.split())
