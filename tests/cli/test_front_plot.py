"""The small plot of a front in the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.study.study_files import PEOPLE, write_people

from sfumato.cli.front_plot import plot_lines
from sfumato.cli.main import main
from sfumato.study.runs.run_folder import read_run
from sfumato.views.run.front_chart import ChartAxis, ChartPoint, FrontChart, front_chart
from sfumato.views.run.solution_view import folded

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run

K = ChartAxis(name="k", better="higher", low=1, high=100, logarithmic=True, ends=("1", "100"))
LOSS = ChartAxis(
    name="loss", better="lower", low=0, high=0.5, logarithmic=False, ends=("0.0 %", "50.0 %")
)


def point(x: float, y: float, *, freedom: str = "global", picked: bool = False) -> ChartPoint:
    return ChartPoint(freedom=freedom, x=x, y=y, picked=picked)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("plot")
    written = write_people(folder, PEOPLE + '[search]\nobjectives = ["k", "loss"]\n')
    assert main(["search", str(written), "-o", str(folder / "run"), "--quiet"]) == 0
    return read_run(folder / "run")


def test_points_lie_where_their_values_are() -> None:
    chart = FrontChart(
        x=K, y=LOSS, points=(point(1, 0), point(10, 0.25, picked=True), point(100, 0.5))
    )
    lines = plot_lines(chart, width=40, height=5)
    assert lines == [
        "loss (lower is better)",
        "50.0 % ┤                               ●",
        "       │",
        "       │                ◎",
        "       │",
        " 0.0 % ┤●",
        "       └────────────────────────────────",
        "        1                            100",
        "        ◎ picked",
    ]
    assert max(map(len, plot_lines(chart, width=60))) <= 60


def test_freedoms_have_marks_and_the_picked_one_is_never_covered() -> None:
    points = (point(10, 0.2, freedom="local", picked=True), point(10, 0.2), point(1, 0.1))
    lines = plot_lines(FrontChart(x=K, y=LOSS, points=points), width=70)
    assert sum(line.count("◎") for line in lines) == 2  # on the plot, and in the key
    assert "● global" in lines[-1]
    assert "▲ local" in lines[-1]


def test_the_chart_is_that_of_the_run(run: Run) -> None:
    chart = front_chart(run, picked=2)
    assert chart is not None
    assert (chart.x.name, chart.x.logarithmic) == ("k", True)
    # A loss in cells is shown as a share, which people can read.
    assert (chart.y.name, chart.y.low) == ("normalized-loss", 0.0)
    assert [(each.x, each.y) for each in chart.points] == [
        (run.metrics[each.id]["k"], run.metrics[each.id]["normalized-loss"])
        for each in folded(run, run.result.front.solutions)
    ]
    assert [number for number, each in enumerate(chart.points) if each.picked] == [2]
    assert front_chart(run, solutions=[1]) is None
    one = replace(run.result.front, objectives={"k": run.result.front.objectives["k"]})
    assert front_chart(replace(run, result=replace(run.result, front=one))) is None


def test_it_is_drawn_where_it_was_asked_for(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["front", str(run.folder)]) == 0
    assert "┤" not in capsys.readouterr().out
    assert main(["front", str(run.folder), "--plot", "--pick", "k>=2"]) == 0
    shown = capsys.readouterr().out
    assert "normalized-loss (lower is better)\n" in shown
    assert "◎ picked" in shown
