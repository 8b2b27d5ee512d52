"""Who is covered by the labels of which class, against asking every pair."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.missing import MissingValues
from sfumato.risk.attacks.covering import (
    NOBODY,
    SEVERAL,
    class_of_known,
    leaves_covered,
    people_of_classes,
)

AGE = Hierarchy.from_rows([(str(n), str(n // 3), "*") for n in range(10, 19)], name="age")
TOWN = Hierarchy.from_rows(
    [("A", "north", "*"), ("B", "north", "*"), ("C", "south", "*")], name="t"
)
HIERARCHIES = {"age": AGE, "town": TOWN}
COVERS = {
    "age": {text: {n for n in range(10, 19) if text in ("*", str(n))} for text in ("*", "12", "15")}
    | {str(b): {n for n in range(10, 19) if n // 3 == b} for b in range(3, 7)},
    "town": {"*": {0, 1, 2}, "north": {0, 1}, "south": {2}, "A": {0}, "C": {2}},
}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "texts", [(("3", "4", "5", "6"), ("north", "south")), (("*", "12", "15", "4"), ("A", "*", "C"))]
)
def test_every_pair_is_asked(seed: int, texts: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    rng = np.random.default_rng(seed)
    every = np.array([(a, t) for a in range(len(texts[0])) for t in range(len(texts[1]))]).T
    labels = every[:, rng.permutation(every.shape[1])[:5]].astype(np.int32)
    known = np.stack([rng.integers(0, 9, 30), rng.integers(0, 3, 30)]).astype(np.int32)
    people = rng.integers(1, 5, 30)
    covers = leaves_covered(("age", "town"), texts, HIERARCHIES, MissingValues())
    found = class_of_known(("age", "town"), labels, covers, known, HIERARCHIES)
    totals = np.zeros(5, dtype=np.int64)
    for place, (age, town) in enumerate(known.T.tolist()):
        own = [
            number
            for number, (a, t) in enumerate(labels.T.tolist())
            if age + 10 in COVERS["age"][texts[0][a]] and town in COVERS["town"][texts[1][t]]
        ]
        totals[own] += people[place]
        wanted = own[0] if len(own) == 1 else SEVERAL if own else NOBODY
        assert found[place] == wanted
    counted = people_of_classes(("age", "town"), labels, covers, known, people, HIERARCHIES)
    assert counted.tolist() == totals.tolist()
