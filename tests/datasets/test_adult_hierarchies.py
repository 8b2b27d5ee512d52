"""The hierarchies shipped for Adult against Table 1(a) of the PBG paper and the real values."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import pytest

from sfumato.datasets.adult_file import COLUMNS, hierarchy_path

if TYPE_CHECKING:
    from pathlib import Path

# PBG Table 1(a): number of values, DGH length.
TABLE_1A = {
    "age": (74, 6),
    "workclass": (7, 3),
    "education": (16, 3),
    "marital-status": (7, 3),
    "race": (5, 1),
    "sex": (2, 1),
    "native-country": (41, 4),
    "salary-class": (2, 1),
}
SENSITIVE = {"occupation": (14, 3)}  # 14 from the table; the length is ours


def rows_of(column: str) -> list[list[str]]:
    with hierarchy_path(column).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def length_of(column: str) -> int:
    return len(rows_of(column)[0]) - 1


def levels_of(column: str) -> list[dict[str, list[str]]]:
    """For every level its blocks: label → leaves."""
    rows = rows_of(column)
    levels: list[dict[str, list[str]]] = []
    for labels in zip(*rows, strict=True):
        blocks: dict[str, list[str]] = defaultdict(list)
        for row, label in zip(rows, labels, strict=True):
            blocks[label].append(row[0])
        levels.append(dict(blocks))
    return levels


def test_the_lattice_has_the_nodes_of_the_paper() -> None:
    lengths = {column: length_of(column) for column in TABLE_1A}
    assert prod(length + 1 for length in lengths.values()) == 17_920
    del lengths["salary-class"]
    assert prod(length + 1 for length in lengths.values()) == 8_960


@pytest.mark.parametrize("column", COLUMNS)
def test_values_and_lengths_are_those_of_the_table(column: str) -> None:
    values, length = (TABLE_1A | SENSITIVE)[column]
    rows = rows_of(column)
    assert {len(row) for row in rows} == {length + 1}
    assert len(rows) == len({row[0] for row in rows}) == values


@pytest.mark.parametrize("column", COLUMNS)
def test_levels_only_merge_and_end_in_one_block(column: str) -> None:
    levels = levels_of(column)
    assert list(levels[-1]) == ["*"]
    for finer, coarser in pairwise(levels):
        assert len(coarser) < len(finer), "a level that merges nothing is no level"
        parents = {leaf: label for label, leaves in coarser.items() for leaf in leaves}
        for leaves in finer.values():
            assert len({parents[leaf] for leaf in leaves}) == 1


@pytest.mark.parametrize("column", COLUMNS)
def test_leaves_are_in_preorder_so_that_blocks_are_runs(column: str) -> None:
    order = [row[0] for row in rows_of(column)]
    for blocks in levels_of(column):
        assert [leaf for leaves in blocks.values() for leaf in leaves] == order


@pytest.mark.parametrize("column", COLUMNS)
def test_a_label_means_the_same_leaves_on_every_level(column: str) -> None:
    meanings: dict[str, list[str]] = {}
    for blocks in levels_of(column):
        for label, leaves in blocks.items():
            assert meanings.setdefault(label, leaves) == leaves


@pytest.mark.parametrize("column", COLUMNS)
def test_cells_are_clean_text(column: str) -> None:
    content = hierarchy_path(column).read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"*\n")
    assert all(cell == cell.strip() != "" for row in rows_of(column) for cell in row)


def test_age_counts_every_year_and_its_labels_hold_them() -> None:
    levels = levels_of("age")
    assert list(levels[0]) == [str(year) for year in range(17, 91)]
    for blocks in levels[1:-1]:
        for label, leaves in blocks.items():
            years = [int(leaf) for leaf in leaves]
            if label.startswith("under "):
                low, high = 17, int(label.removeprefix("under ")) - 1
            elif label.endswith("+"):
                low, high = int(label.removesuffix("+")), 90
            else:
                low, high = (int(bound) for bound in label.split("-"))
            assert years == list(range(max(low, 17), min(high, 90) + 1))


@pytest.mark.parametrize("column", COLUMNS)
def test_every_value_of_the_real_file_is_covered(column: str, adult_path: Path) -> None:
    with adult_path.open(encoding="utf-8", newline="") as file:
        found = {row[column] for row in csv.DictReader(file, delimiter=";")}
    leaves = {row[0] for row in rows_of(column)}
    assert found <= leaves
    if column == "age":  # declared from 17 to 90, two of which do not occur
        assert len(found) == 72
    else:
        assert found == leaves
