"""The errors that sfumato raises on purpose.

Every message states the rule that was broken, the value that broke it and what would work.
Anything else that escapes is a defect of sfumato, not of the user's input.
"""

from __future__ import annotations

from pathlib import PurePath


def shown(value: object) -> str:
    """Return how an error may show a setting: never the rows of a table given by mistake.

    >>> shown("k"), shown([1, 2])
    ("'k'", 'a list')
    """
    plain = value is None or isinstance(value, str | bool | int | float | PurePath)
    return repr(value) if plain else f"a {type(value).__name__}"


class SfumatoError(Exception):
    """The base of every error that sfumato raises on purpose."""


class SourceError(SfumatoError):
    """A data source cannot be read, or does not hold what the study says it holds."""


class HierarchyError(SfumatoError):
    """A hierarchy is malformed, or does not fit the values of its column."""


class SettingsError(SfumatoError, ValueError):
    """A setting is out of range, unknown, or contradicts another one."""


class ReleaseError(SfumatoError):
    """A release cannot be written; nothing was left at its destination."""


class UnmetError(SfumatoError):
    """The work was done and what was asked for does not hold: no solution fits, a promise fails."""
