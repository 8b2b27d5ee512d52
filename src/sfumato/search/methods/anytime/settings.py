"""The settings of the anytime search."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - readers of study files resolve the types
from dataclasses import dataclass
from typing import Annotated

from sfumato.search.setting_checks import checked_widths


@dataclass(frozen=True, kw_only=True)
class AnytimeSettings:
    """The settings of the anytime search.

    Without ``epsilon`` it looks for the whole front. With it, it keeps one solution for each box
    of a grid, and leaves out what can only lie in boxes that are taken or dominated: fewer
    solutions, found with fewer evaluations. ``epsilon`` is the width of a box for objectives by
    name; see `sfumato.search.bounds.discretization` for those it leaves out.

    >>> AnytimeSettings(epsilon={"k": 5, "loss": 100}).epsilon
    {'k': 5, 'loss': 100}
    """

    epsilon: Annotated[
        Mapping[str, float] | None,
        "The width of a box by objective, for an archive instead of the whole front.",
    ] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", checked_widths(self.epsilon))


DEFAULT_SETTINGS = AnytimeSettings()
