"""PBG-EA on Adult beside PBG Tables 1(b) and 2: RR, CE and unique evaluations over 20 runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from tests.adult_wheel import fetch_adult

from sfumato.datasets.adult import adult
from sfumato.front.convergence_error import convergence_error
from sfumato.front.representation_ratio import representation_ratio
from sfumato.search.discretization import discretization
from sfumato.search.pbg_ea_settings import PbgEaSettings

RUNS = 20


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Objectives with their ε (ones unless given), and what the paper found."""

    objectives: tuple[str, ...]
    epsilon: tuple[float, ...] | None = None
    ratio: float | None = None
    error: float | None = None
    evaluations: float | None = None


KL, KDL = ("k", "loss"), ("k", "distinct-l", "loss")
SETTINGS = (
    Setting(objectives=KL, ratio=0.94, error=3.7e-4, evaluations=916),
    Setting(objectives=KDL, ratio=0.93, error=3.3e-4, evaluations=946),
    Setting(objectives=("s-k", "loss"), ratio=0.84, error=5.7e-4, evaluations=1136),
    Setting(objectives=("s-k", "s-l", "loss"), ratio=0.83, error=6.6e-4, evaluations=1197),
    Setting(objectives=("k", "loss", "cm"), evaluations=1073),
    Setting(objectives=KL, epsilon=(5, 100), ratio=0.95, error=4.3e-4),
    Setting(objectives=KL, epsilon=(10, 1000), ratio=0.98, error=1.6e-4),
    Setting(objectives=KL, epsilon=(50, 10000), ratio=1.0, error=1.7e-4),
    Setting(objectives=KDL, epsilon=(5, 2, 100), ratio=0.92, error=4.9e-3),
    Setting(objectives=KDL, epsilon=(10, 4, 1000), ratio=0.92, error=7.4e-3),
    Setting(objectives=KDL, epsilon=(50, 6, 10000), ratio=0.88, error=1.8e-2),
)


def main(settings: tuple[Setting, ...] = SETTINGS, runs: int = RUNS) -> None:
    path = fetch_adult()
    print("objectives; epsilon; boxes; RR mean var; CE mean; mean CE; evaluations share; paper")
    for setting in settings:
        study = adult(
            path, objectives=setting.objectives, salary_as_label="cm" in setting.objectives
        )
        given = dict(zip(setting.objectives, setting.epsilon or (), strict=False))
        epsilon = discretization(study.problem, given)
        true = study.search(method="exact")
        ratios, errors, means, counts = [], [], [], []
        for seed in range(1, runs + 1):
            found = study.search(
                method="pbg-ea", settings=PbgEaSettings(epsilon=epsilon), seed=seed
            )
            ratios.append(representation_ratio(found.front, true.front, epsilon=epsilon))
            error = convergence_error(found.front, true.front)
            errors.append(error.total)
            means.append(error.mean)
            counts.append(found.evaluated)
        size = len({tuple(s.values.values()) for s in true.front})
        print(
            f"{' '.join(setting.objectives):18} {setting.epsilon or 'ones'!s:16} "
            f"front {len(true.front)}/{size}  RR {np.mean(ratios):.3f} ({np.var(ratios):.1e})  "
            f"CE {np.mean(errors):.2e} mean {np.mean(means):.2e}  "
            f"evaluations {np.mean(counts):.0f} ({np.mean(counts) / true.nodes:.1%})  "
            f"paper RR {setting.ratio} CE {setting.error} evaluations {setting.evaluations}",
            flush=True,
        )


if __name__ == "__main__":
    main(runs=int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
