"""A release as ``sfumato verify`` shows it to somebody who has the file and its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors.listing import counted
from sfumato.release.received.release_check import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.release.received.release_check import Compared, ReleaseCheck

INTACT = "intact"


@dataclass(frozen=True, kw_only=True)
class FaultView:
    """Something that is wrong, and what it means."""

    code: str
    message: str


@dataclass(frozen=True, kw_only=True)
class NumberView:
    """A number of the certificate, and what the file has."""

    certified: float
    found: float
    same: bool


@dataclass(frozen=True, kw_only=True)
class VerificationView:
    """Whether a release is what its certificate says.

    ``verdict`` is "intact" or the code of the first fault, ``signed_by`` the fingerprint of the key
    that the ``signature`` names. ``compared`` has all numbers that the
    file shows, ``not_shown`` why it does not show the others.
    """

    file: str
    certificate: str
    verdict: str
    signature: str
    signed_by: str | None
    faults: tuple[FaultView, ...]
    sha256: str | None
    certified_sha256: str | None
    compared: Mapping[str, NumberView]
    not_shown: Mapping[str, str]


def verification_view(check: ReleaseCheck) -> VerificationView:
    """Return what is shown of a release that was checked."""
    return VerificationView(
        file=check.file,
        certificate=check.certificate,
        verdict=INTACT if check.intact else check.faults[0].value,
        signature=check.signature.value,
        signed_by=check.signed_by,
        faults=tuple(
            FaultView(code=fault.value, message=_message(fault, check)) for fault in check.faults
        ),
        sha256=check.sha256,
        certified_sha256=check.certified_sha256,
        compared={
            each.name: NumberView(certified=each.certified, found=each.found, same=each.same)
            for each in check.compared
        },
        not_shown=check.not_shown,
    )


def _message(fault: Fault, check: ReleaseCheck) -> str:
    """Say what a fault means to somebody who got the data."""
    detail = check.details.get(fault, "")
    other = [each for each in check.compared if not each.same]
    match fault:
        case Fault.OTHER_KEY:
            return f"the certificate is signed by another key, {check.signed_by}"
        case Fault.EDITED_CERTIFICATE:
            return "the certificate was changed after it was signed: its signature does not fit"
        case Fault.NOT_SIGNED:
            return "the certificate has no signature: anybody could have written it"
        case Fault.OTHER_COLUMNS:
            return f"the columns of the file are not those of the certificate: {detail}"
        case Fault.OTHER_ROWS:
            rows = next(each for each in other if each.name == "rows")
            more = int(rows.found - rows.certified)
            change = f"{counted(abs(more), 'row')} {'more' if more > 0 else 'fewer'}"
            return (
                f"the file has {change} than its certificate says, and another SHA-256: rows were "
                f"{'added' if more > 0 else 'dropped'}, or it is another file"
            )
        case Fault.CHANGED_FILE:
            return f"the file has another SHA-256 than its certificate says: {_changed(check)}"
        case Fault.OTHER_METRICS:
            return (
                "the file has the SHA-256 of the certificate, but not its numbers: the "
                f"certificate was changed ({_listed(other)})"
            )
        case _:
            return detail


def _changed(check: ReleaseCheck) -> str:
    detail = check.details[Fault.CHANGED_FILE]
    if detail:
        return detail
    if not check.compared:
        return "it was changed, or is another file"
    other = [each for each in check.compared if not each.same]
    if other:
        return f"cells were changed, or it is another file ({_listed(other)})"
    return (
        "cells were changed, or it was saved anew. It has as many rows as the certificate says, "
        "and all metrics that it shows"
    )


def _listed(compared: list[Compared], most: int = 3) -> str:
    told = [
        f"{each.name} is {each.found:.10g}, certified {each.certified:.10g}"
        for each in compared[:most]
    ]
    more = len(compared) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more else "")
