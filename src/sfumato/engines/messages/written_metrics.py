"""What to ask a written file, also about confidential statements, and what it answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes, Counts, Floats
    from sfumato.engines.messages.rewrite_plan import ContentDigest
    from sfumato.statements.confidential import ConfidentialStatements


@dataclass(frozen=True, kw_only=True, eq=False)
class ProtectingClasses:
    """Who protects what, where the written file cannot tell: by class, from the source.

    ``codes`` has a row for each quasi-identifier and a column for each class, ``labels`` what
    the codes are in the file. ``protecting`` are rows and ``damages`` sums of dm(u, φ), a row for
    each predicate and a column for each class.
    """

    codes: Codes
    labels: tuple[tuple[str | None, ...], ...]
    protecting: Counts
    damages: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenStatements:
    """The confidential statements to look for in a written file.

    ``priors`` is Pr φ of every predicate. ``rule_values`` has the columns that only rules name,
    with the values that they name. ``classes`` is None where the rules are told by the file.
    """

    statements: ConfidentialStatements
    priors: tuple[float, ...]
    rule_values: Mapping[str, tuple[str, ...]]
    classes: ProtectingClasses | None


@dataclass(frozen=True, kw_only=True)
class WrittenSecurity:
    """What the rows of a file tell: the insecure classes, the sum of risks, who satisfies what."""

    insecure: int
    risk: float
    satisfied: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassLosses:
    """What a row of every class loses; ``labels`` has a row of texts for each quasi-identifier."""

    labels: tuple[tuple[str | None, ...], ...]
    losses: Floats


@dataclass(frozen=True, kw_only=True)
class WrittenQuestion:
    """What to look for: the columns by their roles, and how missing values are written.

    ``starred`` says that rows with ``*`` in every quasi-identifier are suppressed ones.
    ``all_rows`` has, for every sensitive column, the rows of each of its values in the source:
    what t-closeness compares with. Missing values are counted as ``missing_label``; only if
    ``missing_is_value`` are they one more value of l. ``losses`` are
    what a cell with each of its labels loses, for every quasi-identifier, or what a row of each
    class loses. ``statements`` is None where there are none, or none that the file's own texts
    tell.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    label: str | None
    starred: bool
    all_rows: Mapping[str, Mapping[str, int]]
    markers: tuple[str, ...]
    missing_label: str
    missing_is_value: bool
    losses: tuple[Mapping[str, float], ...] | ClassLosses
    statements: WrittenStatements | None = None


@dataclass(frozen=True, kw_only=True)
class Lifts:
    """How the share q of a value in a kept class compares with its share p in the source.

    ``greatest`` and ``least`` are of q / p, over the values that occur in a class; ``beyond`` says
    that some (q - p) / p exceeds -ln p. Nothing is known where no class is kept.
    """

    greatest: float
    least: float
    beyond: bool

    @classmethod
    def of(cls, greatest: object, least: object, beyond: object) -> Lifts:
        """Read what SQL answered: nothing if there is no class."""
        if greatest is None or least is None:
            return cls(greatest=math.inf, least=0.0, beyond=True)
        return cls(
            greatest=float(greatest),  # type: ignore[arg-type]
            least=float(least),  # type: ignore[arg-type]
            beyond=bool(beyond),
        )


@dataclass(frozen=True, kw_only=True)
class SensitiveMetrics:
    """The worst classes in view of one sensitive column.

    ``own_counts`` is the sum over rows of the count of their own value in their class;
    ``distance`` the greatest distance to the whole source when all values are equally far apart.
    """

    distinct: int
    frequency: float
    entropy: float
    own_counts: int
    distance: float
    lifts: Lifts


@dataclass(frozen=True, kw_only=True)
class WrittenMetrics:
    """The metrics of a written file; all but ``starred`` and ``content`` of its kept rows.

    ``class_sizes`` has the number of classes of every size, ``row_losses`` the rows of every sum
    of cell losses, ``labels`` the rows of every label of a quasi-identifier, ``majority`` the rows
    that have the most frequent label of their class. ``class_content`` is the digest of all
    classes, their labels and rows.
    """

    columns: tuple[str, ...]
    starred: int
    class_sizes: Mapping[int, int]
    row_losses: Mapping[float, int]
    labels: Mapping[str, Mapping[str | None, int]]
    sensitive: Mapping[str, SensitiveMetrics]
    majority: int | None
    security: WrittenSecurity | None
    content: ContentDigest
    class_content: ContentDigest

    @property
    def rows(self) -> int:
        """The number of kept rows."""
        return sum(size * classes for size, classes in self.class_sizes.items())

    @property
    def classes(self) -> int:
        """The number of classes."""
        return sum(self.class_sizes.values())

    @property
    def smallest(self) -> int:
        """The size of the smallest class."""
        return min(self.class_sizes, default=0)

    @property
    def squares(self) -> int:
        """The sum of squared class sizes."""
        return sum(size * size * classes for size, classes in self.class_sizes.items())
