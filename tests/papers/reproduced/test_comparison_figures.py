"""Comparison figs 2 to 4 from the ten people's recodings."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from tests.papers.reproduced.drawn import drawn

from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.reproduced import Conditions


def test_figures_of_real_recodings() -> None:
    reproduced = reproduction_named("comparison-figs-2-4").reproduce(Conditions(runs=1))
    ranks, pair = (table.records() for table in reproduced.tables)
    assert [row["recoding"] for row in ranks] == ["T3a", "T3b", "T4"]
    # By hand: T3b has the vector (3, 7, 7, 3, 7, 7, 7, 3, 7, 7).
    assert ranks[1]["P_rank, all ten"] == pytest.approx((3 * 49 + 7 * 9) ** 0.5)
    assert ranks[1]["rank of the two"] == pytest.approx((9 + 49) ** 0.5)
    found = {str(row["index"]): (row["T3b"], row["T4"]) for row in pair}
    # T4 is (4, 6, 4, 4, 6, 6, 6, 4, 6, 6): ahead for persons 1, 4 and 8 by 1, behind for seven.
    assert found["P_cov, all ten"] == (0.7, 0.3)
    assert found["P_spr, all ten"] == (6 * 1 + 3, 3)
    assert found["P_hv, the two"] == (21 - 12, 16 - 12)
    shared = 3**3 * 6**6 * 4
    assert found["P_hv, all ten"] == (3**3 * 7**7 - shared, 4**4 * 6**6 - shared)
    assert [plot.name for plot in reproduced.plots] == [f"comparison-fig-{n}" for n in (2, 3, 4)]
    for plot in reproduced.plots:
        ET.fromstring(plot.svg())
    arcs = drawn(reproduced.plots[0]).axes[0].patches
    assert len(arcs) == 3
