from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.classes.key_layout import KeyLayout


def flat(*leaf_counts: int) -> KeyLayout:
    return KeyLayout(leaf_counts=leaf_counts, heights=(1,) * len(leaf_counts))


def test_a_field_is_as_wide_as_its_leaves_need() -> None:
    layout = flat(1, 2, 3, 4, 5, 256, 257)
    assert layout.bits_of.tolist() == [1, 1, 2, 2, 3, 8, 9]


@pytest.mark.parametrize(
    ("leaf_counts", "words"),
    [
        ((2,), 1),
        ((1,), 1),
        ((2,) * 64, 1),
        ((2,) * 65, 2),
        ((256,) * 8, 1),
        ((256,) * 9, 2),
        ((1000,) * 15, 3),
        ((500,) * 30, 5),
        ((2**31,) * 5, 3),
    ],
)
def test_a_key_takes_as_many_words_as_it_needs(leaf_counts: tuple[int, ...], words: int) -> None:
    assert flat(*leaf_counts).words == words


def test_exactly_64_bits_fill_one_word() -> None:
    layout = flat(*(256,) * 8)
    codes = np.full((8, 1), 255, dtype=np.int32)
    assert layout.pack(codes).tolist() == [[2**64 - 1]]
    assert layout.shift_of.min() == 0
    assert layout.shift_of.max() == 56


def test_fields_never_straddle_words() -> None:
    layout = flat(*(500,) * 30)  # nine bits: seven fields a word, one bit idle
    assert (layout.shift_of + layout.bits_of <= 64).all()
    assert np.bincount(layout.word_of).tolist() == [7, 7, 7, 7, 2]


def test_columns_with_the_most_levels_come_last() -> None:
    layout = KeyLayout(leaf_counts=(10, 4, 9, 9), heights=(6, 1, 3, 3))
    assert layout.order == (1, 2, 3, 0)
    assert layout.shift_of[0] < layout.shift_of[3] < layout.shift_of[2] < layout.shift_of[1]


@given(st.data())
def test_keys_hold_all_codes_and_compare_as_code_vectors(data: st.DataObject) -> None:
    leaf_counts = data.draw(st.lists(st.integers(1, 5000), min_size=1, max_size=40))
    heights = data.draw(
        st.lists(st.integers(0, 6), min_size=len(leaf_counts), max_size=len(leaf_counts))
    )
    layout = KeyLayout(leaf_counts=tuple(leaf_counts), heights=tuple(heights))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    # Few different codes a column, so that keys agree in long prefixes.
    columns = [rng.choice(rng.integers(0, count, 3), 30) for count in leaf_counts]
    codes = np.stack(columns).astype(np.int32)
    keys = layout.pack(codes)
    assert keys.shape == (30, layout.words)
    for q in range(len(leaf_counts)):
        assert layout.unpack(keys, q).tolist() == codes[q].tolist()
    by_key = sorted(range(30), key=lambda i: tuple(keys[i].tolist()))
    by_codes = sorted(range(30), key=lambda i: tuple(int(codes[q][i]) for q in layout.order))
    assert by_key == by_codes


def test_the_layout_is_sealed() -> None:
    layout = flat(3, 4)
    for array in (layout.word_of, layout.shift_of, layout.bits_of):
        assert not array.flags.writeable
