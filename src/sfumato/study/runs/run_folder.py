"""The run folder: a run on disk, complete or not there at all."""

from __future__ import annotations

import platform
import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import sfumato
from sfumato.documents.leftovers import check_settled
from sfumato.documents.placing import place_together
from sfumato.documents.private_folder import PREFIX, private_folder
from sfumato.errors import ReleaseError, SettingsError, SourceError
from sfumato.errors.listing import listed
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.formats.hierarchy_csv import write_hierarchy_csv
from sfumato.hierarchies.formats.partitions_csv import write_partitions_csv
from sfumato.risk.identifying.column_subsets import most_identifying
from sfumato.risk.identifying.counted_cells import CountedCells
from sfumato.sources.source_stamp import file_sha256
from sfumato.study.file.study_copy import (
    HIERARCHIES,
    population_path,
    source_address,
    source_path,
    study_copy,
)
from sfumato.study.file.study_file import StudyFile, read_study_file
from sfumato.study.runs.equal_classes import with_equals
from sfumato.study.runs.run import Run, SourceDigest, SourceRecord, digest_of_rows
from sfumato.study.runs.run_files import (
    AS_WRITTEN,
    FRONT,
    FRONT_TABLE,
    OURS,
    RELEASES,
    RUN,
    STATE,
    STUDY,
    broken_run,
    is_run_folder,
    read_ours,
    read_record,
)
from sfumato.study.runs.run_records import (
    FrontRecord,
    RunRecord,
    StateRecord,
    front_record,
    front_table,
    run_record,
    state_record,
)
from sfumato.study.runs.solution_details import detail_of_the_source, run_columns, solution_details

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.search.result import SearchResult

_ELSEWHERE = "choose another place for the run"


def write_run(
    folder: str | Path,
    study_file: StudyFile,
    result: SearchResult,
    *,
    seconds: float,
    force: bool = False,
    counted: SourceDigest | None = None,
) -> Run:
    """Write a run folder and return the run.

    It is written beside its place and moved there when it is complete. Only the owner may look
    into it, because the metrics are about the unpublished table. ``force`` replaces another run
    folder. ``counted`` is the digest of the source before it was counted: a source that changed
    meanwhile is refused.
    """
    place = Path(folder).absolute()
    check_free(place, force=force)
    run = _run(place, study_file, result, seconds=seconds)
    if counted is not None and counted.sha256 != run.source.sha256:
        raise SourceError(
            f"{run.source.path} changed while it was searched",
            code="source-changed",
            file=run.source.path,
            remedy="search again",
        )
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with private_folder(place.parent) as workspace:
            # Made for its owner alone, and so it stays.
            unfinished = workspace / "unfinished"
            unfinished.mkdir(mode=0o700)
            _write(unfinished, run)
            _keep_releases(place, unfinished)
            place_together({unfinished: place}, workspace, force=True)
    except OSError as error:
        raise _unwritable(place, error) from None
    except ReleaseError as error:
        raise SettingsError(error.problem, code=error.code, file=place, remedy=_ELSEWHERE) from None
    address = study_file.study.engine.address
    named = (run.source.path, population_path(study_file), address, source_address(study_file))
    allowed = [each for each in named if each is not None]
    return read_run(place, allow_paths=allowed)


def check_free(folder: str | Path, *, force: bool = False) -> None:
    """Refuse a folder that a run must not replace."""
    place = Path(folder)
    check_settled([place])
    if not place.exists() and not place.is_symlink():
        return
    if not place.is_dir():
        raise SettingsError(f"{place} is a file", code="is-a-file", file=place, remedy=_ELSEWHERE)
    names = sorted(entry.name for entry in place.iterdir())
    if not names:
        return
    try:
        read_ours(place, RUN)
    except SettingsError:
        raise SettingsError(
            f"{place} is neither empty nor a run that can be replaced",
            code="never-replaced",
            file=place,
            remedy=_ELSEWHERE,
        ) from None
    if not force:
        raise SettingsError(
            f"{place} already holds a run",
            code="already-exists",
            file=place,
            remedy="choose another place, or replace it with --force",
        )
    # A report that was killed while it was written leaves a folder that goes with the run.
    others = [name for name in names if name not in OURS and not name.startswith(PREFIX)]
    if others:
        raise SettingsError(
            f"{place} holds files that no search wrote: {listed(others)}",
            code="never-replaced",
            file=place,
            found=listed(others),
            remedy="move them away before the run is replaced, or choose another place",
        )


