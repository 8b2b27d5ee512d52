"""Reproductions as values: names, tables, conditions, plots."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import SettingsError
from sfumato.papers.catalogue import reproduction_named, reproductions
from sfumato.papers.pbg.paper import ATTRIBUTES, SETS, WIDTHS
from sfumato.papers.plot_axes import Axis, ticks
from sfumato.papers.reproduced import Conditions, ReproducedTable
from sfumato.papers.scatter_plot import Mark, Panel, scatter_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_the_tables_and_figures_of_the_pbg_paper_are_there() -> None:
    names = {"table-1", "table-2a", "table-2b", "fig-1", "fig-2", "fig-3"}
    assert {f"pbg-{name}" for name in names} <= set(reproductions())
    with pytest.raises(SettingsError, match="did you mean 'pbg-table-1'"):
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
    with pytest.raises(SettingsError, match="whole number from 1 up"):
        Conditions(runs=0)
    with pytest.raises(SettingsError, match="from 0 up"):
        Conditions(seed=-1)


FIGURES = st.floats(1e-3, 1e9)


@given(
    points=st.lists(st.tuples(FIGURES, FIGURES, st.floats(0, 1)), min_size=1, max_size=30),
    logarithmic=st.booleans(),
    shaded=st.booleans(),
)
def test_every_mark_is_inside_the_picture(
    points: list[tuple[float, float, float]], logarithmic: bool, shaded: bool
) -> None:
    marks = tuple(
        Mark(x=x, y=y, shade=x if shaded else None, found=share) for x, y, share in points
    )
    panel = Panel(
        title="a < b & c",
        x=Axis(name="x"),
        y=Axis(name="y", logarithmic=logarithmic),
        marks=marks,
        shade="x" if shaded else None,
    )
    root = ET.fromstring(scatter_svg("title", [panel, panel]))
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    circles = list(root.iter(f"{SVG}circle"))
    assert len(circles) == 2 * len(points)
    for circle, (*_, share) in zip(circles, [*points, *points], strict=True):
        assert 0 < float(circle.attrib["cx"]) < width / 2
        assert 0 < float(circle.attrib["cy"]) < height
        assert float(circle.attrib["fill-opacity"]) == pytest.approx(share, abs=0.0051)


@given(figures=st.lists(FIGURES, min_size=1, max_size=9), logarithmic=st.booleans())
def test_ticks_are_few_ordered_and_on_the_axis(figures: list[float], logarithmic: bool) -> None:
    found = ticks(figures, Axis(name="x", logarithmic=logarithmic))
    assert len(found) <= 14
    assert all(a < b for a, b in pairwise(found))
    slack = 1e-9 * max(figures)
    assert all(min(figures) - slack <= tick <= max(figures) + slack for tick in found)
