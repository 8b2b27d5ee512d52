"""The evaluator that all search methods share: each key once, in batches, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.search.evaluation.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Sequence


class Squares(Evaluator[int, int]):
    """Finds squares, and remembers what it was asked for."""

    def __init__(self, *, threads: int = 1, earlier: Sequence[int] = ()) -> None:
        super().__init__(most_at_once=3, threads=threads, earlier=earlier)
        self.batches: list[list[int]] = []

    def _find(self, keys: Sequence[int]) -> list[int]:
        self.batches.append(list(keys))
        return [key * key for key in keys]


def test_each_key_is_evaluated_once_in_batches() -> None:
    squares = Squares()
    assert squares.evaluate([5, 2, 5, 3, 1, 2]) == [5, 2, 3, 1]
    assert squares.batches == [[5, 2, 3], [1]]
    assert squares.evaluate([1, 4]) == [4]
    assert squares.evaluate([]) == []
    assert squares.batches[2:] == [[4]]
    assert len(squares) == 5
    assert squares.counted == {1, 2, 3, 4, 5}
    assert [squares[key] for key in (4, 5)] == [16, 25]


def test_what_was_not_evaluated_is_when_it_is_asked_for() -> None:
    squares = Squares()
    assert 7 not in squares
    assert squares[7] == 49
    assert 7 in squares
    assert len(squares) == 1


def test_earlier_keys_count_and_are_found_again_only_if_asked_for() -> None:
    squares = Squares(earlier=[2, 3])
    assert len(squares) == 2
    assert 2 in squares
    assert not squares.batches
    assert squares[2] == 4
    assert len(squares) == 2
    assert squares.evaluate([3, 4]) == [3, 4]
    assert len(squares) == 3


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    squares = Squares(threads=threads)
    keys = list(range(20, 0, -1))
    assert squares.evaluate(keys) == keys
    assert [squares[key] for key in keys] == [key * key for key in keys]
    assert sorted(key for batch in squares.batches for key in batch) == sorted(keys)
    assert max(map(len, squares.batches)) <= 3
