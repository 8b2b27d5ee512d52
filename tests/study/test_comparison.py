"""Comparisons of a study's recodings with each other and with tables of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from tests.raised import raises
from tests.study.people import ATTRIBUTES, people, study_of_people

import sfumato as sf
from sfumato.compare.catalogue import index_names
from sfumato.compare.indices.coverage import Coverage
from sfumato.errors import SettingsError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

FINE = {"age": 1, "zip": 1, "sex": 0}
COARSE = {"age": 2, "zip": 2, "sex": 1}


def recoded(study: sf.Study, levels: dict[str, int]) -> pd.DataFrame:
    """Return the people with their labels at some levels, as another tool would write them."""
    table = people()
    for name, hierarchy in study.hierarchies.items():
        labels, blocks = hierarchy.labels[levels[name]], hierarchy.levels[levels[name]]
        leaves = hierarchy.locate(table[name].tolist())
        table[name] = [labels[blocks[leaf]] for leaf in leaves]
    return table


def test_every_property_by_every_comparator() -> None:
    study = study_of_people()
    found = study.compare(FINE, COARSE)
    assert set(found.vectors) == set(found.verdicts)
    supported = set(sf.property_names()) - {"statement-risk"}
    assert {name.split("(")[0] for name in found.vectors} == supported
    for verdicts in found.verdicts.values():
        assert [v.comparator for v in verdicts] == ["dominance", *index_names()]
    assert [v.comparator for v in found.together] == ["dominance", "weighted", "lexicographic"]
    assert found.together_on == ("class-size", "row-loss")
    # Without suppression the coarser node is at least as private for everybody, and loses more.
    by_name = {name: verdicts[0].outcome for name, verdicts in found.verdicts.items()}
    assert by_name["class-size"] is sf.Outcome.WORSE
    assert by_name["row-loss"] is sf.Outcome.BETTER
    assert found.together[0].outcome is sf.Outcome.INCOMPARABLE
    assert len(found.sentences) == 10 * len(found.vectors) + 10 - 10 + 3
    assert "age 2, zip 2, sex 1 is better than age 1, zip 1, sex 0" in " ".join(found.sentences)


def test_metrics_are_those_of_the_evaluation() -> None:
    study = study_of_people(suppression=sf.limited(0.1, threshold="every"))
    front = study.search().front
    first, second = front[0], front[len(front) - 1]
    found = study.compare(first, second, properties="class-size", comparators=["min", "sum"])
    smallest, total = found.verdicts["class-size"]
    assert total.first == study.evaluate(first).values["s-k"]
    assert total.second == study.evaluate(second).values["s-k"]
    assert smallest.second >= 1
    assert found.first.label == "solution 0"
    assert found.first.suppressed_rows == first.suppressed


def test_named_properties_are_judged_together_in_their_order() -> None:
    study = study_of_people()
    verdicts = [
        study.compare(FINE, COARSE, properties=order, comparators="lexicographic").together[0]
        for order in (("class-size", "row-loss"), ("row-loss", "class-size"))
    ]
    assert [verdict.outcome.value for verdict in verdicts] == ["worse", "better"]


def test_a_tournament_of_a_front() -> None:
    study = study_of_people(suppression=sf.limited(0.1))
    front = study.search().front
    found = study.tournament(front, comparator="mean")
    members = [name for place in found.places for name in place.members]
    assert sorted(members) == sorted(f"solution {s.id}" for s in front)
    named = study.tournament({"fine": FINE, "coarse": COARSE}, comparator=Coverage())
    assert [place.members for place in named.places] == [("coarse",), ("fine",)]
    utility = study.tournament(
        {"fine": FINE, "coarse": COARSE}, comparator="coverage", properties="row-utility"
    )
    assert [place.members for place in utility.places] == [("fine",), ("coarse",)]


def test_what_is_refused() -> None:
    study = study_of_people()
    with pytest.raises(SettingsError, match="'sex' has no level"):
        study.compare({"age": 1, "zip": 1}, FINE)
    with pytest.raises(SettingsError, match="there is no property 'size'"):
        study.compare(FINE, COARSE, properties="size")
    with pytest.raises(SettingsError, match="there is no comparator 'best'"):
        study.compare(FINE, COARSE, comparators="best")
    with raises(SettingsError, code="conflicting-settings", key="key", found="'name'"):
        study.compare(FINE, COARSE, key="name")
    with pytest.raises(SettingsError, match="is about one sensitive column and the study has 2"):
        study.compare(FINE, COARSE, properties="own-value-count")
    with raises(SettingsError, code="too-few", key="properties", found="empty"):
        study.compare(FINE, COARSE, properties=())


@pytest.mark.parametrize("key", [None, "name"])
def test_a_table_of_another_tool_equals_the_same_recoding(key: str | None) -> None:
    study = study_of_people()
    table = recoded(study, FINE)
    if key is not None:
        table = table.sample(frac=1, random_state=3)
    found = study.compare(table, FINE, key=key)
    for name, verdicts in found.verdicts.items():
        for verdict in verdicts:
            assert verdict.outcome is sf.Outcome.EQUAL, (name, verdict.sentence)
    against = study.compare(table, COARSE, key=key)
    ours = study.compare(FINE, COARSE)
    for name, verdicts in against.verdicts.items():
        for theirs, own in zip(verdicts, ours.verdicts[name], strict=True):
            assert theirs.outcome is own.outcome
            assert (theirs.first, theirs.second) == (own.first, own.second)


def test_rows_that_a_table_lacks_are_one_class() -> None:
    study = study_of_people()
    table = recoded(study, FINE)
    sizes = table.groupby(["age", "zip", "sex"])["name"].transform("size")
    dropped, starred = table[sizes >= 4], table.copy()
    starred.loc[sizes < 4, ["age", "zip", "sex"]] = "*"
    starred.loc[sizes < 4, ["illness", "income"]] = None
    same = study_of_people(suppression=sf.given_k(4))
    by_key = same.compare(dropped, FINE, key="name")
    assert by_key.first.suppressed_rows == int((sizes < 4).sum()) > 0
    by_order = same.compare(starred, FINE, properties=["class-size", "row-loss"])
    for found in (by_key, by_order):
        for verdicts in found.verdicts.values():
            assert {verdict.outcome for verdict in verdicts} == {sf.Outcome.EQUAL}


def test_two_files_compared(tmp_path: Path) -> None:
    study = study_of_people()
    for name, levels in (("fine.csv", FINE), ("coarse.csv", COARSE)):
        recoded(study, levels).to_csv(tmp_path / name, index=False)
    found = study.compare(tmp_path / "fine.csv", str(tmp_path / "coarse.csv"), key="name")
    assert found.first.label == "fine.csv"
    assert found.verdicts["class-size"][0].sentence.startswith("coarse.csv is better than fine.csv")
    ours = study.compare(FINE, COARSE)
    for name, verdicts in found.verdicts.items():
        assert [v.outcome for v in verdicts] == [v.outcome for v in ours.verdicts[name]]


def test_local_recoding_that_no_node_has() -> None:
    study = study_of_people()
    table = recoded(study, FINE)
    table.loc[table["sex"] == "F", "sex"] = "*"
    table.loc[table["sex"] == "*", "age"] = "*"
    found = study.compare(table, FINE, properties=["class-size", "row-loss"])
    women = people()["sex"] == "F"
    assert (
        found.vectors["row-loss"][0].expanded().sum()
        > found.vectors["row-loss"][1].expanded().sum()
    )
    assert found.vectors["class-size"][0].counts.sum() == len(women)
    worse = found.verdicts["row-loss"][1]
    assert worse.comparator == "coverage"
    assert worse.first == 1 - np.mean(women)


def test_labels_from_elsewhere_can_be_compared_by_their_classes() -> None:
    study = study_of_people()
    table = recoded(study, FINE)
    table["age"] = "about " + table["age"]
    found = study.compare(table, FINE, properties="class-size")
    assert {v.outcome for v in found.verdicts["class-size"]} == {sf.Outcome.EQUAL}
    with pytest.raises(SettingsError, match=r"do not know: 'about .*compare by class-size"):
        study.compare(table, FINE, properties="row-loss")


def test_rows_that_do_not_match() -> None:
    study = study_of_people()
    table = recoded(study, FINE)
    with pytest.raises(SourceError, match=r"has 79 rows and .* 80, .* name a key column"):
        study.compare(table.iloc[1:], FINE)
    with pytest.raises(SourceError, match="has another 'illness' than"):
        study.compare(table.iloc[::-1], FINE)
    stranger = table.copy()
    stranger.loc[0, "name"] = "nobody"
    with pytest.raises(SourceError, match="has 1 row whose 'name' is not in"):
        study.compare(stranger, FINE, key="name")
    twice = pd.concat([table, table.iloc[:2]])
    with pytest.raises(SourceError, match="has 2 rows whose 'name' an earlier row has too"):
        study.compare(twice, FINE, key="name")
    unnamed = table.copy()
    unnamed.loc[0, "name"] = None
    with pytest.raises(SourceError, match="has 1 row without a value in the key column 'name'"):
        study.compare(unnamed, FINE, key="name")
    with pytest.raises(SourceError, match="has no column 'id'"):
        study.compare(table, FINE, key="id")
    with pytest.raises(SourceError, match="has no column 'zip'"):
        study.compare(table.drop(columns="zip"), FINE, key="name")


def test_a_release_of_another_table() -> None:
    study = study_of_people()
    table = recoded(study, FINE)[["name", "age", "zip", "sex"]]
    other = table.copy()
    other["age"] = other["age"].sample(frac=1, random_state=1).tolist()
    with raises(SourceError, code="rows-do-not-match", column="age"):
        study.compare(other, FINE, key="name")
    assert study.compare(table, FINE, key="name", properties="row-loss").first.classes > 1


def test_numbers_are_matched_however_they_are_stored() -> None:
    source = people()
    source["name"] = range(len(source))
    study = sf.Study(source=source, attributes=ATTRIBUTES)
    table = recoded(study, FINE)
    table["name"] = np.arange(len(table), dtype=np.float64)
    found = study.compare(table.sample(frac=1, random_state=2), FINE, key="name")
    assert {v.outcome for v in found.verdicts["class-size"]} == {sf.Outcome.EQUAL}


def test_labels_name_the_two() -> None:
    study = study_of_people()
    found = study.compare(FINE, COARSE, properties="class-size", labels=("fine", "coarse"))
    assert found.verdicts["class-size"][0].sentence.startswith("coarse is better than fine by")
    for wrong in ("ab", ("one",), ("same", "same"), ("", "b"), (1, 2)):
        with raises(SettingsError, code="wrong-length", key="labels"):
            study.compare(FINE, COARSE, labels=wrong)  # type: ignore[arg-type]
