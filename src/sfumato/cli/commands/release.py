"""``sfumato release``: write a recoding of the table, checked as it was written."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.release.release import Release

DESCRIPTION = """\
Write one solution of a run as a CSV or Parquet file. Quasi-identifiers get their labels, suppressed
rows are left out (or starred), identifying columns are gone, and the rows are shuffled. The file is
written to a private place, read back, and its metrics are computed again by SQL; only if they are
those that the solution promises does it appear at its destination. Otherwise nothing does.

  sfumato release run --pick 'k>=5' -o released.csv
  sfumato release run --pick 12 -o released.parquet --suppressed star
  sfumato release run --pick 'k>=5' -o released.csv --values microaggregated

Two certificates are written: released.csv.certificate.json goes with the data; the private one,
with metrics before and after and totals of the suppressed rows, stays in the run folder.
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", type=Path, metavar="RUN", help="the run folder")
    parser.add_argument(
        "--pick",
        required=True,
        metavar="RULE",
        help="an id, 'k>=5', 'normalized-loss<=0.2', 'knee', 'flat', or several with commas",
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
        help="leave suppressed rows out, or keep them with * for every quasi-identifier and "
        "nothing for sensitive values (default: as the study says)",
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
    parser.add_argument("--force", action="store_true", help="overwrite an earlier release")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Pick a solution, write it, verify it and say what was written."""
    from sfumato.cli.stages import shown_stages
    from sfumato.front.decisions.picking import pick
    from sfumato.study.runs.run_folder import read_run
    from sfumato.study.runs.run_release import release_from_run

    found = read_run(arguments.run)
    metrics = [detail.metrics for detail in found.details]
    picked = pick(arguments.pick, found.result.front, metrics)
    output.remark(picked.reason)
    with shown_stages(output) as stage:
        release = release_from_run(
            found,
            picked.solution,
            arguments.output,
            suppressed_rows=arguments.suppressed,
            values=arguments.values,
            certificate=arguments.certificate,
            private_certificate=arguments.private_certificate,
            force=arguments.force,
            stage=stage,
        )
    _show(release, arguments, output)
    if release.promised["k"] < 2:
        output.warn(
            "k = 1: somebody is alone in their class, and who knows them finds their row; pick a "
            "solution with k>=2 at least"
        )
    alone = {name: blocks for name, blocks in release.alone.items() if blocks}
    if alone:
        shown = ", ".join(f"{blocks:,} of {name!r}" for name, blocks in alone.items())
        output.warn(
            f"blocks whose rows all have the same value: {shown}. Their statistic is that value, "
            "which a label would have hidden"
        )
    output.json(
        {
            "file": str(release.path),
            "solution": picked.solution.id,
            "reason": picked.reason,
            "levels": picked.solution.levels,
            **({} if picked.solution.cuts is None else {"cuts": picked.solution.cuts}),
            "rows": release.rows,
            "starred": release.starred,
            "suppressed": release.suppressed,
            "unchanged": list(release.unchanged),
            "released_values": release.values.value,
            **({} if not release.statistics else {"statistics": release.statistics}),
            "values": release.promised,
            "released_rows": release.metrics,
            "verified": list(release.verified),
            "certificate": str(release.certificate_path),
            "private_certificate": str(release.private_certificate_path),
            "seconds": {"rewrite": release.rewrite_seconds, "verify": release.verify_seconds},
        }
    )
    return DONE


def _show(release: Release, arguments: Namespace, output: Output) -> None:
    from sfumato.cli.metric_text import metric_text, share_text
    from sfumato.errors.listing import counted, listed

    total = release.rows + release.suppressed
    share = share_text(release.suppressed, total)
    starred = f" and {counted(release.starred, 'starred row')}" if release.starred else ""
    output.show(f"written      {release.path}: {counted(release.rows, 'row')}{starred}")
    if release.statistics:
        shown = ", ".join(f"{name} ({which})" for name, which in release.statistics.items())
        output.show(f"statistics   {shown}")
    output.show(f"as they are  {listed(release.unchanged, most=12) or 'no column'}")
    output.show(f"suppressed   {counted(release.suppressed, 'row')} ({share})")
    promised = [
        f"{name} = {metric_text(release.promised[name])}"
        for name in ("k", "distinct-l", "t", "normalized-loss")
        if name in release.promised
    ]
    output.show(f"metrics      {', '.join(promised)}")
    output.show(f"verified     {len(release.verified)} metrics and all rows, from the written file")
    if release.statistics:
        output.show("             and the statistics of all blocks, from the source")
    output.show(f"certificate  {release.certificate_path} (public, goes with the data)")
    output.show(f"             {release.private_certificate_path} (private, keep it)")
    study = shlex.quote(str(arguments.run))
    output.show(
        f"Measure it again with: sfumato audit {shlex.quote(str(release.path))} {study} "
        f"--private-certificate {shlex.quote(str(release.private_certificate_path))}"
    )


COMMAND = Command(
    name="release",
    order=40,
    summary="write a recoded table, checked as it was written",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
