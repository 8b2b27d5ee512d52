"""What a search can do, as the command line, the documentation and its contract read it."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from sfumato.errors import SettingsError
from sfumato.search.space import Space, space_named


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
    been stopped.

    >>> SearchCapabilities().spaces
    (<Space.LATTICE: 'lattice'>,)
    """

    spaces: tuple[Space, ...] = (Space.LATTICE,)
    criteria: CriteriaUse = CriteriaUse.REFUSED
    resumable: bool = False

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
