"""What a search returns, and how it tells of its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sfumato.front.front import Front


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a search is: nodes settled (evaluated or excluded by proof) of all nodes."""

    settled: int
    nodes: int
    evaluated: int
    front_size: int


Listener: TypeAlias = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Ignore progress."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """A front, how it was found, and whether it is the exact one."""

    front: Front
    method: str
    exact: bool
    evaluated: int
    nodes: int
    reason: str
