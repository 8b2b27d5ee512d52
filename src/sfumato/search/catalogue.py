"""The searches by name, and what each can do: every file of ``methods``, and other packages'."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from sfumato.errors import SettingsError, shown
from sfumato.plugins.family import ValueFamily
from sfumato.plugins.offers import origin_of
from sfumato.search.control import DEFAULT_CONTROL, SearchControl
from sfumato.search.resuming import resumed_state, state_of
from sfumato.search.space import Space, space_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.plugins.offers import Origin
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult


class CriteriaUse(enum.StrEnum):
    """What a search does with criteria that all classes must meet."""

    REFUSED = "refused"
    """It does not search under criteria."""
    KEPT = "kept"
    """It searches among the recodings that meet them."""
    NEEDED = "needed"
    """It finds the minimal recodings that meet them."""


@dataclass(frozen=True, kw_only=True)
class SearchCapabilities:
    """The spaces that a search can search, its use of criteria, and whether it can be resumed.

    A resumable search returns a state when it is stopped, and goes on from it as if it had not
    been stopped. ``numbers_only`` says that all quasi-identifiers must be numbers or dates.

    >>> SearchCapabilities().spaces
    (<Space.LATTICE: 'lattice'>,)
    """

    spaces: tuple[Space, ...] = (Space.LATTICE,)
    criteria: CriteriaUse = CriteriaUse.REFUSED
    resumable: bool = False
    numbers_only: bool = False

    def __post_init__(self) -> None:
        if not self.spaces:
            raise SettingsError(
                "a search has no space",
                code="missing-setting",
                key="spaces",
                expected="at least one, like 'lattice'",
            )
        object.__setattr__(self, "spaces", tuple(map(space_named, self.spaces)))
        try:
            object.__setattr__(self, "criteria", CriteriaUse(self.criteria))
        except ValueError:
            raise SettingsError.unknown_choice("criteria", self.criteria, CriteriaUse) from None


DEFAULT_CAPABILITIES = SearchCapabilities()


class _About(TypedDict):
    """What a state is kept with."""

    method: str
    seed: int
    settings: object


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchMethod:
    """A search with the name that study files and the command line use.

    ``search`` is a function of the problem, of ``control`` and, if there are some, of
    ``settings``, both by keyword. ``settings`` is the frozen dataclass of its settings, all of
    which have defaults, or None. A study file gives them in the table ``[search.NAME]``, with
    hyphens in the names of the fields. ``instead`` says which other method runs in its place in
    some spaces, and with what settings unless others are given.
    """

    name: str
    summary: str
    search: Callable[..., SearchResult]
    settings: type[object] | None = None
    capabilities: SearchCapabilities = DEFAULT_CAPABILITIES
    instead: Mapping[Space, tuple[str, object]] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    @property
    def origin(self) -> Origin:
        """The package that defines the search."""
        return origin_of(self.search)

    def run(
        self,
        problem: Problem,
        *,
        settings: object | None = None,
        control: SearchControl = DEFAULT_CONTROL,
    ) -> SearchResult:
        """Run the search; settings that are not given are the default ones."""
        self._check_space(problem)
        self._check_criteria(problem)
        if problem.space in self.instead:
            name, default = self.instead[problem.space]
            chosen = default if settings is None else settings
            return method_named(name).run(problem, settings=chosen, control=control)
        settings = self._checked(settings)
        about = _About(method=self.name, seed=control.seed, settings=settings)
        if control.resume is not None:
            if not self.capabilities.resumable:
                raise SettingsError(
                    f"method {self.name!r} cannot continue where it was stopped",
                    code="not-resumable",
                    key="resume",
                    found=repr(self.name),
                    remedy="start it again",
                )
            inner = resumed_state(problem, control.resume, **about)
            control = dataclasses.replace(control, resume=inner)
        given = {} if settings is None else {"settings": settings}
        found = self.search(problem, control=control, **given)
        if found.state is None:
            return found
        return dataclasses.replace(found, state=state_of(problem, found.state, **about))

    def _checked(self, settings: object | None) -> object | None:
        """Return the settings to search with, or refuse those of another method."""
        if self.settings is None:
            if settings is not None:
                raise SettingsError(
                    f"method {self.name!r} has no settings",
                    code="no-settings",
                    key="settings",
                    found=shown(settings),
                    remedy="leave them out",
                )
            return None
        if settings is None:
            return self.settings()
        if not isinstance(settings, self.settings):
            raise SettingsError(
                f"the settings of method {self.name!r} are {shown(settings)}",
                code="wrong-type",
                key="settings",
                found=shown(settings),
                expected=f"{self.settings.__name__}(…)",
            )
        return settings

    def _check_space(self, problem: Problem) -> None:
        spaces = self.capabilities.spaces
        if problem.space not in spaces:
            fitting = [
                name
                for name, method in search_methods().items()
                if problem.space in method.capabilities.spaces
            ]
            raise SettingsError(
                f"method {self.name!r} searches the space "
                f"{' or '.join(repr(space.value) for space in spaces)}, and the study has "
                f"{problem.space.value!r}",
                code="conflicting-settings",
                key="space",
                found=repr(problem.space.value),
                expected=tuple(space.value for space in spaces),
                remedy=f"or choose the method {' or '.join(map(repr, fitting))}",
            )

    def _check_criteria(self, problem: Problem) -> None:
        given = problem.suppression.criteria
        if given and self.capabilities.criteria is CriteriaUse.REFUSED:
            able = [
                name
                for name, method in search_methods().items()
                if method.capabilities.criteria is not CriteriaUse.REFUSED
                and problem.space in method.capabilities.spaces
                and problem.space not in method.instead
            ]
            texts = ", ".join(map(str, given))
            raise SettingsError(
                f"method {self.name!r} does not search under criteria, and the study has {texts}",
                code="conflicting-settings",
                key="criteria",
                found=texts,
                remedy=f"choose the method {' or '.join(map(repr, able))}, or leave the criteria "
                "out and pick by them"
                if able
                else "no method of this space does: leave the criteria out and pick by them",
            )
        if not given and self.capabilities.criteria is CriteriaUse.NEEDED:
            raise SettingsError(
                f"method {self.name!r} finds the minimal recodings that meet criteria, and the "
                "study has none",
                code="missing-setting",
                key="criteria",
                expected='criteria = ["k>=5"] under [search], or others like it',
            )


SEARCHES: ValueFamily[SearchMethod] = ValueFamily(
    noun="search method",
    kind=SearchMethod,
    packages=("sfumato.search.methods",),
    group="sfumato.searches",
)


def search_methods() -> dict[str, SearchMethod]:
    """Return the built-in searches by name.

    >>> "branch-and-bound" in search_methods()
    True
    """
    return dict(SEARCHES.built_in)


def method_named(name: str) -> SearchMethod:
    """Return the search of a name, also of another package, or suggest the nearest one."""
    return SEARCHES.named(name)
