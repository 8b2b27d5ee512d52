"""The hospital of the demo: its discharges of one year, their study file, and a public register.

Nobody in these tables exists. ``tools/hospital`` in the repository drew them from a seed.
"""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.study import Study


@dataclass(frozen=True, kw_only=True)
class HospitalFiles:
    """Where the files of the hospital are: the discharges, their study, and a public register."""

    data: Path
    study: Path
    register: Path
    diagnosis_hierarchy: Path

    @classmethod
    def in_folder(cls, folder: Path, *, data: str = "discharges.csv") -> HospitalFiles:
        """Return where the files are in a folder."""
        return cls(
            data=folder / data,
            study=folder / "study.toml",
            register=folder / "register.csv",
            diagnosis_hierarchy=folder / "hierarchies" / "diagnosis.csv",
        )


def write_hospital(folder: str | Path, *, force: bool = False) -> HospitalFiles:
    """Write the discharges of the hospital, their study file, and a public register.

    The folder is made if it is not there; files that are there are replaced only with ``force``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_hospital(folder)
    ...     print(written.data.read_text(encoding="utf-8").splitlines()[1])
    2024-000001,"Brown, Yasmin",1961-02-18,00205,female,169,2024-01-01,Back pain,97,40520
    """
    written = HospitalFiles.in_folder(Path(folder))
    shipped = files("sfumato.datasets")
    tables = shipped.joinpath("tables", "hospital")
    tree = shipped.joinpath("hierarchies", "hospital", "diagnosis.csv")
    _write(
        {
            written.data: gzip.decompress(tables.joinpath("discharges.csv.gz").read_bytes()),
            written.study: tables.joinpath("study.toml").read_bytes(),
            written.register: gzip.decompress(tables.joinpath("register.csv.gz").read_bytes()),
            written.diagnosis_hierarchy: tree.read_bytes(),
        },
        force=force,
    )
    return written


def hospital(folder: str | Path, *, force: bool = False) -> Study:
    """Write the hospital's files into a folder and return the study of its study file."""
    from sfumato.study.file.study_file import read_study_file

    return read_study_file(write_hospital(folder, force=force).study).study


def _write(contents: Mapping[Path, bytes], *, force: bool) -> None:
    """Write files whole; one that is there already is an error unless ``force`` is set."""
    present = [str(path) for path in contents if path.exists()]
    if present and not force:
        raise SettingsError(
            f"{', '.join(present)} {'is' if len(present) == 1 else 'are'} there already",
            code="already-exists",
            file=present[0],
            remedy="choose another folder, or replace with force=True",
        )
    for path, content in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, content)
        except OSError as error:
            raise SourceError.unwritable(
                path, error, remedy="choose a folder that can be"
            ) from error


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
