"""Admissible partitions: from texts, files and alternatives, and what is refused."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.raised import raises

import sfumato as sf
from sfumato.hierarchies.admissible_partitions import AdmissiblePartitions
from sfumato.hierarchies.builders.alternatives import Alternatives
from sfumato.hierarchies.formats.partitions_csv import read_partitions_csv, write_partitions_csv

if TYPE_CHECKING:
    from pathlib import Path

DAYS = "day;week;month\n3;w1;June\n1;w1;May\n2;w1;June\n4;w2;June\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "day.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_of_partitions(tmp_path: Path) -> None:
    days = read_partitions_csv(written(tmp_path, DAYS))
    # Numbers come in their order, and the coarsest partition is added.
    assert days.domain.leaves == ("1", "2", "3", "4")
    assert days.names == ("day", "week", "month", "*")
    assert [level.tolist() for level in days.levels] == [
        [0, 1, 2, 3],
        [0, 0, 0, 1],
        [0, 1, 1, 1],
        [0, 0, 0, 0],
    ]
    assert days.labels[2] == ("May", "June")
    assert not days.order.is_chain
    again = tmp_path / "again.csv"
    write_partitions_csv(days, again)
    assert read_partitions_csv(again) == days
    assert hash(read_partitions_csv(again)) == hash(days)
    assert pickle.loads(pickle.dumps(days)) == days
    assert repr(days) == "<AdmissiblePartitions of CategoryDomain, blocks 4 → 2 → 2 → 1>"


def test_blocks_need_not_be_neighbours() -> None:
    odd = AdmissiblePartitions.of(
        {"parity": ["odd", "even", "odd", "even"]}, values=["1", "2", "3", "4"], name="n"
    )
    assert odd.levels[1].tolist() == [0, 1, 0, 1]
    assert odd.block_starts(1).tolist() == [0, 1]
    assert odd.block_sizes(1).tolist() == [2, 2]
    assert odd.between(1, 2).tolist() == [0, 0]
    with raises(sf.HierarchyError, code="no-refinement", found="between(1, 0)"):
        odd.between(1, 0)


def test_missing_values_are_a_block_of_their_own() -> None:
    odd = AdmissiblePartitions.of({"p": ["x", "y", "x"]}, values=["a", "b", "c"], name="n")
    grown = odd.with_missing("?")
    assert grown.missing_leaf == 3
    assert grown.labels == (("a", "b", "c", "?"), ("x", "y", "?"), ("*",))
    assert grown.names == odd.names
    single = AdmissiblePartitions.of({}, values=["a"], name="n")
    assert single.height == 0
    assert single.with_missing("?").labels == (("a", "?"), ("*",))


@pytest.mark.parametrize(
    ("text", "code", "line", "found"),
    [
        ("", "empty-file", None, None),
        ("day;week\n", "empty-file", None, None),
        ("day\n1\n2\n", "one-column", None, "';'"),
        ("day;week\n1;a\n2\n", "ragged-rows", 3, "1"),
        ("day;\n1;a\n", "unnamed-column", 1, None),
        ("day;week;week\n1;a;b\n", "duplicate", 1, "'week'"),
        ("day;week\n1;a\n1;b\n", "duplicate", None, "'1'"),
        ("day;a;b\n1;x;u\n2;x;u\n3;y;v\n", "equal-partitions", None, "'a', 'b'"),
        ("day;a\n1;x\n2;y\n", "equal-partitions", None, "'day', 'a'"),
    ],
)
def test_files_that_are_refused(
    tmp_path: Path, text: str, code: str, line: int | None, found: str | None
) -> None:
    path = written(tmp_path, text)
    with raises(sf.HierarchyError, code=code, file=path, line=line, found=found):
        read_partitions_csv(path)


def test_another_delimiter_is_suggested(tmp_path: Path) -> None:
    path = written(tmp_path, "day,week\n1,a\n")
    with raises(sf.HierarchyError, code="one-column", file=path, key="delimiter", suggestion=","):
        read_partitions_csv(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.csv"
    with raises(sf.HierarchyError, code="no-such-file", file=path):
        read_partitions_csv(path)


def test_what_is_always_true_is_checked() -> None:
    domain = sf.Hierarchy.from_rows([("a", "*"), ("b", "*"), ("c", "*")], name="x").domain
    whole, one = np.arange(3, dtype=np.int32), np.zeros(3, dtype=np.int32)
    leaves, top = ("a", "b", "c"), ("*",)
    two = np.array([0, 0, 1])
    for levels, labels, names, code, key in (
        ((whole, one), (leaves,), ("v", "t"), "level-count", None),
        ((whole, one), (leaves, top), ("v", "v"), "duplicate", "names"),
        ((one, one), (top, top), ("v", "t"), "not-the-identity", "v"),
        ((whole, whole[::-1]), (leaves, leaves), ("v", "t"), "torn-block", "t"),
        ((whole, whole[:2]), (leaves, leaves[:2]), ("v", "t"), "uncovered-leaf", "t"),
        ((whole,), (leaves,), ("v",), "several-tops", "v"),
        ((whole, one, two), (leaves, top, ("x", "y")), ("v", "t", "u"), "several-tops", "u"),
        ((whole, two, one), (leaves, ("x", "x"), top), ("v", "u", "t"), "duplicate", "u"),
    ):
        with raises(sf.HierarchyError, code=code, key=key):
            AdmissiblePartitions(domain=domain, levels=levels, labels=labels, names=names)
    with raises(sf.HierarchyError, code="uncovered-leaf", file="n", key="p", found="1"):
        AdmissiblePartitions.of({"p": ["x"]}, values=["a", "b"], name="n")


def test_alternatives_keep_every_partition_once() -> None:
    # 12 values: widths of 2 and 6 of the second are those of the first.
    built = Alternatives(
        hierarchies=(
            sf.Intervals(low=0, high=11, widths=(2, 6)),
            sf.Intervals(low=0, high=11, widths=(3, 6)),
        )
    ).build([], column="age")
    assert built.names == ("1.0", "1.1", "2.1", "1.2", "1.3")
    assert built.order.successors == ((1, 2), (3,), (3,), (4,), ())
    assert Alternatives(hierarchies=(sf.Flat(), sf.Flat())).domain_is_declared is False


def test_alternatives_that_are_refused() -> None:
    with raises(sf.SettingsError, code="too-few", key="hierarchies", found="1"):
        Alternatives(hierarchies=(sf.Flat(),))
    with raises(sf.SettingsError, code="not-a-list", key="hierarchies", found="3"):
        Alternatives(hierarchies=3)  # type: ignore[arg-type]
    other = Alternatives(
        hierarchies=(
            sf.Intervals(low=0, high=9, widths=(2,)),
            sf.Intervals(low=0, high=8, widths=(3,)),
        )
    )
    with raises(sf.HierarchyError, code="different-domains", column="age", found="2"):
        other.build([], column="age")
