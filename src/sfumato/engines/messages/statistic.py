"""The statistics that can stand for all values of a block: mean, median, mode."""

from __future__ import annotations

import enum


class Statistic(enum.StrEnum):
    """What a microaggregated release puts in place of the values of a block (Granulation §3.1)."""

    MEAN = "mean"
    MEDIAN = "median"
    MODE = "mode"
