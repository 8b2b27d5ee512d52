"""Numbers as people read them in a terminal and in sentences."""

from __future__ import annotations

import math


def metric_text(value: float) -> str:
    """Return a value with at least four significant digits, whole numbers without a point.

    >>> metric_text(5.0), metric_text(0.25), metric_text(54370.301), metric_text(1e-7)
    ('5', '0.2500', '54,370', '1.000e-07')
    >>> metric_text(float("inf"))
    'infinite'
    """
    if not math.isfinite(value):
        return "infinite" if value > 0 else "-infinite"
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:#.4g}".rstrip(".")


def share_text(part: float, whole: float) -> str:
    """Return a part of a whole in percent.

    >>> share_text(1, 3), share_text(0, 3), share_text(1, 100_000)
    ('33.3 %', '0 %', '0.001 %')
    """
    percent = 100 * part / whole if whole else 0.0
    digits = f"{percent:.3g}" if percent >= 0.001 or not percent else f"{percent:.0e}"
    return f"{digits} %"
