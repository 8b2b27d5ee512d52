"""Why an engine cannot read a source, told without a value of the data."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import SourceError

NOT_PARQUET = "it is not a Parquet file, or not all of it"
WRONG_TYPE = "does not have the type that it is converted to"
MEND_VALUE = "mend it, or the view"
MISREAD = "or set the delimiter and quote if they were misread"


@dataclass(frozen=True, kw_only=True)
class Unreadable:
    """A reason in our own words: an engine's message may quote values."""

    reason: str
    code: str = "unreadable-file"
    remedy: str | None = None
    column: str | None = None

    def in_line(self, number: int, *, where: str) -> SourceError:
        """Return the error about a line of a file."""
        return SourceError(self.reason, code=self.code, file=where, line=number, remedy=self.remedy)

    def in_source(self, where: str) -> SourceError:
        """Return the error about a source as a whole."""
        return SourceError(
            f"{where} cannot be read: {self.reason}",
            code=self.code,
            file=where,
            column=self.column,
            remedy=self.remedy,
        )
