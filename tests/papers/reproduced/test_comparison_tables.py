"""The Comparison paper computed anew: ours are the printed numbers, the misprint is told."""

from __future__ import annotations

import math

import pytest
from tests.papers.reproduced.drawn import drawn, points_of

from sfumato.papers.catalogue import reproduction_named
from sfumato.papers.comparison.numbers import (
    THREE_ANONYMOUS,
    THREE_ANONYMOUS_AS_PRINTED,
    paper_numbers,
)
from sfumato.papers.reproduced import Conditions, Reproduced, ReproducedTable


@pytest.fixture(scope="module")
def reproduced() -> Reproduced:
    return reproduction_named("comparison-tables").reproduce(Conditions())


def test_every_number_is_the_printed_one_but_the_misprint() -> None:
    numbers = paper_numbers()
    differing = [number for number in numbers if not number.agrees]
    assert [(f.section, f.ours, f.paper) for f in differing] == [("§5.3", "2, 10", None)]
    assert "misprint" in differing[0].note
    assert len({(number.section, number.what) for number in numbers}) == len(numbers)
    sections = {part.strip() for number in numbers for part in number.section.split(",")}
    assert sections == {"§1", "§2", "§3", "§5.2", "§5.3", "§5.4", "§5.5"}


def test_the_vector_as_printed_is_none_of_class_sizes() -> None:
    for vector, possible in ((THREE_ANONYMOUS, True), (THREE_ANONYMOUS_AS_PRINTED, False)):
        assert all(vector.count(size) % size == 0 for size in set(vector)) is possible


def columns(table: ReproducedTable) -> dict[str, list[object]]:
    names = [name for name, _ in table.columns]
    return dict(zip(names, map(list, zip(*table.rows, strict=True)), strict=True))


def test_vectors_beside_the_printed_ones(reproduced: Reproduced) -> None:
    sizes, others, _ = map(columns, reproduced.tables)
    for label in ("T3a", "T3b", "T4"):
        assert sizes[label] == sizes[f"{label}, paper"]
    assert others["own value count, T3a"] == others["paper"]
    for label in ("T3a", "T3b"):
        for ours, printed in zip(
            others[f"utility, {label}"], others[f"utility, {label}, paper"], strict=True
        ):
            assert isinstance(ours, float)
            assert isinstance(printed, float)
            assert math.isclose(ours, printed, abs_tol=0.005)


def test_it_can_be_shown(reproduced: Reproduced) -> None:
    for table in reproduced.tables:
        assert all(all(isinstance(cell, str) for cell in row) for row in table.written())
    (plot,) = reproduced.plots
    lines = [line for axes in drawn(plot).axes for line in axes.lines]
    assert [len(points_of(line)) for line in lines] == [10] * 3
    assert any("must be 5" in remark for remark in reproduced.remarks)
