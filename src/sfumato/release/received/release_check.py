"""What a reader finds out about a release: whether the file is what its certificate says."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.release.certificates.laws import same
from sfumato.release.signatures.signature import SignatureState

if TYPE_CHECKING:
    from collections.abc import Mapping


class Fault(enum.StrEnum):
    """What can be wrong with a release, that which casts doubt on the rest first."""

    OTHER_KEY = "other-key"
    """Another key signed the certificate than the one that was asked for."""
    EDITED_CERTIFICATE = "edited-certificate"
    """The certificate is not as it was when it was signed."""
    NOT_SIGNED = "not-signed"
    """A key was asked for, and the certificate has no signature."""
    OTHER_VERSION = "other-version"
    """The certificate is of another format."""
    BROKEN_CERTIFICATE = "broken-certificate"
    """The certificate lacks something, or contradicts itself."""
    OTHER_COLUMNS = "other-columns"
    """The file has other columns."""
    OTHER_ROWS = "other-rows"
    """The file is not that of the certificate, and has more rows or fewer."""
    CHANGED_FILE = "changed-file"
    """The file is not that of the certificate, and has as many rows."""
    OTHER_METRICS = "other-metrics"
    """The file is that of the certificate, and its metrics are others: the certificate is wrong."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A number of the certificate with what the file has."""

    name: str
    certified: float
    found: float

    @property
    def same(self) -> bool:
        """Whether they agree."""
        return same(self.certified, self.found)


@dataclass(frozen=True, kw_only=True)
class ReleaseCheck:
    """Whether a file is the one that its certificate is about, and has what that says.

    ``signature`` says what is known of it, ``signed_by`` is the fingerprint of the key that it
    names. ``faults`` are in their order; ``details`` says more about some of them. ``sha256`` is
    that of the file, ``certified_sha256`` that of the certificate. ``compared`` has the numbers of
    rows, classes and labels, and the metrics that the file shows; ``not_shown`` says of all others
    why the file alone does not show them. These are the publisher's word.
    """

    file: str
    certificate: str
    signature: SignatureState = SignatureState.NONE
    signed_by: str | None = None
    faults: tuple[Fault, ...] = ()
    details: Mapping[Fault, str] = field(default_factory=dict)
    sha256: str | None = None
    certified_sha256: str | None = None
    compared: tuple[Compared, ...] = ()
    not_shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults
