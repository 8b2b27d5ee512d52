"""A hospital's discharges of one year, made up on the spot, and the study that releases them."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from sfumato.datasets.hospital.patients import COLUMNS, FIRST_BIRTH, YEAR, draw_patients
from sfumato.datasets.hospital.register import REGISTER_COLUMNS, draw_register
from sfumato.datasets.hospital.study import study_text
from sfumato.engines.duckdb.dialect import DIALECT
from sfumato.errors import SettingsError, SourceError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.study.study import Study

PATIENTS = 20_000
SEED = 1

Format = Literal["csv", "parquet"]

_KINDS = {"birth_date": "DATE", "height_cm": "SMALLINT", "admission_date": "DATE"} | {
    "length_of_stay": "SMALLINT",
    "cost": "INTEGER",
}
"""The types of the Parquet columns that are no text."""


@dataclass(frozen=True, kw_only=True)
class HospitalFiles:
    """Where the files of the hospital are: the discharges, their study, and a public register."""

    data: Path
    study: Path
    register: Path
    diagnosis_hierarchy: Path


def write_hospital(
    folder: str | Path,
    *,
    patients: int = PATIENTS,
    seed: int = SEED,
    format: Format = "csv",  # noqa: A002
    force: bool = False,
) -> HospitalFiles:
    """Make up the discharges of a hospital and write them, their study, and a public register.

    The patients do not exist. The same seed gives the same bytes of CSV on every machine. The
    folder is made if it is not there; files that are there are replaced only with ``force``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_hospital(folder, patients=3)
    ...     print(written.data.read_text(encoding="utf-8").splitlines()[1])
    2024-000001,"Rossi, Liam",1962-07-27,00212,male,175,2024-02-14,Type 2 diabetes,5,4860
    """
    _check(patients, seed, format)
    place = Path(folder)
    written = HospitalFiles(
        data=place / f"discharges.{format}",
        study=place / "study.toml",
        register=place / "register.csv",
        diagnosis_hierarchy=place / "hierarchies" / "diagnosis.csv",
    )
    people = draw_patients(patients=patients, seed=seed)
    residents = draw_register(people, seed=seed)
    discharges = _csv_bytes(COLUMNS, (patient.cells() for patient in people))
    tree = files("sfumato.datasets").joinpath("hierarchies", "hospital", "diagnosis.csv")
    study = study_text(data=written.data.name, first_birth=FIRST_BIRTH.isoformat(), year=YEAR)
    _write(
        {
            written.data: discharges if format == "csv" else _parquet_bytes(discharges),
            written.study: study.encode(),
            written.register: _csv_bytes(REGISTER_COLUMNS, (line.cells() for line in residents)),
            written.diagnosis_hierarchy: tree.read_bytes(),
        },
        force=force,
    )
    return written


def hospital(
    folder: str | Path,
    *,
    patients: int = PATIENTS,
    seed: int = SEED,
    force: bool = False,
) -> Study:
    """Write the hospital's files into a folder and return the study of its study file."""
    from sfumato.study.file.study_file import read_study_file

    written = write_hospital(folder, patients=patients, seed=seed, force=force)
    return read_study_file(written.study).study


def _check(patients: int, seed: int, format: Format) -> None:  # noqa: A002
    for setting, value, least in (("patients", patients, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise SettingsError(
                f"{setting} is {shown(value)}; it must be a whole number from {least} up"
            )
    if format not in get_args(Format):
        raise SettingsError(f"format is {shown(format)}; write 'csv' or 'parquet'")


def _csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet_bytes(discharges: bytes) -> bytes:
    """Return the CSV as Parquet, with dates and numbers as such."""
    import duckdb

    kinds = ", ".join(f"'{name}': '{_KINDS.get(name, 'VARCHAR')}'" for name in COLUMNS)
    with tempfile.TemporaryDirectory(prefix="sfumato-") as workspace:
        text, parquet = Path(workspace, "discharges.csv"), Path(workspace, "discharges.parquet")
        text.write_bytes(discharges)
        with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
            connection.execute(
                f"COPY (SELECT * FROM read_csv({DIALECT.literal(str(text))}, auto_detect = false, "
                f"header = true, delim = ',', quote = '\"', escape = '\"', columns = {{{kinds}}})) "
                f"TO {DIALECT.literal(str(parquet))} (FORMAT parquet, COMPRESSION zstd)"
            )
        return parquet.read_bytes()


def _write(contents: Mapping[Path, bytes], *, force: bool) -> None:
    """Write files whole; one that is there already is an error unless ``force`` is set."""
    present = [str(path) for path in contents if path.exists()]
    if present and not force:
        raise SettingsError(
            f"{', '.join(present)} {'is' if len(present) == 1 else 'are'} there already; choose "
            "another folder, or replace with force=True"
        )
    for path, content in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_whole(path, content)
        except OSError as error:
            raise SourceError(
                f"{path} cannot be written: {error.strerror or error}; choose a folder that can be"
            ) from error


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
