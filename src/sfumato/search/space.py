"""The spaces of recodings that a search can search."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence

from sfumato.errors import SettingsError


class Space(enum.StrEnum):
    """Which recodings are searched."""

    LATTICE = "lattice"
    """Full-domain recodings: one level for every quasi-identifier."""
    PARTITIONS = "partitions"
    """Partitions of the ordered domains: a cut between any two neighbours, or along the tree."""
    ADMISSIBLE = "admissible"
    """One admissible partition for every quasi-identifier: a level of its hierarchy, or one of a
    list of partitions that only refinement orders."""
    LOCAL = "local"
    """Local recodings: cells are assigned to classes, each with labels of its own."""


def space_named(name: Space | str) -> Space:
    """Return the space of a name.

    >>> space_named("partitions")
    <Space.PARTITIONS: 'partitions'>
    """
    try:
        return Space(name)
    except ValueError:
        raise SettingsError.unknown_choice("space", name, Space) from None


def spaces_named(names: Space | str | Sequence[Space | str]) -> tuple[Space, ...]:
    """Return the spaces of a name or of several, each once.

    >>> spaces_named("local"), spaces_named(["lattice", "local"])
    ((<Space.LOCAL: 'local'>,), (<Space.LATTICE: 'lattice'>, <Space.LOCAL: 'local'>))
    """
    given = [names] if isinstance(names, str) or not isinstance(names, Sequence) else list(names)
    if not given:
        raise SettingsError(
            "a search needs at least one space",
            code="too-few",
            key="space",
            expected=tuple(space.value for space in Space),
        )
    found = tuple(map(space_named, given))
    twice = [space.value for space in Space if found.count(space) > 1]
    if twice:
        raise SettingsError(
            f"space {twice[0]!r} is given more than once",
            code="duplicate",
            key="space",
            found=repr(twice[0]),
            remedy="name it once",
        )
    return found


GREATEST_WRITTEN_OUT = 10**12
GREATEST_IN_JSON = 1 << 53
"""Readers of JSON may take a greater number for one nearby."""


def written_size(size: int) -> str:
    """Return a size for people.

    >>> written_size(17_920), written_size(1 << 40_000)
    ('17,920', 'about 2^40,000')
    """
    return f"{size:,}" if size <= GREATEST_WRITTEN_OUT else f"about 2^{math.log2(size):,.0f}"


def size_record(size: int) -> int | str:
    """Return a size as JSON has it: a number, or the hexadecimal text of a greater one.

    >>> size_record(17_920), size_record(1 << 64)
    (17920, '0x10000000000000000')
    """
    return size if size <= GREATEST_IN_JSON else hex(size)


def recorded_size(record: int | str) -> int:
    """Return the size of a record.

    >>> recorded_size("0x10000000000000000") == 1 << 64
    True
    """
    return int(record, 16) if isinstance(record, str) else int(record)
