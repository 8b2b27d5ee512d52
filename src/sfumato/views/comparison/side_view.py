"""One of two anonymizations that are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.views.written_numbers import share_text

if TYPE_CHECKING:
    from sfumato.classes.anonymization import Anonymization


@dataclass(frozen=True, kw_only=True)
class SideView:
    """An anonymization: its k, its kept rows in so many classes, and its suppressed rows."""

    label: str
    k: int
    kept: int
    classes: int
    suppressed: int

    @property
    def text(self) -> str:
        """All of it but the label, in words."""
        return (
            f"k = {self.k:,}; {counted(self.kept, 'record')} in "
            f"{counted(self.classes, 'class', 'classes')}, {counted(self.suppressed, 'record')} "
            f"suppressed ({share_text(self.suppressed, self.kept + self.suppressed)})"
        )


def side_view(side: Anonymization) -> SideView:
    """Return what is shown of an anonymization."""
    gone = side.suppressed_rows
    return SideView(
        label=side.label,
        k=side.k,
        kept=side.table.rows - gone,
        classes=side.classes - (side.suppressed is not None),
        suppressed=gone,
    )
