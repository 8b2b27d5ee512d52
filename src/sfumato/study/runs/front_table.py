"""The front of a run as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.study.runs.run import Run


def front_table(run: Run) -> str:
    """Return the front for a spreadsheet: a line for each solution, with all metrics."""
    columns = run.result.front.columns()
    objectives = run.result.front.objectives
    for name in run.before.metrics:
        if name not in objectives:
            columns[name] = [detail.metrics[name] for detail in run.details]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue()
