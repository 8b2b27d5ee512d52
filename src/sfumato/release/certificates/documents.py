"""The two certificates of a release: one to go with the data, one for the publisher alone.

What is known of the rows before they were recoded, and of those that were left out, lets a
reader test guesses about people: it is in the private certificate only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pydantic import ValidationError

from sfumato.documents.nesting import parsed_json
from sfumato.errors import SourceError
from sfumato.release.certificates.private import PRIVATE, PrivateCertificateRecord
from sfumato.release.certificates.public import PUBLIC, PublicCertificate
from sfumato.release.release_request import ReleasedValues
from sfumato.sources.parts import no_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.recoding.recoding import Recoding
    from sfumato.release.suppressed_records import SuppressedRecords
    from sfumato.sources.source import CsvFile

_REMEDIES = {
    PUBLIC.rpartition(" ")[0]: "give the public one, and keep the private one to yourself",
    PRIVATE.rpartition(" ")[0]: "give the private one, which has the totals of the suppressed rows",
}
"""What to do where another certificate was given, by the kind that is needed."""


@dataclass(frozen=True, kw_only=True)
class PrivateCertificate:
    """What an audit needs of a private certificate: the file, the recoding, suppressed rows.

    ``labels`` are those of columns whose labels are made of values, by code; ``sizes`` the domain
    values that each covers, where they are not blocks of a partition.
    """

    sha256: str
    suppressed: SuppressedRecords
    starred: bool
    recoding: Recoding
    labels: Mapping[str, tuple[str | None, ...]]
    sizes: Mapping[str, tuple[int, ...]]
    statistics: Mapping[str, CertifiedStatistic] | None = None


@dataclass(frozen=True, kw_only=True)
class CertifiedStatistic:
    """How a column was microaggregated: the statistic, and the written values with their blocks.

    ``by_class`` says that the blocks are the classes of a local recoding.
    """

    statistic: str
    values: tuple[tuple[str, int], ...]
    by_class: bool = False


def certificate_text(certificate: Mapping[str, object]) -> str:
    """Return a certificate as JSON text that every reader takes; what does not fit is a defect."""
    public = certificate.get("kind") == PUBLIC
    model = PublicCertificate if public else PrivateCertificateRecord
    return model.model_validate(certificate).text(indent=2)


def csv_settings(file: CsvFile) -> dict[str, object]:
    """Return how a CSV file is to be read: a reader need not find it out."""
    return {
        "delimiter": file.delimiter,
        "quote": file.quote,
        "encoding": file.encoding,
        "header": file.header,
        **({"escaped_formulas": True} if file.escaped_formulas else {}),
    }


def certificate_beside(file: Path) -> Path:
    """Return where the public certificate of a file is, if nothing else is said."""
    return file.with_name(f"{file.name}.certificate.json")


def _public_certificate(file: Path, sha256: str) -> PublicCertificate | None:
    """Return the public certificate beside a file, None if there is none about it."""
    try:
        found = PublicCertificate.model_validate_json(certificate_beside(file).read_bytes())
    except (OSError, ValidationError):
        # There is no certificate, or not one of ours: the file is looked at as any other.
        return None
    return found if found.release.sha256 == sha256 else None


def certified_statistics(file: Path, sha256: str) -> dict[str, str]:
    """Return the statistic of every column of a release whose certificate is beside it.

    It is empty if the release is generalized, or if nothing tells.
    """
    certificate = _public_certificate(file, sha256)
    if certificate is None or certificate.values is not ReleasedValues.MICROAGGREGATED:
        return {}
    return {
        name: column.statistic.value
        for name, column in certificate.recoding.items()
        if column.statistic is not None
    }


def certified_starred(file: Path, sha256: str) -> bool | None:
    """Say whether rows with * everywhere are suppressed ones; None if nothing tells."""
    certificate = _public_certificate(file, sha256)
    if certificate is None:
        return None
    if certificate.suppression.rows == "drop":
        return False
    starred = certificate.release.starred
    return None if starred is None else starred > 0


def as_certified(file: CsvFile, sha256: str) -> CsvFile:
    """Return a CSV file with the settings of the public certificate beside it, if it has one."""
    certificate = _public_certificate(file.path, sha256)
    settings = None if certificate is None else certificate.release.csv
    return file if settings is None else settings.file(file.path)


def read_private_certificate(path: Path) -> PrivateCertificate:
    """Read a private certificate, or say what is wrong with the file."""
    content = _content(path, PRIVATE)
    try:
        return _read(PrivateCertificateRecord.model_validate(content))
    except ValidationError as error:
        raise _broken(path, error) from None


def read_public_certificate(path: Path, content: bytes | None = None) -> PublicCertificate:
    """Read a public certificate, or say what is wrong with the file.

    ``content`` are the bytes of the file, if it was read already.
    """
    content_read = _content(path, PUBLIC, content)
    try:
        return PublicCertificate.model_validate(content_read)
    except ValidationError as error:
        raise _broken(path, error) from None


def _content(path: Path, kind: str, known: bytes | None = None) -> object:
    """Return what a certificate of a kind says, not yet checked."""
    try:
        content = parsed_json(path.read_bytes() if known is None else known)
    except FileNotFoundError:
        raise no_file(path) from None
    except (OSError, ValueError):
        raise SourceError(
            f"{path} is not a certificate: it cannot be read as JSON",
            code="not-a-certificate",
            file=path,
        ) from None
    found = content.get("kind") if isinstance(content, dict) else None
    if not isinstance(found, str) or found.rpartition(" ")[0] not in _REMEDIES:
        raise SourceError(
            f"{path} is not a certificate of a release",
            code="not-a-certificate",
            file=path,
            expected=f"a document of the kind {kind!r}",
        )
    asked, given = kind.rpartition(" ")[0], found.rpartition(" ")[0]
    if asked != given:
        which = given.split()[1]
        raise SourceError(
            f"{path} is the {which} certificate",
            code=f"{which}-certificate",
            file=path,
            remedy=_REMEDIES[asked],
        )
    if found != kind:
        raise SourceError(
            f"{path} is of another version of sfumato ({found!r}, and this one has {kind!r})",
            code="other-version",
            file=path,
            found=repr(found),
            expected=repr(kind),
            remedy="use the version that wrote it, or release again",
        )
    return content


def _broken(path: Path, error: ValidationError) -> SourceError:
    """Return the error for a certificate that lacks something or contradicts itself."""
    first = error.errors(include_url=False, include_context=False)[0]
    key = ".".join(map(str, first["loc"]))
    law = str(first["msg"]).removeprefix("Value error, ")
    return SourceError(
        f"{path} was changed or cut off: {f'{key}: ' if key else ''}{law}",
        code="broken-certificate",
        file=path,
        key=key or None,
        found=law,
        remedy="take it as it was written",
    )


def _read(record: PrivateCertificateRecord) -> PrivateCertificate:
    """Return what an audit needs."""
    columns = record.recoding
    statistics = {}
    for name, column in columns.items():
        if column.statistic is not None and column.class_values is not None:
            values = tuple((value, number) for number, value in enumerate(column.class_values))
            statistics[name] = CertifiedStatistic(
                statistic=column.statistic.value, values=values, by_class=True
            )
        elif column.statistic is not None and column.block_of_value is not None:
            statistics[name] = CertifiedStatistic(
                statistic=column.statistic.value, values=tuple(column.block_of_value.items())
            )
    microaggregated = record.values is ReleasedValues.MICROAGGREGATED
    return PrivateCertificate(
        sha256=record.release.sha256,
        starred=record.suppression.rows == "star" and record.suppressed.rows > 0,
        recoding=cast("Recoding", record.chosen),
        labels={
            name: column.block_labels
            for name, column in columns.items()
            if column.block_labels is not None
        },
        sizes={
            name: column.label_sizes
            for name, column in columns.items()
            if column.label_sizes is not None
        },
        statistics=statistics if microaggregated else None,
        suppressed=record.suppressed.suppressed(),
    )
