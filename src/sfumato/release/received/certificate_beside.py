"""Whether the public certificate beside an audited file says what the file shows."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.errors.listing import listed
from sfumato.findings.finding import Finding, Severity
from sfumato.release.certificates.documents import certificate_beside
from sfumato.release.received.release_check import Fault
from sfumato.release.received.verifying import verify_release

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.engines.engine import Engine

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
    except SourceError as error:
        # What is not a certificate says nothing; one whose signature cannot be read was changed.
        broken = error.code == "not-a-signature"
        return (_finding(file, certificate, error.code, {}),) if broken else ()
    about_this = check.sha256 is not None and check.sha256 == check.certified_sha256
    faults = [f for f in check.faults if about_this or f in _OF_THE_CERTIFICATE]
    if not faults:
        return ()
    other = [each for each in check.compared if not each.same]
    names = f": {listed([each.name for each in other])}" if other else ""
    counts = {
        f"{each.name} of the {side}": value
        for each in other
        for side, value in (("certificate", each.certified), ("file", each.found))
    }
    return (_finding(file, certificate, ", ".join(faults) + names, counts),)


def _finding(file: Path, certificate: Path, faults: str, counts: Mapping[str, float]) -> Finding:
    return Finding(
        code=CONTRADICTED,
        severity=Severity.WARNING,
        message=f"the certificate beside the table was edited or does not fit it ({faults})",
        remedy=f"see {shlex.join(('sfumato', 'verify', str(file), str(certificate)))}",
        counts=counts,
    )
