"""The releases that the ledger knows, as ``sfumato ledger`` shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.release.ledger.ledger import LedgerEntry
    from sfumato.release.release_request import ReleasedValues


@dataclass(frozen=True, kw_only=True)
class LedgerRelease:
    """A release that the ledger knows.

    ``accepted`` says that it was accepted though it shows too much together with earlier ones.
    """

    id: str
    created: str
    file: str
    sha256: str
    k: int
    values: ReleasedValues
    accepted: bool


@dataclass(frozen=True, kw_only=True)
class LedgerView:
    """The ledger of this user; ``forgotten`` are the ids that were removed from it."""

    folder: str
    releases: tuple[LedgerRelease, ...]
    forgotten: tuple[str, ...] = ()


def ledger_view(
    folder: Path, entries: Sequence[LedgerEntry], *, forgotten: Sequence[str] = ()
) -> LedgerView:
    """Return what is shown of the ledger: nothing that recognizes sources."""
    return LedgerView(
        folder=str(folder),
        releases=tuple(
            LedgerRelease(
                id=entry.id,
                created=entry.created,
                file=entry.file,
                sha256=entry.sha256,
                k=entry.k,
                values=entry.values,
                accepted=entry.accepted,
            )
            for entry in entries
        ),
        forgotten=tuple(forgotten),
    )
