"""The folder of the ledger: a small private document for every release of this user."""

from __future__ import annotations

import json
import os
import secrets
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError

from sfumato.documents.held_file import give_back, hold
from sfumato.documents.nesting import parsed_json
from sfumato.documents.own_seal import (
    KEY,
    VARIABLE,
    derived_key,
    is_sealed,
    made_state_folder,
    seal,
    state_folder,
)
from sfumato.documents.private_folder import private_folder
from sfumato.documents.record import Record
from sfumato.errors import ReleaseError, SettingsError
from sfumato.release.ledger.keyed_hashes import KeyedHashes
from sfumato.release.ledger.shown_classes import ShownClasses
from sfumato.release.ledger.source_content import SourceFingerprint
from sfumato.release.release_request import ReleasedValues

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = "ledger"
_LOCK = "ledger.lock"
_PURPOSE = "ledger entry"
_PATIENCE = 600.0
"""So many seconds a release waits for another one that is being put in its place."""
_OTHERWISE = (
    f"let this user read and write it, name another folder in {VARIABLE}, or release without the "
    "ledger (ledger=False, --no-ledger), which then knows nothing of this release"
)


_KIND = "sfumato ledger entry "


class LedgerEntry(Record):
    """A release as the ledger remembers it."""

    kind: Literal["sfumato ledger entry 1"] = Field(description="The kind and its version.")
    id: str = Field(pattern="^[0-9a-f]{16}$", description="What tells the entry from others.")
    created: str = Field(description="When the release was written, in UTC.")
    file: str = Field(description="Where the release was written.")
    sha256: str = Field(description="The SHA-256 of the release.")
    values: ReleasedValues = Field(description="What stands in the cells.")
    k: int = Field(description="The k of the release.")
    accepted: bool = Field(
        default=False, description="Whether what it shows with earlier releases was accepted."
    )
    source: SourceFingerprint = Field(description="What recognizes its source.")
    shown: ShownClasses = Field(description="Its classes.")

    def document(self) -> str:
        """Return the entry as its file holds it, with the seal of this user."""
        return json.dumps({"entry": self.plain(), "seal": seal(_PURPOSE, self._sealed())}) + "\n"

    def is_sealed_by(self, given: object) -> bool:
        """Say whether a seal is the one that this user's own sfumato gave the entry."""
        return is_sealed(_PURPOSE, self._sealed(), by=given)

    def _sealed(self) -> str:
        return json.dumps(self.plain(), sort_keys=True)


