"""What a study file may name: files of its own folder, and files and hosts that its user allows.

A study file comes by mail, or from a repository, as often as it is written here. What it names
outside its folder is read only if the user typed the path, or if this user's own ``init`` or
``search`` wrote it, which its seal shows (`documents/own_seal.py`). Rows are sent to an engine on
another host under the same condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.own_seal import is_sealed, seal
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PURPOSE = "source"
_CATALOG = "catalog table"
_HOST = "engine"
_DATABASE = "database"
_QUOTED = re.compile(r"`((?:[^`]|``)*)`")


@dataclass(frozen=True, kw_only=True)
class NamedPaths:
    """Paths in a study file are relative to its ``folder``; ``allowed`` are others, as texts."""

    folder: Path
    allowed: tuple[str, ...] = ()
    reads_source: bool = True

    @classmethod
    def of(
        cls, file: Path, allow_paths: Iterable[str | Path] = (), *, reads_source: bool = True
    ) -> NamedPaths:
        """Return the paths that a study file may name, with what its user allows."""
        allowed = tuple(map(str, allow_paths))
        return cls(folder=file.parent, allowed=allowed, reads_source=reads_source)

    def file(self, name: str, *, key: str, sealed: str | None = None) -> Path:
        """Return the path that a name means, or refuse one that nobody allowed."""
        path = self.folder / name
        real = _real(path, key=key)
        inside = real.is_relative_to(self.folder.resolve())
        if inside or self._allows(real) or is_sealed(_PURPOSE, str(real), by=sealed):
            return path
        raise _outside(name, key=key, allow=str(real))

    def source(self, name: str, *, sealed: str | None = None) -> Path:
        """Return the path of the rows; who does not read them needs nobody's leave."""
        if not self.reads_source:
            return self.folder / name
        return self.file(name, key="path", sealed=sealed)

    def check_catalog(self, table: str, *, sealed: str | None = None) -> None:
        """Refuse a table of a catalog that is a path: Spark reads what stands in such quotes."""
        if not self.reads_source or is_sealed(_CATALOG, table, by=sealed):
            return
        for quoted in _QUOTED.findall(table):
            address = quoted.replace("``", "`")
            if not re.search(r"[/\\:]", address) or address in self.allowed:
                continue
            scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
            if scheme is None or scheme[1].lower() == "file":
                local = re.sub(r"^file:(//)?", "", address, flags=re.IGNORECASE)
                self.file(local, key="table")
            else:
                raise _outside(address, key="table", allow=address)

    def check_host(self, address: str, *, key: str, sealed: str | None = None) -> None:
        """Refuse the address of an engine elsewhere that nobody allowed."""
        host = _host(address)
        known = host in map(_host, self.allowed) or is_sealed(_HOST, host, by=sealed)
        if not self.reads_source or known:
            return
        raise SettingsError(
            f"the rows would be sent to {host!r}, and a study may not send them anywhere",
            code="other-host",
            key=key,
            found=repr(host),
            remedy=f"if you mean it, allow it: --allow-path {host} (allow_paths=[…] in Python)",
        )

    def check_database(self, address: str, *, sealed: str | None = None) -> None:
        """Refuse the address of a database that nobody allowed: it can be that of any host.

        It is compared whole, because parameters of an address can name another host.
        """
        known = address in self.allowed or is_sealed(_DATABASE, address, by=sealed)
        if known or not self.reads_source:
            return
        raise SettingsError(
            f"the rows would be read from {address!r}, and a study may not connect anywhere",
            code="other-host",
            key="path",
            found=repr(address),
            remedy=f"if you mean it, allow it: --allow-path {address} (allow_paths=[…] in Python)",
        )

    def _allows(self, real: Path) -> bool:
        return any(real.is_relative_to(Path(each).resolve()) for each in self.allowed)


def source_seal(path: Path) -> str | None:
    """Return the seal of a source that this user named, None where there can be none."""
    return seal(_PURPOSE, str(path.resolve()))


def catalog_seal(table: str) -> str | None:
    """Return the seal of a table of a catalog that this user named."""
    return seal(_CATALOG, table)


def database_seal(address: str) -> str | None:
    """Return the seal of the address of a database that this user allowed."""
    return seal(_DATABASE, address)


def host_seal(address: str) -> str | None:
    """Return the seal of an engine's address that this user allowed, None where there is none."""
    return seal(_HOST, _host(address))


def _host(address: str) -> str:
    """Return an address without its parameters, which may be secret.

    >>> _host("sc://host:15002/;token=abc")
    'sc://host:15002'
    """
    return address.partition(";")[0].rstrip("/")


def _real(path: Path, *, key: str) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise SettingsError(
            f"it cannot be the name of a file ({type(error).__name__})",
            code="not-a-name",
            key=key,
            expected="the path of a file",
        ) from None


def _outside(name: str, *, key: str, allow: str) -> SettingsError:
    return SettingsError(
        f"{name!r} is outside the folder of the study file, and a study may not read everything",
        code="outside-folder",
        key=key,
        found=repr(name),
        remedy=f"if you mean it, allow it: --allow-path {allow} (allow_paths=[…] in Python), or "
        "put the file beside the study",
    )
