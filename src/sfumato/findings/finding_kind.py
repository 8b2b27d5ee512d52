"""A kind of findings: one question that is asked of every table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.findings.examined_table import ExaminedTable
    from sfumato.findings.finding import Finding


@dataclass(frozen=True, kw_only=True)
class FindingKind(ABC):
    """A kind of findings; ``name`` is the code of what it finds, ``order`` where it is told."""

    name: ClassVar[str]
    order: ClassVar[int] = 50

    @abstractmethod
    def find(self, examined: ExaminedTable) -> Iterable[Finding]:
        """Return what is found, the gravest first."""
