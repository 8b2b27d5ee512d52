"""``sfumato audit``: the metrics of any table, whoever anonymized it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, NOT_MET
from sfumato.cli.source_options import add_source_options, source_given
from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from rich.table import Table

    from sfumato.cli.output import Output
    from sfumato.release.audit.audit import Audit
    from sfumato.views.audit_view import AuditView

DESCRIPTION = """\
Audit a table by the roles and hierarchies of a study, whoever anonymized it. Its cells hold
original values or labels of the hierarchies. Rows with equal quasi-identifiers form an equivalence
class. Without a study, name the quasi-identifiers and the sensitive columns; then losses are not
measured, and the other columns are taken as insensitive.

  sfumato audit released.csv study.toml
  sfumato audit released.csv --quasi age,zip,sex --sensitive diagnosis
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
    parser.add_argument(
        "study", type=Path, nargs="?", metavar="STUDY", help="the study file or a run folder"
    )
    parser.add_argument(
        "--quasi", metavar="COLUMNS", help="the quasi-identifiers, with commas, instead of a study"
    )
    parser.add_argument(
        "--sensitive", metavar="COLUMNS", help="the sensitive columns, with commas, beside --quasi"
    )
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
    from sfumato.views.audit_view import audit_view

    rule = None if arguments.require is None else read_constraints(arguments.require)
    audit = _audit(arguments)
    view = audit_view(str(arguments.file), audit, required=rule)
    _show(view, output)
    output.json(view)
    return DONE if view.passes else NOT_MET


def _audit(arguments: Namespace) -> Audit:
    """Audit the table by a study, or by the columns that are named."""
    from sfumato.study.auditing import audit
    from sfumato.study.runs.run_folder import read_study

    _check_given(arguments)
    if arguments.study is None:
        return audit(
            source_given(arguments.file, arguments),
            quasi=_columns(arguments.quasi),
            sensitive=_columns(arguments.sensitive),
        )
    # The source of a run may have changed since, or be gone: an audit is about another table.
    study_file = read_study(arguments.study, check_source=False, allow_paths=arguments.allow_path)
    source = source_given(arguments.file, arguments)
    return study_file.study.audit(source, private_certificate=arguments.private_certificate)


def _check_given(arguments: Namespace) -> None:
    """Refuse a study together with named columns, and neither of them."""
    if arguments.study is None and arguments.quasi is None:
        raise SettingsError(
            "it is not known which columns are quasi-identifiers",
            code="missing-setting",
            key="STUDY",
            remedy="give a study file, or name them: --quasi age,zip,sex --sensitive diagnosis",
        )
    named = {"--quasi": arguments.quasi, "--sensitive": arguments.sensitive}
    given = [option for option, value in named.items() if value is not None]
    if arguments.study is not None and given:
        raise SettingsError(
            f"{arguments.study} has the roles of the columns, and {given[0]} names others",
            code="conflicting-settings",
            key=given[0],
            remedy="give one of the two",
        )
    if arguments.study is None and arguments.private_certificate is not None:
        raise SettingsError(
            "a private certificate is read by the hierarchies of its study, and there is no study",
            code="conflicting-settings",
            key="--private-certificate",
            remedy="give the study or the run that the release was made from",
        )


def _columns(given: str | None) -> list[str]:
    """Return the columns that an option names: a line of CSV, so that names may be quoted."""
    fields = next(csv.reader([given or ""], skipinitialspace=True), [])
    return [field.strip() for field in fields if field.strip()]


def _show(view: AuditView, output: Output) -> None:
    from sfumato.errors.listing import counted
    from sfumato.views.texts import metric_text

    starred = f", and {counted(view.starred, 'starred row')}" if view.starred else ""
    output.show(
        f"{view.file}: {counted(view.rows, 'row')} in {counted(view.classes, 'class', 'classes')}"
        f"{starred}"
    )
    k = f": k = {metric_text(view.values['k'])}" if "k" in view.values else ""
    output.show(f"equal in      {', '.join(view.quasi_identifiers)}{k}")
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
