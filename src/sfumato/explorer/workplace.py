"""What an explorer works on: a study file, which stays the only description, and its runs."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from sfumato.documents.whole_file import write_whole
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.engine import joint_counts, profile
from sfumato.errors import SettingsError
from sfumato.explorer.searches.job import SearchJob
from sfumato.sources.source import path_of, source_of
from sfumato.study.file.edited_text import with_setting
from sfumato.study.file.study_file import StudyFile, read_study_file, study_of_text
from sfumato.study.file.toml_syntax import study_text
from sfumato.study.proposal.proposal import propose
from sfumato.study.proposal.proposed_study_file import write_proposal
from sfumato.study.runs.run_files import is_run_folder
from sfumato.study.runs.run_folder import read_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.study.file.toml_text import TomlValue
    from sfumato.study.proposal.proposal import Proposal
    from sfumato.study.runs.run import Run

MOST_UNDONE = 100
"""How many edits can be taken back."""


@dataclass(kw_only=True)
class Workplace:
    """A study that is open, with its history of edits, its searches and its runs.

    All browser tabs share it. The study file is read again before every edit, so that what an
    editor saved meanwhile is kept; nothing that a page shows is stored anywhere else.
    """

    home: Path
    study: Path | None = None
    allow_paths: tuple[Path, ...] = ()
    jobs: dict[str, SearchJob] = field(default_factory=dict)
    _undo: list[str] = field(default_factory=list, repr=False)
    _redo: list[str] = field(default_factory=list, repr=False)
    _lock: RLock = field(default_factory=RLock, repr=False)
    _read: tuple[str, StudyFile] | None = field(default=None, repr=False)
    _profiled: tuple[object, Proposal] | None = field(default=None, repr=False)
    _runs: dict[str, tuple[object, Run]] = field(default_factory=dict, repr=False)

    def open(self, path: Path) -> None:
        """Open a study file, a run folder, or data, for which a study is proposed."""
        if is_run_folder(path):
            # The study of a run is a copy for its record: another one is edited.
            study = path.with_name(f"{path.name}-study.toml")
            if not study.exists():
                shutil.copyfile(path / "study.toml", study)
            self._take(study, allow=(Path(read_run(path, reads_source=False).source.path),))
        elif path.suffix.lower() == ".toml":
            read_study_file(path, allow_paths=self.allow_paths)
            self._take(path)
        else:
            self._take(self._proposed(path))

    def _take(self, study: Path, *, allow: tuple[Path, ...] = ()) -> None:
        with self._lock:
            self.study = study.resolve()
            self.allow_paths = (*self.allow_paths, *allow)
            self._undo.clear()
            self._redo.clear()
            self._read = self._profiled = None
            self._runs.clear()

    def _proposed(self, data: Path) -> Path:
        """Return the study of a data file: the one beside it that is about it, or a proposal."""
        place = data.with_name(f"{data.name.partition('.')[0]}-study.toml")
        if place.exists():
            return place
        source, engine = source_of(data), DuckDBEngine()
        proposal = propose(
            profile(engine, source), where=str(source), count=partial(joint_counts, engine, source)
        )
        write_proposal(place, proposal, source=source, force=False)
        return place

    @property
    def is_open(self) -> bool:
        """Say whether a study is open."""
        return self.study is not None

    @property
    def opened(self) -> Path:
        """The path of the study that is open."""
        if self.study is None:
            raise SettingsError(
                "no study is open", code="no-study", remedy="choose a file on the first page"
            )
        return self.study

    @property
    def text(self) -> str:
        """The text of the study file as it stands."""
        return study_text(self.opened)

    def study_file(self) -> StudyFile:
        """Return what the study file says now; what was counted for the same text is kept."""
        with self._lock:
            text = self.text
            if self._read is None or self._read[0] != text:
                self._read = (text, self._said(text))
            return self._read[1]

    def _said(self, text: str) -> StudyFile:
        return study_of_text(self.opened, text, allow_paths=self.allow_paths)

    def edit(self, *changes: tuple[Sequence[str], TomlValue | None]) -> None:
        """Change settings of the study file together; an error leaves the file as it was."""
        with self._lock:
            text = self.text
            edited = text
            for place, value in changes:
                edited = with_setting(edited, place, value)
            self.rewrite(edited)

    def rewrite(self, edited: str) -> None:
        """Give the study file another text, if that is a study."""
        with self._lock:
            text = self.text
            if edited == text:
                return
            self._said(edited)
            write_whole(self.opened, edited)
            self._undo[:] = [*self._undo, text][-MOST_UNDONE:]
            self._redo.clear()

    @property
    def can_undo(self) -> bool:
        """Say whether there is an edit to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Say whether there is an edit to make again."""
        return bool(self._redo)

    def undo(self) -> None:
        """Take the last edit back."""
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        self._step(self._redo, self._undo)

    def _step(self, source: list[str], target: list[str]) -> None:
        with self._lock:
            if source:
                text = self.text
                write_whole(self.opened, source.pop())
                target.append(text)

    def proposal(self) -> Proposal:
        """Return the profile of every column of the source, with what would be proposed for it."""
        with self._lock:
            study = self.study_file().study
            key = (str(study.source), _stamp(path_of(source_of(study.source))))
            if self._profiled is None or self._profiled[0] != key:
                source = source_of(study.source)
                found = propose(
                    profile(study.engine, source),
                    where=str(source),
                    count=partial(joint_counts, study.engine, source),
                )
                self._profiled = (key, found)
            return self._profiled[1]

    def run_names(self) -> tuple[str, ...]:
        """Return the names of the run folders beside the study, the newest first."""
        folders = [each for each in self.opened.parent.iterdir() if is_run_folder(each)]
        folders.sort(key=lambda each: each.stat().st_mtime_ns, reverse=True)
        return tuple(each.name for each in folders)

    def run_folder(self, name: str) -> Path:
        """Return the folder of a run beside the study; a name cannot lead elsewhere."""
        if name not in self.run_names():
            raise SettingsError(
                f"there is no run {name!r} beside the study",
                code="not-a-run-folder",
                found=repr(name),
                expected=self.run_names(),
            )
        return self.opened.parent / name

    def run(self, name: str) -> Run:
        """Return a run, read once for as long as its folder does not change."""
        folder = self.run_folder(name)
        stamp = _stamp(folder / "run.json")
        with self._lock:
            if name not in self._runs or self._runs[name][0] != stamp:
                self._runs[name] = (stamp, read_run(folder, allow_paths=self.allow_paths))
            return self._runs[name][1]

    def new_run_name(self) -> str:
        """Return the name of a run folder that is free."""
        stem = f"{self.opened.stem}-run"
        taken = {each.name for each in self.opened.parent.iterdir()} | self.jobs.keys()
        names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 10_000))
        return next(name for name in names if name not in taken)

    def search(self, name: str, *, resume: bool = False) -> SearchJob:
        """Start a search of the study as it stands, into a run folder beside it."""
        with self._lock:
            job = self.jobs.get(name)
            if job is not None and job.running:
                return job
            self.study_file()
            self.jobs[name] = SearchJob.start(
                self.opened,
                self.opened.parent / name,
                allow_paths=self.allow_paths,
                resume=resume,
            )
            return self.jobs[name]

    def close(self) -> None:
        """Stop every search, which keeps what it has found, and wait for that."""
        for job in self.jobs.values():
            job.stop()
        for job in self.jobs.values():
            job.wait()


def _stamp(path: Path | None) -> object:
    """Return what changes with a file."""
    if path is None or not path.exists():
        return None
    found = path.stat()
    return (found.st_mtime_ns, found.st_size)
