"""What stands in the cells of a release: labels of blocks, or statistics of them."""

from __future__ import annotations

import enum

from sfumato.errors import SettingsError


class ReleasedValues(enum.StrEnum):
    """Generalized cells name their block, microaggregated ones show its statistic."""

    GENERALIZED = "generalized"
    MICROAGGREGATED = "microaggregated"


def released_values(given: ReleasedValues | str) -> ReleasedValues:
    """Return what was given by name.

    >>> released_values("microaggregated")
    <ReleasedValues.MICROAGGREGATED: 'microaggregated'>
    """
    try:
        return ReleasedValues(given)
    except ValueError:
        raise SettingsError.unknown_choice("values", given, ReleasedValues) from None