@dataclass(frozen=True)
class Ledger:
    """The releases that this user made, in the folder for the state of programs."""

    folder: Path

    @classmethod
    def opened(cls) -> Ledger:
        """Return the ledger of this user; refuse one that cannot be read and written.

        One that others may read or change is refused, too.
        """
        try:
            folder = made_state_folder() / _FOLDER
            folder.mkdir(mode=0o700, exist_ok=True)
            list(folder.iterdir())
            with private_folder(folder):
                pass
        except (OSError, RuntimeError) as error:
            raise _unusable(str(error)) from None
        if derived_key(_PURPOSE) is None:
            raise _unusable("this user's key can be neither read nor made")
        ledger = cls(folder)
        ledger._check_private()
        with suppress(TimeoutError):
            # Whether it can be held at all; that another process holds it now does not matter.
            give_back(ledger._held(seconds=0))
        return ledger

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other releases of this user from being noted meanwhile."""
        try:
            handle = self._held(seconds=_PATIENCE)
        except TimeoutError as error:
            raise ReleaseError(
                f"the ledger of releases was held by another process for {_PATIENCE:,.0f} s; "
                "nothing is released",
                code="ledger-busy",
                file=error.filename,
                remedy="let the other release end, or stop it, and release again",
            ) from None
        try:
            yield
        finally:
            give_back(handle)

    def _held(self, *, seconds: float) -> int:
        try:
            return hold(self.folder.with_name(_LOCK), seconds=seconds)
        except TimeoutError:
            raise
        except OSError as error:
            raise _unusable(str(error)) from None

    @property
    def hashes(self) -> KeyedHashes:
        """The hashes that stand for values in the ledger."""
        key = derived_key("ledger")
        if key is None:
            raise _unusable("this user's key can be neither read nor made")
        return KeyedHashes(key)

    def path_of(self, entry: str) -> Path:
        """Return the file of an entry."""
        return self.folder / f"{entry}.json"

    def new_id(self) -> str:
        """Return an id that no entry has."""
        return secrets.token_hex(8)

    def ids(self) -> frozenset[str]:
        """Return the ids of all entries."""
        return frozenset(path.stem for path in self._paths())

    def entries(self) -> tuple[LedgerEntry, ...]:
        """Return all entries, the oldest first; one that cannot be read is an error."""
        found = []
        for path in self._paths():
            try:
                found.append(_read(path))
            except FileNotFoundError:
                # Another process had it forgotten just now.
                continue
        return tuple(sorted(found, key=lambda entry: (entry.created, entry.id)))

    def forget(self, entry: str) -> None:
        """Remove an entry, also one that cannot be read."""
        if entry not in {known.stem for known in self.folder.glob("*.json")}:
            raise SettingsError(
                f"the ledger has no release {entry!r}",
                code="unknown-choice",
                key="forget",
                found=repr(entry),
                remedy="sfumato ledger lists the releases that it knows",
            )
        try:
            self.path_of(entry).unlink(missing_ok=True)
        except OSError as error:
            raise _unusable(str(error)) from None

    def _paths(self) -> list[Path]:
        try:
            return sorted(self.folder.glob("[0-9a-f]*.json"))
        except OSError as error:
            raise _unusable(str(error)) from None

    def _check_private(self) -> None:
        """Refuse a key or a ledger that others may read, and a folder that they may change."""
        if os.name != "posix":
            return
        state = self.folder.parent
        for path, forbidden in ((state, 0o022), (state / KEY, 0o077), (self.folder, 0o077)):
            try:
                mode = path.stat().st_mode
            except OSError as error:
                raise _unusable(str(error)) from None
            # In a folder with this bit, like /tmp, nobody removes what others made.
            if mode & forbidden and not (path == state and mode & stat.S_ISVTX):
                kind = "change" if forbidden == 0o022 else "read or change"
                raise ReleaseError(
                    f"others than this user may {kind} {path}, by which the ledger of releases "
                    "tells the same people; nothing is released",
                    code="ledger-open",
                    file=path,
                    found=stat.filemode(mode),
                    remedy=f"chmod go-{'w' if forbidden == 0o022 else 'rwx'} {path}; with the key, "
                    "what the ledger stores can be tried (docs/ledger.md)",
                )


def _read(path: Path) -> LedgerEntry:
    try:
        content = parsed_json(path.read_bytes())
        if not isinstance(content, dict):
            raise ValueError("it is not an object")
        _check_version(path, content.get("entry"))
        entry = LedgerEntry.model_validate(content.get("entry"))
        if not entry.is_sealed_by(content.get("seal")):
            raise ValueError("it has not the seal of this user")
        if path.stem != entry.id:
            raise ValueError("it is the entry of another file")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _unusable(str(error)) from None
    except ValidationError as error:
        raise _broken(path, error.errors()[0]["msg"]) from None
    except ValueError as error:
        raise _broken(path, str(error)) from None
    return entry


def _check_version(path: Path, entry: object) -> None:
    """Refuse an entry of another version: to have it forgotten would be the wrong advice."""
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if isinstance(kind, str) and kind.startswith(_KIND) and kind != f"{_KIND}1":
        raise ReleaseError(
            f"{path} of the ledger of releases is of another version of sfumato; nothing is "
            "released",
            code="other-version",
            file=path,
            found=repr(kind),
            expected=(f"{_KIND}1",),
            remedy="release with the version that wrote it, or a newer one",
        )


def _unusable(why: str) -> ReleaseError:
    return ReleaseError(
        f"the ledger of releases cannot be used ({why}), so that nobody knows what earlier "
        "releases show of the same people; nothing is released",
        code="ledger-unusable",
        file=_named_folder(),
        remedy=_OTHERWISE,
    )


def _broken(path: Path, why: str) -> ReleaseError:
    return ReleaseError(
        f"{path} of the ledger of releases cannot be read: {why}; nothing is released",
        code="ledger-unreadable",
        file=path,
        remedy=f"bring it back, or have it forgotten: sfumato ledger --forget {path.stem}",
    )


def _named_folder() -> Path:
    try:
        return state_folder() / _FOLDER
    except RuntimeError:
        return Path(_FOLDER)
