"""One quality index for each property of a set, as the set comparators use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.compare.quality_index import QualityIndex
from sfumato.errors import SettingsError, shown
from sfumato.errors.listing import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.compare.vectors.common_refinement import CommonRefinement


def checked_indices(given: object, *, comparator: str) -> tuple[QualityIndex, ...]:
    """Return one index or several as a tuple; refuse anything else."""
    several = (given,) if isinstance(given, QualityIndex) else given
    if not isinstance(several, tuple | list) or not several:
        raise SettingsError(
            f"indices of {comparator!r} are {shown(given)}",
            code="not-a-list",
            found=shown(given),
            expected="one for all properties or one for each, like (Coverage(),)",
        )
    for index in several:
        if not isinstance(index, QualityIndex):
            raise SettingsError(
                f"indices of {comparator!r} have {shown(index)}",
                code="not-an-index",
                found=shown(index),
                expected="quality indices like Coverage() or Spread()",
            )
    return tuple(several)


def checked_numbers(given: object, *, what: str) -> tuple[float, ...]:
    """Return one number or several as a tuple; refuse anything else."""
    several = (given,) if isinstance(given, int | float) else given
    if not isinstance(several, tuple | list) or not all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in several
    ):
        raise SettingsError(
            f"{what} is {shown(given)}",
            code="not-a-number",
            found=shown(given),
            expected="one number for each property",
        )
    return tuple(float(number) for number in several)


def index_for_each(
    indices: Sequence[QualityIndex], pairs: Sequence[CommonRefinement], *, comparator: str
) -> tuple[QualityIndex, ...]:
    """Return an index for every pair; a single one serves all."""
    if len(indices) == 1:
        return tuple(indices) * len(pairs)
    if len(indices) != len(pairs):
        raise SettingsError(
            f"{comparator!r} has {len(indices)} indices for {len(pairs)} properties",
            code="wrong-length",
            found=str(len(indices)),
            expected="one for all, or one for each",
        )
    return tuple(indices)


def check_one_for_each(
    given: Sequence[object], pairs: Sequence[CommonRefinement], *, what: str
) -> None:
    """Refuse settings that are not one for every property."""
    if len(given) != len(pairs):
        names = listed([pair.first.name for pair in pairs])
        raise SettingsError(
            f"there are {len(given)} {what} for {len(pairs)} properties ({names})",
            code="wrong-length",
            found=str(len(given)),
            expected="one for each, in order",
        )
