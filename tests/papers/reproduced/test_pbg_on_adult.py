"""The PBG reproductions on Adult, with one run each: what does not depend on chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.papers.reproduced.drawn import drawn

from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.pbg import table_1, table_2
from sfumato.papers.pbg.paper import SETS
from sfumato.papers.reproduced import Conditions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def conditions(adult_path: Path) -> Conditions:
    return Conditions(runs=1, adult=adult_path)


def test_table_1(conditions: Conditions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_1, "SETS", (SETS[0], SETS[4]))
    attributes, measured = reproduction_named("pbg-table-1").reproduce(conditions).tables
    for row in attributes.records():
        assert row["DGH length"] == row["DGH length, paper"]
    assert {row["attribute"]: row["values"] for row in attributes.records()}["age"] == 74
    rows = measured.records()
    assert [row["RR, paper"] for row in rows] == [0.94, None]
    assert rows[0]["anytime: RR after these"] == 1.0
    assert rows[0]["its ε"] == 0
    assert float(rows[0]["RR"] or 0) > 0.8
    # The anytime search is not through with CM, but has nearly all of it.
    assert float(rows[1]["anytime: RR after these"] or 0) > 0.95
    assert float(rows[1]["its ε"] or 1) < 0.01


def test_table_2b(conditions: Conditions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_2, "SETS", SETS[:2])
    (table,) = reproduction_named("pbg-table-2b").reproduce(conditions).tables
    for row, asked in zip(table.records(), SETS[:2], strict=True):
        assert row["nodes"] == 17_920
        # No more evaluations than the paper's share of the lattice.
        assert float(row["evaluations"] or 0) <= asked.evaluations


def test_figure_3(conditions: Conditions) -> None:
    reproduced = reproduction_named("pbg-fig-3").reproduce(conditions)
    (row,) = reproduced.tables[0].records()
    assert row["RR, paper"] is None
    (plot,) = reproduced.plots
    # Two panels, each with a bar for the colours of the third objective.
    for axes in drawn(plot).axes[:2]:
        filled, rings = axes.collections
        points = len(np.asarray(rings.get_offsets()))
        assert len(rings.get_edgecolor()) == points
        assert 100 < points <= int(row["exact front"] or 0)
        assert (np.asarray(filled.get_alpha()) == 1).sum() == row["found in every run"]
