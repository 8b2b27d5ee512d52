"""A setting that lists several things, when only one was given or something else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sfumato.errors import SettingsError, shown


def check_list(given: object, *, setting: str, example: str) -> None:
    """Refuse what is not a list: a bare text would be taken letter by letter.

    >>> check_list(("day", "year"), setting="levels", example="('day', 'year')")
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise SettingsError(f"{setting} is {shown(given)}; write a list such as {example}")
