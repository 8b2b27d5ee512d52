"""Which search runs: the table ``[search]`` of a study file, beside the objectives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.search.catalogue import method_named
from sfumato.search.control import check_seed
from sfumato.study.file.method_settings import read_settings, setting_keys, settings_kinds
from sfumato.study.file.study_keys import StudyTable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.search.space import Space

SEARCH_KEYS = ("method", "space", "objectives", "criteria", "seed")


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
        """Return the settings of the method that runs in a space, None if they are the usual ones.

        >>> from sfumato.search.methods.nsga_ii.settings import NsgaIISettings
        >>> from sfumato.search.space import Space
        >>> search = SearchSettings(settings={"nsga-ii": NsgaIISettings(population=20)})
        >>> search.for_space(Space.LATTICE), search.for_space(Space.PARTITIONS).population
        (None, 20)
        """
        name, _ = method_named(self.method).instead.get(space, (self.method, None))
        return self.settings.get(name)


def search_keys(search: object) -> tuple[str, ...]:
    """Return the keys of ``[search]``, with the tables of the methods that have settings."""
    return (*SEARCH_KEYS, *settings_kinds(search if isinstance(search, dict) else ()))


def homes_of_settings() -> dict[str, str]:
    """Return in which table a setting of a method belongs, or in which ones it could."""
    homes: dict[str, list[str]] = {}
    for method, kind in settings_kinds().items():
        for key in setting_keys(kind):
            homes.setdefault(key, []).append(f"[search.{method}]")
    return {key: " or ".join(tables) for key, tables in homes.items()}


def read_search(table: StudyTable, file: Path) -> SearchSettings:
    """Return what ``[search]`` says, with the tables of methods in it."""
    method = table.text("method", example='"auto"')
    seed = table.whole("seed", example="1")
    settings = {
        name: read_settings(
            kind,
            StudyTable.of(
                table.values[name],
                file=file,
                place=f"[search.{name}]",
                known=setting_keys(kind),
                elsewhere=dict.fromkeys(SEARCH_KEYS, "[search]"),
            ),
        )
        for name, kind in settings_kinds(table.values).items()
        if name in table.values
    }
    with table.naming():
        return SearchSettings(
            method="auto" if method is None else method,
            seed=1 if seed is None else seed,
            settings=settings,
        )
