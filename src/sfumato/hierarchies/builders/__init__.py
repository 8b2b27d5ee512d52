"""Builders: hierarchies from a few words of settings."""

from sfumato.hierarchies.builders.builder import HierarchyBuilder
from sfumato.hierarchies.builders.dates import Dates
from sfumato.hierarchies.builders.flat import Flat
from sfumato.hierarchies.builders.groups import Groups
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.builders.known_taxonomy import KnownTaxonomy
from sfumato.hierarchies.builders.prefixes import Prefixes

__all__ = ["Dates", "Flat", "Groups", "HierarchyBuilder", "Intervals", "KnownTaxonomy", "Prefixes"]
