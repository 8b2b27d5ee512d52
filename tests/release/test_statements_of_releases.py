"""A release keeps its statements: recomputed from the written file, by SQL and by an audit."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.slow_variants import slow
from tests.study.people import ATTRIBUTES, people

import sfumato as sf
from sfumato.release import release as release_module

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.release_request import ReleaseRequest

RULES: dict[str, list[sf.ConfidentialStatement | sf.Predicate | str]] = {
    "common": [
        sf.ConfidentialStatement(protect="illness = gout", damage=0.25),
        sf.ConfidentialStatement(protect="illness = flu or income = 3", damage=0.75),
    ],
    "asymmetric": ["illness = gout"],
    "told by the file": [
        sf.ConfidentialStatement(protect="illness = flu", where="smokes = yes or ward = b"),
        sf.ConfidentialStatement(protect="not income = 1", where="not ward in {a, c}"),
    ],
    "told by sensitive values": [
        sf.ConfidentialStatement(protect="illness = flu", where="income = 2")
    ],
    "identifying": [
        sf.ConfidentialStatement(
            protect="illness = flu", where='name in {"person 3", "person 14"}'
        ),
        sf.ConfidentialStatement(protect="income = 1", where='name = "person 14"'),
    ],
    "recoded": [
        sf.ConfidentialStatement(
            protect="illness = flu", where="age in {20, 21, 22} and smokes = no", damage=1
        )
    ],
    "missing": [sf.ConfidentialStatement(protect="income = 3", where='ward = "(missing)"')],
    "empty": [sf.ConfidentialStatement(protect="income = 3", where='ward = ""')],
}
FAST = ("common", "identifying")
TOLD = ("common", "asymmetric", "told by the file", "told by sensitive values")


def study(rules: str, *, suppression: sf.Suppression = sf.NO_SUPPRESSION) -> sf.Study:
    frame = people()
    rng = random.Random(3)
    frame["ward"] = [rng.choice(["a", "b", "c", "", None]) for _ in range(80)]
    return sf.Study(
        source=frame,
        attributes=(*ATTRIBUTES, sf.insensitive("ward")),
        statements=RULES[rules],
        objectives=["secure", "sf-ql(weights=0.5 0.25 0.25)"],
        suppression=suppression,
    )


@pytest.mark.parametrize(
    ("rules", "ending"),
    [
        *(
            pytest.param(rules, "csv", marks=() if rules in FAST else pytest.mark.slow)
            for rules in RULES
        ),
        pytest.param("told by the file", "parquet", marks=pytest.mark.slow),
        pytest.param("empty", "parquet", marks=pytest.mark.slow),
    ],
)
def test_what_was_promised_is_found_in_the_file(rules: str, ending: str, tmp_path: Path) -> None:
    seen = set()
    for number, (levels, suppression, rows) in enumerate(
        [
            ({"age": 0, "zip": 0, "sex": 0}, sf.NO_SUPPRESSION, "drop"),
            ({"age": 1, "zip": 2, "sex": 0}, sf.limited(20), "drop"),
            ({"age": 3, "zip": 4, "sex": 1}, sf.given_k(3), "star"),
        ]
    ):
        chosen = study(rules, suppression=suppression)
        out, private = tmp_path / f"{number}.{ending}", tmp_path / f"{number}.json"
        written = chosen.release(levels, out, suppressed_rows=rows, private_certificate=private)
        # Metrics that disagree would have stopped the release.
        assert {"secure", "sf"} <= set(written.verified)
        assert any("rows that satisfy" in name for name in written.verified)
        seen.add(written.promised["secure"])
        whole = chosen.audit(out, private_certificate=private).whole_table
        assert whole is not None
        names = [name for name in written.promised if name in whole]
        assert {name: whole[name] for name in names} == pytest.approx(
            {name: written.promised[name] for name in names}, rel=1e-9
        )
        assert "ql" in names
        # An audit by itself knows what the file tells, and never says secure of what is not.
        if rules in TOLD:
            assert {"secure", "sf", "sf-ql", "sf-ql(weights=0.5 0.25 0.25)"} <= set(names)
        elif "secure" in names:
            assert whole["secure"] == written.promised["secure"]
    assert seen == {0.0, 1.0}


@pytest.mark.parametrize(
    ("metric", "rules"),
    [
        ("secure", "identifying"),
        ("sf", "common"),
        slow("secure", "common"),
        slow("sf", "identifying"),
    ],
)
def test_a_wrong_promise_is_found_out(
    metric: str, rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = release_module.write_release

    def boastful(request: ReleaseRequest) -> sf.Release:
        promised = {**request.promised, metric: 1.0 - request.promised[metric] / 2}
        return honest(replace(request, promised=promised))

    monkeypatch.setattr("sfumato.study.releasing.write_release", boastful)
    with pytest.raises(sf.UnmetError, match=rf"{metric} is [\d.]+ and [\d.]+ was promised"):
        study(rules).release({"age": 1, "zip": 2, "sex": 0}, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_certificates_say_what_is_protected_and_name_nobody(tmp_path: Path) -> None:
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    levels = {"age": 1, "zip": 2, "sex": 0}
    study("identifying").release(levels, out, private_certificate=private)
    public_text = (tmp_path / "out.csv.certificate.json").read_text()
    public = json.loads(public_text)
    assert public["statements"] == [
        {"protect": "illness = flu", "where": "withheld: it names people"},
        {"protect": "income = 1", "where": "withheld: it names people"},
    ]
    assert "person" not in public_text
    assert "name in" not in public_text
    assert "sf" in public["not_measured"]
    assert "satisfied" not in public_text
    full = json.loads(private.read_text())
    assert full["statements"][1] == {"protect": "income = 1", "where": 'name = "person 14"'}
    assert full["metrics"]["secure"] in (0, 1)
    assert full["suppressed"]["predicates"][1] == "income = 1"
    assert full["suppressed"]["records"] == []


def test_a_table_without_the_sensitive_column(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    chosen = study("asymmetric")
    chosen.release({"age": 3, "zip": 5, "sex": 1}, out)
    kept = [
        ",".join(cell for place, cell in enumerate(line.split(",")) if place != 3)
        for line in out.read_text().replace(", ", "; ").splitlines()
    ]
    less = tmp_path / "less.csv"
    less.write_text("\n".join(kept) + "\n")
    audit = chosen.audit(less)
    assert "secure" not in audit.metrics
    assert audit.not_measured["secure"] == "the table lacks the sensitive column 'illness'"


def test_a_certificate_of_other_statements_is_refused(tmp_path: Path) -> None:
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    study("asymmetric").release({"age": 1, "zip": 2, "sex": 0}, out, private_certificate=private)
    with raises(sf.SourceError, code="other-study", found="'illness = flu or income = 3'"):
        study("common").audit(out, private_certificate=private)
