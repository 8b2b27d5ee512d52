"""Builders: hierarchies from a few words of settings."""

from sfumato.data.builders.builder import HierarchyBuilder
from sfumato.data.builders.dates import Dates
from sfumato.data.builders.flat import Flat
from sfumato.data.builders.groups import Groups
from sfumato.data.builders.intervals import Intervals
from sfumato.data.builders.prefixes import Prefixes

__all__ = ["Dates", "Flat", "Groups", "HierarchyBuilder", "Intervals", "Prefixes"]
