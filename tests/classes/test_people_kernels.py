"""The kernels that carry many values and count people, against loops with sets and dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import numpy as np
import pytest

from sfumato.classes.compilation import load_kernels


@pytest.mark.parametrize("width", [1, 20, 512, 513, 4095, 4096, 4097, 200_000])
@pytest.mark.parametrize("longest", [3, 9, 40, 3000])
def test_carried_counts_add_up_however_many_values_there_are(width: int, longest: int) -> None:
    rng = np.random.default_rng(width + longest)
    cells, codes = 60, 7
    lengths = rng.integers(0, min(width, longest) + 1, cells)
    values = [np.sort(rng.choice(width, length, replace=False)) for length in lengths]
    if lengths[0]:
        values[0][-1] = width - 1
    counts = rng.integers(1, 9, int(lengths.sum()))
    maps = np.concatenate((rng.integers(0, codes, cells), np.zeros(cells))).astype(np.int32)
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    offsets, keys, sizes, found_starts, found_values, found_counts = load_kernels().group_tables(
        np.arange(cells, dtype=np.uint64).reshape(-1, 1),
        np.ones(cells, dtype=np.int64),
        starts,
        np.concatenate(values).astype(np.int32),
        counts,
        width,
        np.array([0]),
        np.array([0]),
        np.array([0]),
        np.array([6]),
        np.array([[0], [cells]]),
        maps,
    )
    assert sizes.sum() == 2 * cells
    for recoding in range(2):
        own = maps[recoding * cells : (recoding + 1) * cells]
        for place in range(offsets[recoding], offsets[recoding + 1]):
            expected: Counter[int] = Counter()
            for cell in np.flatnonzero(own == keys[place, 0]):
                low, high = starts[cell], starts[cell + 1]
                expected.update(dict(zip(values[cell].tolist(), counts[low:high], strict=True)))
            low, high = found_starts[place], found_starts[place + 1]
            assert found_values[low:high].tolist() == sorted(expected)
            assert dict(zip(found_values[low:high], found_counts[low:high], strict=True)) == (
                expected
            )


@pytest.mark.parametrize("width", [1, 3, 30, 400])
@pytest.mark.parametrize("most", [2, 30, 300])
def test_people_by_code_are_sets_of_people(width: int, most: int) -> None:
    rng = np.random.default_rng(1000 * width + most)
    scale = 2520

    def some_codes(least: int) -> list[int]:
        many = rng.integers(min(least, width), min(10, width) + 1)
        return sorted(rng.choice(width, many, replace=False).tolist())

    def parts(many: int) -> list[int]:
        return [scale * (part + 1) // many - scale * part // many for part in range(many)]

    sets = [[code] for code in range(width)] + [some_codes(2) for _ in range(60)]
    pairs = [(person, code) for person in range(80) for code in some_codes(1)]
    persons, pair_codes = np.ascontiguousarray(np.array(pairs).T)
    reach = len(sets) + len(pairs)
    groups = [
        np.sort(rng.choice(reach, rng.integers(1, min(reach, most) + 1), replace=False))
        for _ in range(40)
    ]
    values = np.concatenate(groups).astype(np.int32)
    counts = np.where(values < len(sets), rng.integers(1, 5, values.shape[0]), 1)
    starts = np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64)
    set_starts = np.concatenate(([0], np.cumsum([len(each) for each in sets]))).astype(np.int64)
    flagged = rng.random(width) < 0.5
    people, code_starts, codes, having, shares = load_kernels().people_by_code(
        starts,
        values,
        counts,
        set_starts,
        np.concatenate(sets).astype(np.int64),
        np.concatenate([parts(len(each)) for each in sets]).astype(np.int64),
        persons,
        pair_codes,
        width,
        scale,
    )
    flagged_people = np.empty(len(groups), dtype=np.int64)
    load_kernels().people_with(
        starts,
        values,
        counts,
        np.array([flagged[each].any() for each in sets], dtype=np.int64),
        flagged[pair_codes].astype(np.int64),
        persons,
        flagged_people,
    )
    for at, group in enumerate(groups):
        own = counts[starts[at] : starts[at + 1]]
        everybody = [
            sets[value]
            for value, count in zip(group, own, strict=True)
            if value < len(sets)
            for _ in range(count)
        ]
        carried = [pairs[value - len(sets)] for value in group if value >= len(sets)]
        for _, mine in groupby(carried, key=lambda pair: pair[0]):
            everybody.append([code for _, code in mine])
        owners: Counter[int] = Counter()
        weights: Counter[int] = Counter()
        for person in everybody:
            owners.update(person)
            weights.update(dict(zip(person, parts(len(person)), strict=True)))
        low, high = code_starts[at], code_starts[at + 1]
        assert people[at] == len(everybody)
        assert codes[low:high].tolist() == sorted(owners)
        assert having[low:high].tolist() == [owners[code] for code in sorted(owners)]
        assert shares[low:high].tolist() == [weights[code] for code in sorted(owners)]
        assert flagged_people[at] == sum(bool(flagged[person].any()) for person in everybody)
