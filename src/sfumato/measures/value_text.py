"""Values of measures as people read them."""

from __future__ import annotations

import math

from sfumato.errors import SettingsError
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Scale


def value_text(value: float, *, share: bool = False) -> str:
    """Return a value as people read it, a share in percent.

    >>> value_text(30162), value_text(0.1234), value_text(0.1234, share=True)
    ('30,162', '0.123', '12.3 %')
    """
    if not math.isfinite(value):
        return "infinite" if value > 0 else str(value)
    if share:
        return f"{100 * value:.1f} %"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.3g}"


def scale_of(name: str) -> Scale:
    """Return the scale of a measure by its text; a plain one where no measure has the name.

    >>> scale_of("k").value, scale_of("cost per bed").value
    ('logarithmic', 'linear')
    """
    try:
        return measure(name).scale
    except SettingsError:
        return Scale.LINEAR


def measured_text(name: str, value: float) -> str:
    """Return a value of a measure, which is known by its text.

    >>> measured_text("k", 5.0), measured_text("normalized-loss", 0.25)
    ('5', '25.0 %')
    """
    return value_text(value, share=scale_of(name) is Scale.SHARE)
