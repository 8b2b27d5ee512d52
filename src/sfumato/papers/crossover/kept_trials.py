"""Trials that are kept in a folder as each setting finishes, so that no setting runs twice."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato import __version__
from sfumato.errors import SettingsError
from sfumato.papers.crossover.trials import Trials, genitor_trials

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.search.methods.genitor.settings import GenitorSettings
    from sfumato.search.problem import Problem


def kept_trials(
    problem: Problem, settings: GenitorSettings, seeds: Sequence[int], *, folder: Path | None
) -> Trials:
    """Return the trials of a setting: those in the folder, or new ones, which are put there.

    A file belongs to a version of sfumato, the counts of the table, its trees, the settings and the
    seeds; whoever changes the code clears the folder. Without a folder all trials are run.
    """
    if folder is None:
        return genitor_trials(problem, settings, seeds)
    path = folder / f"trials-{_fingerprint(problem, settings, seeds)}.npz"
    if path.exists():
        return _read(path, settings)
    trials = genitor_trials(problem, settings, seeds)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part.npz")
        np.savez_compressed(
            unfinished,
            evaluations=trials.evaluations,
            best=trials.best,
            evaluated=np.array(trials.evaluated),
        )
        unfinished.replace(path)
    except OSError as error:
        raise SettingsError.unwritable(path, error, remedy="name another folder") from None
    return trials


def _read(path: Path, settings: GenitorSettings) -> Trials:
    with np.load(path) as kept:
        return Trials(
            settings=settings,
            evaluations=kept["evaluations"],
            best=kept["best"],
            evaluated=int(kept["evaluated"]),
        )


def _fingerprint(problem: Problem, settings: GenitorSettings, seeds: Sequence[int]) -> str:
    table = problem.table
    told = [
        __version__,
        dataclasses.asdict(settings),
        list(seeds),
        table.cell_sizes.tolist(),
        [[level.tolist() for level in hierarchy.levels] for hierarchy in table.hierarchies],
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