def read_run(
    folder: str | Path,
    *,
    allow_paths: Iterable[str | Path] = (),
    reads_source: bool = True,
) -> Run:
    """Read a run folder.

    A source that this user did not search is refused unless ``allow_paths`` has it; who will never
    read it says so by ``reads_source``.
    """
    place = Path(folder)
    check_settled([place])
    if not place.is_dir():
        raise SettingsError(
            f"{place} {'is not a folder' if place.exists() else 'does not exist'}",
            code="not-a-run-folder",
            file=place,
            remedy="give the folder of a run, which 'sfumato search STUDY -o RUN' writes",
        )
    record = read_record(place, RUN, RunRecord)
    front_file = read_record(place, FRONT, FrontRecord)
    _check_files(place, record.files)
    front = front_file.front()
    if [solution.id for solution in front] != list(range(len(front))):
        raise broken_run(place, f"the numbers of the solutions in {FRONT} were changed")
    names = [column.name for column in record.columns]
    if any(list(solution.recoding.names) != names for solution in front):
        raise broken_run(place, f"the columns of {FRONT} are not those of {RUN}")
    return Run(
        folder=place,
        study_file=read_study_file(
            place / STUDY, allow_paths=allow_paths, reads_source=reads_source
        ),
        result=record.result(front, _state(place)),
        details=tuple(each.detail for each in front_file.solutions),
        before=front_file.before,
        columns=record.columns,
        source=record.source,
        version=record.version,
        created=record.created,
        seconds=record.seconds,
        identifying=record.identifying,
    )


def _check_files(place: Path, files: Mapping[str, str]) -> None:
    """Refuse a study or hierarchies that were edited: the metrics are those of others."""
    for name, digest in files.items():
        if not (place / name).is_file() or file_sha256(place / name) != digest:
            raise broken_run(
                place, f"{name} was changed or removed since, so the metrics are not about it"
            )


def read_stopped_run(folder: str | Path, *, allow_paths: Iterable[str | Path] = ()) -> Run:
    """Read the folder of a run that was stopped and can go on, on the source it began with."""
    run = read_run(folder, allow_paths=allow_paths)
    if run.result.finished:
        raise SettingsError(
            f"the search of {folder} is finished, so there is nothing to go on with",
            code="not-resumable",
            file=folder,
            remedy="replace the run with --force, or choose another place",
        )
    if run.result.state is None:
        raise SettingsError(
            f"the search of {folder} was stopped, and method {run.result.method!r} cannot go on "
            "from there",
            code="not-resumable",
            file=folder,
            found=repr(run.result.method),
            remedy="start it again with --force",
        )
    run.check_source()
    return run


def _state(place: Path) -> Mapping[str, object] | None:
    """Return what the search of a run needs to go on, None if it cannot or need not."""
    return read_record(place, STATE, StateRecord).state if (place / STATE).exists() else None


def read_study(
    path: str | Path, *, check_source: bool = True, allow_paths: Iterable[str | Path] = ()
) -> StudyFile:
    """Read a study file, or that of a run folder, whose source must not have changed."""
    if not is_run_folder(path):
        return read_study_file(path, allow_paths=allow_paths)
    run = read_run(path, allow_paths=allow_paths)
    if check_source:
        run.check_source()
    return run.study_file


def _run(place: Path, study_file: StudyFile, result: SearchResult, *, seconds: float) -> Run:
    problem, solutions = study_file.study.problem, result.front.solutions
    digest = digest_of_rows(study_file.study)
    return Run(
        folder=place,
        study_file=study_file,
        result=result,
        details=with_equals(problem, solutions, tuple(solution_details(problem, solutions))),
        before=detail_of_the_source(problem),
        columns=run_columns(problem.table, [each.recoding for each in result.front]),
        source=SourceRecord(
            path=str(source_path(study_file) or study_file.study.source),
            sha256=digest.sha256,
            bytes=digest.bytes,
            rows=problem.table.rows,
            dropped_rows=problem.table.dropped_rows,
        ),
        version=sfumato.__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=seconds,
        identifying=most_identifying(CountedCells.of_table(problem.table)),
    )


def _write(folder: Path, run: Run) -> None:
    text, hierarchies = study_copy(run.study_file)
    if hierarchies:
        (folder / HIERARCHIES).mkdir()
    for path, hierarchy in hierarchies.items():
        if isinstance(hierarchy, AdmissiblePartitions):
            write_partitions_csv(hierarchy, folder / path)
        else:
            write_hierarchy_csv(hierarchy, folder / path)
    versions = {"python": platform.python_version()}
    versions |= {name: version(name) for name in ("numpy", "duckdb", "numba", "moocore")}
    (folder / STUDY).write_bytes(text.encode())
    files = {name: file_sha256(folder / name) for name in (STUDY, *hierarchies)}
    state = run.result.state
    for name, content in {
        AS_WRITTEN: run.study_file.text,
        RUN: run_record(run, versions=versions, files=files),
        FRONT: front_record(run),
        FRONT_TABLE: front_table(run),
        **({} if state is None else {STATE: state_record(state)}),
    }.items():
        (folder / name).write_bytes(content.encode())


def _unwritable(place: Path, error: OSError) -> SettingsError:
    return SettingsError.unwritable(place, error, remedy=f"nothing was left there; {_ELSEWHERE}")


def _keep_releases(place: Path, unfinished: Path) -> None:
    """Take over the private certificates of the run that is replaced."""
    if (place / RELEASES).is_dir() and not (place / RELEASES).is_symlink():
        shutil.copytree(place / RELEASES, unfinished / RELEASES, symlinks=True)
