from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sfumato.engines.messages.column_profile import NumberShape
from sfumato.hierarchies.builders.intervals import Intervals
from sfumato.hierarchies.domains.exact_number import is_whole
from sfumato.study.proposal.proposed_widths import MOST_LEAVES, proposed_widths

NUMBERS = st.one_of(
    st.lists(st.integers(-(10**6), 10**6).map(Decimal), min_size=6, max_size=40, unique=True),
    st.lists(st.integers(0, 120).map(Decimal), min_size=6, max_size=40, unique=True),
    st.lists(
        st.decimals(-(10**4), 10**4, places=3, allow_nan=False),
        min_size=6,
        max_size=40,
        unique=True,
    ),
    st.lists(st.decimals(0, 1, places=5, allow_nan=False), min_size=6, max_size=40, unique=True),
)


def shape_of(numbers: list[Decimal]) -> NumberShape:
    ordered = sorted(numbers)
    tail = len(numbers) // 8
    whole = all(map(is_whole, numbers))
    return NumberShape(
        least=ordered[0],
        greatest=ordered[-1],
        whole=whole,
        decimals=0 if whole else max(-int(n.as_tuple().exponent) for n in numbers),
        bulk_low=ordered[tail],
        bulk_high=ordered[-1 - tail],
    )


@given(numbers=NUMBERS, blocks=st.sampled_from([(16, 8, 4), (10, 4), (5,)]))
def test_widths_suit_every_number(numbers: list[Decimal], blocks: tuple[int, ...]) -> None:
    shape = shape_of(numbers)
    proposed = proposed_widths(shape, blocks=blocks)
    assert proposed is not None
    assert 1 <= len(proposed.widths) <= len(blocks)
    assert all(wide % narrow == 0 for narrow, wide in pairwise((proposed.unit, *proposed.widths)))
    for width in proposed.widths:
        assert width.normalize().as_tuple().digits in ((1,), (2,), (5,))
    assert proposed.low <= shape.least
    assert shape.greatest <= proposed.high
    assert (proposed.high - proposed.low) / proposed.unit <= 3 * MOST_LEAVES
    hierarchy = Intervals(
        widths=proposed.widths,
        unit=proposed.unit,
        low=proposed.low,
        high=proposed.high,
        fractional=not shape.whole,
    ).build([str(number) for number in numbers], column="number")
    assert len(hierarchy.levels) == len(proposed.widths) + 2
    assert all(hierarchy.locate([str(number) for number in numbers]) >= 0)
