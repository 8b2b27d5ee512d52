"""Spark's errors in our own words: the reason and the place, never a value of the data.

Spark quotes the value or the record that it stumbled over, and a hundred lines of Java. Here the
condition that Spark names is told in our own words; of all others, only the name of the condition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.engines.sql.unreadable import (
    MEND_VALUE,
    MISREAD,
    NOT_PARQUET,
    WRONG_TYPE,
    Unreadable,
)
from sfumato.errors import ReleaseError

if TYPE_CHECKING:
    from sfumato.errors import SourceError

_CAUSES = {
    r"MALFORMED_RECORD|MALFORMED_CSV|FAILED_READ_FILE.*CSV|Malformed CSV": Unreadable(
        code="ragged-rows",
        reason="a row has more or fewer fields than the first line",
        remedy=f"mend the file, {MISREAD}",
    ),
    r"TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|CATALOG_NOT_FOUND": Unreadable(
        code="no-table-named",
        reason="the catalog of the session has no such table",
        remedy="name schema and table, like 'hospital.patients'",
    ),
    r"PATH_NOT_FOUND|FILE_NOT_EXIST|FileNotFoundException|FAILED_READ_FILE.FILE_NOT_EXIST": (
        Unreadable(
            code="no-such-file",
            reason="the cluster does not find it",
            remedy="a path must mean the same file to the cluster as to this machine; otherwise "
            "give a table of the catalog",
        )
    ),
    r"PARSE_SYNTAX_ERROR": Unreadable(
        code="not-a-name",
        reason="Spark cannot read its name",
        remedy="put odd names in `backticks`",
    ),
    r"UNABLE_TO_INFER_SCHEMA": Unreadable(
        code="not-parquet", reason="it has no Parquet data in it"
    ),
    r"is not a Parquet file|CANNOT_READ_FILE_FOOTER|Could not read footer|ParquetDecoding"
    r"|ParquetCrypto|CORRUPT": Unreadable(
        code="not-parquet", reason=NOT_PARQUET, remedy="write it again"
    ),
    r"CAST_INVALID_INPUT|CAST_OVERFLOW|DIVIDE_BY_ZERO|ARITHMETIC_OVERFLOW|CANNOT_PARSE": (
        Unreadable(code="wrong-value-type", reason=f"a value {WRONG_TYPE}", remedy=MEND_VALUE)
    ),
    r"UNSUPPORTED_TIME_TYPE": Unreadable(
        code="wrong-value-type",
        reason="it has a column of the type TIME, which this Spark does not read",
    ),
    r"COLUMN_ALREADY_EXISTS": Unreadable(
        code="duplicate", reason="it has a column more than once", remedy="rename one"
    ),
    r"OutOfMemoryError|EXCEEDS_MAX_RESULT_SIZE|maxResultSize|bigger than local result size": (
        Unreadable(
            code="out-of-memory",
            reason="the driver or an executor ran out of memory",
            remedy="give it more (spark.driver.memory, spark.driver.maxResultSize, "
            "spark.executor.memory), or set a minimum level, so that there are fewer combinations "
            "to count",
        )
    ),
    r"stopped SparkContext|SparkContext was shut down|INVALID_HANDLE|SESSION_CLOSED"
    r"|SESSION_CHANGED|RETRIES_EXCEEDED|NO_ACTIVE|UNAVAILABLE|Connection refused|cancelled"
    r"|Cannot call methods on a stopped|Answer from Java side is empty|Error while sending": (
        Unreadable(
            code="lost-session",
            reason="the Spark session ended, or its cluster was lost, before the work was done",
            remedy="start it again and repeat",
        )
    ),
}
"""What a condition or a message that matches means; the first match counts."""

_WRITING = re.compile(
    r"No space left on device|Permission denied|quota exceeded|PATH_ALREADY_EXISTS|Mkdirs failed"
    r"|File too large|Read-only file system",
    re.IGNORECASE,
)


def source_error(error: Exception, *, where: str) -> SourceError:
    """Return what is wrong with ``where`` and what would help, without a value of the data."""
    message = f"{condition_of(error)} {error}"
    unknown = Unreadable(
        reason=f"Spark stopped with {condition_of(error)}; its message may quote data and is left "
        "out",
        remedy="see the log of the cluster",
    )
    found = (cause for pattern, cause in _CAUSES.items() if re.search(pattern, message))
    return next(found, unknown).in_source(where)


def release_error(error: Exception) -> ReleaseError | None:
    """Return why rows could not be written, None if the error is not about that."""
    found = _WRITING.search(str(error))
    if found is None:
        return None
    return ReleaseError(
        f"the cluster cannot write the rows: {found[0]}",
        code="unwritable-file",
        remedy="it must be able to write where this machine does: free some disk, or choose "
        "another destination",
    )


def condition_of(error: Exception) -> str:
    """Return the name that Spark has for an error, or that of its class."""
    asked = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    name = asked() if callable(asked) else None
    return str(name or type(error).__name__)
