"""One of the partitions of a column that recodings choose from, as pages show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Page:
    """A partition: how many blocks it has, and some of their labels.

    ``key`` tells it from the others of its column as documents do: a level, or cuts. ``name`` is
    the name of an admissible partition.
    """

    key: int | tuple[int, ...]
    blocks: int
    examples: tuple[str, ...] = ()
    name: str | None = None

    @property
    def is_level(self) -> bool:
        """Whether it is a level of a hierarchy, so that pages lie one above the other."""
        return isinstance(self.key, int)
