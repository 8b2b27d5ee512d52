"""Granulation figs 1, 2 and 4 and §§3.2 to 4.3: eleven people, recoded and judged."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import mean, median_low
from typing import TYPE_CHECKING

import numpy as np

from sfumato.datasets.granulation_example import (
    COLUMNS,
    FIGURE_2,
    PEOPLE,
    granulation_attributes,
    write_granulation_example,
)
from sfumato.papers.catalogue import reproduction
from sfumato.papers.reproduced import Reproduced, ReproducedTable
from sfumato.recoding.recoding import ColumnRecoding
from sfumato.search.methods.aog_ga import AogCodes
from sfumato.statements.confidential import ConfidentialStatement
from sfumato.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.microdata.roles import Attribute
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.recoding.written_column import ColumnBlocks
    from sfumato.search.result import SearchResult


FIG_2 = (
    *(("09/56", "24***", "(160,170)"),) * 3,
    *(("03/56", "10***", "(160,170)"),) * 3,
    *(("04/55", "26***", "(170,180)"),) * 5,
)
"""The generalized date of birth, ZIP code and height of u1 to u11."""

FIG_4 = (
    *(("24/09/56", "24129", "164"),) * 3,
    *(("18/03/56", "10431", "164"),) * 3,
    *(("18/04/55", "26617", "173"),) * 5,
)
"""The microaggregated ones. The median of the last five ZIP codes is 26328: a misprint."""

VERDICTS = (
    ("Health = 2", None, "secure"),
    ("Health = 1", "u1", "insecure"),
)
"""Who protects which predicate (None for everybody), and whether fig. 2 is secure then."""

CODES = (((1, 0, 5), (1, 0, 0)), ((0, 7, 2), (0, 1, 2)))
"""§4.3: what a crossover made, and its repair."""


TITLE = "Granulation figs 1, 2, 4 and §§3.2-4.3: eleven people, recoded and judged"
RECODED = ("D.O.B.", "ZIP", "Height")

REMARKS = (
    "Fig. 2 writes the intervals of heights with round brackets; they are [160, 170) and "
    "[170, 180), as §2.3 defines them.",
    "Fig. 4 has 26617 for the ZIP code of u7 to u11: the median of 26015, 26032, 26328, 26617 and "
    "26628 is 26328.",
    "Property 3 is printed the wrong way round: characteristic functions roll up from the finer "
    "recoding to the coarser one.",
    "sf·ql is greatest at the identity, which tells everything: the best among the secure "
    "recodings stands beside it.",
)


@reproduction("granulation-fig-1", TITLE, runs=1)
def granulation_fig_1(conditions: Conditions) -> Reproduced:  # noqa: ARG001 - nothing is random
    """Return the recoded tables, the verdicts, and what the searches find, beside the paper."""
    return Reproduced(
        tables=(_generalized(), _microaggregated(), _verdicts(), _repairs(), _searches()),
        remarks=REMARKS,
    )


def example_study(
    statements: str | ConfidentialStatement | Sequence[str | ConfidentialStatement],
    *,
    objectives: Sequence[str] = ("sf", "ql"),
    criteria: Sequence[str] = (),
    attributes: Sequence[Attribute] | None = None,
) -> Study:
    """Return the study of the eleven people; it is counted at once, from a file that goes."""
    with tempfile.TemporaryDirectory(prefix="sfumato-granulation-") as folder:
        path = Path(folder, "fig-1.csv")
        write_granulation_example(path)
        study = Study(
            source=path,
            attributes=granulation_attributes() if attributes is None else attributes,
            objectives=objectives,
            statements=statements,
            criteria=criteria,
        )
        _ = study.count_table
    return study


def _recoded(study: Study) -> tuple[ColumnBlocks, ...]:
    recoding = study.recoding(FIGURE_2)
    assert isinstance(recoding, ColumnRecoding)
    return recoding.blocks(study.count_table)


def _generalized() -> ReproducedTable:
    study = example_study("Health = 2")
    blocks = _recoded(study)
    rows = []
    for person, printed in zip(PEOPLE, FIG_2, strict=True):
        ours = []
        for column in blocks:
            value = person[COLUMNS.index(column.name)]
            leaf = study.hierarchies[column.name].locate([value])[0]
            ours.append(column.labels[column.block_of_leaf[leaf]])
        rows.append(_beside(person, ours, printed))
    return _people_table("Figs 1 and 2: τ = (mm/yy, d1d2***, I_10)", rows)


def _microaggregated() -> ReproducedTable:
    study = example_study("Health = 2")
    replaced: dict[str, list[str]] = {}
    for column in _recoded(study):
        hierarchy = study.hierarchies[column.name]
        values = [person[COLUMNS.index(column.name)] for person in PEOPLE]
        leaves = hierarchy.locate(values)
        blocks = column.block_of_leaf[leaves]
        statistic: dict[int, str] = {}
        for block in set(blocks.tolist()):
            members = [int(leaf) for leaf in leaves[blocks == block]]
            # Heights are continuous; dates and ZIP codes are ordinal, in the order of the leaves.
            statistic[block] = (
                f"{mean(int(hierarchy.domain.leaves[leaf]) for leaf in members):g}"
                if column.name == "Height"
                else hierarchy.domain.leaves[median_low(members)]
            )
        replaced[column.name] = [statistic[block] for block in blocks.tolist()]
    rows = [
        _beside(person, [replaced[name][place] for name in RECODED], FIG_4[place])
        for place, person in enumerate(PEOPLE)
    ]
    return _people_table("Fig. 4: means of heights, medians of dates and ZIP codes", rows)


def _beside(
    person: tuple[str, ...], ours: Sequence[str], printed: Sequence[str]
) -> tuple[Cell, ...]:
    pairs = [cell for pair in zip(ours, printed, strict=True) for cell in pair]
    return (person[0], *person[1:4], *pairs, *person[4:])


def _people_table(title: str, rows: Sequence[tuple[Cell, ...]]) -> ReproducedTable:
    recoded = [(f"{name}{said}", "") for name in RECODED for said in (" recoded", ", paper")]
    return ReproducedTable(
        title=title,
        columns=(
            ("ID", ""),
            *((name, "") for name in RECODED),
            *recoded,
            ("Income", ""),
            ("Health", ""),
        ),
        rows=tuple(rows),
    )


def _verdicts() -> ReproducedTable:
    rows: list[tuple[Cell, ...]] = []
    for protect, person, printed in VERDICTS:
        statement = ConfidentialStatement(
            protect=protect, where=None if person is None else f"ID = {person}"
        )
        study = example_study(statement)
        found = study.evaluate(FIGURE_2, measures=["secure", "sf", "ql"]).values
        verdict = "secure" if found["secure"] else "insecure"
        rows.append((protect, person or "everybody", verdict, printed, found["sf"], found["ql"]))
    return ReproducedTable(
        title="§3.2: is fig. 2 secure?",
        columns=(
            ("predicate", ""),
            ("protected by", ""),
            ("verdict", ""),
            ("verdict, paper", ""),
            ("sf", ".6f"),
            ("ql", ".6f"),
        ),
        rows=tuple(rows),
    )


def _repairs() -> ReproducedTable:
    codes = AogCodes(counts=(4, 6, 5))
    return ReproducedTable(
        title="§4.3: codes that are no recoding, repaired",
        columns=(("code", ""), ("repaired", ""), ("repaired, paper", "")),
        rows=tuple(
            (str(wrong), str(tuple(codes.repaired(np.array([wrong]))[0].tolist())), str(printed))
            for wrong, printed in CODES
        ),
    )


def _searches() -> ReproducedTable:
    secure = example_study("Health = 2", criteria=["secure"])
    best = example_study("Health = 2", objectives=["sf-ql"])
    best_secure = example_study("Health = 2", objectives=["sf-ql"], criteria=["secure"])
    return ReproducedTable(
        title="Health = 2 protected by everybody: what the searches find",
        columns=(
            ("search", ""),
            ("solutions", ","),
            ("tested", ","),
            ("of", ","),
            ("the first of them", ""),
            ("sf·ql of it", ".6f"),
        ),
        rows=(
            _found("minimal secure, SEARCH", secure.search(method="breadth-first"), best),
            _found("minimal secure, Incognito-style", secure.search(method="incognito"), best),
            _found("greatest sf·ql, exact", best.search(method="sweep"), best),
            _found("greatest sf·ql, secure, exact", best_secure.search(method="sweep"), best),
            _found("greatest sf·ql, genetic", best.search(method="aog-ga"), best),
            _found("greatest sf·ql, secure, genetic", best_secure.search(method="aog-ga"), best),
        ),
    )


def _found(name: str, result: SearchResult, study: Study) -> tuple[Cell, ...]:
    first = result.front[0]
    code = tuple(first.levels.values())
    product = study.evaluate(dict(first.levels), measures=["sf-ql"]).values["sf-ql"]
    return (name, len(result.front), result.evaluated, result.nodes, str(code), product)
