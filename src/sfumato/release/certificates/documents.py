"""The two certificates of a release: one to go with the data, one for the publisher alone.

What is known of the rows before they were recoded, and of those that were left out, lets a
reader test guesses about people: it is in the private certificate only (SPEC §8).
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.errors import SettingsError, SourceError
from sfumato.recoding.recoding import read_recoding
from sfumato.release.released_values import ReleasedValues
from sfumato.release.suppressed_records import SuppressedRecord, SuppressedRecords
from sfumato.sources.source import CsvFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.recoding.recoding import Recoding

PUBLIC = "sfumato public certificate 2"
PRIVATE = "sfumato private certificate 2"

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, kw_only=True)
class PrivateCertificate:
    """What an audit needs of a private certificate: the file, the recoding, suppressed rows."""

    sha256: str
    suppressed: SuppressedRecords
    starred: bool
    recoding: Recoding
    labels: Mapping[str, tuple[str | None, ...]]
    statistics: Mapping[str, CertifiedStatistic] | None = None


@dataclass(frozen=True, kw_only=True)
class CertifiedStatistic:
    """How a column was microaggregated: the statistic, and the block of every written value."""

    statistic: str
    block_of_value: Mapping[str, int]


def certificate_text(certificate: Mapping[str, object]) -> str:
    """Return a certificate as JSON text that every reader takes.

    >>> print(certificate_text({"metrics": {"k": 5.0, "t": 0.25, "c-avg": float("inf")}}))
    {
      "metrics": {
        "k": 5,
        "t": 0.25,
        "c-avg": "inf"
      }
    }
    """
    return json.dumps(as_json(certificate), indent=2, ensure_ascii=False, allow_nan=False)


def as_json(value: object) -> Json:
    """Return a value in JSON's own types: whole floats as whole numbers, infinities as texts."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "items"):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return str(value)


def csv_settings(file: CsvFile) -> dict[str, object]:
    """Return how a CSV file is to be read: a reader need not find it out."""
    return {
        "delimiter": file.delimiter,
        "quote": file.quote,
        "encoding": file.encoding,
        "header": file.header,
    }


def _public_content(file: Path, sha256: str) -> dict[str, Json]:
    """Return the public certificate beside a file, empty if there is none about it."""
    try:
        path = file.with_name(f"{file.name}.certificate.json")
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["kind"] == PUBLIC and content["release"]["sha256"] == sha256:
            return dict(content)
    except (OSError, ValueError, KeyError, TypeError):
        # There is no certificate, or none of ours: the file is looked at as any other.
        pass
    return {}


def certified_statistics(file: Path, sha256: str) -> dict[str, str]:
    """Return the statistic of every column of a release whose certificate is beside it.

    It is empty if the release is generalized, or if nothing tells.
    """
    content = _public_content(file, sha256)
    recoding = content.get("recoding")
    if content.get("values") != ReleasedValues.MICROAGGREGATED or not isinstance(recoding, dict):
        return {}
    return {
        name: str(column["statistic"])
        for name, column in recoding.items()
        if isinstance(column, dict) and "statistic" in column
    }


def as_certified(file: CsvFile, sha256: str) -> CsvFile:
    """Return a CSV file with the settings of the public certificate beside it, if it has one."""
    # Of any shape: anyone may have edited it, and whatever it lacks is found out from the file.
    content: Any = _public_content(file.path, sha256)
    try:
        settings = content["release"]["csv"]
        return CsvFile(
            path=file.path,
            delimiter=settings["delimiter"],
            quote=settings["quote"],
            encoding=settings["encoding"],
            header=settings["header"],
        )
    except (KeyError, TypeError, SourceError):
        return file


def suppressed_as_json(suppressed: SuppressedRecords) -> Json:
    """Return the suppressed rows as JSON: class sizes, and values without quasi-identifiers."""
    record: dict[str, object] = {
        "rows": suppressed.rows,
        "class_sizes": {str(size): n for size, n in sorted(suppressed.class_sizes.items())},
        "columns": suppressed.columns,
    }
    if suppressed.predicates:
        record["predicates"] = suppressed.predicates
    record["records"] = [
        {name: value for name, value in asdict(each).items() if value != ()}
        for each in suppressed.records
    ]
    return as_json(record)


def _suppressed(content: Any) -> SuppressedRecords:
    """Return the suppressed rows of a certificate; they must add up."""
    found = SuppressedRecords(
        columns=tuple(map(str, content["columns"])),
        predicates=tuple(map(str, content.get("predicates", ()))),
        class_sizes={int(size): int(n) for size, n in content["class_sizes"].items()},
        records=tuple(
            SuppressedRecord(
                values=tuple(map(str, each.get("values", ()))),
                rows=int(each["rows"]),
                satisfies=tuple(map(bool, each.get("satisfies", ()))),
                applies=tuple(map(bool, each.get("applies", ()))),
                damages=tuple(map(float, each.get("damages", ()))),
            )
            for each in content["records"]
        ),
    )
    whole = all(r.rows > 0 and len(r.values) == len(found.columns) for r in found.records)
    positive = all(size > 0 and n > 0 for size, n in found.class_sizes.items())
    if (
        not whole
        or not positive
        or sum(r.rows for r in found.records) != found.rows
        or found.rows != int(content["rows"])
        or any(len(r.satisfies) != len(found.predicates) for r in found.records)
    ):
        raise ValueError("the suppressed rows do not add up")
    return found


def read_private_certificate(path: Path) -> PrivateCertificate:
    """Read a private certificate, or say what is wrong with the file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(f"there is no file {path}") from None
    except (OSError, UnicodeError, json.JSONDecodeError):
        raise SourceError(f"{path} is no certificate: it cannot be read as JSON") from None
    kind = content.get("kind") if isinstance(content, dict) else None
    if kind == PUBLIC:
        raise SourceError(
            f"{path} is the public certificate; the totals of the suppressed rows are in the "
            "private one"
        )
    if isinstance(kind, str) and kind.startswith(PRIVATE[:-1]) and kind != PRIVATE:
        raise SourceError(
            f"{path} is of another version of sfumato ({kind!r}, and this one writes {PRIVATE!r}); "
            "release again, or audit with the version that wrote it"
        )
    if kind != PRIVATE:
        raise SourceError(f"{path} is no private certificate of a release ({PRIVATE!r})")
    try:
        suppressed = _suppressed(content["suppressed"])
        columns = content["recoding"]
        statistics = None
        if content.get("values") == ReleasedValues.MICROAGGREGATED:
            statistics = {
                str(name): CertifiedStatistic(
                    statistic=str(column["statistic"]),
                    block_of_value={str(v): int(b) for v, b in column["block_of_value"].items()},
                )
                for name, column in columns.items()
            }
        return PrivateCertificate(
            sha256=str(content["release"]["sha256"]),
            starred=content["suppression"]["rows"] == "star" and suppressed.rows > 0,
            recoding=read_recoding(content["chosen"]),
            labels={
                str(name): tuple(None if each is None else str(each) for each in c["block_labels"])
                for name, c in columns.items()
                if "block_labels" in c
            },
            statistics=statistics,
            suppressed=suppressed,
        )
    except (KeyError, TypeError, ValueError, AttributeError, SettingsError):
        raise SourceError(f"{path} is a private certificate that was changed or cut off") from None
