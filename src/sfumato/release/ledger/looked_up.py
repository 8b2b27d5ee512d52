"""A release and the ledger: looked up before anything is written, and noted with its files."""

from __future__ import annotations

import datetime
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.documents.own_seal import derived_key
from sfumato.microdata.count_source import person_key
from sfumato.release.ledger.composition import ComposedRelease, check_composition, composed
from sfumato.release.ledger.ledger import Ledger, LedgerEntry
from sfumato.release.ledger.shown_classes import shown_classes
from sfumato.release.ledger.source_content import SourceContent
from sfumato.sources.source_stamp import table_sha256

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.release.ledger.composition import Composition
    from sfumato.release.release_request import ReleaseRequest


@dataclass(frozen=True, kw_only=True, eq=False)
class LookedUp:
    """What the ledger knows of the people of a release; ``known`` are the entries that it had."""

    ledger: Ledger
    content: SourceContent
    composition: Composition
    overwritten: tuple[str, ...]
    known: frozenset[str]

    @classmethod
    def of(cls, ledger: Ledger, request: ReleaseRequest) -> LookedUp:
        """Look for earlier releases; refuse one that shows too much together with them."""
        content = SourceContent.of(request.batch.table, ledger.hashes, _people(request))
        return cls._of_content(ledger, request, content)

    def renewed(self, request: ReleaseRequest) -> LookedUp:
        """Look again at a ledger that has other entries by now; refuse as before."""
        if self.ledger.ids() == self.known:
            return self
        return self._of_content(self.ledger, request, self.content)

    @classmethod
    def _of_content(
        cls, ledger: Ledger, request: ReleaseRequest, content: SourceContent
    ) -> LookedUp:
        entries = ledger.entries()
        overwritten = tuple(each.id for each in entries if _overwrites(request, each))
        composition = composed(
            ComposedRelease(
                anonymization=request.anonymization,
                k=int(request.promised["k"]),
                values=request.values,
                required=request.required,
            ),
            [each for each in entries if each.id not in overwritten],
            content,
            ledger.hashes,
            accepted=request.options.accept_composition,
        )
        people = request.batch.table.people
        check_composition(composition, counts="rows" if people is None else "people")
        return cls(
            ledger=ledger,
            content=content,
            composition=composition,
            overwritten=overwritten,
            known=frozenset(each.id for each in entries),
        )

    def entry(self, request: ReleaseRequest, sha256: str) -> LedgerEntry:
        """Return what the ledger is to remember of the release."""
        return LedgerEntry(
            kind="sfumato ledger entry 1",
            id=self.ledger.new_id(),
            created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            file=str(request.options.destination.absolute()),
            sha256=sha256,
            values=request.values,
            k=int(request.promised["k"]),
            accepted=self.composition.accepted and self.composition.refused,
            source=self.content.fingerprint(),
            shown=shown_classes(request.anonymization, request.blocks, self.ledger.hashes),
        )

    def written(self, workspace: Path, request: ReleaseRequest, sha256: str) -> dict[Path, Path]:
        """Write the entry to a workspace; return where it goes, together with the release."""
        entry = self.entry(request, sha256)
        path = workspace / "ledger.json"
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(entry.document(), encoding="utf-8")
        return {path: self.ledger.path_of(entry.id)}

    def forget_overwritten(self) -> None:
        """Forget the entries of files that are no more.

        One that cannot be removed stays: the release is in its place already, and to remember more
        than there is refuses at worst.
        """
        for each in self.overwritten:
            with suppress(OSError):
                self.ledger.path_of(each).unlink(missing_ok=True)


def _people(request: ReleaseRequest) -> Mapping[str, str] | None:
    """Return the minima of the person key, which the engine finds; None if there is no key."""
    person = person_key(request.attributes, request.missing)
    key = derived_key("people of the ledger")
    if person is None or key is None:
        return None
    return request.engine.person_minima(request.source, person, key=key.hex())


def _overwrites(request: ReleaseRequest, entry: LedgerEntry) -> bool:
    """Say whether the file of an entry is the one that this release overwrites."""
    destination = request.options.destination
    return (
        request.options.force
        and str(destination.absolute()) == entry.file
        and destination.exists()
        and table_sha256(destination) == entry.sha256
    )
