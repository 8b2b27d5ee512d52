"""What Spark's errors say to the user: the reason and the place, never a value of the data.

Spark quotes the value or the record that it stumbled over, and a hundred lines of Java. Here the
condition that Spark names is told in our own words; of all others, only the name of the condition.
"""

from __future__ import annotations

import re

_CAUSES = (
    (
        r"MALFORMED_RECORD|MALFORMED_CSV|FAILED_READ_FILE.*CSV|Malformed CSV",
        "a row has more or fewer fields than the first line; mend the file, or set the delimiter "
        "and quote if they were misread",
    ),
    (
        r"TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|CATALOG_NOT_FOUND",
        "the catalog of the session has no such table; say schema and table, as in "
        "'hospital.patients'",
    ),
    (
        r"PATH_NOT_FOUND|FILE_NOT_EXIST|FileNotFoundException|FAILED_READ_FILE.FILE_NOT_EXIST",
        "the cluster does not find it; a path must mean the same file to the cluster as to this "
        "machine, otherwise give a table of the catalog",
    ),
    (r"PARSE_SYNTAX_ERROR", "Spark cannot read its name; put odd names in `backticks`"),
    (r"UNABLE_TO_INFER_SCHEMA", "it has no Parquet file in it"),
    (
        r"is not a Parquet file|CANNOT_READ_FILE_FOOTER|Could not read footer|ParquetDecoding"
        r"|ParquetCrypto|CORRUPT",
        "it is no Parquet file, or not all of it; write it again",
    ),
    (
        r"CAST_INVALID_INPUT|CAST_OVERFLOW|DIVIDE_BY_ZERO|ARITHMETIC_OVERFLOW|CANNOT_PARSE",
        "a value does not have the type that it is converted to; mend it, or the view",
    ),
    (r"UNSUPPORTED_TIME_TYPE", "it has a column of the type TIME, which this Spark does not read"),
    (r"COLUMN_ALREADY_EXISTS", "it has a column more than once; rename one"),
    (
        r"OutOfMemoryError|EXCEEDS_MAX_RESULT_SIZE|maxResultSize|bigger than local result size",
        "the driver or an executor ran out of memory; give it more (spark.driver.memory, "
        "spark.driver.maxResultSize, spark.executor.memory), or set a minimum level so that "
        "there are "
        "fewer combinations to count",
    ),
    (
        r"stopped SparkContext|SparkContext was shut down|INVALID_HANDLE|SESSION_CLOSED"
        r"|SESSION_CHANGED|RETRIES_EXCEEDED|NO_ACTIVE|UNAVAILABLE|Connection refused|cancelled"
        r"|Cannot call methods on a stopped|Answer from Java side is empty|Error while sending",
        "the Spark session ended, or its cluster was lost, before the work was done; start it "
        "again and repeat",
    ),
)

_WRITING = re.compile(
    r"No space left on device|Permission denied|quota exceeded|PATH_ALREADY_EXISTS|Mkdirs failed"
    r"|File too large|Read-only file system",
    re.IGNORECASE,
)


def error_text(error: Exception, *, where: str) -> str:
    """Return what is wrong with ``where`` and what would help, without a value of the data."""
    message = f"{condition_of(error)} {error}"
    for pattern, said in _CAUSES:
        if re.search(pattern, message):
            return f"{where} cannot be read: {said}"
    return (
        f"{where} cannot be read: Spark stopped with {condition_of(error)}; its message may quote "
        "data and is left out, see the log of the cluster"
    )


def writing_error_text(error: Exception) -> str | None:
    """Return why rows could not be written, None if the error is not about that."""
    found = _WRITING.search(str(error))
    if found is None:
        return None
    return (
        f"the cluster cannot write the rows: {found[0]}; it must be able to write where this "
        "machine does: free some disk, or choose another destination"
    )


def condition_of(error: Exception) -> str:
    """Return the name that Spark has for an error, or that of its class."""
    asked = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    name = asked() if callable(asked) else None
    return str(name or type(error).__name__)
