"""A hierarchy as it is proposed: settings for a study file, levels in words, what to look at."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.study.file.toml_text import value_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.file.toml_text import TomlValue


class Detail(enum.Enum):
    """How many levels a hierarchy gets between its values and the top."""

    FULL = "full"
    MIDDLE = "middle"
    COARSE = "coarse"


@dataclass(frozen=True, kw_only=True)
class ProposedHierarchy:
    """The settings of a builder as a study file has them, and in words the levels they make.

    ``outline`` is the same without values of the data, to be shown anywhere.
    """

    settings: Mapping[str, TomlValue]
    levels: tuple[str, ...]
    remarks: tuple[str, ...] = field(default=())
    without_values: Mapping[str, TomlValue] | None = None

    @property
    def level_count(self) -> int:
        """The number of levels, that of the values and the top among them."""
        return len(self.levels)

    @property
    def in_words(self) -> str:
        """What the levels are, such as ``0 the day, 1 the month, 2 the year, 3 *``."""
        return ", ".join(f"{level} {what}" for level, what in enumerate(self.levels))

    @property
    def outline(self) -> Mapping[str, TomlValue]:
        """The settings without values of the data."""
        return self.settings if self.without_values is None else self.without_values

    def __str__(self) -> str:
        return value_text(self.outline)
