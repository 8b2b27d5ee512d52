"""The PBG reproductions on Adult, with one run each: what does not depend on chance."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from sfumato.reproduce.catalogue import reproduction_named
from sfumato.reproduce.pbg_paper import SETS
from sfumato.reproduce.reproduced import Conditions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def conditions(adult_path: Path) -> Conditions:
    return Conditions(runs=1, adult=adult_path)


def test_table_1(conditions: Conditions) -> None:
    attributes, measured = reproduction_named("pbg-table-1").reproduce(conditions).tables
    for row in attributes.records():
        assert row["DGH length"] == row["DGH length, paper"]
    assert {row["attribute"]: row["values"] for row in attributes.records()}["age"] == 74
    rows = measured.records()
    assert [row["RR, paper"] for row in rows] == [0.94, 0.93, 0.84, 0.83, None]
    for row in rows[:4]:
        assert row["anytime: RR after these"] == 1.0
        assert float(row["RR"] or 0) > 0.7
    # The anytime search is not through with the fifth, but ahead of PBG-EA.
    assert float(rows[4]["anytime: RR after these"] or 0) > 0.95
    assert float(rows[4]["its ε"] or 1) < 0.01


def test_table_2b(conditions: Conditions) -> None:
    (table,) = reproduction_named("pbg-table-2b").reproduce(conditions).tables
    for row, asked in zip(table.records(), SETS, strict=True):
        assert row["nodes"] == (8_960 if asked.labelled else 17_920)
        # No more evaluations than the paper's share of the lattice.
        assert float(row["evaluations"] or 0) <= asked.evaluations


def test_figure_3(conditions: Conditions) -> None:
    reproduced = reproduction_named("pbg-fig-3").reproduce(conditions)
    (row,) = reproduced.tables[0].records()
    assert row["RR, paper"] is None
    (plot,) = reproduced.plots
    circles = [each for each in ET.fromstring(plot.svg).iter() if each.tag.endswith("circle")]
    front = int(row["exact front"] or 0)
    assert 2 * 100 < len(circles) <= 2 * front
    found = sum(each.attrib["fill-opacity"] == "1.00" for each in circles)
    assert found == 2 * int(row["found in every run"] or 0)
