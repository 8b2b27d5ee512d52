"""Checks that the settings of several search methods share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SettingsError
from sfumato.front.box_dominance import checked_epsilon

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_whole(key: str, value: object, *, least: int) -> None:
    """Refuse what is not a whole number from ``least`` up.

    >>> check_whole("population", 1, least=2)
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: population is 1; it must be a whole number from 2 up
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least:  # type: ignore[operator]
        raise SettingsError.wrong_setting(
            key, value, f"a whole number from {least} up", code="out-of-range"
        )


def check_probability(key: str, value: object) -> None:
    """Refuse what is not a number from 0 to 1."""
    if not is_number(value) or not 0 <= value <= 1:  # type: ignore[operator]
        raise SettingsError.wrong_setting(
            key, value, "a probability from 0 to 1", code="out-of-range"
        )


def check_choice(key: str, value: object, choices: Iterable[str]) -> None:
    """Refuse what is not among the choices."""
    known = tuple(choices)
    if value not in known:
        raise SettingsError.unknown_choice(key, value, known)


def checked_widths(epsilon: object) -> dict[str, float] | None:
    """Return the widths of boxes by objective, or refuse what is not a mapping of widths."""
    if epsilon is None:
        return None
    if not isinstance(epsilon, Mapping):
        raise SettingsError.wrong_setting(
            "epsilon", epsilon, "widths by objective, like {'k': 5}", code="wrong-type"
        )
    widths = dict(epsilon)
    checked_epsilon(tuple(widths.values()), objectives=len(widths))
    return widths


def is_number(value: object) -> bool:
    """Say whether a setting is a number; true and false are not."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)
