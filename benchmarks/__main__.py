"""``python -m benchmarks``: all benchmarks, one after the other, each with its tables for docs/.

``python -m benchmarks NAME …`` runs some. Those that take an hour or a cluster's patience
(``billion``, ``spark``) run only if they are named.
"""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parent
PARTS = (
    "coarser_adult", "finer_adult", "generated", "measuring", "numpy_regrouping", "phases",
    "__main__",
)  # fmt: skip
"""What benchmarks are made of."""

LONG = ("billion", "spark")


def names() -> list[str]:
    found = [module.name for module in pkgutil.iter_modules([str(FOLDER)])]
    return [name for name in found if name not in PARTS]


def main() -> None:
    known = names()
    asked = sys.argv[1:] or [name for name in known if name not in LONG]
    unknown = [name for name in asked if name not in known]
    if unknown:
        sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
    failed = []
    for name in asked:
        print(f"\n`python -m benchmarks.{name}`\n", flush=True)
        started = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False)
        print(f"\n{name}: {time.perf_counter() - started:.0f} s", flush=True)
        if done.returncode:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
