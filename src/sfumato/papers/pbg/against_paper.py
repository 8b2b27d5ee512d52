"""Our means beside those of the PBG paper, with both samples' errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.papers.pbg.paper import PAPER_RUNS
from sfumato.papers.plot import installed
from sfumato.papers.welch_test import Sample, welch_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.papers.pbg.paper import PaperSet
    from sfumato.papers.reproduced import Cell


def ratio_cells(ratios: Sequence[float], asked: PaperSet) -> tuple[Cell, ...]:
    """Return the mean RR, that of the paper, their difference, its error and p.

    The last three are None where there is nothing to test, or without scipy.
    """
    ours = sum(ratios) / len(ratios)
    if asked.ratio is None or asked.ratio_variance is None or len(ratios) < 2:
        return (ours, asked.ratio, None, None, None)
    if not installed("scipy"):
        return (ours, asked.ratio, None, None, None)
    paper = Sample(count=PAPER_RUNS, mean=asked.ratio, variance=asked.ratio_variance)
    test = welch_test(Sample.of(ratios), paper)
    return (ours, asked.ratio, test.difference, test.error, test.p)


def count_cells(counts: Sequence[float], asked: PaperSet) -> tuple[Cell, ...]:
    """Return the mean evaluations, those of the paper, the share that is missing, and p.

    The paper prints no variance of its evaluations: it is taken to be ours.
    """
    ours = sum(counts) / len(counts)
    missing = 1 - ours / asked.evaluations
    if len(counts) < 2 or not installed("scipy"):
        return (ours, asked.evaluations, missing, None)
    sample = Sample.of(counts)
    paper = Sample(count=PAPER_RUNS, mean=asked.evaluations, variance=sample.variance)
    return (ours, asked.evaluations, missing, welch_test(sample, paper).p)
