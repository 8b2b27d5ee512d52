"""A remedy in the syntax of whoever reads it: Python, or a study file with its command line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Hint:
    """What would help, as Python says it and as a study file or an option does."""

    python: str
    file: str
