"""What is published is a function of the kept rows: a suppressed person's values leave no trace.

The recoding stays, only the values of one person change, who is suppressed before and after. Both
releases must have the same rows, and the same public certificate and codebook but for digests.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.release.traced_columns import PARTITIONED, TREES, TracedColumn
from tests.slow_variants import slow

import sfumato as sf
from sfumato.errors import ReleaseError
from sfumato.microdata.output import Output
from sfumato.recoding.local import Local

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet

    from sfumato.recoding.recoding import Recoding

TIMES = 3
"""How many people have the same values; the suppressed one is alone."""
VALUES = 6
"""How many values of a suppressed person are tried."""
PLAIN = ("out.csv", "generalized", "drop")
MODES = [
    PLAIN,
    ("out.parquet", "generalized", "star"),
    ("out.csv", "microaggregated", "star"),
    ("out.parquet", "microaggregated", "drop"),
]

Content = dict[str, object]


def in_every_mode(first: Sequence[object], others: Sequence[object]) -> list[ParameterSet]:
    """Return the first variants in all modes, and each of the others in one, in turn.

    In the fast suite are the first variants in the plain mode.
    """
    return [
        *(pytest.param(variant, PLAIN) for variant in first),
        *(slow(variant, mode) for variant in first for mode in MODES[1:]),
        *(slow(variant, MODES[n % len(MODES)]) for n, variant in enumerate(others)),
    ]


def table_with(columns: Sequence[TracedColumn], number: int) -> pa.Table:
    """Return kept people, each ``TIMES`` times, and one more who is alone in "kind"."""
    kept = [row for row in range(VALUES) for _ in range(TIMES)]
    content: dict[str, list[str | None]] = {
        column.name: [*(column.kept[row] for row in kept), column.suppressed[number]]
        for column in columns
    }
    content["kind"] = [*("a" for _ in kept), "z"]
    # Two values of every illness in each class, unless rows are told apart by more.
    illness = [*("flu" if place % 2 else "gout" for place in range(len(kept)))]
    content["ill"] = [*illness, ("flu", "plague", "gout", None, "ague", "*")[number]]
    load = ("x", "very long indeed", "ü", None, '"', "y")
    content["load"] = [*("x" for _ in kept), load[number]]
    return pa.table({name: pa.array(values, pa.string()) for name, values in content.items()})


def study_of(
    columns: Sequence[TracedColumn], table: pa.Table, *, space: str, output: str = ""
) -> sf.Study:
    return sf.Study(
        source=table,
        attributes=[
            *(
                sf.quasi_identifying(
                    column.name,
                    column.hierarchy,
                    output=output if output in column.outputs else None,
                )
                for column in columns
            ),
            sf.quasi_identifying("kind", sf.Flat(values=("a", "z"))),
            sf.sensitive("ill"),
            sf.insensitive("load"),
        ],
        suppression=sf.given_k(2),
        space=space,
        objectives=["k", "loss", "distinct-l", "t"],
    )


def published(
    study: sf.Study, recoding: Recoding, folder: Path, mode: tuple[str, str, str]
) -> Content:
    """Return all that a reader gets, without digests."""
    name, values, rows = mode
    try:
        release = study.release(
            recoding,
            folder / name,
            values=values,
            suppressed_rows=rows,
            codebook=folder / "book.json",
            force=True,
        )
    except ReleaseError as error:
        # Blocks can have equal statistics: then whoever is suppressed.
        return {"refused": error.code}
    assert release.suppressed == 1
    certificate = json.loads((folder / f"{name}.certificate.json").read_text())
    book = json.loads((folder / "book.json").read_text())
    assert certificate["release"].pop("sha256") == book.pop("sha256")
    return {"rows": read(folder / name), "certificate": certificate, "codebook": book}


def read(path: Path) -> list[object]:
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        rows = [tuple(row.values()) for row in table.to_pylist()]
        return [*map(str, table.schema), *sorted(rows, key=repr)]
    with path.open(newline="", encoding="utf-8") as stream:
        header, *lines = csv.reader(stream)
    return [header, *sorted(lines)]


def assert_no_trace(
    columns: Sequence[TracedColumn],
    chosen: Callable[[sf.Study], Recoding],
    folder: Path,
    mode: tuple[str, str, str],
    *,
    space: str,
    output: str = "",
) -> Content:
    """Release with every value of the suppressed person, and compare with the first."""
    found: list[Content] = []
    for number in range(VALUES):
        table = table_with(columns, number)
        study = study_of(columns, table, space=space, output=output)
        found.append(published(study, chosen(study), folder, mode))
        for part, content in found[0].items():
            assert found[number][part] == content, (part, number)
    assert "rows" in found[0] or mode[1] == "microaggregated"
    return found[0]


@pytest.mark.parametrize(("asked", "mode"), in_every_mode([1], [0, 2, 3, 9]))
def test_levels(tmp_path: Path, asked: int, mode: tuple[str, str, str]) -> None:
    def chosen(study: sf.Study) -> Recoding:
        hierarchies = study.hierarchies
        levels = {c.name: c.level(hierarchies[c.name], asked) for c in TREES}
        return sf.Levels.of({**levels, "kind": 0})

    assert_no_trace(TREES, chosen, tmp_path, mode, space="lattice")


@pytest.mark.parametrize(("asked", "mode"), in_every_mode([0, 1], [2, 3]))
def test_admissible_partitions(tmp_path: Path, asked: int, mode: tuple[str, str, str]) -> None:
    def chosen(study: sf.Study) -> Recoding:
        hierarchies = study.hierarchies
        levels = {c.name: c.level(hierarchies[c.name], asked) for c in PARTITIONED}
        return sf.Levels.of({**levels, "kind": 0})

    assert_no_trace(PARTITIONED, chosen, tmp_path, mode, space="admissible")


def cuts_between(study: sf.Study, *, after: Sequence[int], apart: bool) -> Recoding:
    """Return cuts after some of the values that kept people have, by their place.

    With ``apart`` there are cuts besides that part no kept people: where the suppressed person's
    value lies beyond all others, and before missing values that nobody else has.
    """
    cuts: dict[str, list[int]] = {"kind": [1]}
    for column in TREES:
        hierarchy = study.hierarchies[column.name]
        known = sorted(set(hierarchy.locate([v for v in column.kept if v is not None]).tolist()))
        missing = hierarchy.missing_leaf
        leaves = [*known, *([missing] if missing is not None and None in column.kept else [])]
        begins = {leaves[place + 1] for place in after if place + 1 < len(leaves)}
        declared = getattr(column.hierarchy, "domain_is_declared", True)
        if apart and missing is not None and None not in column.kept:
            begins.add(missing)
        if apart and not declared and None not in column.kept:
            end = hierarchy.leaf_count if missing is None else missing
            begins |= {leaf for leaf in (known[0], known[-1] + 1) if 0 < leaf < end}
        cuts[column.name] = sorted(begins)
    return sf.Cuts.of(cuts)


@pytest.mark.parametrize(
    ("cut", "mode"),
    in_every_mode(
        [((1,), True)], [((), False), ((0, 2), False), ((0, 2), True), ((0, 1, 2), True)]
    ),
)
def test_cuts(
    tmp_path: Path, cut: tuple[tuple[int, ...], bool], mode: tuple[str, str, str]
) -> None:
    after, apart = cut

    def chosen(study: sf.Study) -> Recoding:
        return cuts_between(study, after=after, apart=apart)

    found = assert_no_trace(TREES, chosen, tmp_path, mode, space="partitions")
    if apart and "rows" in found:
        # Cuts that part no kept people do not show either.
        again = table_with(TREES, 2)
        study = study_of(TREES, again, space="partitions")
        plain = cuts_between(study, after=after, apart=False)
        assert published(study, plain, tmp_path, mode) == found


@pytest.mark.parametrize(
    ("classes", "mode"),
    in_every_mode(
        [(2, "hierarchy"), (2, "set"), (2, "interval")],
        [(joined, output) for output in ("hierarchy", "interval", "set") for joined in (1, 3, 6)],
    ),
)
def test_classes(tmp_path: Path, classes: tuple[int, str], mode: tuple[str, str, str]) -> None:
    joined, output = classes

    def chosen(study: sf.Study) -> Recoding:
        table = study.count_table
        class_of = {}
        for row in range(VALUES):
            leaves = []
            for column, identifier in zip(TREES, table.quasi_identifiers, strict=False):
                leaves.append(identifier.leaf_of_value[column.kept[row]])
            class_of[tuple(leaves)] = row // joined
        cells = map(tuple, table.cell_codes[: len(TREES)].T.tolist())
        alone = table.cell_codes[-1].tolist()
        found = [-1 if kind else class_of[cell] for cell, kind in zip(cells, alone, strict=True)]
        outputs = {each.name: each.output for each in table.quasi_identifiers}
        return Local.of(table, np.array(found), {**outputs, "kind": Output.SET})

    assert_no_trace(TREES, chosen, tmp_path, mode, space="local", output=output)


def test_a_longer_code_lengthens_no_label(tmp_path: Path) -> None:
    """Seen: a suppressed 1000000 made "2412*" of everybody else "2412***"."""
    found = []
    for alone in ("24999", "1000000"):
        table = pa.table({"zip": ["24126", "24127"] * 3 + [alone]})
        study = sf.Study(
            source=table,
            attributes=[sf.quasi_identifying("zip", sf.Prefixes())],
            suppression=sf.given_k(2),
        )
        level = next(
            n for n, names in enumerate(study.hierarchies["zip"].labels) if "2412*" in names
        )
        found.append(published(study, sf.Levels.of({"zip": level}), tmp_path, PLAIN))
    assert found[0] == found[1]
    assert found[0]["rows"] == [["zip"], *[["2412*"]] * 6]


def test_losses_are_published_whether_or_not_a_suppressed_person_lacks_a_value(
    tmp_path: Path,
) -> None:
    """Seen: the metrics of a declared domain vanished if a suppressed person lacked the value."""
    found = []
    for alone in ("19", None):
        study = sf.Study(
            source=pa.table({"age": ["21", "38"] * 3 + [alone]}),
            attributes=[sf.quasi_identifying("age", sf.Intervals(widths=(20,), low=0, high=99))],
            suppression=sf.given_k(2),
        )
        found.append(published(study, sf.Levels.of({"age": 1}), tmp_path, PLAIN))
    assert found[0] == found[1]
    certificate = found[0]["certificate"]
    assert isinstance(certificate, dict)
    assert certificate["metrics"]["gl"] == pytest.approx(6 * 19 / 99)


@pytest.mark.parametrize("in_file", [True, False])
def test_values_of_nested_enums_are_in_no_dictionary(tmp_path: Path, in_file: bool) -> None:
    """Seen: an ENUM inside a list or a struct was written with all its values."""
    found: list[object] = []
    # All rows are equal, so that the order of the release does not change the size of its columns.
    for values in ("'flu'", "'flu', 'plague', 'it''s, \"(x)'"):
        path = tmp_path / f"source{len(found)}.duckdb"
        kind = f"ENUM ({values})"
        content = (
            f"SELECT CASE WHEN i < 6 THEN 'a' ELSE 'z' END AS q, "
            f"CAST([v, v] AS {kind}[]) AS l, CAST({{'ENUM(''x'')': v, 'n': 1}} "
            f"AS STRUCT(\"ENUM('x')\" {kind}, n BIGINT)) AS s, "
            f"CAST(MAP {{'k': v}} AS MAP(VARCHAR, {kind})) AS m FROM "
            f"(SELECT i, 'flu' AS v FROM range(7) AS t(i))"
        )
        with duckdb.connect(str(path)) as connection:
            connection.execute(f"CREATE TABLE t AS {content}")
            source: pa.Table | sf.DatabaseTable = sf.DatabaseTable(path=path, table="t")
            if not in_file:
                source = connection.sql("SELECT * FROM t").to_arrow_table()
        study = sf.Study(
            source=source,
            attributes=[
                sf.quasi_identifying("q", sf.Flat()),
                *(sf.insensitive(name) for name in ("l", "s", "m")),
            ],
            suppression=sf.given_k(2),
        )
        out = tmp_path / f"out{len(found)}.parquet"
        study.release({"q": 0}, out)
        assert b"plague" not in out.read_bytes()
        group = pyarrow.parquet.ParquetFile(out).metadata.row_group(0)
        sizes = [group.column(c).total_uncompressed_size for c in range(group.num_columns)]
        found.append((sizes, read(out)))
    assert found[0] == found[1]


def test_a_parquet_schema_does_not_say_that_nothing_is_missing(tmp_path: Path) -> None:
    found = []
    for alone in ("x", None):
        source = tmp_path / "source.parquet"
        table = pa.table(
            {"q": ["a"] * 4 + ["z"], "load": ["x"] * 4 + [alone], "n": [1, 2] * 2 + [3]}
        )
        pyarrow.parquet.write_table(table, source)
        study = sf.Study(
            source=source,
            attributes=[
                sf.quasi_identifying("q", sf.Flat()),
                sf.insensitive("load"),
                sf.insensitive("n"),
            ],
            suppression=sf.given_k(2),
        )
        study.release({"q": 0}, tmp_path / "out.parquet", force=True)
        found.append(read(tmp_path / "out.parquet"))
    assert found[0] == found[1]
