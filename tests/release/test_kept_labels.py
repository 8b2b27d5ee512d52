"""Labels of partitions tell nothing of people who are left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.microdata.roles import Attribute


def released(
    folder: Path,
    rows: list[dict[str, str | None]],
    attributes: list[Attribute],
    cuts: dict[str, list[int]],
    limit: int,
) -> tuple[pd.DataFrame, str]:
    study = sf.Study(
        source=pd.DataFrame(rows),
        attributes=[*attributes, sf.sensitive("illness")],
        suppression=sf.limited(limit),
        space="partitions",
    )
    out = folder / "released.csv"
    private = folder / "private.json"
    promised = study.evaluate(sf.Cuts.of(cuts))
    study.release(sf.Cuts.of(cuts), out, private_certificate=private)
    audit = study.audit(out, private_certificate=private)
    assert audit.metrics["k"] == promised.values["k"]
    # The private certificate knows the blocks behind the labels.
    assert audit.whole_table is not None
    assert audit.whole_table["loss"] == pytest.approx(promised.values["loss"])
    return pd.read_csv(out, dtype=str), (folder / "released.csv.certificate.json").read_text()


def test_categories(tmp_path: Path) -> None:
    rows: list[dict[str, str | None]] = [
        {"town": town, "sex": sex, "illness": "flu"}
        for town in ("Bonn", "Köln", "Trier")
        for sex in ("f", "m")
        for _ in range(3)
    ]
    # The only one from Buxtehude is alone in her class and left out.
    rows.append({"town": "Buxtehude", "sex": "x", "illness": "gout"})
    attributes = [sf.quasi_identifying("town", sf.Flat()), sf.quasi_identifying("sex", sf.Flat())]
    # Bonn, Buxtehude | Köln, Trier; f | m | x
    table, public = released(tmp_path, rows, attributes, {"town": [2], "sex": [1, 2]}, 1)
    assert set(table["town"]) == {"Bonn", "{Köln, Trier}"}
    assert "Buxtehude" not in public


def test_numbers_dates_and_missing(tmp_path: Path) -> None:
    rows: list[dict[str, str | None]] = [
        {"age": str(age), "day": f"2024-01-{day:02}", "sex": "f", "illness": "flu"}
        for age in range(20, 40)
        for day in (1, 15)
    ]
    # One man of 97 in 2031, and one whose age is missing: both are left out.
    rows.append({"age": "97", "day": "2031-12-24", "sex": "m", "illness": "gout"})
    rows.append({"age": None, "day": "2024-01-01", "sex": "d", "illness": "gout"})
    attributes = [
        sf.quasi_identifying("age", sf.Intervals(widths=(10,))),
        sf.quasi_identifying("day", sf.Dates(levels=("day", "month"))),
        sf.quasi_identifying("sex", sf.Flat()),
    ]
    cuts = {"age": [15], "day": [14], "sex": [1, 2]}
    table, public = released(tmp_path, rows, attributes, cuts, 2)
    assert set(table["age"]) == {"under 35", "35 and over"}
    assert set(table["day"]) == {"before 2024-01-15", "from 2024-01-15 on"}
    for statement in ("97", "98", "2031", "missing"):
        assert statement not in json.dumps(json.loads(public)["recoding"])


def test_a_declared_domain_tells_nothing(tmp_path: Path) -> None:
    rows: list[dict[str, str | None]] = [
        {"age": str(age), "illness": "flu"} for age in range(20, 40) for _ in range(2)
    ]
    rows.append({"age": None, "illness": "flu"})
    rows.append({"age": None, "illness": "flu"})
    attributes = [sf.quasi_identifying("age", sf.Intervals(widths=(10,), low=18, high=89))]
    table, _ = released(tmp_path, rows, attributes, {"age": [15]}, 0)
    # Here rows that lack the age are kept, and it is said.
    assert set(table["age"]) == {"[18, 33)", "[33, 90) or (missing)"}
