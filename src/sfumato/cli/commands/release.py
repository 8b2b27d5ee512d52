"""``sfumato release``: write an anonymized table and verify the written file."""

from __future__ import annotations

import shlex
from argparse import BooleanOptionalAction
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.allowed_paths import add_allow_path
from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE, INTERRUPTED
from sfumato.errors.listing import counted, listed

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.cli.searching import Searched
    from sfumato.release.signatures.keys import SigningKey
    from sfumato.views.release_view import ReleaseView

DESCRIPTION = """\
Write one solution of a run as a CSV or Parquet file. Quasi-identifiers are recoded, suppressed
records are left out (or starred), direct identifiers are removed, and the rows are shuffled. The
file is written to a private folder, read back, and its metrics are recomputed by SQL; it is moved
to its destination only if they equal those of the solution. Otherwise nothing is released. What
misses the policy of the study (require under [release]) is not released either: exit code 3. So
it is with what misses it together with earlier releases of the same people (sfumato ledger).

Given a study file in place of a run folder, it is searched first, as 'sfumato search' does, and
the run is kept beside it. If Ctrl-C stops the search, nothing is released.

  sfumato release run -o released.csv
  sfumato release run --pick 'k>=5' -o released.csv
  sfumato release study.toml --pick 'k>=5' -o released.csv
  sfumato release run --pick 12 -o released.parquet --suppressed star
  sfumato release run --pick 'k>=5' -o released.csv --values microaggregated

Two certificates are written: released.csv.certificate.json goes with the data; the private one,
with metrics before and after and totals of the suppressed records, stays in the run folder.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "run", type=Path, metavar="RUN", help="the run folder, or a study file to search first"
    )
    parser.add_argument(
        "--pick",
        metavar="RULE",
        help="an id, 'k>=5', 'normalized-loss<=0.2', 'policy', 'knee', 'flat', or several with "
        "commas (default: policy, the least loss that meets the policy of the study)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="the file to write: .csv, .tsv, .csv.gz or .parquet",
    )
    parser.add_argument(
        "--suppressed",
        choices=["drop", "star"],
        help="leave suppressed records out, or keep them with * for every quasi-identifier and "
        "nothing in the other columns (default: as the study says)",
    )
    parser.add_argument(
        "--values",
        choices=["generalized", "microaggregated"],
        help="write the label of every block, or its statistic: the mean, median or mode of its "
        "kept rows (default: as the study says)",
    )
    parser.add_argument(
        "--certificate", type=Path, metavar="FILE", help="the public certificate (beside FILE)"
    )
    parser.add_argument(
        "--private-certificate",
        type=Path,
        metavar="FILE",
        help="the private certificate (in the folder releases of the run)",
    )
    parser.add_argument(
        "--codebook", type=Path, metavar="FILE", help="write what the labels mean: .json or .html"
    )
    parser.add_argument(
        "--escape-formulas",
        action=BooleanOptionalAction,
        default=None,
        help="write an apostrophe before texts in a CSV file that a spreadsheet would run "
        "(default: as the study says)",
    )
    parser.add_argument(
        "--sign", type=Path, metavar="KEY", help="sign the public certificate with a private key"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite an earlier release, and the run of a study that is searched first",
    )
    parser.add_argument(
        "--no-plugins",
        dest="plugins",
        action="store_false",
        help="refuse a study or a search that uses members of other packages",
    )
    parser.add_argument(
        "--accept-composition",
        action="store_true",
        help="release even what shows too much together with earlier releases of the same people",
    )
    parser.add_argument(
        "--no-ledger",
        dest="ledger",
        action="store_false",
        help="neither look for earlier releases of the same people nor remember this one",
    )
    add_allow_path(parser)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Pick a solution, write it, verify it and show what was written."""
    from sfumato.cli.findings_text import TOLD_BY_INIT, tell_findings
    from sfumato.cli.left_behind import tell_what_was_left
    from sfumato.cli.output import shown_stages
    from sfumato.cli.signing_key import signing_key
    from sfumato.study.runs.run_files import REPORT
    from sfumato.study.runs.run_folder import read_run
    from sfumato.study.runs.run_release import release_from_run
    from sfumato.views.release_view import release_view

    key = None if arguments.sign is None else signing_key(arguments.sign)
    tell_what_was_left(output, arguments.output, arguments.run, arguments.run / REPORT)
    # Who has a run was told by the search.
    told = frozenset() if arguments.run.is_file() else TOLD_BY_INIT
    if arguments.run.is_file():
        searched = _searched(arguments, output, key)
        if searched.interrupted:
            stopped = (
                "the search was stopped, so nothing is released; its run is in "
                f"{searched.run.folder}"
            )
            output.fail(stopped, {"code": "interrupted", "message": stopped})
            return INTERRUPTED
        found = searched.run
    else:
        found = read_run(arguments.run, allow_paths=arguments.allow_path)
    picked = found.pick(arguments.pick)
    output.remark(picked.reason)
    if not found.result.finished:
        output.warn(
            f"the search of {arguments.run} was stopped, and what it had not looked at may lose "
            "less; resume it, or release what it has found"
        )
    with shown_stages(output) as stage:
        release = release_from_run(
            found,
            picked.solution,
            arguments.output,
            suppressed_rows=arguments.suppressed,
            values=arguments.values,
            certificate=arguments.certificate,
            private_certificate=arguments.private_certificate,
            codebook=arguments.codebook,
            escape_formulas=arguments.escape_formulas,
            force=arguments.force,
            plugins=arguments.plugins,
            ledger=arguments.ledger,
            accept_composition=arguments.accept_composition,
            sign=key,
            stage=stage,
            found=lambda findings: tell_findings(output, findings, told=told),
        )
    view = release_view(picked, release)
    _show(view, found.folder, output)
    for warning in view.warnings:
        output.warn(warning)
    output.json(view)
    return DONE


