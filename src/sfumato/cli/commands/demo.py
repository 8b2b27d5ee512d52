"""``sfumato demo``: the whole workflow on synthetic hospital data."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.cli.command import Command
from sfumato.cli.exit_codes import DONE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from sfumato.cli.output import Output
    from sfumato.views.demo_view import DemoView

DESCRIPTION = """\
Run the whole workflow on synthetic hospital discharges: re-identify patients in the file without
names, search for recodings that meet the policy of the study, release the one that loses least,
audit the release, repeat the attack, and write the report. All data are made on this machine;
nothing is downloaded.

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
    from sfumato.cli.output import shown_stages
    from sfumato.datasets.hospital import write_hospital
    from sfumato.report.report import write_report
    from sfumato.risk.attacks.file_attacks import Intruder
    from sfumato.study.file.study_file import read_study_file
    from sfumato.study.runs.run_folder import write_run
    from sfumato.study.runs.run_release import release_from_run
    from sfumato.views.attack_view import attack_view
    from sfumato.views.demo_view import demo_view

    folder: Path = arguments.output
    _make_room(folder)
    with shown_stages(output) as stage:
        stage("making a synthetic hospital")
        files = write_hospital(folder)
        study_file = read_study_file(files.study)
        study = study_file.study
        stage("attacking the file without names")
        intruder = Intruder(register=files.register)
        raw = study.attack(files.data, intruder)
        stage("searching all recodings")
        started = time.perf_counter()
        result = study.search(
            method=study_file.search.method, settings=study_file.search.for_spaces(study.spaces)
        )
        seconds = time.perf_counter() - started
        found = write_run(folder / "run", study_file, result, seconds=seconds)
        picked = found.pick()
        # The patients are invented: the ledger is for releases of people.
        release = release_from_run(
            found, picked.solution, folder / "released.csv", ledger=False, stage=stage
        )
        stage("auditing the release")
        audit = study.audit(release.path, private_certificate=release.private_certificate_path)
        stage("attacking the release")
        after = study.attack(release.path, intruder)
        stage("writing the report")
        report = folder / "run" / "report.html"
        attacked = attack_view(release.path.name, after)
        write_report(found, report, opening=picked, attacks=attacked)
    view = demo_view(
        files,
        found,
        picked=picked,
        release=release,
        audit=audit,
        attacks=(attack_view(str(files.data), raw), attack_view(str(release.path), after)),
        report=report,
    )
    _tell(view, output)
    output.json(view)
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
        raise SettingsError(
            f"{folder} is a file",
            code="is-a-file",
            file=folder,
            remedy="choose another folder with --output",
        )
    names = {path.name for path in folder.iterdir()}
    if names - ours or (names and "register.csv" not in names):
        others = sorted(names - ours) or sorted(names)
        raise SettingsError(
            f"{folder} holds files that no demo wrote: {listed(others, most=5)}",
            code="never-replaced",
            file=folder,
            remedy="choose another folder with --output",
        )
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _tell(view: DemoView, output: Output) -> None:
    from sfumato.cli.solution_table import show_freedoms, show_solutions
    from sfumato.views.texts import metric_text, share_text

    def said(command: str) -> None:
        output.show(f"\n$ {command}")

    (before,), (after,) = view.attack_before.linking.values(), view.attack_after.linking.values()
    place = shlex.quote(view.folder)
    output.show(
        f"A hospital has {view.rows:,} discharges ({view.data}), and an intruder has the register "
        f"of the region.\nRemoving the names does not anonymize the file: by "
        f"{', '.join(before.known)},\n{before.matched_rightly:,} of the {before.patients:,} "
        f"patients in the register ({share_text(before.matched_rightly, before.patients)}) are "
        f"re-identified, and {before.learnt_rightly:,} diagnoses are disclosed."
    )
    output.show(
        f"\nWhat the hospital requires of a release is the policy in {place}/study.toml:\n"
        f"{' and '.join(view.policy)} in every class of rows that look alike."
    )
    said(f"sfumato search {place}/study.toml -o {place}/run")
    output.show(_searched(view))
    show_solutions(output, view.some, view.objectives)
    show_freedoms(output, view.freedoms)
    for sentence in view.trade_offs:
        output.show(f"  {sentence}")
    said(f"sfumato release {place}/run -o {place}/released.csv")
    output.show(f"{view.reason}; it is a {view.freedom} recoding.")
    output.show(
        f"{view.released_rows:,} rows written, {view.suppressed:,} suppressed, "
        f"{view.verified} metrics recomputed from the written file by SQL."
    )
    said(f"sfumato audit {place}/released.csv {place}/run --private-certificate …")
    for bound, verdict in view.requirements.items():
        output.show(f"required      {bound}: {verdict}")
    output.show(
        ", ".join(
            f"{name} = {metric_text(view.audit[name])}"
            for name in ("k", "distinct-l", "t", "normalized-loss")
        )
    )
    said(f"sfumato attack {place}/released.csv {place}/run --register {place}/register.csv")
    for line in view.attack_after.attacks:
        output.show(
            f"{line.attack}: right about {line.learnt:,} of {line.rows:,} rows, by chance alone "
            f"{line.by_chance:,.1f}"
        )
    output.show(
        f"The same register on the release: {after.matched_rightly:,} patients re-identified, "
        f"{after.learnt_rightly:,} diagnoses disclosed. Nobody is left with fewer than "
        f"{after.smallest_crowd} candidate rows."
    )
    said(f"sfumato report {place}/run")
    output.show(f"Open {view.report} in a browser.")


def _searched(view: DemoView) -> str:
    """Say what was searched, and how many solutions there are."""
    from sfumato.search.space import recorded_size, written_size
    from sfumato.views.run.freedoms_view import RECODINGS

    if view.freedoms is None:
        settled = "all settled" if view.exact else "not all settled"
        return (
            f"{written_size(recorded_size(view.nodes))} recodings, {settled}: "
            f"{view.front} that meet the policy are Pareto-optimal. Some of them:"
        )
    parts = [
        f"{each.solutions} {RECODINGS[each.freedom]} ({'exact' if each.exact else 'best found'})"
        for each in view.freedoms.freedoms
    ]
    return (
        f"{view.front} Pareto-optimal solutions that meet the policy: {' and '.join(parts)}. "
        "Some of them:"
    )


COMMAND = Command(
    name="demo",
    order=5,
    summary="the whole workflow on synthetic hospital data",
    description=DESCRIPTION,
    arguments=arguments,
    run=run,
)
