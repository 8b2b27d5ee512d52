"""The searches by name. A search is one file beside this one that registers itself."""

from __future__ import annotations

import dataclasses
import difflib
import enum
import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from sfumato.errors import SettingsError, shown
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.resuming import resumed_state, state_of
from sfumato.search.space import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


class CriteriaUse(enum.StrEnum):
    """What a search does with criteria that all classes must meet."""

    REFUSED = "refused"
    """It knows none."""
    KEPT = "kept"
    """It looks for the best among the recodings that meet them."""
    NEEDED = "needed"
    """It looks for the minimal recodings that meet them."""


Settings = TypeVar("Settings", contravariant=True)


class Search(Protocol):
    """Finds a front of a problem; ``control.threads`` never changes the result, only the time."""

    def __call__(self, problem: Problem, *, control: SearchControl) -> SearchResult:
        """Run the search."""
        ...


class SearchWithSettings(Protocol[Settings]):
    """Finds a front of a problem in a way that has settings of its own."""

    def __call__(
        self, problem: Problem, *, settings: Settings, control: SearchControl
    ) -> SearchResult:
        """Run the search."""
        ...


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchMethod:
    """A search with the name that study files and the command line use, and what it is.

    ``settings`` is the frozen dataclass of its settings, all of which have defaults; None if it
    has none. A study file gives them in the table ``[search.NAME]``, with hyphens in the names of
    the fields. ``resumable`` says whether it can go on where it was stopped, ``spaces`` what it
    searches, and ``instead`` which other method runs in its place in some of them, and with what
    settings unless others are given. ``criteria`` says what it does with the criteria of a study.
    """

    name: str
    summary: str
    settings: type[object] | None
    resumable: bool
    search: Callable[..., SearchResult]
    spaces: tuple[Space, ...] = (Space.LATTICE,)
    instead: Mapping[Space, tuple[str, object]] = dataclasses.field(default_factory=dict)
    criteria: CriteriaUse = CriteriaUse.REFUSED

    def run(
        self,
        problem: Problem,
        *,
        settings: object | None = None,
        control: SearchControl = DEFAULT_CONTROL,
    ) -> SearchResult:
        """Run the search; settings that are not given are the usual ones."""
        if problem.space not in self.spaces:
            fitting = [m.name for m in search_methods().values() if problem.space in m.spaces]
            raise SettingsError(
                f"method {self.name!r} searches the space "
                f"{' or '.join(repr(space.value) for space in self.spaces)}, and the study says "
                f"{problem.space.value!r}; set space = {self.spaces[0].value!r}, or choose the "
                f"method {' or '.join(fitting)}"
            )
        self._check_criteria(problem)
        if problem.space in self.instead:
            name, default = self.instead[problem.space]
            chosen = default if settings is None else settings
            return method_named(name).run(problem, settings=chosen, control=control)
        if self.settings is None:
            if settings is not None:
                raise SettingsError(f"method {self.name!r} has no settings; leave them out")
        elif settings is None:
            settings = self.settings()
        elif not isinstance(settings, self.settings):
            raise SettingsError(
                f"the settings of method {self.name!r} are {shown(settings)}; write "
                f"{self.settings.__name__}(…)"
            )
        about: dict[str, Any] = {"method": self.name, "seed": control.seed, "settings": settings}
        if control.resume is not None:
            if not self.resumable:
                raise SettingsError(
                    f"method {self.name!r} cannot go on where it was stopped; start it again"
                )
            inner = resumed_state(problem, control.resume, **about)
            control = dataclasses.replace(control, resume=inner)
        given = {} if settings is None else {"settings": settings}
        found = self.search(problem, control=control, **given)
        if found.state is None:
            return found
        return dataclasses.replace(found, state=state_of(problem, found.state, **about))

    def _check_criteria(self, problem: Problem) -> None:
        given = problem.suppression.criteria
        if given and self.criteria is CriteriaUse.REFUSED:
            able = [
                method.name
                for method in search_methods().values()
                if method.criteria is not CriteriaUse.REFUSED
                and problem.space in method.spaces
                and problem.space not in method.instead
            ]
            raise SettingsError(
                f"method {self.name!r} knows no criteria, and the study has "
                f"{', '.join(map(str, given))}; choose the method {' or '.join(able)}, or leave "
                "the criteria out and pick by them"
                if able
                else f"no method searches the space {problem.space.value!r} under criteria, and "
                f"the study has {', '.join(map(str, given))}; leave them out and pick by them"
            )
        if not given and self.criteria is CriteriaUse.NEEDED:
            raise SettingsError(
                f"method {self.name!r} finds the minimal recodings that meet criteria, and the "
                'study has none; write criteria = ["k>=5"] under [search], for example'
            )


_METHODS: dict[str, SearchMethod] = {}

AnySearch = TypeVar("AnySearch", bound=Search)
AnySearchWithSettings = TypeVar("AnySearchWithSettings", bound=SearchWithSettings[Any])


@overload
def search_method(
    name: str,
    summary: str,
    *,
    resumable: bool = False,
    spaces: tuple[Space, ...] = ...,
    instead: Mapping[Space, tuple[str, object]] | None = None,
    criteria: CriteriaUse = ...,
) -> Callable[[AnySearch], AnySearch]: ...


@overload
def search_method(
    name: str,
    summary: str,
    *,
    settings: type[object],
    resumable: bool = False,
    spaces: tuple[Space, ...] = ...,
    criteria: CriteriaUse = ...,
) -> Callable[[AnySearchWithSettings], AnySearchWithSettings]: ...


def search_method(
    name: str,
    summary: str,
    *,
    settings: type[object] | None = None,
    resumable: bool = False,
    spaces: tuple[Space, ...] = (Space.LATTICE,),
    instead: Mapping[Space, tuple[str, object]] | None = None,
    criteria: CriteriaUse = CriteriaUse.REFUSED,
) -> Callable[[Callable[..., SearchResult]], Callable[..., SearchResult]]:
    """Register a search under a name, with the dataclass of its settings if it has some."""

    def register(search: Callable[..., SearchResult]) -> Callable[..., SearchResult]:
        _METHODS[name] = SearchMethod(
            name=name,
            summary=summary,
            settings=settings,
            resumable=resumable,
            search=search,
            spaces=spaces,
            instead=instead or {},
            criteria=criteria,
        )
        return search

    return register


@functools.cache
def _discover() -> None:
    package = importlib.import_module("sfumato.search.methods")
    for module in pkgutil.walk_packages(package.__path__, "sfumato.search.methods."):
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
    if not isinstance(name, str):
        raise SettingsError(f"the method is {shown(name)}; write 'auto', for example")
    methods = search_methods()
    if name not in methods:
        close = difflib.get_close_matches(name, methods, n=1, cutoff=0.5)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise SettingsError(
            f"there is no search method {name!r}{hint}; choose one of {', '.join(methods)}"
        )
    return methods[name]
