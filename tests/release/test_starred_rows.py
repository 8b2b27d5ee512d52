"""Rows with * everywhere are suppressed ones, or a class like any other: a certificate tells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path


def local_study() -> sf.Study:
    """Return a study whose best local recoding has three rows with nothing but *."""
    towns = pd.DataFrame({"town": list("aaabcd"), "sex": list("fffmfx")})
    attributes = [
        sf.quasi_identifying(name, sf.Flat(), output="hierarchy") for name in ("town", "sex")
    ]
    return sf.Study(source=towns, attributes=attributes, space="local", criteria=["k>=3"])


@pytest.mark.parametrize("suppressed", ["star", "drop"])
def test_a_class_of_stars_is_no_suppressed_one(suppressed: str, tmp_path: Path) -> None:
    study = local_study()
    solution = study.search().front.solutions[0]
    release = study.release(solution, tmp_path / "out.csv", suppressed_rows=suppressed)
    written = pd.read_csv(release.path)
    assert sorted(map(tuple, written.to_numpy().tolist())) == [("*", "*")] * 3 + [("a", "f")] * 3
    file = json.loads(release.certificate_path.read_text())["release"]
    assert file.get("starred") == (0 if suppressed == "star" else None)
    assert release.certificate["metrics_are_of"] == "the released rows"
    audit = study.audit(release.path)
    assert (audit.rows, audit.starred, audit.classes, audit.metrics["k"]) == (6, 0, 2, 3)


def test_without_a_certificate_they_are_taken_for_suppressed_ones(tmp_path: Path) -> None:
    study = local_study()
    release = study.release(study.search().front.solutions[0], tmp_path / "out.csv")
    release.certificate_path.unlink()
    audit = study.audit(release.path)
    assert (audit.rows, audit.starred) == (3, 3)


def test_the_certificate_counts_the_suppressed_rows_that_are_there(tmp_path: Path) -> None:
    towns = pd.DataFrame({"town": list("aaabb")})
    study = sf.Study(
        source=towns,
        attributes=[sf.quasi_identifying("town", sf.Flat())],
        suppression=sf.given_k(3),
    )
    release = study.release({"town": 0}, tmp_path / "out.csv", suppressed_rows="star")
    assert json.loads(release.certificate_path.read_text())["release"]["starred"] == 2
    assert "excepted" in str(release.certificate["metrics_are_of"])
    audit = study.audit(release.path)
    assert (audit.rows, audit.starred, audit.metrics["k"]) == (3, 2, 3)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_they_show_no_other_column(tmp_path: Path, ending: str) -> None:
    """What is left of a suppressed row could single its person out: its payload goes, too."""
    table = pd.DataFrame(
        {
            "town": list("aaabb"),
            "ill": ["flu", "gout", "flu", "plague", "ague"],
            "cost": ["1", "2", "3", "4711", "4712"],
            "note": ["x", "x", "x", "rare", "rarer"],
        }
    )
    study = sf.Study(
        source=table,
        attributes=[
            sf.quasi_identifying("town", sf.Flat()),
            sf.sensitive("ill"),
            sf.insensitive("cost"),
        ],
        unlisted_insensitive=True,
        suppression=sf.given_k(3),
    )
    path = tmp_path / f"out.{ending}"
    study.release({"town": 0}, path, suppressed_rows="star")
    written = pd.read_csv(path, dtype=str) if ending == "csv" else pd.read_parquet(path)
    starred = written[written["town"] == "*"]
    assert len(starred) == 2
    assert starred.drop(columns="town").isna().all(axis=None)
    assert set(written["cost"].dropna()) == {"1", "2", "3"}
