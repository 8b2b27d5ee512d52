"""Two recodings of a million rows compared by classes, against NumPy vectors of every row."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.generated import generate, generated_study
from benchmarks.measuring import quickest, timed
from sfumato.measures.measure import Direction
from sfumato.study.comparison import anonymization_of, compare_anonymizations
from sfumato.views.comparison_data import compute_comparison

if TYPE_CHECKING:
    from sfumato.arrays import Codes
    from sfumato.compare.vectors.property_vector import PropertyVector

ROWS = 1_000_000
COLUMNS = 8
COLUMN_NAMES = ("age", "sex", "region", "marital", "education", "work", "country", "race")
# Neither is coarser than the other in every column: nobody dominates.
LEVELS = {"the first": (4, 0, 1, 0, 2, 0, 1, 0), "the second": (3, 0, 1, 1, 1, 1, 1, 0)}
INDICES = (
    "coverage",
    "hypervolume",
    "max",
    "mean",
    "min",
    "rank",
    "spread",
    "strictly-better",
    "sum",
)


def expanded_indices(
    vectors: tuple[PropertyVector, PropertyVector], rows: tuple[Codes, Codes]
) -> dict[str, tuple[float, float]]:
    """Return all indices of two vectors as one would write them, with an entry for every row.

    ``rows`` has the group of every row; what the groups have is given.
    """
    one, other = (v.values[of].astype(np.float64) for v, of in zip(vectors, rows, strict=True))
    best, worst, direction = vectors[0].best, vectors[0].worst, vectors[0].direction
    assert best is not None
    assert worst is not None
    gain = one - other if direction is Direction.HIGHER else other - one
    up, down = int((gain > 0).sum()), int((gain < 0).sum())
    heights = [d if direction is Direction.HIGHER else worst - d for d in (one, other)]
    with np.errstate(divide="ignore"):
        volumes = [float(np.log(d).sum()) for d in heights]
    return {
        "coverage": (1 - down / gain.size, 1 - up / gain.size),
        "hypervolume": (volumes[0], volumes[1]),
        "max": (one.max(), other.max()),
        "mean": (one.mean(), other.mean()),
        "min": (one.min(), other.min()),
        "rank": (float(np.linalg.norm(one - best)), float(np.linalg.norm(other - best))),
        "spread": (np.maximum(gain, 0).sum(), np.maximum(-gain, 0).sum()),
        "strictly-better": (up, down),
        "sum": (one.sum(), other.sum()),
    }


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="sfumato-comparison-") as folder:
        path = Path(folder) / "rows.parquet"
        generate(path, rows=ROWS, columns=COLUMNS)
        study = generated_study(path, columns=COLUMNS, objectives=("k", "loss"))
        table, problem = study.count_table, study.problem
    both = [
        anonymization_of(problem, dict(zip(COLUMN_NAMES, levels, strict=True)), label=name)
        for name, levels in LEVELS.items()
    ]
    print(
        f"{table.rows:,} rows, {table.cells:,} cells, {table.entry_counts.shape[0]:,} with their "
        f"sensitive value; {both[0].classes:,} and {both[1].classes:,} classes"
    )
    first_time = timed(lambda: compare_anonymizations(both[0], both[1], comparators=INDICES))
    compared = quickest(lambda: compare_anonymizations(both[0], both[1], comparators=INDICES))
    vectors = compared.result.vectors
    everything = quickest(lambda: compare_anonymizations(both[0], both[1]))
    shown = timed(lambda: compute_comparison(everything.result, source="rows.parquet"))

    counts = table.entry_counts
    rows = {
        name: (np.repeat(a.group_of, counts), np.repeat(b.group_of, counts))
        for name, (a, b) in vectors.items()
    }
    baseline = quickest(
        lambda: {name: expanded_indices(pair, rows[name]) for name, pair in vectors.items()}
    )
    sizes = quickest(
        lambda: compare_anonymizations(
            both[0], both[1], properties="class-size", comparators=INDICES
        )
    )
    sizes_baseline = quickest(lambda: expanded_indices(vectors["class-size"], rows["class-size"]))
    for name, verdicts in compared.result.verdicts.items():
        for verdict in verdicts:
            expected = baseline.result[name][verdict.comparator]
            assert np.allclose((verdict.first, verdict.second), expected, rtol=1e-9), verdict

    print(f"{len(vectors)} properties by {len(INDICES)} indices, the same metrics to 9 digits:")
    print(f"NumPy, every row      {baseline.wall:8.2f} s  (values of groups given)")
    print(f"by classes            {compared.wall:8.2f} s  (asked: under 1 s)")
    print(f"by classes, at first  {first_time.wall:8.2f} s  (sensitive values grouped)")
    print(f"ratio                 {baseline.wall / compared.wall:8.1f} ×")
    print(
        f"class size alone      {sizes.wall:8.2f} s, NumPy {sizes_baseline.wall:.2f} s, ratio "
        f"{sizes_baseline.wall / sizes.wall:.1f} ×"
    )
    print(f"with set comparators  {everything.wall:8.2f} s")
    print(f"what its page shows   {shown.wall:8.2f} s more")


if __name__ == "__main__":
    main()
