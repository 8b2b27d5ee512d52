"""A second release of the same people: what both show together is computed and held to a policy."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.raised import raises
from tests.release.ledger.ledger_tables import BY_AGE, BY_PLACE, patients, study_of, together

import sfumato as sf
from sfumato.errors import UnmetError

if TYPE_CHECKING:
    from pathlib import Path


def joined(table: pd.DataFrame) -> Counter[tuple[object, ...]]:
    """The people by ten years of age, ZIP code and sex: what both releases show together."""
    return Counter(zip(table["age"].str[0], table["zip"], table["sex"], strict=True))


@pytest.mark.parametrize("person", [False, True])
def test_two_releases_that_join_to_people_alone_are_refused(tmp_path: Path, person: bool) -> None:
    table = patients()
    study = study_of(table, person=person)
    first = study.release(BY_AGE, tmp_path / "first.csv")
    assert first.promised["k"] >= 50
    assert together(first).earlier == ()
    with raises(UnmetError, code="composition") as caught:
        study.release(BY_PLACE, tmp_path / "second.csv")
    sizes = joined(table).values()
    alone = sum(size == 1 for size in sizes)
    assert alone > 20
    assert caught.value.found == f"k = {min(sizes)}, alone = {alone}"
    assert not (tmp_path / "second.csv").exists()
    # Of what was refused nothing is remembered.
    assert together(study.release(BY_AGE, tmp_path / "again.csv")).k == first.promised["k"]


def test_what_was_refused_can_be_accepted_and_is_certified(tmp_path: Path) -> None:
    table = patients()
    study = study_of(table)
    study.release(BY_AGE, tmp_path / "first.csv")
    release = study.release(
        BY_PLACE,
        tmp_path / "second.csv",
        private_certificate=tmp_path / "private.json",
        accept_composition=True,
    )
    said = json.loads((tmp_path / "private.json").read_text())["composition"]
    sizes = joined(table).values()
    assert all(said[name] for name in ("accepted", "ledger", "adds"))
    assert said["k"] == min(sizes)
    assert said["alone"] == sum(size == 1 for size in sizes)
    assert said["classes"] == len(sizes)
    (earlier,) = said["earlier"]
    assert earlier["file"] == str(tmp_path / "first.csv")
    assert "composition" not in release.certificate
    assert "first.csv" not in json.dumps(release.certificate)


def test_the_policy_is_asked_of_joint_classes_with_its_sensitive_criteria(tmp_path: Path) -> None:
    table = patients()
    coarse = study_of(table, require=["k>=2", "distinct-l>=2"])
    coarse.release({"age": 2, "zip": 2, "sex": 1}, tmp_path / "first.csv")
    # Joint classes of thirty years of age and a sex have k and l.
    coarse.release({"age": 3, "zip": 2, "sex": 0}, tmp_path / "second.csv")
    strict = study_of(table, require=["k>=2", "frequency-l>=3"])
    with raises(UnmetError, code="policy-not-met"):
        strict.release({"age": 3, "zip": 2, "sex": 0}, tmp_path / "third.csv")
    everybody = study_of(table, require=["k>=2", "t<=0.1"])
    with raises(UnmetError, code="composition", expected="k>=2 and t<=0.1"):
        everybody.release({"age": 3, "zip": 1, "sex": 1}, tmp_path / "third.csv")


def test_what_adds_nothing_passes(tmp_path: Path) -> None:
    study = study_of(patients())
    study.release(BY_AGE, tmp_path / "first.csv")
    study.release(BY_PLACE, tmp_path / "second.csv", accept_composition=True)
    third = study.release({"age": 2, "zip": 2, "sex": 1}, tmp_path / "third.csv")
    assert len(together(third).earlier) == 2
    assert not together(third).adds
    assert not together(third).refused


def test_an_overwritten_release_is_forgotten_and_a_moved_one_is_not(tmp_path: Path) -> None:
    study = study_of(patients())
    study.release(BY_AGE, tmp_path / "released.csv")
    again = study.release(BY_PLACE, tmp_path / "released.csv", force=True)
    assert together(again).earlier == ()
    (tmp_path / "released.csv").rename(tmp_path / "given away.csv")
    (tmp_path / "released.csv.certificate.json").unlink()
    with raises(UnmetError, code="composition"):
        study.release(BY_AGE, tmp_path / "released.csv", force=True)


def test_suppression_shows_too(tmp_path: Path) -> None:
    table = patients()
    loose = study_of(table, suppression=sf.given_k(4))
    first = loose.release({"age": 1, "zip": 1, "sex": 1}, tmp_path / "first.csv")
    strict = study_of(table, suppression=sf.given_k(int(first.promised["k"]) + 4))
    with raises(UnmetError, code="composition") as caught:
        # The same labels, and fewer classes: whoever is missing now is in small classes then.
        strict.release({"age": 1, "zip": 1, "sex": 0}, tmp_path / "second.csv")
    assert caught.value.found is not None


def test_who_was_not_shown_before_is_shown_too_much(tmp_path: Path) -> None:
    """It passed as adding nothing: two people were missing, and everybody is in one class now.

    What the second has beyond the first are the values of these two.
    """
    table = pd.DataFrame({"q": ["x"] * 6 + ["y"] * 2, "illness": ["flu", "gout"] * 4})
    study = sf.Study(
        source=table,
        attributes=[sf.quasi_identifying("q", sf.Flat()), sf.sensitive("illness")],
        suppression=sf.given_k(3),
    )
    assert study.release({"q": 0}, tmp_path / "first.csv").suppressed == 2
    with raises(UnmetError, code="composition", found="k = 2, alone = 0"):
        study.release({"q": 1}, tmp_path / "second.csv")


def test_microaggregated_releases_that_differ_by_one_person_are_refused(tmp_path: Path) -> None:
    table = patients()
    study_of(table).release(BY_AGE, tmp_path / "first.csv", values="microaggregated")
    more = pd.concat(
        [table, pd.DataFrame([["new", "44", "2401", "F", "flu"]], columns=table.columns)]
    )
    with raises(UnmetError, code="composition"):
        study_of(more).release(BY_AGE, tmp_path / "second.csv", values="microaggregated")
    # Labels of the same people and one more are the same labels; it is said, and not refused.
    release = study_of(more).release(BY_AGE, tmp_path / "third.csv")
    assert together(release).earlier[0].changed == 1
    assert not together(release).refused


def test_without_the_ledger_nothing_is_looked_up_or_remembered(tmp_path: Path) -> None:
    study = study_of(patients())
    study.release(BY_AGE, tmp_path / "first.csv", ledger=False)
    second = study.release(
        BY_PLACE, tmp_path / "second.csv", private_certificate=tmp_path / "private.json"
    )
    assert together(second).earlier == ()
    third = study.release(
        BY_AGE, tmp_path / "third.csv", ledger=False, private_certificate=tmp_path / "p.json"
    )
    assert third.composition is None
    assert json.loads((tmp_path / "p.json").read_text())["composition"] == {"ledger": False}


def test_an_earlier_column_that_is_not_counted_now_is_refused(tmp_path: Path) -> None:
    table = patients()
    study_of(table).release(BY_AGE, tmp_path / "first.csv")
    study = sf.Study(
        source=table,
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(widths=(10, 30), low=20, high=79)),
            sf.insensitive("zip"),
            sf.quasi_identifying("sex", sf.Flat()),
            sf.sensitive("illness"),
        ],
    )
    with raises(UnmetError, code="composition"):
        study.release({"age": 1, "sex": 1}, tmp_path / "second.csv")
    study.release({"age": 1, "sex": 1}, tmp_path / "second.csv", accept_composition=True)
