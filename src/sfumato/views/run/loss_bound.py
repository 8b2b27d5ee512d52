"""What is proved about the loss of local recodings, beside the loss of a solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.views.texts import share_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.front import Solution
    from sfumato.study.runs.run import Run


@dataclass(frozen=True, kw_only=True)
class LossBound:
    """No local recoding with at least this k can have less normalized loss than ``least``."""

    k: int
    least: float
    text: str


def loss_bound(run: Run, solution: Solution) -> LossBound | None:
    """Return the bound beside a local solution, at the greatest known k that it reaches."""
    metrics = run.details[solution.id].metrics
    found = bound_at(run.result.loss_bounds, metrics["k"])
    if solution.freedom != "local" or found is None:
        return None
    k, least = found
    return LossBound(
        k=k,
        least=least,
        text=f"loses {share_text(metrics['normalized-loss'], 1)}; no local recoding at k ≥ {k:,} "
        f"can lose less than {share_text(least, 1)}",
    )


def bound_at(bounds: Mapping[int, float] | None, k: float) -> tuple[int, float] | None:
    """Return the bound of the greatest known k up to one: what holds there holds above it too.

    >>> bound_at({2: 0.1, 5: 0.2}, 7), bound_at({2: 0.1}, 1), bound_at(None, 5)
    ((5, 0.2), None, None)
    """
    known = [each for each in bounds or {} if each <= k]
    return (max(known), (bounds or {})[max(known)]) if known else None
