"""Makes the tables of a hospital, of any size and from any seed."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import duckdb
from tools.hospital.patients import COLUMNS, draw_patients
from tools.hospital.register import REGISTER_COLUMNS, draw_register

import sfumato.datasets
from sfumato.datasets.hospital import HospitalFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PATIENTS = 20_000
SEED = 1
DATASETS = Path(sfumato.datasets.__file__).parent
SHIPPED = DATASETS / "tables" / "hospital"

Format = Literal["csv", "parquet"]

_KINDS = {"birth_date": "DATE", "height_cm": "SMALLINT", "admission_date": "DATE"} | {
    "length_of_stay": "SMALLINT",
    "cost": "INTEGER",
}
"""The types of the Parquet columns that are not text."""


def tables(*, patients: int = PATIENTS, seed: int = SEED) -> tuple[bytes, bytes]:
    """Return the discharges and the register as CSV. The same seed gives the same bytes."""
    if patients < 1 or seed < 0:
        raise ValueError(f"{patients} patients from seed {seed}: expected at least 1, from 0 up")
    people = draw_patients(patients=patients, seed=seed)
    residents = draw_register(people, seed=seed)
    return (
        _csv_bytes(COLUMNS, (patient.cells() for patient in people)),
        _csv_bytes(REGISTER_COLUMNS, (resident.cells() for resident in residents)),
    )


def make_hospital(
    folder: Path,
    *,
    patients: int = PATIENTS,
    seed: int = SEED,
    format: Format = "csv",  # noqa: A002
) -> HospitalFiles:
    """Write the files of a hospital as `sfumato.datasets.hospital.write_hospital` does."""
    made = HospitalFiles.in_folder(folder, data=f"discharges.{format}")
    made.diagnosis_hierarchy.parent.mkdir(parents=True, exist_ok=True)
    discharges, register = tables(patients=patients, seed=seed)
    study = (SHIPPED / "study.toml").read_text(encoding="utf-8")
    text = folder / "discharges.csv"
    text.write_bytes(discharges)
    if format == "parquet":
        _write_parquet(text, made.data)
        text.unlink()
        study = _without_csv_keys(study).replace("discharges.csv", made.data.name)
    made.register.write_bytes(register)
    made.study.write_text(study, encoding="utf-8")
    tree = DATASETS / "hierarchies" / "hospital" / "diagnosis.csv"
    made.diagnosis_hierarchy.write_bytes(tree.read_bytes())
    return made


def ship() -> None:
    """Replace the tables that the package ships."""
    for name, content in zip(("discharges", "register"), tables(), strict=True):
        (SHIPPED / f"{name}.csv.gz").write_bytes(gzip.compress(content, 9, mtime=0))


def _without_csv_keys(study: str) -> str:
    keys = ("delimiter", "quote", "encoding", "header")
    return "".join(line for line in study.splitlines(keepends=True) if not line.startswith(keys))


def _csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def _write_parquet(text: Path, parquet: Path) -> None:
    """Write the CSV as Parquet, with dates and numbers as such."""
    kinds = {name: _KINDS.get(name, "VARCHAR") for name in COLUMNS}
    with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
        table = connection.read_csv(
            str(text), header=True, sep=",", quotechar='"', escapechar='"', dtype=kinds
        )
        table.write_parquet(str(parquet), compression="zstd")
