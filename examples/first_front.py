"""A first front: from a file of 5,000 made-up patients to every recoding worth considering.

Run it with ``python examples/first_front.py``; it needs nothing but sfumato.
"""

from __future__ import annotations

import csv
import random
import tempfile
from pathlib import Path

import sfumato as sf

DIAGNOSES = ("flu", "asthma", "diabetes", "angina", "migraine", "hepatitis", "fracture")


def write_patients(path: Path, *, rows: int = 5_000, seed: int = 1) -> None:
    """Write made-up patients: ages and places as skewed as real ones, some rare people."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "age", "zip", "sex", "diagnosis"])
        for number in range(rows):
            age = min(99, max(18, round(rng.gauss(52, 19))))
            district = rng.choices(["2412", "2413", "2417", "2630", "2633", "9950"], k=1)[0]
            zip_code = f"{district}{min(9, int(rng.expovariate(0.6)))}"
            sex = rng.choice("FM")
            weights = [8, 5, 1 + age / 12, 1 + age / 20, 4, 1, 3]
            diagnosis = rng.choices(DIAGNOSES, weights)[0]
            writer.writerow([f"patient {number}", age, zip_code, sex, diagnosis])


def main() -> None:
    """Search the whole trade-off between k, diversity and loss, and look at one solution."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "patients.csv"
        write_patients(path)
        study = sf.Study(
            source=path,
            attributes=[
                sf.identifying("name"),
                sf.quasi_identifying("age", sf.Intervals(widths=(5, 10, 20, 40), low=18, high=99)),
                sf.quasi_identifying("zip", sf.Prefixes()),
                sf.quasi_identifying("sex", sf.Flat()),
                sf.sensitive("diagnosis"),
            ],
            objectives=["k", "distinct-l", "normalized-loss"],
            suppression=sf.limited(0.01),
        )
        result = study.search()
        print(
            f"{study.count_table.rows:,} rows, {result.nodes} recodings, "
            f"{len(result.front)} that no other one beats "
            f"({'exact' if result.exact else 'not exact'}, {result.method})\n"
        )
        print("  id     k   l    loss  suppressed  levels")
        for solution in result.front:
            values = solution.values
            levels = ", ".join(f"{name}={level}" for name, level in solution.levels.items())
            print(
                f"{solution.id:4} {values['k']:5.0f} {values['distinct-l']:3.0f} "
                f"{values['normalized-loss']:7.1%} {solution.suppressed:11}  {levels}"
            )

        wanted = [s for s in result.front if s.values["k"] >= 5]
        chosen = min(wanted, key=lambda s: s.values["normalized-loss"])
        print(f"\nThe least loss with k >= 5 is solution {chosen.id}. All its figures:\n")
        figures = study.evaluate(chosen)
        for name, value in figures.values.items():
            print(f"  {name:16} {value:14,.3f}")


if __name__ == "__main__":
    main()
