"""Comparing a released file with its public certificate, without the study that it came from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SfumatoError, SourceError
from sfumato.errors.listing import listed
from sfumato.release.certificates.documents import read_public_certificate
from sfumato.release.destinations import signature_of
from sfumato.release.received.release_check import Compared, Fault, ReleaseCheck
from sfumato.release.received.shown_metrics import shown_by
from sfumato.release.signatures.keys import PublicKey
from sfumato.release.signatures.signature import (
    SignatureState,
    read_signature,
    signature_state,
)
from sfumato.sources.parts import no_file, parts_of
from sfumato.sources.source import ParquetFile
from sfumato.sources.source_stamp import table_sha256

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engines.engine import Engine
    from sfumato.release.audit.audit import Audit
    from sfumato.release.certificates.public import PublicCertificate
    from sfumato.sources.source import Source

_CERTIFICATE_FAULTS = {
    "other-version": Fault.OTHER_VERSION,
    "broken-certificate": Fault.BROKEN_CERTIFICATE,
}


_SIGNATURE_FAULTS = {
    SignatureState.OTHER_KEY: Fault.OTHER_KEY,
    SignatureState.DOES_NOT_FIT: Fault.EDITED_CERTIFICATE,
}


def verify_release(
    file: str | Path,
    certificate: str | Path,
    *,
    public_key: str | Path | PublicKey | None = None,
    engine: Engine | None = None,
) -> ReleaseCheck:
    """Return whether a released file is what its public certificate says; nothing else is needed.

    The file, or a folder of parts, must have the SHA-256 of the certificate. Its columns, rows,
    classes and labels are counted, and every metric that the file alone shows is computed anew.
    With a ``public_key`` the certificate must be signed by its other half; the signature is beside
    it.
    """
    path, document = Path(file), Path(certificate)
    parts_of(path)
    key = PublicKey.read(Path(public_key)) if isinstance(public_key, str | Path) else public_key
    content = _bytes(document)
    signature = read_signature(signature_of(document))
    state = signature_state(content, signature, key)
    check = ReleaseCheck(
        file=str(path),
        certificate=str(document),
        signature=state,
        signed_by=None if signature is None else signature.by.fingerprint,
    )
    unsigned = key is not None and signature is None
    fault = Fault.NOT_SIGNED if unsigned else _SIGNATURE_FAULTS.get(state)
    details: dict[Fault, str] = {} if fault is None else {fault: ""}
    try:
        read = read_public_certificate(document, content)
    except SourceError as error:
        fault = _CERTIFICATE_FAULTS.get(error.code)
        if fault is None:
            raise
        details[fault] = str(error)
    else:
        check = _compared(check, path, read, engine or DuckDBEngine(), details)
    return replace(check, faults=tuple(each for each in Fault if each in details), details=details)


def _bytes(certificate: Path) -> bytes:
    try:
        return certificate.read_bytes()
    except FileNotFoundError:
        raise no_file(certificate) from None
    except OSError as error:
        raise SourceError.unreadable(certificate, error) from None


def _compared(
    check: ReleaseCheck,
    path: Path,
    certificate: PublicCertificate,
    engine: Engine,
    details: dict[Fault, str],
) -> ReleaseCheck:
    """Compare a file with what its certificate says, and add what is wrong to the details."""
    settings = certificate.release.csv
    source: Source = ParquetFile(path=path) if settings is None else settings.file(path)
    try:
        digest = table_sha256(path)
    except OSError as error:
        raise SourceError.unreadable(path, error) from None
    check = replace(check, sha256=digest, certified_sha256=certificate.release.sha256)
    changed = digest != certificate.release.sha256
    compared: tuple[Compared, ...] = ()
    try:
        differing = _other_columns(engine.columns(source), certificate)
        if differing:
            details[Fault.OTHER_COLUMNS] = differing
        else:
            audit = shown_by(source, certificate, engine)
            compared = tuple(_numbers(audit, certificate))
            check = replace(check, compared=compared, not_shown=audit.not_measured)
    except SfumatoError as error:
        fault = Fault.CHANGED_FILE if changed else Fault.BROKEN_CERTIFICATE
        details[fault] = f"the file cannot be read as the certificate says: {error}"
    other = [each.name for each in compared if not each.same]
    if changed and any(each.name == _ROWS and not each.same for each in compared):
        details[Fault.OTHER_ROWS] = ""
    elif changed:
        details.setdefault(Fault.CHANGED_FILE, "")
    elif other:
        details[Fault.OTHER_METRICS] = ""
    return check


_ROWS = "rows"


def _numbers(audit: Audit, certificate: PublicCertificate) -> Iterator[Compared]:
    """Yield all that the certificate says in numbers and the file shows."""
    release = certificate.release
    yield Compared(name=_ROWS, certified=release.rows, found=audit.rows + audit.starred)
    yield Compared(name="starred rows", certified=release.starred or 0, found=audit.starred)
    yield Compared(name="classes", certified=release.classes, found=audit.classes)
    for name, column in certificate.recoding.items():
        found = audit.labels[name]
        yield Compared(name=f"labels of {name!r}", certified=column.labels, found=found)
    for name, value in audit.metrics.items():
        yield Compared(name=name, certified=certificate.metrics[name], found=value)


def _other_columns(found: tuple[str, ...], certificate: PublicCertificate) -> str:
    """Say which columns the file lacks or has beyond the certificate; nothing if they agree."""
    lacking = [name for name in certificate.columns if name not in found]
    more = [name for name in found if name not in certificate.columns]
    said = [f"it lacks {listed(lacking)}"] if lacking else []
    said += [f"it also has {listed(more)}"] if more else []
    if not said and list(found) != list(certificate.columns):
        said = ["they are in another order"]
    return ", and ".join(said)
