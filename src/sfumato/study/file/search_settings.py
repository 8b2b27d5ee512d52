"""Which search runs: what the table ``[search]`` of a study file says beside the objectives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.search.catalogue import method_named
from sfumato.search.control import check_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.search.space import Space


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Which search runs, the seed of those that draw at random, and the settings of each.

    ``settings`` has those of the methods for which the study file has a table, chosen or not.

    >>> SearchSettings().method
    'auto'
    """

    method: str = "auto"
    seed: int = 1
    settings: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        method_named(self.method)
        check_seed(self.seed)

    def for_space(self, space: Space) -> object | None:
        """Return the settings of the method that runs in a space, None for its defaults.

        >>> from sfumato.search.methods.nsga_ii import NsgaIISettings
        >>> from sfumato.search.space import Space
        >>> search = SearchSettings(settings={"nsga-ii": NsgaIISettings(population=20)})
        >>> search.for_space(Space.LATTICE), search.for_space(Space.PARTITIONS).population
        (None, 20)
        """
        name, _ = method_named(self.method).instead.get(space, (self.method, None))
        return self.settings.get(name)
