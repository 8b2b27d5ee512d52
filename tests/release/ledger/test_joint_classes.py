"""Joint classes against a naive join, and reapplied classes against those of the recoding."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

import sfumato as sf
from sfumato.classes.anonymization import Anonymization
from sfumato.recoding.local import Local
from sfumato.recoding.written_columns import written_columns
from sfumato.release.ledger.current_columns import current_columns
from sfumato.release.ledger.joint_classes import (
    classes_shown,
    joint_classes,
    people_alone,
    told_by_differencing,
)
from sfumato.release.ledger.keyed_hashes import KeyedHashes
from sfumato.release.ledger.shown_classes import Reapplied, shown_classes
from sfumato.study.releasing import recoded_under

if TYPE_CHECKING:
    from collections.abc import Sequence

HASHES = KeyedHashes(b"the key of a test")


def labelled(value: str, level: int) -> str:
    return (value, f"{value[0]}*", "*")[level]


def study_of(frame: pd.DataFrame, *, person: bool, k: int) -> sf.Study:
    values = tuple(f"{one}{other}" for one in "xy" for other in "12")
    return sf.Study(
        source=frame,
        attributes=[
            sf.identifying("who", person=person),
            sf.quasi_identifying("a", sf.Prefixes(keep=(1,), values=values)),
            sf.quasi_identifying("b", sf.Prefixes(keep=(1,), values=values)),
            sf.sensitive("illness"),
        ],
        suppression=sf.given_k(k),
    )


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    value = st.sampled_from(["x1", "x2", "y1", "y2"])
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 11), value, value, st.sampled_from("fg")),
            min_size=6,
            max_size=24,
        )
    )
    return pd.DataFrame(
        [(f"p{who}", a, b, ill) for who, a, b, ill in rows], columns=["who", "a", "b", "illness"]
    )


RELEASES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=4
)


def naive_classes(
    frame: pd.DataFrame, levels: tuple[int, int], k: int, *, person: bool
) -> list[object]:
    """The labels of every row, None where its class has fewer than k people, or rows."""
    labels = [
        (labelled(a, levels[0]), labelled(b, levels[1]))
        for a, b in zip(frame["a"], frame["b"], strict=True)
    ]
    members = defaultdict(set)
    for n, label in enumerate(labels):
        members[label].add(frame["who"][n] if person else n)
    return [label if len(members[label]) >= k else None for label in labels]


@settings(max_examples=examples(100))
@given(frame=frames(), releases=RELEASES, person=st.booleans())
def test_joint_classes_are_those_of_a_naive_join(
    frame: pd.DataFrame, releases: Sequence[tuple[int, int, int]], person: bool
) -> None:
    codes, seen = [], []
    for a, b, k in releases:
        study = study_of(frame, person=person, k=k)
        recoding = sf.Levels.of({"a": a, "b": b})
        anonymization = recoded_under(study, recoding, None).anonymization()
        stored = shown_classes(anonymization, written_columns(study.count_table, recoding), HASHES)
        # What is stored and read again is what is joined.
        again = type(stored).model_validate(stored.plain())
        found = again.reapplied(current_columns(study.count_table, HASHES))
        assert isinstance(found, Reapplied)
        codes.append(found.classes)
        seen.append(naive_classes(frame, (a, b), k, person=person))
    joint = joint_classes(study.count_table, codes)
    members = defaultdict(set)
    for n, row in enumerate(zip(*seen, strict=True)):
        if any(label is not None for label in row):
            members[row].add(frame["who"][n] if person else n)
    sizes = sorted(map(len, members.values()))
    assert sorted(joint.units[joint.kept].tolist()) == sizes
    assert joint.k == (sizes[0] if sizes else 0)
    alone = {who for people in members.values() if len(people) == 1 for who in people}
    assert people_alone(joint) == len(alone)


@settings(max_examples=examples(60))
@given(frame=frames(), data=st.data(), person=st.booleans())
def test_a_local_recoding_is_found_again(
    frame: pd.DataFrame, data: st.DataObject, person: bool
) -> None:
    study = study_of(frame, person=person, k=1)
    table = study.count_table
    classes = data.draw(
        st.lists(st.integers(-1, 2), min_size=table.cells, max_size=table.cells).filter(
            lambda drawn: max(drawn) >= 0
        )
    )
    outputs = dict.fromkeys(table.names, sf.Output.SET)
    recoding = Local.of(table, np.array(classes, dtype=np.int32), outputs)
    anonymization = Anonymization.of_local(table, recoding)
    stored = shown_classes(anonymization, written_columns(table, recoding), HASHES)
    # The rows are in another order, and one is new.
    new = pd.DataFrame([("new", "y2", "x2", "f")], columns=frame.columns)
    more = pd.concat([frame.sample(frac=1, random_state=1), new])
    other = study_of(more, person=person, k=1).count_table
    found = stored.reapplied(current_columns(other, HASHES))
    assert isinstance(found, Reapplied)
    own = classes_shown(anonymization)
    by_values = {}
    for n, cell in enumerate(table.cell_of_entry):
        a, b = (table.hierarchies[q].labels[0][table.cell_codes[q][cell]] for q in (0, 1))
        by_values[a, b] = own[n]
    pairs = set()
    for n, cell in enumerate(other.cell_of_entry):
        a, b = (other.hierarchies[q].labels[0][other.cell_codes[q][cell]] for q in (0, 1))
        pairs.add((int(by_values.get((a, b), -1)), int(found.classes[n])))
    assert len(pairs) == len({one for one, _ in pairs}) == len({two for _, two in pairs})
    assert all((one < 0) == (two < 0) for one, two in pairs)


def differences(then: list[int], now: list[int], *, then_people: list[int], added: int) -> int:
    """One entry of one person for each place; ``added`` people are in now's class 0 only."""
    content = np.arange(1, len(then) + 1, dtype=np.uint64)
    people = np.bincount(now, minlength=max(now) + 1)
    people[0] += added
    sums = [np.zeros(size, dtype=np.uint64) for size in (len(then_people), people.shape[0])]
    for n in range(len(then)):
        sums[0][then[n]] += content[n]
        sums[1][now[n]] += content[n]
    sums[1][0] += np.uint64(1000 * added)
    return told_by_differencing(
        np.array(then),
        np.array(now),
        then_people=np.array(then_people),
        then_content=sums[0],
        now_people=people,
        now_content=sums[1],
        least=3,
    )


def test_a_group_that_changed_by_a_few_is_told_by_differencing() -> None:
    then, now = [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0]
    assert differences(then, then, then_people=[3, 3], added=0) == 0
    assert differences(then, now, then_people=[3, 3], added=0) == 0
    assert differences(then, then, then_people=[3, 3], added=1) == 1
    assert differences(then, now, then_people=[3, 3], added=2) == 1
    assert differences(then, now, then_people=[3, 3], added=3) == 0
