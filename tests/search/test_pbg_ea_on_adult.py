"""PBG-EA on Adult meets the metrics of the PBG paper (Tables 1(b) and 2(b), k and GLM)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.datasets.adult import adult
from sfumato.front.indicators.representation_ratio import representation_ratio

if TYPE_CHECKING:
    from pathlib import Path

PAPER_RATIO = 0.94
PAPER_EVALUATIONS = 916


def test_twenty_runs_reach_the_paper_with_no_more_evaluations(adult_path: Path) -> None:
    study = adult(adult_path, objectives=("k", "loss"))
    true = study.search(method="exact").front
    ratios, evaluations = [], []
    for seed in range(1, 21):
        found = study.search(method="pbg-ea", seed=seed)
        ratios.append(representation_ratio(found.front, true, epsilon={"k": 1, "loss": 1}))
        evaluations.append(found.evaluated)
    assert np.mean(ratios) >= PAPER_RATIO
    assert np.mean(evaluations) <= PAPER_EVALUATIONS
