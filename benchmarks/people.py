"""How long the sweep takes with a person key, against the same rows without one.

Run: python -m benchmarks.people [rows] [people]. The table is made of five quasi-identifiers and
a sensitive column; nobody, about a tenth of the people, then all who have several rows are in
several cells. The ratios are of the sweep alone: counting is timed apart.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pyarrow as pa

import sfumato as sf

COLUMNS = {
    "age": (90, (2, 10, 30)),
    "area": (60, (2, 4, 12, 24)),
    "job": (12, (3, 6)),
    "children": (6, (2,)),
    "sex": (2, ()),
}
"""The quasi-identifiers: how many values, and the widths of the intervals that they merge to."""
OBJECTIVES = {
    "k, loss": ("k", "loss"),
    "k, distinct-l, t, loss": ("k", "distinct-l", "t", "loss"),
}


def visits(rows: int, people: int, *, moving: float, seed: int = 1) -> pa.Table:
    """Return visits of people, of whom a share has a cell of their own at every visit."""
    rng = np.random.default_rng(seed)
    person = np.concatenate((np.arange(people), rng.integers(0, people, rows - people)))
    moves = rng.random(people) < moving
    columns: dict[str, pa.Array] = {"person": pa.array([f"p{each}" for each in person])}
    for name, (values, _) in COLUMNS.items():
        home = (values * rng.beta(2, 3, people)).astype(np.int64)
        visit = np.clip(home[person] + rng.integers(-3, 4, rows), 0, values - 1)
        columns[name] = pa.array(np.where(moves[person], visit, home[person]))
    columns["illness"] = pa.array([f"i{each}" for each in (20 * rng.random(rows) ** 2).astype(int)])
    return pa.table(columns)


def study(table: pa.Table, objectives: tuple[str, ...], *, person: bool) -> sf.Study:
    """Return a study of visits, with a person key or without one."""
    return sf.Study(
        source=table,
        attributes=(
            sf.identifying("person", person=person),
            *(
                sf.quasi_identifying(name, sf.Intervals(widths=widths, low=0, high=values - 1))
                for name, (values, widths) in COLUMNS.items()
            ),
            sf.sensitive("illness"),
        ),
        objectives=objectives,
        suppression=sf.limited(0.02),
    )


def seconds(own: sf.Study) -> tuple[float, float]:
    """Return the seconds to count the rows, and the least of three sweeps."""
    started = time.perf_counter()
    _ = own.count_table
    counted = time.perf_counter() - started
    sweeps = []
    for _ in range(3):
        started = time.perf_counter()
        own.search(method="sweep", threads=1)
        sweeps.append(time.perf_counter() - started)
    return counted, min(sweeps)


def main() -> None:
    """Print the ratios."""
    rows, people = (
        int(each) for each in (*sys.argv[1:], *("100000", "40000")[len(sys.argv) - 1 :])
    )
    study(visits(200, 80, moving=0.5), ("k", "t", "loss"), person=True).search(method="sweep")
    print(f"{rows:,} rows of {people:,} people")
    for name, objectives in OBJECTIVES.items():
        for moving in (0.0, 0.13, 1.0):
            table = visits(rows, people, moving=moving)
            plain = seconds(study(table, objectives, person=False))
            own = study(table, objectives, person=True)
            keyed = seconds(own)
            counted = own.count_table
            several = 0 if counted.people is None else counted.people.in_several_cells
            print(
                f"{name}: {several:,} people in several of {counted.cells:,} cells, sweep "
                f"{plain[1]:.2f} s without a key, {keyed[1]:.2f} s with one "
                f"({keyed[1] / plain[1]:.1f} x), counting {plain[0]:.2f} s and {keyed[0]:.2f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
