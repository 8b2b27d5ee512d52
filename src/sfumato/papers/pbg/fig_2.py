"""PBG Figure 2: S_k and S_ℓ against the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.catalogue import reproduction
from sfumato.papers.pbg.figure import pbg_figure
from sfumato.papers.pbg.paper import SETS

if TYPE_CHECKING:
    from sfumato.papers.reproduced import Conditions, Reproduced

TITLE = "PBG Figure 2: S_k and S_ℓ against the loss"


@reproduction("pbg-fig-2", TITLE)
def pbg_fig_2(conditions: Conditions) -> Reproduced:
    """Return the figure."""
    sets = ((SETS[2], "loss", "s-k"), (SETS[3], "loss", "s-k"))
    return pbg_figure("pbg-fig-2", TITLE, sets, conditions)
