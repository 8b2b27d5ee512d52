"""Files of admissible partitions: a row for every value, a column for every partition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError
from sfumato.errors.listing import counted, listed
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.formats.csv_rows import (
    check_delimiter,
    other_delimiter,
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
    rows, lines = split_rows(text, delimiter, name=str(file))
    if len(rows) < 2:
        raise HierarchyError(
            f"{file}: a file of partitions has a header and a line for every value, such as "
            f"'day{delimiter}week{delimiter}month', '2024-05-31{delimiter}22{delimiter}May'"
        )
    head, *body = rows
    if len(head) == 1:
        raise HierarchyError(
            f"{file}: every line has one column when split at {delimiter!r}, and there must be "
            f"the value and at least one partition{other_delimiter(text, delimiter)}"
        )
    ragged = [line for row, line in zip(body, lines[1:], strict=True) if len(row) != len(head)]
    if ragged:
        raise HierarchyError(
            f"{file}: every line has {len(head)} columns, as the header has; line {ragged[0]} has "
            "another number"
        )
    if "" in head:
        raise HierarchyError(f"{file}: a column has no name in the header; name every partition")
    twice = sorted({name for name in head if head.count(name) > 1})
    if twice:
        raise HierarchyError(
            f"{file}: {counted(len(twice), 'name')} of the header came more than once: "
            f"{listed(twice)}; name every partition otherwise"
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
