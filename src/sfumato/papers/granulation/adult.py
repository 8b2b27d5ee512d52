"""Granulation on Adult: minimal recodings by both searches, and the genetic algorithm."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.classes.suppression import NO_SUPPRESSION, limited
from sfumato.datasets.adult import adult
from sfumato.errors import Notice
from sfumato.papers.catalogue import reproduction
from sfumato.papers.reproduced import Reproduced, ReproducedTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.classes.suppression import Suppression
    from sfumato.papers.reproduced import Cell, Conditions
    from sfumato.study.study import Study

STATEMENT = 'occupation in {"Exec-managerial", "Prof-specialty"}'
"""What everybody protects: that they are a manager or a professional."""

QUESTIONS: tuple[tuple[str, Suppression], ...] = (
    ("secure", NO_SUPPRESSION),
    ("secure", limited(0.01, failing=True)),
    ("k>=5", NO_SUPPRESSION),
    ("k>=5", limited(0.01)),
    ("distinct-l>=3", limited(0.01, failing=True)),
)

REMARKS = (
    f"The paper has no experiments. Here the statement is {STATEMENT}, the same for everybody, "
    f"in the "
    "eight quasi-identifiers of PBG Table 1(a): 17,920 recodings.",
    "'Full' recodings were tested with every quasi-identifier finer than its coarsest partition, "
    "all others are recodings of a subset of them, whose class tables are smaller.",
    "Where 1 % are suppressed under secure or distinct-l, the classes that fail are left out: by "
    "size, what meets them is not inherited by coarser recodings.",
    "sf·ql alone is greatest at the identity, which is not secure; it is the second row that a "
    "publisher wants.",
)


@reproduction(
    "granulation-adult",
    "Granulation on Adult: minimal recodings by SEARCH and Incognito, the GA against the exact",
)
def granulation_adult(conditions: Conditions) -> Reproduced:
    """Return what both searches tested and found, and how the genetic algorithm compares."""
    return Reproduced(tables=(_minimal(conditions), _genetic(conditions)), remarks=REMARKS)


def _study(
    conditions: Conditions,
    *,
    objectives: Sequence[str],
    criteria: Sequence[str],
    suppression: Suppression = NO_SUPPRESSION,
) -> Study:
    study = adult(conditions.adult, objectives=objectives)
    return replace(study, statements=STATEMENT, criteria=tuple(criteria), suppression=suppression)


def _minimal(conditions: Conditions) -> ReproducedTable:
    rows: list[tuple[Cell, ...]] = []
    for criterion, suppression in QUESTIONS:
        conditions.stage(f"all minimal recodings with {criterion}")
        study = _study(
            conditions, objectives=("sf", "ql"), criteria=[criterion], suppression=suppression
        )
        with warnings.catch_warnings():
            # Of failing classes that are left out: nothing is released here.
            warnings.simplefilter("ignore", Notice)
            searched, pruned = (
                study.search(method=method) for method in ("breadth-first", "incognito")
            )
        assert searched.minimal is not None
        assert pruned.minimal is not None
        safest = max(searched.front, key=lambda solution: solution.values["sf"])
        finest = max(searched.front, key=lambda solution: solution.values["ql"])
        rows.append(
            (
                criterion,
                "none" if suppression is NO_SUPPRESSION else "1 %",
                len(searched.front),
                "yes" if searched.front == pruned.front else "NO",
                searched.evaluated,
                searched.minimal.full,
                pruned.evaluated,
                pruned.minimal.full,
                safest.values["sf"],
                finest.values["ql"],
            )
        )
    return ReproducedTable(
        title="All minimal recodings of Adult, by two searches",
        columns=(
            ("criterion", ""),
            ("suppressed", ""),
            ("minimal", ","),
            ("same set", ""),
            ("SEARCH: tested", ","),
            ("SEARCH: full", ","),
            ("Incognito: tested", ","),
            ("Incognito: full", ","),
            ("most sf", ".4f"),
            ("most ql", ".4f"),
        ),
        rows=tuple(rows),
    )


def _genetic(conditions: Conditions) -> ReproducedTable:
    return ReproducedTable(
        title=f"The greatest sf·ql: exact, and by {conditions.runs} runs of the genetic algorithm",
        columns=(
            ("among", ""),
            ("sf·ql, exact", ".6f"),
            ("sf", ".4f"),
            ("ql", ".4f"),
            ("levels", ""),
            ("GA, mean", ".6f"),
            ("GA, worst", ".6f"),
            ("runs that found it", ","),
            ("GA evaluations, mean", ",.0f"),
            ("of", ","),
        ),
        rows=(
            _optimum("all recodings", (), conditions),
            _optimum("secure", ("secure",), conditions),
        ),
    )


def _optimum(among: str, criteria: Sequence[str], conditions: Conditions) -> tuple[Cell, ...]:
    conditions.stage(f"the greatest sf·ql among {among}")
    study = _study(conditions, objectives=("sf-ql",), criteria=criteria)
    exact = study.search(method="sweep")
    best = exact.front[0]
    both = study.evaluate(best, measures=["sf", "ql"]).values
    runs = [study.search(method="aog-ga", seed=seed) for seed in conditions.seeds]
    found = [run.front[0].values["sf-ql"] for run in runs]
    return (
        among,
        best.values["sf-ql"],
        both["sf"],
        both["ql"],
        " ".join(map(str, best.levels.values())),
        sum(found) / len(found),
        min(found),
        sum(value == best.values["sf-ql"] for value in found),
        sum(run.evaluated for run in runs) / len(runs),
        exact.nodes,
    )
