"""Whether the public certificate beside an audited file says what the file shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.findings.finding import Finding, Severity
from sfumato.release.certificates.documents import certificate_beside
from sfumato.release.received.release_check import Fault
from sfumato.release.received.verifying import verify_release

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engines.engine import Engine
    from sfumato.release.received.release_check import ReleaseCheck

CONTRADICTED = "contradicted-certificate"
"""The code of the finding."""

_OF_THE_CERTIFICATE = (Fault.EDITED_CERTIFICATE, Fault.BROKEN_CERTIFICATE)


def certificate_findings(file: Path, engine: Engine) -> tuple[Finding, ...]:
    """Return whether the certificate beside a file was edited, by its own numbers or the file's.

    A certificate of another file or of another version says nothing about this one, and neither
    does a document that is none.
    """
    certificate = certificate_beside(file)
    if not certificate.is_file():
        return ()
    try:
        check = verify_release(file, certificate, engine=engine)
    except SourceError:
        return ()
    about_this = check.sha256 is not None and check.sha256 == check.certified_sha256
    faults = [f for f in check.faults if about_this or f in _OF_THE_CERTIFICATE]
    return (_finding(certificate, check, faults),) if faults else ()


def _finding(certificate: Path, check: ReleaseCheck, faults: list[Fault]) -> Finding:
    """Say what is wrong in one sentence, without a value of the data."""
    other = [each.name for each in check.compared if not each.same]
    differing = f", which has another {listed(other)}" if Fault.OTHER_METRICS in faults else ""
    return Finding(
        code=CONTRADICTED,
        severity=Severity.WARNING,
        message=f"the certificate beside the table, {certificate.name}, does not fit it"
        f"{differing} ({', '.join(faults)})",
        remedy=f"see what is wrong: sfumato verify {check.file} {certificate}",
        counts={
            f"{name} of the {side}": value
            for each in check.compared
            if not each.same
            for name, side, value in (
                (each.name, "certificate", each.certified),
                (each.name, "file", each.found),
            )
        },
    )
