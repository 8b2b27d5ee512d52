"""``python -m tools.hospital``: replace the shipped tables, or make others in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.hospital.make import PATIENTS, SEED, make_hospital, ship


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(prog="python -m tools.hospital", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="default: the tables of the package")
    parser.add_argument("--patients", type=int, default=PATIENTS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv")
    given = parser.parse_args()
    if given.folder is None:
        ship()
    else:
        make_hospital(given.folder, patients=given.patients, seed=given.seed, format=given.format)


if __name__ == "__main__":
    main()
