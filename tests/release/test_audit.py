"""An audit measures any table by what is in it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises
from tests.study.people import ATTRIBUTES, people, study_of_people

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path


def released(rows: dict[str, list[str]]) -> pd.DataFrame:
    return pd.DataFrame(rows)


AGES = sf.Intervals(low=20, high=39, widths=(5, 10))
STUDY = sf.Study(
    source=pd.DataFrame({"age": ["20", "39"], "sex": ["F", "M"], "ill": ["flu", "gout"]}),
    attributes=[
        sf.quasi_identifying("age", AGES),
        sf.quasi_identifying("sex", sf.Flat()),
        sf.sensitive("ill"),
    ],
)


def test_a_table_by_hand() -> None:
    """Two classes of 2 and 3; ages of 10 and 5 leaves of 20, sexes of 1 of 2."""
    audit = STUDY.audit(
        released(
            {
                "age": ["[20, 30)", "[20, 30)", "[30, 35)", "[30, 35)", "[30, 35)"],
                "sex": ["F", "F", "M", "M", "M"],
                "ill": ["flu", "gout", "flu", "flu", "gout"],
            }
        )
    )
    assert (audit.rows, audit.classes, audit.starred) == (5, 2, 0)
    assert audit.metrics["k"] == 2
    assert audit.metrics["distinct-l"] == 2
    assert audit.metrics["frequency-l"] == 1.5
    assert audit.metrics["weighted-k"] == (4 + 9) / 5
    assert audit.metrics["gl"] == pytest.approx((2 * 9 + 3 * 4) / 19)
    assert audit.metrics["normalized-loss"] == pytest.approx((2 * 9 + 3 * 4) / 19 / 10)
    assert audit.levels == {"age": None, "sex": 0}
    assert audit.not_measured["height"] == "the rows are not all recoded to the same level"
    assert "usefulness" in audit.not_measured
    assert audit.findings == ()


def test_starred_rows_are_suppressed_ones_unless_all_are() -> None:
    table = released(
        {"age": ["*", "[20, 25)", "[20, 25)"], "sex": ["*", "F", "F"], "ill": ["flu", "a", "b"]}
    )
    audit = STUDY.audit(table)
    assert (audit.rows, audit.starred, audit.metrics["k"]) == (2, 1, 2)
    everything = STUDY.audit(released({"age": ["*"] * 3, "sex": ["*"] * 3, "ill": list("aab")}))
    assert (everything.rows, everything.starred, everything.metrics["k"]) == (3, 0, 3)
    assert everything.metrics["normalized-loss"] == 1


def test_labels_of_another_tool_are_measured_as_far_as_can_be() -> None:
    audit = STUDY.audit(
        released({"age": ["[20, 30[", "[20, 30["], "sex": ["F", "F"], "ill": ["flu", "gout"]})
    )
    assert audit.metrics["k"] == 2
    assert audit.metrics["distinct-l"] == 2
    assert "loss" not in audit.metrics
    assert "'[20, 30['" in audit.not_measured["loss"]


def test_findings(tmp_path: Path) -> None:
    path = tmp_path / "leaky.csv"
    table = people().drop(columns=["income"]).assign(extra="x")
    table.to_csv(path, index=False)
    audit = study_of_people().audit(path)
    assert audit.identifying == ("name",)
    assert audit.unknown == ("extra",)
    found = [(finding.code, finding.columns) for finding in audit.findings]
    assert found[:3] == [
        ("identifying-column", ("name",)),
        ("unknown-column", ("extra",)),
        ("absent-columns", ("income",)),
    ]
    assert "the table lacks the sensitive column 'income'" in audit.not_measured["distinct-l"]
    assert audit.metrics["k"] == 1


def test_wrong_tables_and_certificates(tmp_path: Path) -> None:
    study = study_of_people(suppression=sf.limited(0.1))
    with pytest.raises(sf.SourceError, match="'zip'"):
        study.audit(people().drop(columns=["zip"]))
    with raises(sf.SourceError, code="no-rows"):
        study.audit(people().head(0))
    solution = study.search().front[4]
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    study.release(solution, out, private_certificate=private)
    with raises(sf.SourceError, code="public-certificate"):
        study.audit(out, private_certificate=tmp_path / "out.csv.certificate.json")
    with raises(sf.SourceError, code="no-such-file"):
        study.audit(out, private_certificate=tmp_path / "other.json")
    (tmp_path / "broken.json").write_text("{")
    with raises(sf.SourceError, code="not-a-certificate"):
        study.audit(out, private_certificate=tmp_path / "broken.json")
    (tmp_path / "cut.json").write_text('{"kind": "sfumato private certificate 3"}')
    with raises(sf.SourceError, code="broken-certificate"):
        study.audit(out, private_certificate=tmp_path / "cut.json")
    out.write_text(out.read_text() + "\n")
    with raises(sf.SourceError, code="other-file"):
        study.audit(out, private_certificate=private)
    assert private.stat().st_mode & 0o777 == 0o600


def test_a_study_whose_source_is_gone(tmp_path: Path) -> None:
    declared = [
        sf.quasi_identifying("age", AGES),
        sf.quasi_identifying("sex", sf.Flat(values=["F", "M"])),
    ]
    table = released({"age": ["[20, 30)"] * 2, "sex": ["F", "F"]})
    study = sf.Study(source=tmp_path / "gone.csv", attributes=declared)
    assert study.audit(table).metrics["gl"] == pytest.approx(2 * 9 / 19)
    spanning = [sf.quasi_identifying("age", sf.Intervals()), declared[1]]
    with raises(sf.SourceError, code="no-such-file", column="age"):
        sf.Study(source=tmp_path / "gone.csv", attributes=spanning).audit(table)


def test_nothing_of_the_originals_is_in_the_files(tmp_path: Path) -> None:
    """No identifier, no value below its block, no place in the source: in any byte written."""
    table = people(400)
    table["name"] = [f"CANARY{row}" for row in range(400)]
    table["zip"] = [f"9{int(z):04}7" for z in table["zip"].str[-2:]]
    source = tmp_path / "PRIVATEPLACE.csv"
    table.to_csv(source, index=False)
    study = sf.Study(source=source, attributes=ATTRIBUTES, suppression=sf.limited(0.05))
    folder = tmp_path / "public"
    folder.mkdir()
    levels = {"age": 2, "zip": 3, "sex": 1}
    for name in ("out.csv", "out.parquet"):
        study.release(levels, folder / name)
    values = {*table["zip"], *(f'"{age}"' for age in table["age"]), "PRIVATEPLACE", "CANARY"}
    for path in folder.iterdir():
        content = path.read_bytes().decode("latin-1")
        assert [value for value in values if value in content] == [], path
    with (folder / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["age"] for row in rows} == {"[20, 30)", "[30, 40)"}
    assert {row["sex"] for row in rows} == {"*"}
    assert all(len(row["zip"]) == 4 and row["zip"].endswith("*") for row in rows)


def test_a_star_among_the_values_is_a_value(tmp_path: Path) -> None:
    """In a release of our own nothing is taken for starred that is not."""
    table = pd.DataFrame({"age": ["20"] * 100, "z": ["a"] * 60 + ["b"] * 37 + ["*"] * 3})
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("age", sf.Flat()), sf.quasi_identifying("z", sf.Flat())],
    )
    release = study.release({"age": 1, "z": 0}, tmp_path / "out.csv")
    assert release.rows == 100
    assert release.metrics["k"] == 3
    top = study.release({"age": 1, "z": 1}, tmp_path / "top.csv")
    assert top.metrics["loss"] == top.promised["loss"]


def test_labels_that_repeat_across_levels(tmp_path: Path) -> None:
    rows = [("a", "X", "X", "*"), ("b", "Y", "X", "*"), ("c", "Z", "Z", "*")]
    hierarchy = sf.Hierarchy.from_rows(rows, name="z")
    table = pd.DataFrame({"z": ["a", "b"] * 20 + ["c"]})
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("z", hierarchy)],
        suppression=sf.given_k(2),
    )
    release = study.release({"z": 2}, tmp_path / "o.csv", private_certificate=tmp_path / "p.json")
    assert release.metrics["gl"] == 20
    alone = study.audit(tmp_path / "o.csv")
    assert "gl" not in alone.metrics
    assert "mean different blocks at different levels: 'X'" in alone.not_measured["loss"]
    known = study.audit(tmp_path / "o.csv", private_certificate=tmp_path / "p.json")
    assert known.levels == {"z": 2}
    assert known.whole_table is not None
    assert known.whole_table["loss"] == release.promised["loss"]


def test_markers_are_about_the_source_not_about_cells(tmp_path: Path) -> None:
    table = pd.DataFrame({"z": ["?", "NA", "a", "a"], "ill": list("xxyy")})
    missing = sf.MissingValues(markers=("?", "NA", "*"))
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("z", sf.Flat()), sf.sensitive("ill")],
        missing=missing,
    )
    assert study.audit(table).metrics["k"] == 1, "? and NA are different cells"
    assert study.audit(table.assign(z=None)).metrics["k"] == 4
    release = study.release({"z": 1}, tmp_path / "out.csv")
    assert release.metrics["k"] == 4
    assert study.release({"z": 0}, tmp_path / "two.csv").metrics["k"] == 2


@pytest.mark.parametrize("delimiter", ["^", ":"])
def test_a_release_is_read_as_its_certificate_says(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "source.csv"
    lines = ["2019", "x", "y"]
    path.write_text("".join(f"{line}{delimiter}'{line}'\n" for line in lines))
    source = sf.CsvFile(path=path, delimiter=delimiter, header=True, quote='"')
    study = sf.Study(
        source=source,
        attributes=[sf.quasi_identifying("2019", sf.Flat()), sf.insensitive("'2019'")],
    )
    study.release({"2019": 1}, tmp_path / "out.csv")
    assert study.audit(tmp_path / "out.csv").metrics["k"] == 2


def test_a_certificate_of_another_study(tmp_path: Path) -> None:
    table = pd.DataFrame({"z": list("aabb"), "ill": list("xyxy"), "pay": list("1122")})
    identifier = sf.quasi_identifying("z", sf.Flat())
    one = sf.Study(
        source=table, attributes=[identifier, sf.sensitive("ill"), sf.insensitive("pay")]
    )
    two = sf.Study(
        source=table, attributes=[identifier, sf.insensitive("ill"), sf.sensitive("pay")]
    )
    one.release({"z": 0}, tmp_path / "o.csv", private_certificate=tmp_path / "p.json")
    with raises(sf.SourceError, code="other-study", found="'pay'"):
        two.audit(tmp_path / "o.csv", private_certificate=tmp_path / "p.json")
