"""PBG Figure 3: k against two losses, GLM and CM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.figure import pbg_figure
from sfumato.papers.pbg.paper import SETS

if TYPE_CHECKING:
    from sfumato.papers.reproduced import Conditions, Reproduced

TITLE = "PBG Figure 3: k against two losses, GLM and CM"


@reproduction("pbg-fig-3", TITLE)
def pbg_fig_3(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    sets = ((SETS[4], "loss", "k"), (SETS[4], "cm", "k"))
    return pbg_figure("pbg-fig-3", TITLE, sets, conditions)
