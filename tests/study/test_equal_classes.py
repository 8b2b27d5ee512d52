"""Solutions with the same classes: found exactly, by plain grouping of cells; shown as one."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.measures.random_tables import RandomTable, random_tables

import sfumato as sf
from sfumato.classes.classes import Classes
from sfumato.cli.main import main
from sfumato.front.front import Solution
from sfumato.measures.catalogue import measure
from sfumato.recoding.levels import Levels
from sfumato.search.problem import Problem
from sfumato.study.file.study_file import read_study_file
from sfumato.study.runs.equal_classes import with_equals
from sfumato.study.runs.run_folder import write_run
from sfumato.study.runs.solution_details import solution_details
from sfumato.views.run.front_chart import front_chart
from sfumato.views.run.front_view import front_view
from sfumato.views.run.report_computing import compute_report
from sfumato.views.run.run_view import run_view
from sfumato.views.run.solution_view import folded, listed

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.microdata.count_table import CountTable
    from sfumato.study.runs.run import Run

KINDS = {
    "none": sf.NO_SUPPRESSION,
    "limit": sf.limited(0.3),
    "every": sf.limited(0.3, threshold="every"),
    "given-k": sf.given_k(3),
}


def plain_classes(
    table: CountTable, node: tuple[int, ...], threshold: int
) -> tuple[frozenset[frozenset[int]], frozenset[int]]:
    """Return the kept classes as sets of cells, and the suppressed cells, by a dict of labels."""
    groups: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    for cell in range(table.cells):
        labels = (
            int(q.hierarchy.levels[level][codes[cell]])
            for q, level, codes in zip(table.quasi_identifiers, node, table.cell_codes, strict=True)
        )
        groups[tuple(labels)].add(cell)
    kept = {
        frozenset(cells)
        for cells in groups.values()
        if sum(int(table.cell_sizes[cell]) for cell in cells) >= threshold
    }
    return frozenset(kept), frozenset(range(table.cells)) - frozenset().union(*kept)


@settings(max_examples=examples(60))
@given(random_tables(), st.sampled_from(sorted(KINDS)))
def test_equal_solutions_are_those_with_the_same_cells_together(
    table: RandomTable, kind: str
) -> None:
    suppression = KINDS[kind]
    problem = Problem(
        table=table.counted, objectives=(measure("k"), measure("loss")), suppression=suppression
    )
    nodes = list(product(*(range(height + 1) for height in table.heights)))[:60]
    candidates = Classes.of(problem.tables.group(nodes), suppression)  # type: ignore[arg-type]
    solutions = [
        Solution(
            id=number,
            recoding=Levels.of(dict(zip(table.counted.names, nodes[recoding], strict=True))),
            values={},
            suppressed=int(candidates.suppressed_rows[number]),
            threshold=int(candidates.thresholds[number]),
        )
        for number, recoding in enumerate(candidates.recoding.tolist())
    ]
    details = tuple(solution_details(problem, solutions))
    found = with_equals(problem, solutions, details)
    sets: defaultdict[object, list[Solution]] = defaultdict(list)
    for solution in solutions:
        node = tuple(solution.levels.values())
        sets[plain_classes(table.counted, node, solution.threshold)].append(solution)
    for equal in sets.values():
        finest = min(equal, key=lambda s: (sum(s.levels.values()), tuple(s.levels.values())))
        for solution in equal:
            expected = None if solution is finest else finest.id
            assert found[solution.id].same_as == expected


STUDY = """\
[source]
path = "rows.csv"

[columns.town]
role = "quasi-identifying"
hierarchy = "town.csv"

[columns.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20], low = 20, high = 59 }

[columns.illness]
role = "sensitive"

[search]
objectives = ["k", "dm"]
"""
"""Ages are multiples of five, so that level 1 merges nothing; level 1 of towns merges a town with
one that nobody lives in."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("equal")
    towns = [("Aachen", "west"), ("Bonn", "west"), ("Celle", "north"), ("Dresden", "east")]
    rows = [
        f"{towns[i % 4 if i % 3 else 0][0]},{20 + 5 * (i * i % 8)},{'flu' if i % 5 else 'gout'}"
        for i in range(120)
    ]
    (folder / "rows.csv").write_text("town,age,illness\n" + "\n".join(rows) + "\n")
    lines = [f"{town};{side};*" for town, side in (*towns, ("Emden", "north"), ("Fulda", "east"))]
    (folder / "town.csv").write_text("\n".join(lines) + "\n")
    path = folder / "study.toml"
    path.write_text(STUDY)
    study_file = read_study_file(path)
    return write_run(folder / "run", study_file, study_file.study.search(), seconds=0)


def test_one_of_them_is_shown(run: Run) -> None:
    front = run.result.front
    shown = folded(run, front.solutions)
    # The front keeps them all; what is shown has each of the classes once, the finest.
    sizes = {s.id: run.stands_for.count(s.id) for s in shown}
    assert sum(sizes.values()) == len(front) > len(shown)
    assert all(solution.levels["age"] != 1 for solution in shown)
    for solution in front:
        finest = front[run.stands_for[solution.id]]
        assert finest.values == solution.values
        assert all(finest.levels[name] <= level for name, level in solution.levels.items())
    for view in (run_view(run), front_view(run)):
        assert [s.id for s in view.solutions] == list(range(len(front)))
        assert {s.id: s.equals + 1 for s in listed(view.solutions)} == sizes
        assert all((s.same_as is None) or s.same_as in sizes for s in view.solutions)
    chart = front_chart(run)
    assert chart is not None
    assert len(chart.points) == len(shown)
    report = compute_report(run)
    assert [s.id for s in report.solutions] == list(range(len(front)))
    assert sum(s.listed for s in report.solutions) == len(shown)
    assert report.folded_text.startswith(f"{len(front) - len(shown)} more recoding")


def test_what_is_asked_for_is_shown(run: Run) -> None:
    hidden = next(place for place, stands in enumerate(run.stands_for) if place != stands)
    view = front_view(run, rule=str(hidden))
    assert [solution.id for solution in view.solutions] == [hidden]
    assert view.pick is not None
    assert view.pick.id == hidden
    opened = compute_report(run, opening=run.pick(str(hidden)))
    assert opened.solutions[hidden].listed
    assert not opened.solutions[run.stands_for[hidden]].listed
    for rule in ("k>=2", "k>=5"):
        asked = front_view(run, rule=rule)
        assert asked.pick is not None
        assert asked.pick.id in [solution.id for solution in listed(asked.solutions)]


def test_the_commands_say_how_many(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    solutions = front_view(run).solutions
    count = len(solutions) - len(listed(solutions))
    assert count > 1
    line = f"{count} more recodings have the same classes as one of these and are not shown."
    assert main(["front", str(run.folder)]) == 0
    assert line in capsys.readouterr().out
    study = str(run.folder.parent / "study.toml")
    assert main(["search", study, "-o", str(tmp_path / "again")]) == 0
    assert line in capsys.readouterr().out
    assert main(["front", str(tmp_path / "again"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["solutions"]
    assert sum(solution["same_as"] is not None for solution in found) == count
