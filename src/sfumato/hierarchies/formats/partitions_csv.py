"""Files of admissible partitions: a row for every value, a column for every partition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.formats.csv_rows import (
    check_delimiter,
    check_several_columns,
    read_text,
    split_rows,
    write_rows,
)

if TYPE_CHECKING:
    import os


def read_partitions_csv(
    path: str | os.PathLike[str], *, delimiter: str = ";", encoding: str = "utf-8-sig"
) -> AdmissiblePartitions:
    r"""Read admissible partitions from a CSV file with a header, standard quoting.

    The first column has the values; every other one is a partition: its head is the name, and
    each cell the label of the value's block. Partitions may come in any order, and need not
    refine each other. The coarsest one is added if no column has a single label.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "day.csv")
    ...     _ = path.write_text("day;week;month\n1;w1;May\n2;w1;June\n3;w2;June\n")
    ...     read_partitions_csv(path).names
    ('day', 'week', 'month', '*')
    """
    file = Path(path)
    check_delimiter(delimiter)
    text = read_text(file, encoding)
    rows, lines = split_rows(text, delimiter, file=file)
    if len(rows) < 2:
        raise HierarchyError(
            "the file has no header, or no line after it",
            code="empty-file",
            file=file,
            expected=f"a header like 'day{delimiter}week{delimiter}month' and a line for every "
            f"value like '2024-05-31{delimiter}22{delimiter}May'",
        )
    head, *body = rows
    check_several_columns(
        text, [head], delimiter, file=file, need="the value and at least one partition"
    )
    for row, line in zip(body, lines[1:], strict=True):
        if len(row) != len(head):
            raise HierarchyError(
                f"the line has {counted(len(row), 'column')}",
                code="ragged-rows",
                file=file,
                line=line,
                found=str(len(row)),
                expected=f"{len(head)}, as the header has",
            )
    if "" in head:
        raise HierarchyError(
            "a column has no name in the header",
            code="unnamed-column",
            file=file,
            line=lines[0],
            remedy="name every partition",
        )
    twice = sorted({name for name in head if head.count(name) > 1})
    if twice:
        raise HierarchyError(
            f"{counted(len(twice), 'name')} of the header came more than once: {listed(twice)}",
            code="duplicate",
            file=file,
            line=lines[0],
            found=listed(twice),
            remedy="give every partition its own name",
        )
    columns = list(zip(*body, strict=True))
    return AdmissiblePartitions.of(
        dict(zip(head, columns, strict=True)), values=columns[0], name=str(file)
    )


def write_partitions_csv(
    partitions: AdmissiblePartitions, path: str | os.PathLike[str], *, delimiter: str = ";"
) -> None:
    """Write admissible partitions as a file that `read_partitions_csv` reads, or nothing."""
    check_delimiter(delimiter)
    columns = [
        [name, *(labels[block] for block in codes.tolist())]
        for name, labels, codes in zip(
            partitions.names, partitions.labels, partitions.levels, strict=True
        )
    ]
    write_rows(Path(path), zip(*columns, strict=True), delimiter=delimiter)
