"""The searches by name. A search is one file beside this one that registers itself."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.search.problem import Problem
    from sfumato.search.result import Listener, SearchResult


class Search(Protocol):
    """Finds a front of a problem; ``threads`` never changes the result, only the time."""

    def __call__(
        self, problem: Problem, *, threads: int | None, listener: Listener
    ) -> SearchResult:
        """Run the search."""
        ...


AnySearch = TypeVar("AnySearch", bound=Search)


@dataclass(frozen=True, kw_only=True)
class SearchMethod:
    """A search with the name that study files and the command line use, and what it is."""

    name: str
    summary: str
    run: Search


_METHODS: dict[str, SearchMethod] = {}


def search_method(name: str, summary: str) -> Callable[[AnySearch], AnySearch]:
    """Register a search under a name."""

    def register(run: AnySearch) -> AnySearch:
        _METHODS[name] = SearchMethod(name=name, summary=summary, run=run)
        return run

    return register


@functools.cache
def _discover() -> None:
    package = importlib.import_module("sfumato.search")
    for module in pkgutil.iter_modules(package.__path__, "sfumato.search."):
        importlib.import_module(module.name)


def search_methods() -> dict[str, SearchMethod]:
    """Return all searches by name.

    >>> "branch-and-bound" in search_methods()
    True
    """
    _discover()
    return dict(sorted(_METHODS.items()))


def method_named(name: str) -> SearchMethod:
    """Return the search of a name, or suggest the nearest one."""
    methods = search_methods()
    if name not in methods:
        close = difflib.get_close_matches(name, methods, n=1, cutoff=0.5)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise SettingsError(
            f"there is no search method {name!r}{hint}; choose one of {', '.join(methods)}"
        )
    return methods[name]
