"""What an engine finds when it reads a written file back, by SQL alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engines.messages.rewrite_plan import ContentDigest
    from sfumato.engines.messages.written_statements import WrittenSecurity, WrittenStatements


@dataclass(frozen=True, kw_only=True)
class WrittenQuestion:
    """What to look for: the columns by their roles, and how missing values are written.

    ``starred`` says that rows with ``*`` in every quasi-identifier are suppressed ones.
    ``all_rows`` has, for every sensitive column, the rows of each of its values in the source:
    what t-closeness compares with. Missing values are counted as ``missing_label``. ``cell_losses``
    has, for every quasi-identifier, what a cell with each of its labels loses. ``statements`` is
    None where there are none, or none that the file's own texts tell.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    label: str | None
    starred: bool
    all_rows: Mapping[str, Mapping[str, int]]
    markers: tuple[str, ...]
    missing_label: str
    cell_losses: tuple[Mapping[str, float], ...]
    statements: WrittenStatements | None = None


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


@dataclass(frozen=True, kw_only=True)
class WrittenMetrics:
    """The metrics of a written file; all but ``starred`` and ``content`` of its kept rows.

    ``class_sizes`` has the number of classes of every size, ``row_losses`` the rows of every sum
    of cell losses, ``labels`` the rows of every label of a quasi-identifier, ``majority`` the rows
    that have the most frequent label of their class.
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
