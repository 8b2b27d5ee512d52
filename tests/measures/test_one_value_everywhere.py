"""A measure has one formula and one value: in search, evaluation, release, audit and comparison.

The measures are all of the catalogue and two that this test defines: one that looks at the
suppressed rows, one that looks at how much of the domains labels cover.
"""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pandas as pd
import pytest
from tests.slow_variants import slow

import sfumato as sf
from sfumato.classes.anonymization import Anonymization
from sfumato.measures.catalogue import every_measure
from sfumato.recoding.written_columns import written_columns
from sfumato.search.methods.local.ruin_and_recreate import RuinAndRecreateSettings

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.arrays import Floats
    from sfumato.classes.classes import Classes

ROWS = 160


@dataclass(frozen=True, kw_only=True)
class SuppressedFlu(sf.Measure):
    """The share of suppressed rows that have the most frequent value among them."""

    name: ClassVar[str] = "suppressed-mode"
    kind: ClassVar[sf.Kind] = sf.Kind.LOSS
    direction: ClassVar[sf.Direction] = sf.Direction.LOWER
    monotone: ClassVar[sf.Monotone] = sf.Monotone.NO
    reference: ClassVar[str] = "this test"
    unit: ClassVar[str] = "share of all rows"
    needs_sensitive: ClassVar[bool] = True

    def evaluate(self, classes: Classes) -> Floats:
        """Return suppressed rows with their most frequent illness, plus all of them, over N."""
        gone = classes.suppressed_counts("illness").max(axis=1) + classes.suppressed_rows
        return np.asarray(gone / classes.table.rows, dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class WidestLabel(sf.Measure):
    """The mean over kept rows of the number of domain values under their widest label."""

    name: ClassVar[str] = "widest-label"
    kind: ClassVar[sf.Kind] = sf.Kind.LOSS
    direction: ClassVar[sf.Direction] = sf.Direction.LOWER
    monotone: ClassVar[sf.Monotone] = sf.Monotone.NO
    reference: ClassVar[str] = "this test"
    unit: ClassVar[str] = "values"
    seen_from: ClassVar[sf.SeenFrom] = sf.SeenFrom.BLOCKS

    def evaluate(self, classes: Classes) -> Floats:
        """Return the mean of the largest extent, plus one."""
        widest = np.maximum.reduce([classes.extents(q) for q in range(len(classes.widths))]) + 1
        total = classes.sum_kept(widest * classes.sizes)
        return np.asarray(total / np.maximum(classes.kept_rows, 1), dtype=np.float64)


OWN = (SuppressedFlu(), WidestLabel())
ORIGINALS = "it needs the values before they were recoded"


def patients() -> pd.DataFrame:
    rng = random.Random(7)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(ROWS)],
            "age": [str(20 + int(rng.triangular(0, 39, 12))) for _ in range(ROWS)],
            "zip": [rng.choice(["24120", "24126", "24131", "26301"]) for _ in range(ROWS)],
            "sex": [rng.choice("FM") for _ in range(ROWS)],
            "illness": [rng.choice(["flu", "flu", "gout", "angina"]) for _ in range(ROWS)],
            "income": [str(rng.randint(1, 4)) for _ in range(ROWS)],
            "smokes": [rng.choice(["yes", "no"]) for _ in range(ROWS)],
        }
    )


def study(space: str, *, suppression: sf.Suppression | None = None) -> sf.Study:
    return sf.Study(
        source=patients(),
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(low=20, high=59, widths=(5, 10, 20))),
            sf.quasi_identifying("zip", sf.Prefixes(keep=(4, 2)), weight=0.5),
            sf.quasi_identifying("sex", sf.Flat()),
            sf.sensitive("illness"),
            sf.sensitive("income", ground_distance=sf.OrderedDistance()),
            sf.insensitive("smokes", label=True),
        ],
        objectives=["k", "normalized-loss", *OWN],
        statements=["illness = angina", sf.ConfidentialStatement(protect="income = 4")],
        suppression=suppression or sf.limited(0.15),
        space=space,
    )


def cells() -> sf.Local:
    """Return a local recoding with classes of cells that no partition has, some of them equal."""
    table = study("local").count_table
    age, zips, sex = table.cell_codes
    classes = (age + 2 * zips) // 9 * 2 + (zips + sex) % 2
    classes[table.cell_sizes * (age % 7) == 6] = -1
    return sf.Local.of(table, classes, {q.name: q.output for q in table.quasi_identifiers})


RECODINGS: dict[str, sf.Recoding] = {
    "lattice": sf.Levels.of({"age": 2, "zip": 1, "sex": 0}),
    "partitions": sf.Cuts.of({"age": (7, 19), "zip": (2,), "sex": (1,)}),
    "local": cells(),
}


FAST = (
    ("lattice", "drop", "generalized"),
    ("lattice", "star", "microaggregated"),
    ("partitions", "star", "generalized"),
    ("partitions", "drop", "microaggregated"),
    ("local", "star", "generalized"),
    ("local", "drop", "microaggregated"),
)


