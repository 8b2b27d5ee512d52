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
from sfumato.errors.suggestions import closest_file
from sfumato.release.certificates.private import PRIVATE, PrivateCertificateRecord
from sfumato.release.certificates.public import PUBLIC, PublicCertificate
from sfumato.release.release_request import ReleasedValues
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.recoding.recoding import Recoding
    from sfumato.release.suppressed_records import SuppressedRecords


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


def _public_certificate(file: Path, sha256: str) -> PublicCertificate | None:
    """Return the public certificate beside a file, None if there is none about it."""
    path = file.with_name(f"{file.name}.certificate.json")
    try:
        found = PublicCertificate.model_validate_json(path.read_bytes())
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
    if settings is None:
        return file
    try:
        return CsvFile(path=file.path, **settings.model_dump())
    except SourceError:
        # Anyone may have edited it: what it lacks is found out from the file.
        return file


def read_private_certificate(path: Path) -> PrivateCertificate:
    """Read a private certificate, or say what is wrong with the file."""
    try:
        content = parsed_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(
            f"there is no file {path}",
            code="no-such-file",
            file=path,
            suggestion=closest_file(path),
        ) from None
    except (OSError, ValueError):
        raise SourceError(
            f"{path} is not a certificate: it cannot be read as JSON",
            code="not-a-certificate",
            file=path,
        ) from None
    kind = content.get("kind") if isinstance(content, dict) else None
    if kind == PUBLIC:
        raise SourceError(
            f"{path} is the public certificate",
            code="public-certificate",
            file=path,
            remedy="give the private one, which has the totals of the suppressed rows",
        )
    if isinstance(kind, str) and kind.startswith(PRIVATE[:-1]) and kind != PRIVATE:
        raise SourceError(
            f"{path} is of another version of sfumato ({kind!r}, and this one writes {PRIVATE!r})",
            code="other-version",
            file=path,
            found=repr(kind),
            expected=repr(PRIVATE),
            remedy="release again, or audit with the version that wrote it",
        )
    if kind != PRIVATE:
        raise SourceError(
            f"{path} is not a private certificate of a release",
            code="not-a-certificate",
            file=path,
            expected=f"a document of the kind {PRIVATE!r}",
        )
    try:
        record = PrivateCertificateRecord.model_validate(content)
        return _read(record)
    except (ValidationError, ValueError):
        raise SourceError(
            f"{path} is a private certificate that was changed or cut off",
            code="broken-certificate",
            file=path,
        ) from None


def _read(record: PrivateCertificateRecord) -> PrivateCertificate:
    """Return what an audit needs; a ValueError says that something is missing."""
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
    if microaggregated and len(statistics) != len(columns):
        raise ValueError("a column has no statistic")
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
