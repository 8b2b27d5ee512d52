"""The spaces of recodings that a search can search."""

from __future__ import annotations

import enum

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


def space_named(name: Space | str) -> Space:
    """Return the space of a name.

    >>> space_named("partitions")
    <Space.PARTITIONS: 'partitions'>
    """
    try:
        return Space(name)
    except ValueError:
        raise SettingsError.unknown_choice("space", name, Space) from None
