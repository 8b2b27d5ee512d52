"""Facts: short lines about a run or a comparison, the same in a terminal and on a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A term and what is said of it."""

    term: str
    text: str