@pytest.mark.parametrize(
    ("space", "rows", "values"),
    [
        pytest.param(*each, marks=() if each in FAST else pytest.mark.slow)
        for each in itertools.product(
            RECODINGS, ("drop", "star"), ("generalized", "microaggregated")
        )
    ],
)
def test_one_value_everywhere(space: str, rows: str, values: str, tmp_path: Path) -> None:
    one, recoding = study(space), RECODINGS[space]
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    wanted = {str(m): m for m in (*every_measure(one.count_table), *OWN)}
    if space != "lattice":
        wanted = {name: m for name, m in wanted.items() if not m.needs_levels}
    if space == "local":
        # Labels that differ from class to class are not blocks of a partition.
        wanted = {name: m for name, m in wanted.items() if m.seen_from != "partitions"}

    evaluated = one.evaluate(recoding)
    assert set(evaluated.values) == set(wanted)
    assert evaluated.suppressed > 0
    assert evaluated.values["suppressed-mode"] > 0

    released = one.release(
        recoding, out, private_certificate=private, suppressed_rows=rows, values=values
    )
    if released.merged:
        # Classes with equal statistics are one: that recoding was released.
        assert (space, values) == ("local", "microaggregated")
        chosen = json.loads(private.read_text())["chosen"]["local"]
        evaluated = one.evaluate(sf.Local.read(chosen))
    assert released.promised == evaluated.values

    audit = one.audit(out, private_certificate=private)
    assert audit.whole_table is not None
    assert audit.whole_table == pytest.approx(
        {name: evaluated.values[name] for name in audit.whole_table}, rel=1e-12
    )
    lacking = set(wanted) - set(audit.whole_table)
    assert {audit.not_measured[name] for name in lacking} == {ORIGINALS}
    assert lacking == {name for name, m in wanted.items() if m.seen_from == "originals"}


METHODS: dict[str, tuple[str, object | None]] = {
    "lattice": ("auto", None),
    "partitions": ("nsga-ii", sf.NsgaIISettings(population=20, generations=5)),
    "local": ("ruin-and-recreate", RuinAndRecreateSettings(largest_k=20, steps=500)),
}


@pytest.mark.parametrize("space", list(RECODINGS))
def test_the_search_finds_what_evaluation_gives(space: str) -> None:
    one = study(space)
    method, settings = METHODS[space]
    front = one.search(method=method, settings=settings).front
    assert len(front) > 2
    for solution in front:
        found = one.evaluate(solution).values
        assert {name: found[name] for name in solution.values} == solution.values


def relabelled(one: sf.Study, recoding: sf.Recoding) -> pd.DataFrame:
    """Return the rows with the labels of a recoding; suppressed cells are left out."""
    table = one.count_table
    columns = written_columns(table, recoding)
    found = Anonymization.of_local(table, recoding) if isinstance(recoding, sf.Local) else None
    cell_of = {tuple(codes): cell for cell, codes in enumerate(table.cell_codes.T.tolist())}
    rows = []
    for record in patients().to_dict("records"):
        leaves = [q.leaf_of_value[record[q.name]] for q in table.quasi_identifiers]
        entry = table.entry_starts[cell_of[tuple(leaves)]]
        if found is not None and found.suppressed[entry]:
            continue
        codes = (
            [column.code_of_leaf[leaf] for column, leaf in zip(columns, leaves, strict=True)]
            if found is None
            else [column.codes[entry] for column in found.labels]
        )
        labels = {c.name: c.labels[code] for c, code in zip(columns, codes, strict=True)}
        rows.append(dict(record) | labels)
    return pd.DataFrame(rows)


@pytest.mark.parametrize("space", ["lattice", slow("partitions"), slow("local")])
def test_a_comparison_measures_by_the_same_formulas(space: str, tmp_path: Path) -> None:
    one, recoding = study(space), RECODINGS[space]
    source = tmp_path / "source.csv"
    patients().to_csv(source, index=False)
    by_file = replace(one, source=source)
    out = tmp_path / "out.csv"
    by_file.release(recoding, out)
    # The release with the names, as another tool might have left them.
    recoded, names = relabelled(one, recoding), list(one.count_table.names)
    evaluated = one.evaluate(recoding)
    sizes = recoded.groupby(names)["name"].transform("size")
    kept = recoded[sizes >= evaluated.threshold]
    assert len(kept) == ROWS - evaluated.suppressed
    kept.to_csv(tmp_path / "other.csv", index=False)
    wanted = {str(m): m for m in (*every_measure(one.count_table), *OWN)}
    if space != "lattice":
        del wanted["height"], wanted["precision"]
    if space == "local":
        # A study of local recodings does not ask for measures of partitions.
        wanted = {name: m for name, m in wanted.items() if m.seen_from != "partitions"}
    partitions = {name for name, m in wanted.items() if m.seen_from == "partitions"}
    # Two recodings: both sides have every metric.
    for side in by_file.compare(recoding, recoding).metrics:
        assert not side.lacking
        assert side.of() == pytest.approx(evaluated.values, rel=1e-12)
    # A recoding and the table of another tool, matched by name.
    compared = by_file.compare(
        recoding, tmp_path / "other.csv", key="name", properties="class-size"
    )
    ours, theirs = compared.metrics
    protected = {name for name, m in wanted.items() if m.needs_statements}
    assert set(ours.lacking) == protected
    expected = {name: value for name, value in evaluated.values.items() if name not in protected}
    assert ours.of() == pytest.approx(expected, rel=1e-12)
    # Of that table nobody knows which classes were suppressed; intervals that no hierarchy has
    # are read, but are not all blocks. Everything else has the same value, or a reason.
    unseen = protected | {"weighted-k"}
    if space != "lattice":
        unseen |= partitions
    assert set(theirs.lacking) == unseen
    assert all(theirs.lacking.values())
    shown = {name: value for name, value in evaluated.values.items() if name not in unseen}
    assert theirs.of() == pytest.approx(shown, rel=1e-12)
