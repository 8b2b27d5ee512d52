"""Hierarchy files as ARX has them: a row for every value, the value first and the top last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError
from sfumato.hierarchies.formats.csv_rows import (
    check_delimiter,
    check_several_columns,
    read_text,
    split_rows,
    write_rows,
)
from sfumato.hierarchies.hierarchy import Hierarchy

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from sfumato.arrays import Codes
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain


def read_hierarchy_csv(
    path: str | os.PathLike[str], *, delimiter: str = ";", encoding: str = "utf-8-sig"
) -> Hierarchy:
    r"""Read a hierarchy from a CSV file: no header, value first, top last, standard quoting.

    Blank lines and a byte order mark are passed over.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "zip.csv")
    ...     _ = path.write_text("24126;241**;*\n24127;241**;*\n24300;243**;*\n")
    ...     read_hierarchy_csv(path).labels
    (('24126', '24127', '24300'), ('241**', '243**'), ('*',))
    """
    file = Path(path)
    check_delimiter(delimiter)
    text = read_text(file, encoding)
    rows, line_numbers = split_rows(text, delimiter, file=file)
    if not rows:
        raise HierarchyError(
            "the file is empty",
            code="empty-file",
            file=file,
            expected=f"a line for every value like '24126{delimiter}241**{delimiter}*'",
        )
    if len(rows) > 1:
        check_several_columns(text, rows, delimiter, file=file, need="the value and the top")
    return Hierarchy.from_rows(rows, name=str(file), line_numbers=line_numbers)


def write_hierarchy_csv(
    hierarchy: PartitionedDomain, path: str | os.PathLike[str], *, delimiter: str = ";"
) -> None:
    r"""Write a hierarchy as a CSV file that ``read_hierarchy_csv`` reads, all of it or nothing.

    Number and date domains are written as their labels, so reading gives a domain of texts.

    >>> import tempfile
    >>> sex = Hierarchy.from_rows([("Male", "*"), ("Female", "*")], name="sex")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "sex.csv")
    ...     write_hierarchy_csv(sex, path)
    ...     path.read_text()
    'Male;*\nFemale;*\n'
    """
    file = Path(path)
    check_delimiter(delimiter)
    columns = [
        _label_of_leaves(names, codes)
        for names, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
    ]
    write_rows(file, zip(*columns, strict=True), delimiter=delimiter)


def _label_of_leaves(names: Sequence[str], codes: Codes) -> list[str]:
    return [names[block] for block in codes.tolist()]
