"""Writing a proposed study file, whole or not at all."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.whole_file import write_whole
from sfumato.errors import SettingsError, SourceError
from sfumato.sources.csv_dialect import csv_dialect
from sfumato.sources.source import (
    CatalogTable,
    CsvFile,
    DatabaseTable,
    MemoryTable,
    PostgresTable,
    Worksheet,
    path_of,
)
from sfumato.study.file.named_paths import database_seal, source_seal
from sfumato.study.file.toml_syntax import LARGEST_STUDY
from sfumato.study.proposal.study_template import study_template

if TYPE_CHECKING:
    from sfumato.sources.source import Source
    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.proposal import Proposal


def check_study_path(path: Path, *, source: Source, force: bool) -> None:
    """Refuse a place where a study file cannot be written, or should not without ``force``.

    With ``force`` a study is replaced, and nothing else: never the source, nor other data.
    """
    if path.is_dir():
        raise SettingsError(
            f"{path} is a folder",
            code="is-a-folder",
            file=path,
            remedy="give the name of a file, like study.toml",
        )
    if not path.parent.is_dir():
        raise SettingsError(
            f"there is no folder {path.parent}",
            code="no-such-folder",
            file=path.parent,
            remedy="make it first",
        )
    if not path.exists():
        return
    origin = path_of(source)
    if origin is not None and _same(path, origin):
        raise SettingsError(
            f"{path} holds the rows themselves, and is never replaced",
            code="never-replaced",
            file=path,
            remedy="write the study to another file with -o, like study.toml",
        )
    if not _is_study(path):
        raise SettingsError(
            f"{path} exists and is not a study that can be read, so it is not replaced",
            code="never-replaced",
            file=path,
            remedy="write to another file with -o, or move that one away",
        )
    if not force:
        raise SettingsError(
            f"{path} exists, and may hold your edits",
            code="already-exists",
            file=path,
            remedy="write to another file with -o, or replace it with --force",
        )


def _same(path: Path, other: Path) -> bool:
    return other.exists() and path.samefile(other)


def _is_study(path: Path) -> bool:
    """Say whether a file is TOML with a table that every study has, or is empty."""
    try:
        if path.stat().st_size > LARGEST_STUDY:
            return False
        text = path.read_bytes().decode("utf-8-sig")
        return not text.strip() or not {"source", "columns"}.isdisjoint(tomllib.loads(text))
    except OSError as error:
        raise SettingsError.unreadable(path, error) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return False


def source_settings(source: Source, *, study: Path) -> dict[str, TomlValue]:
    """Return the table ``[source]`` of a study file at ``study``.

    Of a text file it says how it is written, so that nothing is guessed again. A path outside the
    folder of the study is sealed.
    """
    if isinstance(source, MemoryTable | CatalogTable):
        raise SourceError(
            f"a study cannot be proposed for {source}",
            code="not-a-file",
            file=source,
            remedy="write it to a file first",
        )
    if isinstance(source, PostgresTable):
        own: dict[str, TomlValue] = {"path": source.address, "table": source.table}
        known = database_seal(source.address)
        return own if known is None else {**own, "seal": known}
    settings: dict[str, TomlValue] = {"path": _relative(source.path, study.parent)}
    if isinstance(source, DatabaseTable):
        settings["table"] = source.table
    if isinstance(source, Worksheet) and source.sheet is not None:
        settings["table"] = source.sheet
    if isinstance(source, CsvFile):
        dialect = csv_dialect(source)
        settings |= {
            "delimiter": dialect.delimiter,
            "quote": dialect.quote,
            "encoding": dialect.encoding,
            "header": dialect.header,
        }
    sealed = source_seal(source.path)
    if sealed is not None and not source.path.resolve().is_relative_to(study.parent.resolve()):
        settings["seal"] = sealed
    return settings


def write_proposal(path: Path, proposal: Proposal, *, source: Source, force: bool) -> None:
    """Write the study file of a proposal to ``path``."""
    check_study_path(path, source=source, force=force)
    text = study_template(
        proposal,
        source=source_settings(source, study=path),
        title=_title(source),
        command=f"sfumato search {path.name}",
    )
    try:
        write_whole(path, text)
    except OSError as error:
        raise SettingsError.unwritable(path, error, remedy="choose another place with -o") from None


def _title(source: Source) -> str:
    if isinstance(source, MemoryTable | CatalogTable | PostgresTable):
        return str(source)
    name = source.path.name
    return f"table {source.table} of {name}" if isinstance(source, DatabaseTable) else name


def _relative(path: Path, folder: Path) -> str:
    """Return a path as seen from a folder, absolute if there is no way between them."""
    target = path.resolve()
    try:
        return Path(os.path.relpath(target, folder.resolve())).as_posix()
    except ValueError:
        return target.as_posix()
