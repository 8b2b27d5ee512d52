"""How the values of a category behave towards the other quasi-identifiers: joint counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.messages.column_profile import SHOWN_FROM
from sfumato.engines.messages.joint_counts import MOST_COLUMNS, JointQuestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from sfumato.engines.messages.column_profile import ColumnProfile
    from sfumato.engines.messages.joint_counts import JointCounts

    CountJointly = Callable[[JointQuestion], JointCounts]


@dataclass(frozen=True, kw_only=True)
class ValueBehaviour:
    """The values of a column that several rows have, and what they occur together with.

    ``counts`` has a row for each value, and a last one for all values that are too rare to be
    shown; its columns are the values of the columns ``towards``, one after the other.
    """

    values: tuple[str, ...]
    counts: NDArray[np.int64]
    towards: tuple[str, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of each value, and of the rare ones together."""
        return tuple((self.counts.sum(axis=1) // len(self.towards)).tolist())


def value_behaviour(
    profiles: Sequence[ColumnProfile], *, markers: Sequence[str], count: CountJointly
) -> Mapping[str, ValueBehaviour]:
    """Return the behaviour of the values of quasi-identifying columns towards each other.

    Columns with too many values to be listed are left out, and take no part.
    """
    told_apart = {profile.name: _shown(profile, markers) for profile in profiles}
    few = [name for name, values in told_apart.items() if values][:MOST_COLUMNS]
    if len(few) < 2:
        return {}
    found = count(
        JointQuestion(told_apart={name: told_apart[name] for name in few}, markers=tuple(markers))
    )
    return {
        name: ValueBehaviour(
            values=told_apart[name],
            counts=np.hstack([found.of(name, other)[:-1] for other in few if other != name]),
            towards=tuple(other for other in few if other != name),
        )
        for name in few
    }


def _shown(profile: ColumnProfile, markers: Sequence[str]) -> tuple[str, ...]:
    known = (*profile.frequent, *profile.markers)
    return tuple(sorted(t for t, rows in known if rows >= SHOWN_FROM and t not in markers))
