"""PBG Figure 1: k and ℓ against the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.figure import pbg_figure
from sfumato.papers.pbg.paper import SETS

if TYPE_CHECKING:
    from sfumato.papers.reproduced import Conditions, Reproduced

TITLE = "PBG Figure 1: k and ℓ against the loss"


@reproduction("pbg-fig-1", TITLE)
def pbg_fig_1(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    sets = ((SETS[0], "loss", "k"), (SETS[1], "loss", "k"))
    return pbg_figure("pbg-fig-1", TITLE, sets, conditions)
