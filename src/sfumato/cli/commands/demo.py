"""``sfumato demo``: the whole line on made-up hospital data."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE
from sfumato.search.space_size import written_size

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.datasets.hospital import HospitalFiles
    from sfumato.front.decisions.picking import Pick
    from sfumato.release.audit.audit import Audit
    from sfumato.release.release import Release
    from sfumato.risk.linking_attack import AttackResult
    from sfumato.study.runs.run import Run

RULE = "k>=5, distinct-l>=3"

DESCRIPTION = """\
Walk the whole line on the discharges of a hospital that does not exist: look people up in the file
without names, search for recodings, pick one, release it, audit the release, look people up again,
and draw the report. Everything is made on this machine, and nothing is downloaded.

  sfumato demo
  sfumato demo --output /tmp/hospital
"""


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--output",
        "-o",
        type=Path,
        default=Path("sfumato-demo"),
        metavar="DIR",
        help="the folder for all files (default: sfumato-demo); an earlier demo is replaced",
    )
    parser.add_argument("--json", action="store_true", help="print all metrics as JSON")


def run(arguments: Namespace, output: Output) -> int:
    """Make the data, attack them, release them, and attack the release."""
    from sfumato.cli.stages import shown_stages
    from sfumato.datasets.hospital import write_hospital
    from sfumato.front.decisions.picking import pick
    from sfumato.report.report import write_report
    from sfumato.risk.linking_attack import linking_attack
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.runs.run_folder import write_run
    from sfumato.study.runs.run_release import release_from_run

    folder: Path = arguments.output
    _make_room(folder)
    with shown_stages(output) as stage:
        stage("making up a hospital")
        files = write_hospital(folder)
        study_file = read_study_file(files.study)
        study = study_file.study
        stage("looking people up in the file without names")
        raw = linking_attack(files.register, files.data, study=study)
        stage("searching all recodings")
        started = time.perf_counter()
        result = study.search(method=study_file.search.method)
        seconds = time.perf_counter() - started
        found = write_run(folder / "run", study_file, result, seconds=seconds)
        picked = pick(RULE, result.front, [detail.metrics for detail in found.details])
        release = release_from_run(found, picked.solution, folder / "released.csv", stage=stage)
        stage("auditing the release")
        audit = study.audit(release.path, private_certificate=release.private_certificate_path)
        stage("looking people up in the release")
        after = linking_attack(files.register, release.path, study=study)
        stage("drawing the report")
        report = folder / "run" / "report.html"
        write_report(found, report, picked=picked.solution.id)
    _tell(files, raw, found, picked, release, audit, after, output)
    output.json(
        {
            "folder": str(folder),
            "pick": RULE,
            "solution": picked.solution.id,
            "values": picked.solution.values,
            "suppressed": release.suppressed,
            "front": len(result.front),
            "exact": result.exact,
            "audit": audit.whole_table,
            "attack_before": _counts(raw),
            "attack_after": _counts(after),
            "released": str(release.path),
            "private_certificate": str(release.private_certificate_path),
            "report": str(report),
        }
    )
    return DONE


def _make_room(folder: Path) -> None:
    """Remove an earlier demo, and refuse a folder that holds anything else."""
    import shutil

    from sfumato.errors import SettingsError
    from sfumato.errors.listing import listed

    ours = {
        *("discharges.csv", "study.toml", "register.csv", "hierarchies", "run"),
        *("released.csv", "released.csv.certificate.json"),
    }
    if not folder.exists():
        return
    if not folder.is_dir():
        raise SettingsError(f"{folder} is a file; choose another folder with --output")
    names = {path.name for path in folder.iterdir()}
    if names - ours or (names and "register.csv" not in names):
        others = sorted(names - ours) or sorted(names)
        raise SettingsError(
            f"{folder} holds files that no demo wrote: {listed(others, most=5)}; choose another "
            "folder with --output"
        )
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _tell(
    files: HospitalFiles,
    raw: AttackResult,
    run: Run,
    picked: Pick,
    release: Release,
    audit: Audit,
    after: AttackResult,
    output: Output,
) -> None:
    from sfumato.cli.metric_text import metric_text, share_text
    from sfumato.cli.solution_table import show_solutions, spread
    from sfumato.front.decisions.trade_off import neighbours

    def said(command: str) -> None:
        output.show(f"\n$ {command}")

    result, folder = run.result, files.study.parent
    place = shlex.quote(str(folder))
    output.show(
        f"A hospital has {run.source.rows:,} discharges ({files.data}), and somebody has the "
        f"register of the region.\nThe file without names is no confidential statement: by "
        f"{', '.join(raw.known)}, {raw.matched_rightly:,} of the {raw.patients:,} patients in the "
        f"register\n({share_text(raw.matched_rightly, raw.patients)}) are found, and "
        f"{raw.learnt_rightly:,} diagnoses are learnt."
    )
    said(f"sfumato search {place}/study.toml -o {place}/run")
    output.show(
        f"{written_size(result.nodes)} recodings, "
        f"{'all settled' if result.exact else 'not all settled'}: "
        f"{len(result.front)} are not beaten by another. Some of them:"
    )
    show_solutions(output, run, spread(result.front.solutions, 7), tuple(result.front.objectives))
    metrics = [detail.metrics for detail in run.details]
    beside = neighbours(result.front, metrics)[picked.solution.id]
    for trade in (beside.down, beside.up):
        if trade is not None:
            output.show(f"  {trade.sentence}")
    said(f"sfumato release {place}/run --pick '{RULE}' -o {place}/released.csv")
    output.show(f"{picked.reason}.")
    output.show(
        f"{release.rows:,} rows written, {release.suppressed:,} suppressed, "
        f"{len(release.verified)} metrics recomputed from the written file by SQL."
    )
    said(f"sfumato audit {place}/released.csv {place}/run --private-certificate …")
    whole = audit.whole_table or {}
    output.show(
        ", ".join(
            f"{name} = {metric_text(whole[name])}"
            for name in ("k", "distinct-l", "t", "normalized-loss")
        )
    )
    output.show(
        f"\nThe same look-up in the release: {after.matched_rightly:,} patients found, "
        f"{after.learnt_rightly:,} diagnoses learnt. Nobody is left with fewer than "
        f"{after.smallest_crowd} rows."
    )
    said(f"sfumato report {place}/run")
    output.show(f"Open {folder / 'run' / 'report.html'} in a browser.")


def _counts(attack: AttackResult) -> dict[str, object]:
    return {
        "known": list(attack.known),
        "patients": attack.patients,
        "matched_uniquely": attack.matched_uniquely,
        "matched_rightly": attack.matched_rightly,
        "learnt_rightly": attack.learnt_rightly,
        "smallest_crowd": attack.smallest_crowd,
    }


COMMAND = Command(
    name="demo",
    order=5,
    summary="the whole line on made-up hospital data",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
