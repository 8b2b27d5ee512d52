"""``sfumato reproduce``: the list, the tables, the plots."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sfumato.cli.main import main
from sfumato.papers import catalogue
from sfumato.papers.catalogue import Reproduction
from sfumato.papers.plot import Plot
from sfumato.papers.reproduced import Conditions, Reproduced, ReproducedTable

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


def draw(figure: Figure) -> None:
    figure.subplots().plot([1, 2], [3, 4])


def reproduce(conditions: Conditions) -> Reproduced:
    conditions.stage("counting")
    return Reproduced(
        tables=(
            ReproducedTable(
                title="Table 7",
                columns=(("objectives", ""), ("RR", ".2f")),
                rows=(("k, loss", conditions.seeds[-1] / 100), ("[bold]", None)),
            ),
        ),
        plots=(Plot(name="fig-7", title="Figure 7", draw=draw),),
        remarks=("It is made up.",),
    )


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue.reproductions()
    made = Reproduction(name="made-up", summary="nothing real", reproduce=reproduce)
    monkeypatch.setitem(catalogue._REPRODUCTIONS, "made-up", made)


def test_without_a_name_it_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert ["made-up", "nothing real (20 runs)"] in [line.split(maxsplit=1) for line in lines]
    assert any(line.startswith("comparison-tables ") for line in lines)
    assert any(line.startswith("pbg-table-2a ") for line in lines)
    assert main(["reproduce", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"name": "made-up", "summary": "nothing real", "runs": 20} in listed


def test_the_table_is_shown_and_the_plot_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "plots"
    assert main(["reproduce", "made-up", "-o", str(folder), "--runs", "4", "--seed", "3"]) == 0
    captured = capsys.readouterr()
    assert "Table 7" in captured.out
    assert "0.06" in captured.out
    assert "It is made up." in captured.out
    assert captured.err == "counting\n"
    assert "Figure 7" in (folder / "fig-7.svg").read_text(encoding="utf-8")
    assert main(["reproduce", "made-up"]) == 0
    assert "Name a folder with -o" in capsys.readouterr().out


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "made-up", "--json", "-o", str(tmp_path), "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert json.loads(captured.out) == {
        "name": "made-up",
        "summary": "nothing real",
        "runs": 20,
        "seed": 1,
        "tables": [
            {
                "title": "Table 7",
                "rows": [
                    {"objectives": "k, loss", "RR": 0.2},
                    {"objectives": "[bold]", "RR": None},
                ],
            }
        ],
        "remarks": ["It is made up."],
        "plots": [str(tmp_path / "fig-7.svg")],
    }


def test_without_matplotlib_there_are_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sfumato.papers.plot.installed", lambda _: False)
    assert main(["reproduce", "made-up"]) == 0
    printed = capsys.readouterr().out
    assert "Table 7" in printed
    assert "pip install 'sfumato[papers]'" in printed
    # Who asks for the plot learns it before anything is computed.
    assert main(["reproduce", "made-up", "-o", str(tmp_path / "plots")]) == 1
    captured = capsys.readouterr()
    assert "pip install 'sfumato[papers]'" in captured.err
    assert "counting" not in captured.err
    # The rank tests of these need scipy.
    assert main(["reproduce", "crossover-fig-4"]) == 1
    assert "pip install 'sfumato[papers]'" in capsys.readouterr().err


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "made-upp"]) == 1
    assert "did you mean 'made-up'?" in capsys.readouterr().err
    file = tmp_path / "file"
    file.touch()
    assert main(["reproduce", "made-up", "-o", str(file)]) == 1
    assert "is a file" in capsys.readouterr().err
    assert main(["reproduce", "made-up", "-o", str(file / "inside")]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert main(["reproduce", "made-up", "--runs", "0"]) == 1
    assert "whole number from 1 up" in capsys.readouterr().err
    assert main(["reproduce", "pbg-table-1", "--adult", str(tmp_path / "none.csv")]) == 1
    assert "cannot be read" in capsys.readouterr().err
