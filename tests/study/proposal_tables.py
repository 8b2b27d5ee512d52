"""Tables that nobody prepared, for the proposals of `sfumato init`."""

from __future__ import annotations

import datetime as dt
import random
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

SURNAMES = ("Müllerin-X", "Weißkopf-X", "Großmann-X", "Schäferin-X")
FIRST_NAMES = ("Jörgine", "Ännchen", "Ümitcan")
RARE = "Himmelfahrtskommando"
"""A value of a category that one row has."""


def write_messy_hospital(path: Path, *, rows: int = 600) -> None:
    """Write a German hospital file: semicolons, latin-1, leading zeros, ``?`` and ``NA``."""
    rng = random.Random(3)
    columns = (
        "Aufnahmenummer;Nachname;Vorname;Geburtsdatum;PLZ;Geschlecht;Größe (cm);Aufnahme;Diagnose;"
        "Kosten;Station;Liegedauer;Bemerkung;Versicherung"
    )
    lines = [columns]
    for row in range(rows):
        zips = ("01067", "01069", "04103", "04105", "10115", "20095", "80331")
        born = dt.date(1925, 1, 1) + dt.timedelta(days=rng.randrange(30_000))
        came = dt.datetime(2023, 1, 1, 7, 30) + dt.timedelta(minutes=rng.randrange(500_000))
        fields = (
            str(2024000000 + row * 7),
            rng.choice(SURNAMES),
            rng.choice(FIRST_NAMES),
            born.strftime("%d.%m.%Y"),
            rng.choice(zips) if rng.random() > 0.02 else "?",
            rng.choice("mmwwd?"),
            f"{rng.gauss(172, 9):.1f}",
            came.strftime("%d.%m.%Y %H:%M"),
            rng.choice(("I21.0", "J18", "E11.9", "K35")),
            f"{rng.lognormvariate(8, 1):.2f}",
            RARE if row == 17 else rng.choice(("Nord", "Süd", "Ost")),
            str(int(rng.expovariate(0.2))) if rng.random() > 0.05 else "NA",
            rng.choice(("", "ruft an", "Rückruf am Montag")),
            "gesetzlich",
        )
        lines.append(";".join(fields))
    path.write_bytes("\n".join(lines).encode("latin-1") + b"\n")


def write_typed_parquet(path: Path, *, rows: int = 300) -> None:
    """Write a Parquet file with typed columns, one of them a serial number of no telling name."""
    rng = random.Random(4)
    start = dt.date(1940, 1, 1)
    table = {
        "lfd": pa.array(range(1, rows + 1)),
        "born": pa.array([start + dt.timedelta(days=rng.randrange(25_000)) for _ in range(rows)]),
        "height": pa.array(
            [rng.gauss(170, 10) if rng.random() > 0.1 else None for _ in range(rows)]
        ),
        "smoker": pa.array([rng.random() < 0.3 for _ in range(rows)]),
        "visits": pa.array([float(rng.randrange(30)) for _ in range(rows)]),
        "income": pa.array([rng.randrange(1000, 9000) for _ in range(rows)]),
        "empty": pa.array([None] * rows, pa.string()),
    }
    pq.write_table(pa.table(table), path)
