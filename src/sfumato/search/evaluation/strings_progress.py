"""How far a search in the space of partitions is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.result import Progress

if TYPE_CHECKING:
    from sfumato.search.evaluation.evaluated_strings import EvaluatedStrings
    from sfumato.search.evaluation.growing_volume import GrowingVolume
    from sfumato.search.result import Steps


def strings_progress(
    evaluated: EvaluatedStrings, volume: GrowingVolume, *, nodes: int, steps: Steps
) -> Progress:
    """Return the steps that are done, and how the front has grown: its size and its volume."""
    best = evaluated.best
    return Progress(
        settled=len(evaluated),
        nodes=nodes,
        evaluated=len(evaluated),
        front_size=len(best),
        steps=steps,
        hypervolume=volume.share(np.array([candidate.values for candidate in best])),
    )
