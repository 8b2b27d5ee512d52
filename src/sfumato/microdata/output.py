"""What the labels of a column are in a local recoding."""

from __future__ import annotations

import enum


class Output(enum.StrEnum):
    """What the labels of a column are in a local recoding."""

    HIERARCHY = "hierarchy"
    """The lowest node of the hierarchy that covers the values of a class."""
    INTERVAL = "interval"
    """From the least to the greatest value of a class, for ordered columns."""
    SET = "set"
    """The values of a class. Such a label tells that each of them occurs in the class."""
