"""The utility of one release for analysts: distributions, associations, queries, learning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from sfumato.documents.record import Record
from sfumato.utility.associations import PairPicture, pair_pictures
from sfumato.utility.count_queries import (
    QueryAnswer,
    QueryErrors,
    answers,
    query_errors,
)
from sfumato.utility.distributions import ColumnPicture, column_pictures
from sfumato.utility.groups import GroupPicture, group_pictures
from sfumato.utility.learning import TargetScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.utility.count_queries import CountQuery
    from sfumato.utility.released_table import ReleasedTable


class Utility(Record):
    """What analysts can still do with a release, beside what the originals would give them."""

    rows: int = Field(description="The rows of the source.")
    released: int = Field(description="The rows of the release.")
    columns: tuple[ColumnPicture, ...] = Field(description="Every column before and after.")
    pairs: tuple[PairPicture, ...] = Field(description="Every pair of columns.")
    groups: tuple[GroupPicture, ...] = Field(
        description="Groups of people, the most distorted first."
    )
    random: QueryErrors | None = Field(default=None, description="The errors of random queries.")
    asked: QueryErrors | None = Field(default=None, description="Those of the written queries.")
    queries: tuple[QueryAnswer, ...] = Field(
        default=(), description="Every written query with both answers."
    )
    targets: tuple[TargetScores, ...] = Field(default=(), description="What can be learnt.")
    left_out: dict[str, int] = Field(
        default={}, description="Columns with too many different values, with about how many."
    )

    @property
    def mean_total_variation(self) -> float:
        """The mean total variation of the quasi-identifiers."""
        found = [each.total_variation for each in self.columns if each.recoded]
        return sum(found) / len(found)


def utility(
    released: ReleasedTable,
    *,
    drawn: Sequence[CountQuery] = (),
    asked: Sequence[CountQuery] = (),
    targets: Sequence[TargetScores] = (),
    by: Sequence[str] | None = None,
) -> Utility:
    """Return the utility of a release; ``by`` names the columns that make groups of people."""
    original = released.original
    of_drawn, of_asked = answers(released, drawn), answers(released, asked)
    return Utility(
        rows=original.rows,
        released=released.rows,
        columns=column_pictures(released),
        pairs=pair_pictures(released),
        groups=group_pictures(released, by=by),
        random=query_errors(of_drawn) if drawn else None,
        asked=query_errors(of_asked) if asked else None,
        queries=of_asked,
        targets=tuple(targets),
        left_out=dict(original.left_out),
    )
