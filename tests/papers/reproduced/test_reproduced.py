"""Reproductions as values: names, tables, conditions, plots."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises

from sfumato.errors import SettingsError
from sfumato.papers.catalogue import reproduction_named, reproductions
from sfumato.papers.pbg.paper import ATTRIBUTES, SETS, WIDTHS
from sfumato.papers.plot import Plot, scale_axes
from sfumato.papers.reproduced import Conditions, ReproducedTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG = "{http://www.w3.org/2000/svg}"


def test_the_tables_and_figures_of_the_pbg_paper_are_there() -> None:
    names = {"table-1", "table-2a", "table-2b", "fig-1", "fig-2", "fig-3"}
    assert {f"pbg-{name}" for name in names} <= set(reproductions())
    with raises(
        SettingsError, code="unknown-reproduction", found="'pbg-table1'", suggestion="pbg-table-1"
    ):
        reproduction_named("pbg-table1")


def test_what_the_paper_printed_fits_together() -> None:
    """PBG §7: 17,920 nodes, 8,960 without the salary class; shares of Table 2(b)."""
    nodes = 1
    for _, length in ATTRIBUTES.values():
        nodes *= length + 1
    assert nodes == 17_920
    sizes = [nodes // 2 if each.labelled else nodes for each in SETS]
    shares = [100 * each.evaluations / size for each, size in zip(SETS, sizes, strict=True)]
    # Printed: 5.1, 5.3, 6.3, 6.7 and 11.9 %; the last two digits were cut, not rounded.
    for share, printed in zip(shares, (5.1, 5.3, 6.3, 6.7, 11.9), strict=True):
        assert printed - 0.05 <= share < printed + 0.1
    assert all(len(each.widths or ()) == len(each.objectives) for each in WIDTHS)
    assert [each.widths_are_a_guess for each in WIDTHS].count(True) == 1


def test_a_table_is_shown_and_recorded() -> None:
    table = ReproducedTable(
        title="t",
        columns=(("objectives", ""), ("RR", ".3f"), ("n", ",")),
        rows=(("k, loss", 0.95, 12345), ("k", None, None)),
    )
    assert table.written() == [["k, loss", "0.950", "12,345"], ["k", "-", "-"]]
    assert table.records()[1] == {"objectives": "k", "RR": None, "n": None}
    with pytest.raises(ValueError, match="2 cells"):
        ReproducedTable(title="t", columns=(("a", ""),), rows=((1, 2),))


def test_conditions() -> None:
    assert list(Conditions(runs=3, seed=7).seeds) == [7, 8, 9]
    with raises(SettingsError, code="out-of-range", key="runs", found="0"):
        Conditions(runs=0)
    with pytest.raises(SettingsError, match="from 0 up"):
        Conditions(seed=-1)


def draw(figure: Figure) -> None:
    axes = figure.subplots()
    axes.plot([1, 30_162], [0.25, 200_000], label="a < b & c")
    scale_axes(axes, logarithmic="x")
    axes.legend()


def test_a_plot_is_the_same_text_each_time() -> None:
    plot = Plot(name="fig-7", title="ten & more", draw=draw)
    text = plot.svg()
    assert text == plot.svg()
    root = ET.fromstring(text)
    words = {"".join(each.itertext()).strip() for each in root.iter(f"{SVG}text")}
    assert {"ten & more", "a < b & c", "10,000", "200,000"} <= words
    assert "date" not in text


def test_a_plot_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.papers.plot.installed", lambda _: False)
    with raises(SettingsError, code="not-installed", found="'matplotlib'"):
        Plot(name="fig-7", title="", draw=draw).svg()


def test_drawing_and_testing_packages_are_imported_late() -> None:
    """Listing the reproductions needs neither matplotlib nor scipy."""
    code = (
        "import sys; from sfumato.papers.catalogue import reproductions; reproductions(); "
        "print({'matplotlib', 'scipy'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
