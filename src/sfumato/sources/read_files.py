"""Worksheets and files of statistics packages, read whole into memory as columns of texts.

Spreadsheets are read by python-calamine, files of SAS, SPSS and Stata by pyreadstat (extras
``excel`` and ``statistics``). Every cell becomes the text that it has in a CSV file: whole numbers
without a point, dates in ISO form, nothing where a cell is empty.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from sfumato.errors import SourceError
from sfumato.errors.suggestions import closest
from sfumato.sources.parts import no_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from sfumato.sources.source import StatisticsFile, TableInMemory, Worksheet

    Read: TypeAlias = tuple[Mapping[str, Iterable[object]], object]


def read_file(source: Worksheet | StatisticsFile) -> TableInMemory:
    """Return the rows of a file as an Arrow table of texts; a file that has not changed is kept."""
    if not source.path.exists():
        raise no_file(source.path)
    try:
        status = source.path.stat()
    except OSError as error:
        raise SourceError.unreadable(source.path, error) from None
    return _read(source, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(source: Worksheet | StatisticsFile, changed: int, size: int) -> TableInMemory:  # noqa: ARG001
    from sfumato.sources.source import Worksheet

    names, columns = _worksheet(source) if isinstance(source, Worksheet) else _of_statistics(source)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceError(
            f"{source} has the column {twice[0]!r} more than once",
            code="duplicate",
            file=source.path,
            column=twice[0],
            remedy="rename one",
        )
    try:
        import pyarrow as pa
    except ImportError:
        raise _not_installed("pyarrow", source.path, extra="excel") from None
    table: TableInMemory = pa.table(
        {
            name: pa.array(list(map(cell_text, cells)), pa.string())
            for name, cells in zip(names, columns, strict=True)
        }
    )
    return table


def cell_text(cell: object) -> str | None:
    """Return the text of a cell, None if it is empty.

    >>> cell_text(39.0), cell_text(0.25), cell_text(dt.datetime(2024, 5, 1)), cell_text("")
    ('39', '0.25', '2024-05-01', None)
    """
    if cell is None or cell != cell or cell == "":
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(float(cell))
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat()
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    return str(cell)


def _worksheet(source: Worksheet) -> tuple[list[str], list[Sequence[object]]]:
    """Return the names in the first row that is not empty, and the cells below it."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise _not_installed("python-calamine", source.path, extra="excel") from None
    try:
        book = CalamineWorkbook.from_path(str(source.path))
        sheets = [str(name) for name in book.sheet_names]
        chosen = source.sheet if source.sheet is not None else sheets[0] if sheets else ""
        if chosen not in sheets:
            raise SourceError(
                f"{source.path} has no sheet {chosen!r}",
                code="no-table-named",
                file=source.path,
                found=repr(chosen),
                expected=sheets,
                suggestion=closest(chosen, sheets),
            )
        rows = book.get_sheet_by_name(chosen).to_python(skip_empty_area=True)
    except (CalamineError, OSError) as error:
        raise _broken(source.path, "a spreadsheet", error) from None
    filled = [row for row in rows if any(cell_text(cell) is not None for cell in row)]
    if not filled:
        raise SourceError(
            f"the sheet {chosen!r} of {source.path} is empty",
            code="empty-file",
            file=source.path,
            expected="a row with the names of the columns, and rows below it",
            remedy=f"name another sheet: one of {', '.join(sheets)}" if len(sheets) > 1 else None,
        )
    header, *others = filled
    names = [cell_text(cell) or f"column{place}" for place, cell in enumerate(header, start=1)]
    width = len(names)
    return names, [[row[place] for row in others] for place in range(width)]


def _of_statistics(source: StatisticsFile) -> tuple[list[str], list[Sequence[object]]]:
    """Return the columns of a file of SAS, SPSS or Stata, with the labels of coded values."""
    try:
        import pyreadstat
    except ImportError:
        raise _not_installed("pyreadstat", source.path, extra="statistics") from None
    readers: Mapping[str, Callable[..., object]] = {
        ".sas7bdat": pyreadstat.read_sas7bdat,
        ".xpt": pyreadstat.read_xport,
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".por": pyreadstat.read_por,
        ".dta": pyreadstat.read_dta,
    }
    try:
        reader = readers[source.path.suffix.lower()]
        columns, meta = cast("Read", reader(str(source.path), output_format="dict"))
    except (pyreadstat.ReadstatError, OSError, ValueError) as error:
        raise _broken(source.path, "a file of a statistics package", error) from None
    labels = getattr(meta, "variable_value_labels", {}) or {}
    return list(columns), [
        _labelled(list(cells), labels.get(name, {})) for name, cells in columns.items()
    ]


def _labelled(cells: Iterable[object], labels: dict[object, object]) -> list[object]:
    """Return the labels of coded values in place of the codes; a value without one stays."""
    if not labels:
        return list(cells)
    return [labels.get(cell, cell) if _is_known(cell) else cell for cell in cells]


def _is_known(cell: object) -> bool:
    return cell is not None and cell == cell


def _not_installed(package: str, path: Path, *, extra: str) -> SourceError:
    return SourceError(
        f"{package} is not installed, which reads {path.name}",
        code="not-installed",
        file=path,
        found=package,
        remedy=f"install it with pip install 'sfumato[{extra}]', or export the file as CSV",
    )


def _broken(path: Path, kind: str, error: Exception) -> SourceError:
    return SourceError(
        f"{path} cannot be read as {kind}: {error}",
        code="broken-file",
        file=path,
        remedy="open it in the program that wrote it, and save it again or export it as CSV",
    )
