"""What a search returns, and how it reports its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.front import Front
    from sfumato.search.guarantee import Guarantee
    from sfumato.search.space import Space


@dataclass(frozen=True, kw_only=True)
class Steps:
    """How many of its steps a search has done that runs for a set number of them."""

    done: int
    total: int
    name: str


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a search is: nodes settled (evaluated or excluded by proof) of all nodes.

    A search that ends after a set number of steps, and not when all nodes are settled, says in
    ``steps`` how many it has done. ``hypervolume`` is the share of the objective space that the
    front dominates, on a scale that stays the same during a search; None if it is not known.
    ``phase`` names what is running where a search does several things one after another, each of
    which counts from the beginning.
    """

    settled: int
    nodes: int
    evaluated: int
    front_size: int
    steps: Steps | None = None
    hypervolume: float | None = None
    phase: str = ""


Listener: TypeAlias = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Ignore progress."""


@dataclass(frozen=True, kw_only=True)
class MinimalRecodings:
    """What a search for all minimal recodings that meet criteria has tested.

    A recoding is minimal if it meets them and no more specific one does. ``full`` recodings were
    tested with every quasi-identifier finer than its coarsest partition, ``partial`` ones with
    some of them at it: the recodings of a subset of the quasi-identifiers (Granulation §3.4).
    All others are ``pruned``: something finer meets the criteria, or something coarser fails; if
    the search was stopped, they were not reached.
    """

    criteria: tuple[str, ...]
    full: int
    partial: int
    pruned: int


@dataclass(frozen=True, kw_only=True)
class SpaceResult:
    """What a search of several spaces did in one of them, and whether its front there is exact.

    ``freedom`` is that of its recodings, ``evaluated`` and ``nodes`` are the recodings that were
    evaluated and those that there are.
    """

    space: Space
    freedom: str
    method: str
    exact: bool
    finished: bool
    evaluated: int
    nodes: int
    reason: str


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchResult:
    """A front, how it was found, and whether it is the exact one.

    A search that was stopped is not ``finished``: its front is that of what it had evaluated.
    ``state`` is then what it needs to go on, made of what JSON can hold, or None if the method
    can only start again. ``guarantee`` says what is proved about all recodings, by a method that
    proves something. If ``minimal`` is there, the solutions are all minimal recodings that
    meet its criteria, dominated ones included. ``loss_bounds`` has the least normalized loss that a
    local recoding can have at some k: proved, and the same or greater for every greater k. A
    search of several spaces says in ``spaces`` what it did in each.
    """

    front: Front
    method: str
    exact: bool
    evaluated: int
    nodes: int
    reason: str
    finished: bool = True
    guarantee: Guarantee | None = None
    state: Mapping[str, object] | None = None
    minimal: MinimalRecodings | None = None
    loss_bounds: Mapping[int, float] | None = None
    spaces: tuple[SpaceResult, ...] = ()

    def __repr__(self) -> str:
        return f"<SearchResult by {self.method}: {self._said}; {self.front!r}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return f"{self.front._repr_html_()}<p>{escape(f'{self._said}: {self.reason}')}</p>"

    @property
    def _said(self) -> str:
        if not self.finished:
            return "stopped"
        return "exact" if self.exact else "the best that was found"
