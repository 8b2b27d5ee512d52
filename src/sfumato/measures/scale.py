"""The scale on which a metric is read and drawn."""

from __future__ import annotations

import enum


class Scale(enum.StrEnum):
    """How equal steps of a metric compare, which decides its axis and how it is written."""

    LINEAR = "linear"
    """Equal differences are equal steps."""
    LOGARITHMIC = "logarithmic"
    """A count that spans orders of magnitude: equal ratios are equal steps."""
    SHARE = "share"
    """A part of a whole between 0 and 1, read in percent."""
