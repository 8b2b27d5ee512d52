"""The reproductions by name: functions in the folders of the papers that register themselves."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import SettingsError
from sfumato.papers.reproduced import DEFAULT_RUNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.papers.reproduced import Conditions, Reproduced

    Reproduce: TypeAlias = Callable[[Conditions], Reproduced]


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """A table or figure of a paper: its name, what it shows, and how it is computed.

    ``runs`` is how many runs it takes unless asked otherwise, mostly as many as the paper.
    """

    name: str
    summary: str
    reproduce: Reproduce
    runs: int = DEFAULT_RUNS


_REPRODUCTIONS: dict[str, Reproduction] = {}


def reproduction(
    name: str, summary: str, *, runs: int = DEFAULT_RUNS
) -> Callable[[Reproduce], Reproduce]:
    """Register a reproduction under a name."""

    def register(reproduce: Reproduce) -> Reproduce:
        _REPRODUCTIONS[name] = Reproduction(
            name=name, summary=summary, reproduce=reproduce, runs=runs
        )
        return reproduce

    return register


@functools.cache
def _discover() -> None:
    package = importlib.import_module("sfumato.papers")
    for module in pkgutil.walk_packages(package.__path__, "sfumato.papers."):
        importlib.import_module(module.name)


def reproductions() -> dict[str, Reproduction]:
    """Return all reproductions by name.

    >>> "pbg-table-1" in reproductions()
    True
    """
    _discover()
    return dict(sorted(_REPRODUCTIONS.items()))


def reproduction_named(name: str) -> Reproduction:
    """Return the reproduction of a name, or suggest the nearest one."""
    known = reproductions()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise SettingsError(
            f"there is nothing to reproduce by the name {name!r}{hint}; choose one of "
            f"{', '.join(known)}"
        )
    return known[name]
