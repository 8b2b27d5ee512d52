"""A release from a run folder: its source must not have changed, and the run remembers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ReleaseError
from sfumato.plugins.offers import refuse_plugins
from sfumato.release.release_request import ReleaseOptions, silent_stage, unheard
from sfumato.search.space import size_record
from sfumato.study.releasing import release_recoding
from sfumato.study.runs.run_files import RELEASES
from sfumato.study.runs.run_records import methods_of, plugins_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.findings.finding import Finding
    from sfumato.front.front import Solution
    from sfumato.release.release import Release
    from sfumato.release.signatures.keys import SigningKey
    from sfumato.study.runs.run import Run


def release_from_run(
    run: Run,
    solution: Solution,
    destination: Path,
    *,
    suppressed_rows: str | None = None,
    values: str | None = None,
    certificate: Path | None = None,
    private_certificate: Path | None = None,
    codebook: Path | None = None,
    escape_formulas: bool | None = None,
    force: bool = False,
    plugins: bool = True,
    ledger: bool = True,
    accept_composition: bool = False,
    stage: Callable[[str], None] = silent_stage,
    found: Callable[[tuple[Finding, ...]], None] = unheard,
    sign: SigningKey | None = None,
) -> Release:
    """Write a solution of a run; the private certificate stays in the run folder."""
    check_outside(run.folder, destination, certificate, codebook)
    if (run.folder / RELEASES).is_symlink():
        raise ReleaseError(
            f"{run.folder / RELEASES} is a link, which no search makes",
            code="private-place",
            file=run.folder / RELEASES,
            remedy="say where the private certificate goes, with --private-certificate",
        )
    if private_certificate is None:
        private_certificate = _free_name(run.folder / RELEASES, destination.name)
    study_file = run.study_file
    study = study_file.study
    # What would fail after the counting fails now.
    options = ReleaseOptions.checked(
        study.source,
        destination,
        engine=study.engine,
        certificate=certificate,
        private_certificate=private_certificate,
        codebook=codebook,
        escape_formulas=study_file.escape_formulas if escape_formulas is None else escape_formulas,
        force=force,
        suppressed_rows=suppressed_rows or study_file.suppressed_rows,
        values=values or study_file.released_values,
        plugins=plugins,
        ledger=ledger,
        accept_composition=accept_composition,
        provenance={
            "plugins": {text: str(origin) for text, origin in plugins_of(run).items()},
            "source": {"path": run.source.path, "sha256": run.source.sha256},
            "search": {
                "run": str(run.folder),
                "created": run.created,
                "method": run.result.method,
                "exact": run.result.exact,
                "evaluations": run.result.evaluated,
                "nodes": size_record(run.result.nodes),
                "seed": study_file.search.seed,
                "solution": solution.id,
                "objectives": dict(solution.values),
            },
            "settings": study_file.text,
        },
        stage=stage,
        found=found,
        made=(run.folder / RELEASES,),
        sign=sign,
    )
    if not plugins:
        refuse_plugins([*study.members, *methods_of(run)])
    stage("checking that the source is still the one that was searched")
    run.check_source()
    try:
        (run.folder / RELEASES).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ReleaseError.unwritable(
            run.folder / RELEASES,
            error,
            remedy="say where the private certificate goes, with --private-certificate",
        ) from None
    stage("counting the source")
    return release_recoding(study, solution, options)


def _free_name(folder: Path, name: str) -> Path:
    """Return a name that no certificate has: that of an earlier release is never overwritten."""
    path, number = folder / f"{name}.private.json", 1
    while path.exists():
        number += 1
        path = folder / f"{name}.{number}.private.json"
    return path


def check_outside(folder: Path, *places: Path | None) -> None:
    """Refuse to put what is public among what is private in a run folder, however it is named."""
    for place in places:
        # Where the file would really be: links are followed, and .. goes up from there.
        if place is not None and _lies_in(place, folder.resolve()):
            raise ReleaseError(
                f"{place} is in the run folder, which is private",
                code="private-place",
                file=place,
                remedy="release to a folder that can be given away",
            )


def _lies_in(place: Path, folder: Path) -> bool:
    # The name itself is replaced and not followed, but a link into the folder is no place either.
    where = (place.parent.resolve() / place.name, place.resolve())
    if any(path.is_relative_to(folder) for path in where):
        return True
    # The same folder by another name: another case, or mounted twice.
    return folder.exists() and any(
        above.exists() and above.samefile(folder) for above in where[0].parents
    )
