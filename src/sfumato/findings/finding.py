"""A finding: something about a table or a study that may give people away."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Severity(enum.StrEnum):
    """A warning should not be passed over; a notice is good to know."""

    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was found, in which columns, and what would help.

    ``code`` is stable, so that scripts can tell findings apart; ``counts`` are the numbers of the
    sentence. No part of it holds a value of the data but ``examples``, which are for the eyes of
    the publisher: they are shown in a terminal, and are in no JSON and no certificate.

    >>> print(Finding(code="x", severity=Severity.NOTICE, message="2 of 9 rows", remedy="look"))
    2 of 9 rows; look
    """

    code: str
    severity: Severity
    message: str
    remedy: str = ""
    columns: tuple[str, ...] = ()
    counts: Mapping[str, int | float] = field(default_factory=dict)
    examples: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message

    def record(self) -> dict[str, object]:
        """Return what JSON and the private certificate say of it."""
        return {
            "code": self.code,
            "severity": self.severity.value,
            "columns": list(self.columns),
            "counts": dict(self.counts),
            "message": self.message,
            "remedy": self.remedy,
        }
