"""Products over 30,162 rows: far beyond any float, and yet compared exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sfumato as sf
from sfumato.classes.anonymization import Anonymization
from sfumato.classes.class_tables import ClassTables
from sfumato.classes.classes import Classes
from sfumato.compare.catalogue import every_property, property_named
from sfumato.compare.comparators.dominance import Dominance
from sfumato.compare.indices.hypervolume import Hypervolume
from sfumato.compare.vectors.property_vector import PropertyVector
from sfumato.compare.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.microdata.count_table import CountTable


@pytest.fixture(scope="module")
def table(adult_path: Path) -> CountTable:
    return sf.datasets.adult(adult_path).count_table


def anonymization(
    table: CountTable, node: Sequence[int], suppression: sf.Suppression
) -> Anonymization:
    batch = ClassTables(table=table).group(np.array([node]))
    return Anonymization.of_candidate(Classes.of(batch, suppression), label=str(node))


def test_volumes_of_class_sizes(table: CountTable) -> None:
    heights = [hierarchy.height for hierarchy in table.hierarchies]
    nodes = [[height // 2 for height in heights], heights, [0] * len(heights)]
    sizes = [
        property_named("class-size").vector(anonymization(table, node, sf.limited(0.01)))
        for node in nodes
    ]
    for first in sizes:
        for second in sizes:
            verdict = Hypervolume().compare(first, second)
            assert math.isfinite(verdict.first)
            assert math.isfinite(verdict.margin)
            # Whole numbers of a hundred thousand digits, which Python does not mind.
            volumes = [
                math.prod(int(v) ** int(c) for v, c in zip(x.values, x.counts, strict=True))
                for x in (first, second)
            ]
            expected = (volumes[0] > volumes[1]) - (volumes[0] < volumes[1])
            assert verdict.outcome is Outcome.of_sign(expected)
    largest = Hypervolume().compare(sizes[1], sizes[1])
    assert largest.first == pytest.approx(table.rows * math.log(table.rows), rel=1e-12)


def test_one_row_makes_the_difference(table: CountTable) -> None:
    whole = [30_161] * table.rows
    first = PropertyVector.of_rows([*whole[:-2], 30_162, 30_160], name="class-size")
    second = PropertyVector.of_rows(whole, name="class-size")
    # (n + 1)(n - 1) < n², by one part in nine hundred million of a number of 135,000 digits.
    assert Hypervolume().compare(first, second).outcome is Outcome.WORSE
    assert Hypervolume().compare(second, second).outcome is Outcome.EQUAL


def test_every_property_of_two_recodings_has_finite_volumes(table: CountTable) -> None:
    heights = [hierarchy.height for hierarchy in table.hierarchies]
    half = anonymization(table, [height // 2 for height in heights], sf.NO_SUPPRESSION)
    fine = anonymization(table, [0] * len(heights), sf.NO_SUPPRESSION)
    for one in every_property(table):
        first, second = one.vector(half), one.vector(fine)
        verdict = Hypervolume().compare(first, second)
        assert not math.isnan(verdict.margin)
        for value, vector in ((verdict.first, first), (verdict.second, second)):
            # A volume is 0 only where some row has the worst value there is.
            at_worst = bool(
                (vector.values == (0 if one.direction == "higher" else vector.worst)).any()
            )
            assert (value == -math.inf) == at_worst, str(one)
        assert Dominance().compare(first, second).outcome in (
            Outcome.BETTER,
            Outcome.WORSE,
            Outcome.INCOMPARABLE,
        )