def _searched(arguments: Namespace, output: Output, key: SigningKey | None) -> Searched:
    """Search a study file; what would fail after the search fails before it."""
    from sfumato.cli.searching import default_folder, search_to_folder
    from sfumato.front.decisions.picking import read_rule
    from sfumato.release.release_request import ReleaseOptions
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.runs.run_release import check_outside

    study_file = read_study_file(arguments.run, allow_paths=arguments.allow_path)
    study, folder = study_file.study, default_folder(study_file)
    read_rule(arguments.pick, policy=study.required)
    check_outside(folder, arguments.output, arguments.certificate, arguments.codebook)
    ReleaseOptions.checked(
        study.source,
        arguments.output,
        engine=study.engine,
        certificate=arguments.certificate,
        private_certificate=arguments.private_certificate,
        codebook=arguments.codebook,
        force=arguments.force,
        sign=key,
    )
    rules = [] if arguments.pick is None else [arguments.pick]
    searched = search_to_folder(study_file, folder, output, force=arguments.force, picked_by=rules)
    size = len(searched.run.result.front)
    output.remark(f"searched: {counted(size, 'solution')}, in {searched.run.folder}")
    return searched


def _show(view: ReleaseView, run: Path, output: Output) -> None:
    from sfumato.cli.levels_text import write_levels
    from sfumato.views.texts import metric_text, share_text

    share = share_text(view.suppressed, view.rows + view.suppressed)
    starred = f" and {counted(view.starred, 'starred row')}" if view.starred else ""
    output.show(f"written      {view.file}: {counted(view.rows, 'row')}{starred}")
    if view.statistics:
        shown = ", ".join(f"{name} ({which})" for name, which in view.statistics.items())
        output.show(f"statistics   {shown}")
        errors = ", ".join(f"{share:.2%} of {name}" for name, share in view.squared_errors.items())
        if errors:
            output.show(f"SSE/SST      {errors}")
    if view.merged_classes:
        fewer = counted(view.merged_classes, "class", "classes")
        output.show(f"merged       {fewer} with others that have the same statistics")
    if view.levels:
        output.show(f"levels       {write_levels(view.levels)}")
    if view.unchanged:
        output.show(f"as they are  {listed(view.unchanged, most=12)}")
    for name, how in view.changed.items():
        output.show(f"changed      {name}: {how}")
    output.show(f"suppressed   {counted(view.suppressed, 'row')} ({share})")
    promised = [
        f"{name} = {metric_text(view.values[name])}"
        for name in ("k", "distinct-l", "t", "normalized-loss")
        if name in view.values
    ]
    output.show(f"metrics      {', '.join(promised)}")
    if view.earlier:
        others = counted(len(view.earlier), "earlier release")
        output.show(f"together     with {others} of the same people: {_together(view)}")
    output.show(f"verified     {len(view.verified)} metrics and all rows, from the written file")
    if view.statistics:
        output.show("             and the statistics of all blocks, from the source")
    output.show(f"certificate  {view.certificate} (public, goes with the data)")
    output.show(f"             {view.private_certificate} (private, keep it)")
    words = (view.file, str(run), "--private-certificate", view.private_certificate)
    output.show(f"Audit it with: sfumato audit {shlex.join(words)}")


def _together(view: ReleaseView) -> str:
    if view.joint_k is None:
        return "their classes cannot be found again"
    if not view.adds:
        return f"k = {view.joint_k:,}; this one tells nobody apart whom they do not"
    return f"k = {view.joint_k:,}, alone = {view.joint_alone:,}"


COMMAND = Command(
    name="release",
    order=40,
    summary="write an anonymized table and verify it",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
