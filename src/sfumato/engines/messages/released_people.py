"""What to ask about the people in a release, and the answer, by the labels as written.

A written file does not tell whom its rows are about. The source does, and the plan of the rewrite
tells what became of each of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engines.messages.grouped_counts import PersonKey
    from sfumato.engines.messages.rewrite_plan import ContentDigest
    from sfumato.engines.messages.written_metrics import Lifts, WrittenSecurity, WrittenStatements


KEPT = "\x1fkept"
"""The column that says whether a row of the source is in the release."""


@dataclass(frozen=True, kw_only=True)
class PeopleQuestion:
    """Whom to look for: the person key, and the columns by their roles.

    ``shares`` has, for every sensitive column, what all people of the source weigh by value, as
    shares: what t-closeness compares with. Missing values are counted as ``missing_label``, and
    are a value of l only if ``missing_is_value`` says so. ``statements`` is None where there are
    none, or none that the released columns tell.
    """

    person: PersonKey
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    shares: Mapping[str, Mapping[str, float]]
    missing_label: str
    missing_is_value: bool = False
    statements: WrittenStatements | None = None


@dataclass(frozen=True, kw_only=True)
class PeopleMetrics:
    """The worst classes in view of one sensitive column.

    ``own_counts`` is the sum over people of how many have their value, in the class and by the
    value where that is least; the others are as in `SensitiveMetrics`.
    """

    distinct: int
    frequency: float
    entropy: float
    own_counts: int
    distance: float
    lifts: Lifts


@dataclass(frozen=True, kw_only=True)
class ReleasedPeople:
    """The people of a release.

    ``classes`` is the digest of the kept classes, labels and rows, which must be that of the
    written file. ``class_people`` has the number of kept classes of every number of people,
    ``least_people`` how many people are in a smallest class of which size; the suppressed rows are
    one class. ``least_kept_people`` is about kept classes only. ``security`` counts kept classes
    that are insecure; its risks and those who satisfy a predicate are of all people.
    """

    classes: ContentDigest
    class_people: Mapping[int, int]
    least_people: Mapping[int, int]
    least_kept_people: Mapping[int, int]
    sensitive: Mapping[str, PeopleMetrics]
    security: WrittenSecurity | None = None

    @property
    def smallest(self) -> int:
        """The fewest people of a kept class."""
        return min(self.class_people, default=0)

    @property
    def people(self) -> int:
        """The number of people, those of suppressed rows among them."""
        return sum(self.least_people.values())
