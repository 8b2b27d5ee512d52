"""One quality index for each property of a set, as the set comparators use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.compare.quality_index import QualityIndex
from sfumato.errors import SettingsError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.compare.vectors.common_refinement import CommonRefinement


def checked_indices(given: object, *, comparator: str) -> tuple[QualityIndex, ...]:
    """Return one index or several as a tuple, or refuse what is none."""
    several = (given,) if isinstance(given, QualityIndex) else given
    if not isinstance(several, tuple | list) or not several:
        raise SettingsError(
            f"the indices of {comparator!r} are {shown(given)}; give one for all properties or one "
            "for each, for example (Coverage(),)"
        )
    for index in several:
        if not isinstance(index, QualityIndex):
            raise SettingsError(
                f"an index of {comparator!r} is {shown(index)}; give quality indices such as "
                "Coverage() or Spread()"
            )
    return tuple(several)


def checked_numbers(given: object, *, what: str) -> tuple[float, ...]:
    """Return one number or several as a tuple, or refuse what is none."""
    several = (given,) if isinstance(given, int | float) else given
    if not isinstance(several, tuple | list) or not all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in several
    ):
        raise SettingsError(f"{what} are {shown(given)}; give one number for each property")
    return tuple(float(number) for number in several)


def index_for_each(
    indices: Sequence[QualityIndex], pairs: Sequence[CommonRefinement], *, comparator: str
) -> tuple[QualityIndex, ...]:
    """Return an index for every pair; a single one serves all."""
    if len(indices) == 1:
        return tuple(indices) * len(pairs)
    if len(indices) != len(pairs):
        raise SettingsError(
            f"{comparator!r} has {len(indices)} indices for {len(pairs)} properties; give one for "
            "all, or one for each"
        )
    return tuple(indices)


def one_for_each(
    numbers: Sequence[float], pairs: Sequence[CommonRefinement], *, what: str
) -> tuple[float, ...]:
    """Return the numbers if there is one for every property."""
    if len(numbers) != len(pairs):
        raise SettingsError(
            f"there are {len(numbers)} {what} for {len(pairs)} properties "
            f"({', '.join(repr(pair.first.name) for pair in pairs)}); give one for each, in order"
        )
    return tuple(numbers)
