"""``sfumato audit``: the metrics of any table, whoever anonymized it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, NOT_MET
from sfumato.cli.source_options import add_source_options, source_given

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.views.audit_view import AuditView

DESCRIPTION = """\
Audit a table by the roles and hierarchies of a study, whoever anonymized it. Its cells hold
original values or labels of the hierarchies. Rows with equal quasi-identifiers form an equivalence
class.

  sfumato audit released.csv study.toml
  sfumato audit released.csv run --private-certificate run/releases/released.csv.private.json
  sfumato audit released.csv study.toml --require 'k>=5, distinct-l>=2'

A table alone does not show how many records were suppressed. Without the private certificate the
metrics are those of the released records; with it, suppressed records are counted too.
The exit code is 3 if a requirement or the policy of the study is not met, or if the table has a
direct identifier or a column that the study does not know. If the study has a person key that the
table lacks, nobody can count its people: parts of the policy that do are left undecided, and the
certificate of the release says what was verified. With --require they must be measurable.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the table: CSV or Parquet")
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file or a run folder")
    parser.add_argument(
        "--private-certificate",
        type=Path,
        metavar="FILE",
        help="the private certificate of the release, to count suppressed records",
    )
    parser.add_argument(
        "--require", metavar="RULE", help="required bounds, for example 'k>=5, distinct-l>=2'"
    )
    add_source_options(parser)
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the audit as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Audit a table and show its metrics."""
    from sfumato.front.decisions.pick_rule import read_constraints
    from sfumato.study.runs.run_folder import read_study
    from sfumato.views.audit_view import audit_view

    rule = None if arguments.require is None else read_constraints(arguments.require)
    # The source of a run may have changed since, or be gone: an audit is about another table.
    study_file = read_study(arguments.study, check_source=False, allow_paths=arguments.allow_path)
    study = study_file.study
    source = source_given(arguments.file, arguments)
    audit = study.audit(source, private_certificate=arguments.private_certificate)
    view = audit_view(str(arguments.file), audit, required=rule)
    _show(view, output)
    output.json(view)
    return DONE if view.passes else NOT_MET


def _show(view: AuditView, output: Output) -> None:
    from sfumato.errors.listing import counted

    starred = f", and {counted(view.starred, 'starred row')}" if view.starred else ""
    output.show(
        f"{view.file}: {counted(view.rows, 'row')} in {counted(view.classes, 'class', 'classes')}"
        f"{starred}"
    )
    if view.statistics:
        shown = ", ".join(f"{name} ({which})" for name, which in view.statistics.items())
        output.show(f"statistics    {shown}")
    for bound, verdict in view.requirements.items():
        output.show(f"required      {bound}: {verdict}")
    if view.undecided:
        output.show(
            f"undecided     {', '.join(view.undecided)}: this file does not tell whether the "
            "whole policy is met"
        )
    for finding in view.findings:
        output.show(f"finding       {finding.message}")
    if view.whole_table is None:
        output.show(
            "Metrics of the released rows only: suppressed rows are unknown. Give the private "
            "certificate of the release to count them (--private-certificate)."
        )
    output.show(_table(view))
    for reason in dict.fromkeys(view.not_measured.values()):
        names = [name for name, why in view.not_measured.items() if why == reason]
        output.show(f"not measured  {', '.join(names)}: {reason}")


def _table(view: AuditView) -> Table:
    from sfumato.cli.tables import text_table
    from sfumato.views.texts import metric_text

    values = {"kept rows": view.kept_rows}
    if view.whole_table is not None:
        values["whole table"] = view.whole_table
    return text_table(
        ("metric", *values, "unit", "better"),
        [
            (
                metric.name,
                *(metric_text(each[metric.name]) for each in values.values()),
                metric.unit,
                metric.direction.value,
            )
            for metric in view.metrics
        ],
        right=tuple(values),
    )


COMMAND = Command(
    name="audit",
    order=50,
    summary="audit any table, whoever anonymized it",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
