"""What an intruder learns from what is missing: register, release and public certificate."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from typing import TYPE_CHECKING

import pandas
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.errors import Notice
from sfumato.findings.suppression_findings import BY_CRITERION, THRESHOLD_BY_CRITERION

if TYPE_CHECKING:
    from pathlib import Path

GROUPS = {
    # The six are as many as others, and all of them are positive.
    ("34", "A"): ["pos"] * 6,
    ("25", "A"): ["pos", "neg", "neg", "neg", "neg"],
    ("25", "B"): ["neg", "pos", "neg", "neg", "neg", "neg"],
    ("37", "B"): ["neg", "neg", "pos", "neg", "neg"],
    ("61", "A"): ["neg", "pos"],
    ("62", "B"): ["neg"],
}
PEOPLE = pandas.DataFrame(
    [
        (f"person {age} {town} {number}", age, town, status)
        for (age, town), statuses in GROUPS.items()
        for number, status in enumerate(statuses)
    ],
    columns=["name", "age", "town", "hiv"],
)
POSITIVE = set(PEOPLE["name"][(PEOPLE["age"] == "34")])
AGES, TOWNS = sf.Intervals(low=20, high=69, widths=(10, 50)), sf.Flat(values=("A", "B"))


def study(suppression: sf.Suppression, criteria: list[str]) -> sf.Study:
    return sf.Study(
        source=PEOPLE,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", AGES),
            sf.quasi_identifying("town", TOWNS),
            sf.sensitive("hiv"),
        ],
        statements="hiv = pos",
        criteria=criteria,
        suppression=suppression,
    )


def labels_of(certificate: dict[str, dict[str, dict[str, int]]], age: str, town: str) -> list[str]:
    """Recode a person of the register as the public certificate says."""
    labels = []
    for name, value, builder in (("age", age, AGES), ("town", town, TOWNS)):
        hierarchy, level = builder.build([], column=name), certificate["recoding"][name]["level"]
        (leaf,) = hierarchy.locate([value])
        labels.append(hierarchy.labels[level][hierarchy.levels[level][leaf]])
    return labels


def confirmed(release: Path, *, guessed: bool = False) -> set[str]:
    """Return who must be positive, to somebody who reads a register and what is published.

    A class that is missing although it is as large as one that was released is not missing for its
    size. It fails the criterion that the certificate names, or that was ``guessed``: all its people
    satisfy the statement.
    """
    certificate = json.loads(release.with_name(f"{release.name}.certificate.json").read_text())
    with release.open(newline="") as stream:
        shown = {(row["age"], row["town"]) for row in csv.DictReader(stream)}
    classes: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, age, town in PEOPLE[["name", "age", "town"]].itertuples(index=False):
        classes[tuple(labels_of(certificate, age, town))].append(name)
    rule = certificate["suppression"]
    named = "secure" in rule.get("criteria", ()) and bool(certificate.get("statements"))
    return {
        name
        for labels, people in classes.items()
        if labels not in shown and len(people) >= certificate["metrics"]["k"] and (named or guessed)
        for name in people
    }


@pytest.mark.parametrize("criteria", [["secure"], ["k>=3", "secure"]])
@pytest.mark.parametrize("threshold", ["largest", "every"])
def test_nobody_is_confirmed_by_what_is_missing(
    tmp_path: Path, criteria: list[str], threshold: str
) -> None:
    """Six people were confirmed positive under a certificate that said secure."""
    asked = study(sf.limited(9, threshold=threshold), criteria)  # type: ignore[arg-type]
    front = asked.search().front
    assert front
    for solution in front:
        path = tmp_path / f"{solution.id}.csv"
        asked.release(solution, path, ledger=False)
        certificate = json.loads((tmp_path / f"{path.name}.certificate.json").read_text())
        assert certificate["metrics"]["secure"] == 1
        assert certificate["suppression"]["criteria"] == criteria
        assert confirmed(path) == set()
    # The recoding that left the six out is not released any more.
    with raises(sf.UnmetError, code="criteria-not-met"):
        asked.release({"age": 1, "town": 0}, tmp_path / "six.csv")


def test_whoever_asks_for_it_is_warned_and_the_certificate_names_nothing(tmp_path: Path) -> None:
    asked = study(sf.limited(9, failing=True), ["k>=3", "secure"])
    with pytest.warns(Notice, match="secure"):
        asked.search()
    path, private = tmp_path / "six.csv", tmp_path / "private.json"
    with pytest.warns(Notice, match="secure"):
        release = asked.release({"age": 1, "town": 0}, path, private_certificate=private)
    assert [finding.code for finding in release.findings] == [BY_CRITERION, "safe-harbor"]
    assert release.suppressed == 6 + 3
    public = (tmp_path / "six.csv.certificate.json").read_text()
    # Neither the criterion nor the statement, nor a metric that only statements have.
    for word in ("secure", "hiv =", "statement", "failing", '"sf"'):
        assert word not in public
    assert json.loads(public)["suppression"]["criteria"] == ["k>=3"]
    kept = json.loads(private.read_text())
    assert kept["suppression"]["criteria"] == ["k>=3", "secure"]
    assert kept["suppression"]["failing"] is True
    assert kept["findings"][0]["code"] == BY_CRITERION
    assert kept["statements"] == [{"protect": "hiv = pos"}]
    assert kept["metrics_of_released_rows"]["secure"] == 1
    audited = asked.audit(path, private_certificate=private)
    assert audited.whole_table is not None
    assert audited.whole_table["secure"] == 1


def test_a_threshold_that_a_sensitive_criterion_chose_is_a_finding(tmp_path: Path) -> None:
    """Under every threshold, the classes of two go because one of them has one value."""
    rows = [("a", s) for s in "xx"] + [("b", s) for s in "xyxy"] + [("c", s) for s in "xyx"]
    asked = sf.Study(
        source=pandas.DataFrame(rows, columns=["q", "s"]),
        attributes=[sf.quasi_identifying("q", sf.Flat()), sf.sensitive("s")],
        criteria=["distinct-l>=2"],
        suppression=sf.limited(5, threshold="every"),
    )
    codes = {}
    for solution in asked.search().front:
        path = tmp_path / f"{solution.id}.csv"
        if solution.suppressed:
            with pytest.warns(Notice, match="distinct-l>=2"):
                release = asked.release(solution, path, ledger=False)
        else:
            release = asked.release(solution, path, ledger=False)
        codes[solution.levels["q"], solution.threshold] = [f.code for f in release.findings]
    assert codes == {
        (0, 3): [THRESHOLD_BY_CRITERION],
        (0, 4): [THRESHOLD_BY_CRITERION],
        (1, 9): [],
    }


def test_failing_without_criteria_is_refused() -> None:
    with raises(sf.SettingsError, code="missing-setting", key="criteria"):
        study(sf.limited(9, failing=True), [])
