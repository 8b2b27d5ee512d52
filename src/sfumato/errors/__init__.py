"""The errors that sfumato raises on purpose: one family, with fields and one way to word them.

Anything else that escapes is an internal error of sfumato, not a mistake in the user's input.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.errors.error import SfumatoError
from sfumato.errors.listing import shown
from sfumato.errors.where import Where

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "HierarchyError",
    "Notice",
    "ReleaseError",
    "SettingsError",
    "SfumatoError",
    "SourceError",
    "UnmetError",
    "Where",
    "located",
    "shown",
]


class SourceError(SfumatoError):
    """A data source cannot be read, or does not hold what the study says it holds."""

    generic_code = "invalid-source"


class HierarchyError(SfumatoError):
    """A hierarchy is malformed, or does not fit the values of its column."""

    generic_code = "invalid-hierarchy"


class SettingsError(SfumatoError, ValueError):
    """A setting is out of range, unknown, or contradicts another one."""

    generic_code = "invalid-setting"


class ReleaseError(SfumatoError):
    """A release cannot be written; nothing was left at its destination."""

    generic_code = "release-failed"


class UnmetError(SfumatoError):
    """The work was done and what was asked for does not hold: no solution fits, a promise fails."""

    generic_code = "unmet"


class Notice(UserWarning):
    """Something that still works and will not forever; the command line shows it on stderr."""


@contextmanager
def located(
    *,
    file: object = None,
    table: str | None = None,
    column: str | None = None,
    key: str | None = None,
) -> Iterator[None]:
    """Add what is known about the place to the errors that are raised inside.

    >>> with located(file="study.toml", table="[columns.age]"):
    ...     raise SettingsError(code="out-of-range", key="unit", found="0")
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: study.toml: [columns.age] unit is 0
    """
    try:
        yield
    except SfumatoError as error:
        error.located(file=file, table=table, column=column, key=key)
        raise
