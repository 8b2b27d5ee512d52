"""The reproductions by name: functions in the folders of the papers that register themselves."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest
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
        raise SettingsError(
            f"there is no reproduction {name!r}",
            code="unknown-reproduction",
            found=repr(name),
            expected=tuple(known),
            suggestion=closest(name, known, cutoff=0.5),
        )
    return known[name]
