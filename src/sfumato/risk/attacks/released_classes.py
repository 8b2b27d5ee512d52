"""A written file as an intruder sees it: classes of equal labels and their sensitive values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engines.column_names import check_columns
from sfumato.errors import SettingsError
from sfumato.risk.attacks.labelled_classes import starred_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.engines.engine import CountingEngine
    from sfumato.sources.source import Source


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasedClasses:
    """The rows of a file by class and sensitive value.

    ``labels`` has the label codes of every class, a row for each quasi-identifier, and ``texts``
    what the codes are. ``rows`` has a row for each class and a column for each value. Rows with *
    in every quasi-identifier are suppressed ones and left out.
    """

    names: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    labels: Codes
    sensitive: str
    values: tuple[str | None, ...]
    rows: Counts

    @classmethod
    def of_file(
        cls,
        file: Source,
        *,
        quasi_identifiers: Sequence[str],
        sensitive: str,
        engine: CountingEngine,
    ) -> ReleasedClasses:
        """Count a file by one GROUP BY."""
        columns = engine.columns(file)
        check_columns([*quasi_identifiers, sensitive], columns, where=str(file))
        if sensitive in quasi_identifiers:
            raise SettingsError(
                f"column {sensitive!r} is both known to the intruder and to be learnt",
                code="conflicting-settings",
                column=sensitive,
                key="sensitive",
            )
        grouped = engine.count(file, [*quasi_identifiers, sensitive])
        codes = np.stack([grouped.columns[name].codes for name in quasi_identifiers])
        starred = starred_groups(grouped, quasi_identifiers)
        own = grouped.columns[sensitive]
        labels, class_of = np.unique(codes[:, ~starred], axis=1, return_inverse=True)
        rows = np.zeros((labels.shape[1], len(own.values)), dtype=np.int64)
        np.add.at(rows, (class_of.ravel(), own.codes[~starred]), grouped.counts[~starred])
        return cls(
            names=tuple(quasi_identifiers),
            texts=tuple(grouped.columns[name].values for name in quasi_identifiers),
            labels=labels,
            sensitive=sensitive,
            values=own.values,
            rows=rows,
        )

    @cached_property
    def sizes(self) -> Counts:
        """The rows of every class."""
        sums: Counts = self.rows.sum(axis=1)
        return sums

    @property
    def people(self) -> int:
        """The number of rows."""
        return int(self.rows.sum())

    @cached_property
    def prior(self) -> Floats:
        """The share of every value in the file."""
        return np.asarray(self.rows.sum(axis=0) / max(1, self.people), dtype=np.float64)

    @cached_property
    def different(self) -> Counts:
        """How many different values every class has."""
        found: Counts = (self.rows > 0).sum(axis=1)
        return found

    def shuffled(self, rng: np.random.Generator) -> ReleasedClasses:
        """Return the same classes with the sensitive values dealt out at random."""
        left = self.rows.sum(axis=0)
        rows = np.zeros_like(self.rows)
        for place, size in enumerate(self.sizes.tolist()):
            rows[place] = rng.multivariate_hypergeometric(left, size)
            left = left - rows[place]
        return replace(self, rows=rows)
