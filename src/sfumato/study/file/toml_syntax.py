"""Reading the TOML of a study file: what its syntax lacks, and keys that have a new name."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from sfumato.documents.nesting import DEEPEST, TooDeepError, check_depth
from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest_file
from sfumato.study.file.toml_text import key_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


LARGEST_STUDY = 50_000_000
"""A file of more bytes is taken for data, and not read to see."""
_SPEAKS_TOML = re.compile(r"""^\s*(?:\[|[\w."' -]+=)""", re.MULTILINE)
_DECIMAL_COMMA = re.compile(r"=\s*([+-]?\d+),(\d+)\s*(?:[,}#]|$)")


def study_text(file: Path) -> str:
    """Return the text of a study file."""
    try:
        if file.is_file() and file.stat().st_size > LARGEST_STUDY:
            raise _not_a_study(file)
        # A byte order mark, which some editors write, does not belong to the text.
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SettingsError(
            f"the study file {file} does not exist",
            code="no-such-file",
            file=file,
            suggestion=closest_file(file),
            remedy="'sfumato init DATA' writes one to start from",
        ) from None
    except IsADirectoryError:
        raise SettingsError(
            f"{file} is a folder", code="is-a-folder", file=file, remedy="give the study file in it"
        ) from None
    except OSError as error:
        raise SettingsError.unreadable(file, error) from None
    except UnicodeDecodeError:
        if file.suffix.lower() != ".toml":
            raise _not_a_study(file) from None
        raise SettingsError(
            f"{file} is not UTF-8, which TOML must be",
            code="wrong-encoding",
            file=file,
            remedy="save it as UTF-8",
        ) from None


def _not_a_study(file: Path) -> SettingsError:
    """Return the error for a file of another kind: mostly the data, or arguments swapped."""
    return SettingsError(
        f"{file} is not a study file: it is not written in TOML",
        code="not-a-study-file",
        file=file,
        remedy="give the study file; 'sfumato init DATA' makes one",
    )


def parsed(file: Path, text: str) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the tables of a TOML text, and a notice for each key that has a new name by now."""
    try:
        document = tomllib.loads(text)
        check_depth(document)
        return _with_new_keys(file, document)
    except (RecursionError, TooDeepError):
        raise SettingsError(
            f"{file} is nested more than {DEEPEST} levels deep, as no study is",
            code="nested-too-deep",
            file=file,
            expected=f"at most {DEEPEST} levels",
        ) from None
    except tomllib.TOMLDecodeError as error:
        if file.suffix.lower() != ".toml" or not _SPEAKS_TOML.search(text):
            raise _not_a_study(file) from None
        message, _, rest = str(error).rpartition(" (at ")
        said = f"{message[:1].lower()}{message[1:]}" if message else str(error)
        where = re.match(r"line (\d+), column (\d+)", rest)
        raise SettingsError(
            f"this is not TOML ({said})" if where else f"this is not TOML at its end ({said})",
            code="not-toml",
            file=file,
            line=int(where[1]) if where else None,
            character=int(where[2]) if where else None,
            remedy=_hint(text, where, said),
        ) from None


def _hint(text: str, where: re.Match[str] | None, said: str) -> str:
    if "twice" in said or "overwrite" in said:
        return "give every table and every key once"
    lines = text.splitlines()
    line = lines[int(where[1]) - 1] if where and int(where[1]) <= len(lines) else ""
    comma = _DECIMAL_COMMA.search(line)
    if comma:
        return f"numbers have a decimal point: {comma[1]}.{comma[2]}"
    if line.lstrip().startswith("["):
        return 'a name with blanks or dots stands in quotes: [columns."marital status"]'
    if "\\" in line:
        return "paths have / or stand in single quotes: path = 'C:\\data\\patients.csv'"
    if line.count("{") > line.count("}"):
        return "what stands in { } stands on one line"
    key, equals, value = line.partition("=")
    if equals and value.strip() in ("True", "False"):
        return "true and false are in small letters"
    if equals and re.match(r"\s*[A-Za-z/.~]", value):
        return f'texts stand in quotes: {key.strip()} = "{value.strip()}"'
    return "see https://toml.io for how values are written"


def _with_new_keys(
    file: Path, document: dict[str, object]
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return a document in which every key has its name of now, and a notice for each that had not.

    The document is changed.
    """
    notices = []
    for place, table, old, new in list(_old_keys(document)):
        if new in table:
            raise SettingsError(
                f"there are {old!r} and {new!r}, which is its new name",
                code="conflicting-settings",
                file=file,
                table=place,
                key=old,
                remedy=f"keep {new!r}",
            )
        renamed = {new if key == old else key: value for key, value in table.items()}
        table.clear()
        table.update(renamed)
        notices.append(f"{file}: {place} {old!r} is now called {new!r}; rename it")
    return document, tuple(notices)


def _old_keys(
    document: dict[str, object],
) -> Iterator[tuple[str, dict[str, object], str, str]]:
    """Yield where an old key is, the table that has it, its old and its new name."""
    if "secrets" in document:
        yield "the document", document, "secrets", "statements"
    engine = document.get("engine")
    if isinstance(engine, dict) and "most_combinations" in engine:
        yield "[engine]", engine, "most_combinations", "most-combinations"
    columns = document.get("columns")
    for name, column in columns.items() if isinstance(columns, dict) else ():
        if not isinstance(column, dict):
            continue
        place = f"[columns.{key_text(name)}]"
        if "floor" in column:
            yield place, column, "floor", "minimum-level"
        partitions = column.get("partitions")
        listed = partitions if isinstance(partitions, list) else []
        for each in (column.get("hierarchy"), *listed):
            if isinstance(each, dict) and "granule" in each:
                yield f"{place} hierarchy", each, "granule", "unit"
