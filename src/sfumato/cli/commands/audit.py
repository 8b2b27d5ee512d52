"""``sfumato audit``: measure any table, whoever anonymized it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, NOT_MET
from sfumato.cli.source_options import add_source_options, source_given

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.front.decisions.pick_rule import PickRule
    from sfumato.release.audit.audit import Audit

MET = "met"

DESCRIPTION = """\
Measure a table by the roles and hierarchies of a study, whoever anonymized it: its cells hold
values, or labels that the hierarchies know. Rows are of one class if their quasi-identifiers are
equal.

  sfumato audit released.csv study.toml
  sfumato audit released.csv run --private-certificate run/releases/released.csv.private.json
  sfumato audit released.csv study.toml --require 'k>=5, distinct-l>=2'

A table does not tell how many rows were left out of it. Without the private certificate all
metrics are those of the rows that it has; with it, the suppressed rows are counted too.
The exit code is 3 if a requirement is not met, or if the table has an identifying column or one
that the study does not know.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the table: CSV or Parquet")
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file or a run folder")
    parser.add_argument(
        "--private-certificate",
        type=Path,
        metavar="FILE",
        help="the private certificate of the release, which tells of the suppressed rows",
    )
    parser.add_argument(
        "--require", metavar="RULE", help="what must hold, such as 'k>=5, distinct-l>=2'"
    )
    add_source_options(parser)
    parser.add_argument("--json", action="store_true", help="print the metrics as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Measure a table and say what is to be seen."""
    from sfumato.front.decisions.pick_rule import read_constraints
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.runs.run_files import is_run_folder
    from sfumato.study.runs.run_folder import read_run

    rule = None if arguments.require is None else read_constraints(arguments.require)
    # The source of a run may have changed since, or be gone: an audit is about another table.
    study_file = (
        read_run(arguments.study).study_file
        if is_run_folder(arguments.study)
        else read_study_file(arguments.study)
    )
    source = source_given(arguments.file, arguments)
    audit = study_file.study.audit(source, private_certificate=arguments.private_certificate)
    metrics = audit.whole_table or audit.metrics
    verdicts = {} if rule is None else _verdicts(rule, audit, metrics)
    unmet = [bound for bound, verdict in verdicts.items() if verdict != MET]
    _show(audit, verdicts, arguments.file, output)
    output.json(
        {
            "file": str(arguments.file),
            "rows": audit.rows,
            "starred": audit.starred,
            "classes": audit.classes,
            "basis": "kept rows" if audit.whole_table is None else "whole table",
            "values": metrics,
            "kept_rows": audit.metrics,
            "whole_table": audit.whole_table,
            "levels": audit.levels,
            "statistics": dict(audit.statistics),
            "not_measured": audit.not_measured,
            "findings": list(audit.findings),
            "requirements": verdicts,
            "unmet": unmet,
        }
    )
    return NOT_MET if unmet or audit.identifying or audit.unknown else DONE


def _verdicts(rule: PickRule, audit: Audit, metrics: Mapping[str, float]) -> dict[str, str]:
    """Say of every bound that is required whether it is met; a value may not be measurable."""
    from sfumato.front.decisions.constraint_names import check_constraint_names

    names = check_constraint_names(rule, [*metrics, *audit.not_measured])
    verdicts = {}
    for constraint, name in zip(rule.constraints, names, strict=True):
        if name not in metrics:
            verdict = f"cannot be measured: {audit.not_measured[name]}"
        elif constraint.holds(metrics[name]):
            verdict = MET
        else:
            verdict = f"not met: it is {metrics[name]:.10g}"
        verdicts[str(constraint)] = verdict
    return verdicts


def _show(audit: Audit, verdicts: Mapping[str, str], path: Path, output: Output) -> None:
    from sfumato.errors.listing import counted

    starred = f", and {counted(audit.starred, 'starred row')}" if audit.starred else ""
    output.show(
        f"{path}: {counted(audit.rows, 'row')} in {counted(audit.classes, 'class', 'classes')}"
        f"{starred}"
    )
    if audit.statistics:
        shown = ", ".join(f"{name} ({which})" for name, which in audit.statistics.items())
        output.show(f"statistics    {shown}")
    for bound, verdict in verdicts.items():
        output.show(f"required      {bound}: {verdict}")
    for finding in audit.findings:
        output.show(f"finding       {finding}")
    if audit.whole_table is None:
        output.show(
            "Kept-row metrics: rows that were left out are not known. The private certificate of "
            "a release tells of them (--private-certificate)."
        )
    output.show(_table(audit))
    for name, reason in audit.not_measured.items():
        output.show(f"not measured  {name}: {reason}")


def _table(audit: Audit) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from sfumato.cli.metric_text import metric_text
    from sfumato.front.decisions.metric import metric_named

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    heads = ["measure", "kept rows", "whole table", "unit", "better"]
    if audit.whole_table is None:
        heads.remove("whole table")
    for head in heads:
        right = head in ("kept rows", "whole table")
        table.add_column(head, justify="right" if right else "left")
    metrics = sorted(map(metric_named, audit.metrics), key=lambda f: (f.kind == "loss", f.name))
    for metric in metrics:
        cells = [metric.name, metric_text(audit.metrics[metric.name])]
        if audit.whole_table is not None:
            cells.append(metric_text(audit.whole_table[metric.name]))
        table.add_row(*map(Text, (*cells, metric.unit, metric.direction.value)))
    return table


COMMAND = Command(
    name="audit",
    order=50,
    summary="measure any table, whoever anonymized it",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
