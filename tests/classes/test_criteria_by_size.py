"""Criteria under every policy: what is suppressed, and which candidates meet them."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.recoding.generated_tables import Generated, hierarchy

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.classes.suppression import (
    BELOW_WEIGHTED_K,
    NO_SUPPRESSION,
    Policy,
    Suppression,
    Threshold,
    given_k,
    limited,
)
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion

if TYPE_CHECKING:
    from sfumato.classes.class_batch import ClassBatch

Class = tuple[str, ...]


def batch_of(classes: list[Class]) -> ClassBatch:
    """Return a batch of one recoding whose classes have the given sensitive values."""
    rows = [(number, ord(value) - ord("a")) for number, c in enumerate(classes) for value in c]
    codes = np.array([[number for number, _ in rows]], dtype=np.int32)
    values = np.array([value for _, value in rows], dtype=np.int32)
    table = Generated(
        hierarchies=[hierarchy(len(classes), ())], codes=codes, sensitive={"s": (4, values)}
    ).counted()
    return ClassTables(table=table, carries=("s",)).group(np.array([[0]]))


def possible(
    classes: list[Class], policy: Suppression, least: int | None
) -> list[tuple[Class, ...]]:
    """Return what may be kept, by the definition of each policy; by rising size."""
    rows = sum(map(len, classes))

    def kept_from(size: float) -> tuple[Class, ...]:
        return tuple(c for c in classes if len(c) >= size)

    if policy.policy is Policy.NONE:
        return [tuple(classes)]
    if policy.policy is Policy.GIVEN_K:
        assert policy.k is not None
        return [kept_from(max(policy.k, least or 0))]
    if policy.policy is Policy.BELOW_WEIGHTED_K:
        return [kept_from(max(sum(len(c) ** 2 for c in classes) / rows, least or 0))]
    budget = policy.budget(rows)
    assert budget is not None
    sizes = sorted({len(c) for c in classes})
    within = [s for s in sizes if sum(len(c) for c in classes if len(c) < s) <= budget]
    if policy.threshold is Threshold.EVERY:
        return [kept_from(s) for s in within if s >= (least or 0)]
    if least is None:
        return [kept_from(within[-1])]
    return [kept_from(least)] if least <= within[-1] else []


@settings(max_examples=examples(300))
@given(
    classes=st.lists(
        st.lists(st.sampled_from("aab"), min_size=1, max_size=6).map(tuple), min_size=1, max_size=7
    ),
    policy=st.sampled_from(
        [
            NO_SUPPRESSION,
            *(limited(n, threshold=t) for n, t in itertools.product((0, 2, 5, 99), Threshold)),
            given_k(2),
            given_k(5),
            BELOW_WEIGHTED_K,
        ]
    ),
    least=st.sampled_from([None, 1, 2, 3, 4, 99]),
    diverse=st.booleans(),
)
def test_a_candidate_meets_the_criteria_if_all_it_keeps_does(
    classes: list[Class], policy: Suppression, least: int | None, *, diverse: bool
) -> None:
    texts = [*([f"k>={least}"] if least else []), *(["distinct-l>=2"] if diverse else [])]
    suppression = replace(policy, criteria=tuple(map(read_criterion, texts)))
    found = Classes.of(batch_of(classes), suppression)
    kept = [
        Counter(itertools.compress(classes, found.kept_of(c).tolist())) for c in range(found.count)
    ]
    expected = [
        Counter(each)
        for each in possible(classes, policy, least)
        if each
        and (not texts or (least is None or min(map(len, each)) >= least))
        and (not diverse or all(len(set(c)) >= 2 for c in each))
    ]
    if not texts:
        assert found.meets.all()
        return
    assert list(itertools.compress(kept, found.meets.tolist())) == expected
    # Suppression goes by size alone, also of what does not meet them, and within the limit.
    budget = suppression.budget(found.table.rows)
    for c, own in enumerate(kept):
        gone = Counter(classes) - own
        assert not gone or not own or max(map(len, gone)) < min(map(len, own))
        assert budget is None or sum(map(len, gone.elements())) <= budget
        assert found.smallest_kept[c] == min(map(len, own), default=0)


def test_a_class_of_the_right_size_is_kept_or_the_recoding_fails() -> None:
    """Six people who share a value: they are not left out, the recoding fails."""
    classes = [("a", "b"), ("b",) * 6, ("a", "b", "a", "b")]
    criteria = tuple(map(read_criterion, ("k>=2", "distinct-l>=2")))
    by_size = Classes.of(batch_of(classes), replace(limited(6), criteria=criteria))
    assert (by_size.suppressed_rows.tolist(), by_size.meets.tolist()) == ([0], [False])
    asked = replace(limited(6, failing=True), criteria=criteria)
    failing = Classes.of(batch_of(classes), asked)
    assert (failing.suppressed_rows.tolist(), failing.meets.tolist()) == ([6], [True])
    assert asked.tells_of_failing
    assert not replace(asked, criteria=criteria[:1]).tells_of_failing
    assert not by_size.suppression.tells_of_failing


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_failing_is_true_or_false(wrong: object) -> None:
    with raises(SettingsError, code="wrong-type", key="failing"):
        limited(1, failing=wrong)  # type: ignore[arg-type]
