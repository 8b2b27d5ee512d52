"""The classes of any recodings under a suppression policy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.classes.anonymization import Anonymization
from sfumato.classes.classes import Classes
from sfumato.classes.grouped_recodings import group_recodings
from sfumato.classes.suppression import Threshold
from sfumato.errors import SettingsError
from sfumato.recoding.local import Local
from sfumato.recoding.recoding import ColumnRecoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.class_tables import ClassTables
    from sfumato.classes.suppression import Suppression
    from sfumato.recoding.recoding import Recoding


class Recoded(NamedTuple):
    """A recoding after suppression: one of the candidates of some classes.

    ``local`` is what becomes of every record in a local recoding.
    """

    classes: Classes
    position: int
    local: Anonymization | None = None

    def anonymization(self, *, label: str = "") -> Anonymization:
        """Return what becomes of every record."""
        if self.local is not None:
            return replace(self.local, label=label)
        return Anonymization.of_candidate(self.classes, self.position, label=label)


def recode(
    tables: ClassTables,
    recodings: Sequence[Recoding],
    *,
    thresholds: Sequence[int | None],
    suppression: Suppression,
) -> list[Recoded]:
    """Recode a table in several ways, each at a threshold: None is the largest that is allowed.

    Global recodings are grouped together, and each once, though it may come several times. A
    local recoding says itself which cells it suppresses.
    """
    found: list[Recoded | None] = [None] * len(recodings)
    by_column = {n: each for n, each in enumerate(recodings) if isinstance(each, ColumnRecoding)}
    if by_column:
        batch, which = group_recodings(tables, list(by_column.values()))
        classes = Classes.of(batch, suppression)
        # Candidates of one recoding are neighbours.
        ends = np.searchsorted(classes.recoding, np.arange(batch.recodings), side="right")
        for n, end in zip(by_column, ends[which], strict=True):
            position = _position(classes, int(end), thresholds[n], suppression)
            found[n] = Recoded(classes, position)
    for n, recoding in enumerate(recodings):
        if isinstance(recoding, Local):
            own = Anonymization.of_local(tables.table, recoding)
            found[n] = Recoded(own.under(suppression), 0, own)
    return [each for each in found if each is not None]


def _position(classes: Classes, end: int, threshold: int | None, suppression: Suppression) -> int:
    if threshold is None:
        return int(end) - 1
    start = int(np.searchsorted(classes.recoding, classes.recoding[end - 1], side="left"))
    possible = classes.thresholds[start:end]
    # By rising threshold.
    position = start + int(np.searchsorted(possible, threshold))
    if position == end or classes.thresholds[position] != threshold:
        if suppression.threshold is not Threshold.EVERY:
            own = int(possible[-1])
            kept = f"classes from the size {own} up" if own > 1 else "all classes"
            raise SettingsError(
                f"the threshold {threshold} cannot be chosen: the study keeps {kept} in this "
                "recoding",
                code="conflicting-settings",
                key="threshold",
                found=str(threshold),
                remedy='to choose, set threshold = "every" under [suppression], with policy = '
                '"limit" and a limit',
            )
        raise SettingsError(
            f"the threshold {threshold} is not possible for this recoding",
            code="unknown-choice",
            key="threshold",
            found=str(threshold),
            expected=tuple(map(str, possible.tolist())),
        )
    return position
