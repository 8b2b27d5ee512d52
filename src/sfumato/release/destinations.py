"""Where a release goes: which places it may take, and how its files appear there together."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.documents.leftovers import check_settled
from sfumato.documents.placing import already_there
from sfumato.documents.private_folder import make_private_folder
from sfumato.engines.messages.rewrite_plan import FileFormat
from sfumato.errors import ReleaseError
from sfumato.release.codebook.formats import codebook_writer
from sfumato.sources.source import (
    CSV_ENDINGS,
    PARQUET_ENDINGS,
    CsvFile,
    ParquetFile,
    path_of,
    source_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from sfumato.sources.source import ColumnarTable, Source


def target_of(destination: Path) -> tuple[CsvFile | ParquetFile, FileFormat]:
    """Return what the ending of a name asks for."""
    if not destination.name.lower().endswith((*CSV_ENDINGS, *PARQUET_ENDINGS)):
        raise ReleaseError(
            f"the ending of {destination} does not tell what to write",
            code="unknown-format",
            file=destination,
            expected=(".csv", ".tsv", ".csv.gz", ".parquet"),
        )
    source = source_of(destination)
    if isinstance(source, ParquetFile):
        return source, FileFormat.PARQUET
    assert isinstance(source, CsvFile)
    return source, FileFormat.CSV


def check_destinations(
    source: Source | ColumnarTable | str | Path,
    destination: Path,
    *,
    certificate: Path | None,
    private_certificate: Path | None,
    force: bool,
    parts: bool = False,
    made: Collection[Path] = (),
    codebook: Path | None = None,
    signed: bool = False,
) -> Path:
    """Refuse destinations that cannot or must not be written; return that of the certificate.

    ``made`` are folders that will be made if they are not there. With ``parts`` the release is a
    folder, which may replace another one that holds nothing but parts. A ``signed`` release has the
    signature of its certificate too.
    """
    target_of(destination)
    if codebook is not None:
        codebook_writer(codebook)
    certificate = certificate or destination.with_name(f"{destination.name}.certificate.json")
    signature = signature_of(certificate)
    given = (
        destination,
        certificate,
        private_certificate,
        codebook,
        signature if signed else None,
    )
    places = [path for path in given if path is not None]
    if len({path.parent.resolve() / path.name for path in places}) < len(places):
        raise ReleaseError(
            "the release and its certificates need names of their own",
            code="duplicate",
            file=destination,
        )
    for path in (*places, signature):
        _check_name(path)
    if not signed and signature.exists():
        raise ReleaseError(
            f"{signature} is there, and this release is not to be signed: it would not fit",
            code="stale-signature",
            file=signature,
            remedy="remove it, or sign this release too (--sign)",
        )
    check_settled(places)
    origin = path_of(source_of(source))
    for path in places:
        if origin is not None and path.exists() and origin.exists() and path.samefile(origin):
            raise ReleaseError(
                f"{path} is the source itself, which a release never overwrites",
                code="never-replaced",
                file=path,
                remedy="choose another destination",
            )
        if not path.parent.is_dir() and path.parent not in made:
            raise no_folder(path.parent)
        if origin is not None and origin.is_dir() and origin.resolve() == path.parent.resolve():
            raise ReleaseError(
                f"{path} would become a part of the source",
                code="never-replaced",
                file=path,
                remedy="choose another folder",
            )
        if path.is_dir() and not (parts and path == destination and holds_only_parts(path)):
            holding = " that holds more than parts of a release"
            raise ReleaseError(
                f"{path} is a folder{holding if parts and path == destination else ''}",
                code="is-a-folder",
                file=path,
                remedy="give another name",
            )
        if parts and path == destination and path.is_file():
            raise ReleaseError(
                f"{path} is a file, and this engine writes a folder of parts",
                code="is-a-file",
                file=path,
                remedy="choose another name",
            )
        if path.exists() and not force:
            raise already_there(path)
    return certificate


def signature_of(certificate: Path) -> Path:
    """Return where the signature of a certificate is."""
    return certificate.with_name(f"{certificate.name}.sig")


def no_folder(folder: Path) -> ReleaseError:
    """Return the error for a destination in a folder that is not there."""
    return ReleaseError(
        f"there is no folder {folder}",
        code="no-such-folder",
        file=folder,
        remedy="make it, or choose another destination",
    )


def holds_only_parts(folder: Path) -> bool:
    """Say whether a folder holds what a cluster writes and nothing else."""
    return all(
        entry.is_file() and entry.name.startswith(("part-", ".part-", "_SUCCESS", "._SUCCESS"))
        for entry in folder.iterdir()
    )


def _check_name(path: Path) -> None:
    """Refuse a name that the file system does not take."""
    try:
        path.exists()
    except OSError as error:
        raise ReleaseError(
            f"{path.name[:40]}… cannot be the name of a file: {error.strerror}",
            code="not-a-name",
            file=path,
            remedy="choose a shorter one (its certificate gets a longer one)",
        ) from None


@contextmanager
def private_workspace(destination: Path) -> Iterator[Path]:
    """Make a folder that only its owner can look into, and remove it whatever happens.

    It lies beside the destination, so that a finished file is moved, not copied.
    """
    parent = destination.parent
    if not parent.is_dir():
        raise no_folder(parent)
    try:
        folder = make_private_folder(parent)
    except OSError as error:
        raise ReleaseError(
            f"nothing can be written into {parent}: {error.strerror}",
            code="unwritable-file",
            file=parent,
            remedy="choose another destination",
        ) from None
    try:
        yield folder
    except BrokenPipeError:
        raise
    except OSError as error:
        # A full disk mostly: what engines say is translated already.
        raise ReleaseError.unwritable(
            destination,
            error,
            remedy="nothing was left there; free some disk, or choose another destination",
        ) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ordinary_permissions(path: Path) -> None:
    """Give a file, or a folder and its parts, the permissions that a newly made one has."""
    if path.is_dir():
        for part in path.iterdir():
            ordinary_permissions(part)
        example = path.with_name(f"{path.name}.permissions")
        example.mkdir()
        path.chmod(example.stat().st_mode)
        example.rmdir()
        return
    # Asked by making one: the mask of a process can only be read by setting it.
    example = path.with_name(f"{path.name}.permissions")
    example.touch(exist_ok=False)
    path.chmod(example.stat().st_mode)
    example.unlink()
