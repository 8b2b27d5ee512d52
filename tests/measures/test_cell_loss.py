"""Losses are summed exactly: equal rationals are equal numbers, and greater ones are never less."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

import sfumato as sf
from sfumato.measures.loss.cell_loss import CellLoss, cell_loss

WEIGHTS = st.sampled_from([1.0, 1.0, 2.0, 0.5, 0.1, 0.3, 1 / 3, 0.0])


def exact(loss: CellLoss, extents: list[int]) -> Fraction:
    """The sum as a fraction, weights as they are written."""
    terms = zip(extents, loss.widths, loss.weights, strict=True)
    return sum((Fraction(repr(w)) * Fraction(e, width) for e, width, w in terms), Fraction(0))


@st.composite
def losses(draw: st.DrawFn) -> tuple[CellLoss, list[list[int]]]:
    columns = draw(st.integers(1, 6))
    # Large coprime widths overflow 64 bits, where Python's own integers take over.
    width = draw(st.sampled_from([st.integers(1, 12), st.sampled_from([9973, 9967, 9949, 9941])]))
    widths = tuple(draw(width) for _ in range(columns))
    weights = tuple(draw(WEIGHTS) for _ in range(columns))
    most = draw(st.sampled_from([10, 10**6, 10**12]))
    rows = draw(
        st.lists(
            st.lists(st.integers(0, most), min_size=columns, max_size=columns),
            min_size=2,
            max_size=8,
        )
    )
    return CellLoss(widths, weights), rows


@settings(max_examples=examples(200))
@given(losses())
@example((CellLoss((9973, 9973, 9973, 9967, 9949, 9941), (1.0,) * 6), [[0] * 6, [0] * 4 + [1] * 2]))
def test_numbers_are_ordered_as_the_fractions_are(drawn: tuple[CellLoss, list[list[int]]]) -> None:
    loss, rows = drawn
    found = loss.total(np.array(rows, dtype=np.int64)).tolist()
    wanted = [exact(loss, row) for row in rows]
    for value, fraction, row in zip(found, wanted, rows, strict=True):
        assert value == loss.of(row)
        assert abs(Fraction(value) - fraction) <= abs(fraction) * Fraction(1, 2**51)
    for a, x in zip(found, wanted, strict=True):
        for b, y in zip(found, wanted, strict=True):
            if x == y:
                assert a == b
            if x < y:
                assert a <= b


def test_thirds_that_floating_point_tells_apart() -> None:
    """Columns of equal domains: 280 / 3 is one number, whichever column has lost it."""
    loss = cell_loss((3, 3, 3), (1.0, 1.0, 1.0))
    ways = np.array([[280, 0, 0], [0, 8, 272], [93, 93, 94], [1, 278, 1]])
    assert np.unique(loss.total(ways)).tolist() == [280 / 3]
    summed = {sum(e / 3 for e in row) for row in ways.tolist()}
    assert len(summed) > 1


def test_no_front_lists_a_solution_beaten_by_rounding_only() -> None:
    """Two recodings that lose the same are ties, so that more of k decides between them."""
    cells = [(a, b, c) for a in range(4) for b in range(4) for c in range(4)]
    frame = pd.DataFrame(cells * 3 + cells[:20], columns=["a", "b", "c"]).astype(str)
    study = sf.Study(
        source=frame,
        attributes=[
            sf.quasi_identifying(name, sf.Groups(levels=[{"x": ["0", "1"], "y": ["2", "3"]}]))
            for name in "abc"
        ],
        objectives=["k", "loss"],
    )
    front = study.search(method="sweep").front
    best: dict[Fraction, float] = {}
    table = study.count_table
    for node in study.lattice:
        found = study.evaluate(dict(zip(table.names, node, strict=True)), measures=["k", "loss"])
        lost = Fraction(0)
        for q, level in enumerate(node):
            lost += Fraction(study.problem.tables.level_extents[q][level], 3)
        best[lost] = max(best.get(lost, 0.0), found.values["k"])
    for solution in front:
        lost = sum(
            (
                Fraction(study.problem.tables.level_extents[q][level], 3)
                for q, level in enumerate(solution.levels.values())
            ),
            Fraction(0),
        )
        assert solution.values["k"] == best[lost]
