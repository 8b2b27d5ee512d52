"""``python -m tools.fuzz_releases --count 5000 --seed 1``: release random studies, check them."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tools.fuzz_releases.trial import Trial, run_trial

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, run the studies, and report; 1 if there are faults."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz_releases", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many studies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first study")
    parser.add_argument("--only", type=int, help="run the study of this number alone")
    parser.add_argument("--keep", type=Path, help="with --only: a folder for its files")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--spark", type=int, default=0, help="so many studies more, on Spark")
    given = parser.parse_args(arguments)
    if given.only is not None:
        spark = given.spark > 0
        trials: list[Trial] = [run_trial(given.seed, given.only, given.keep, spark=spark)]
    else:
        numbers = range(given.first, given.first + given.count)
        trials = list(_told(_run(given.seed, numbers, given.processes), given.count))
        on_spark = range(given.first, given.first + given.spark)
        slow = (run_trial(given.seed, number, spark=True) for number in on_spark)
        trials += _told(slow, given.spark)
    for line in report(trials, seed=given.seed):
        print(line)
    return int(any(trial.faults for trial in trials))


def _run(seed: int, numbers: range, processes: int) -> Iterator[Trial]:
    run = partial(run_trial, seed)
    if processes == 1:
        yield from map(run, numbers)
        return
    with ProcessPoolExecutor(max_workers=processes) as pool:
        yield from pool.map(run, numbers, chunksize=10)


def _told(trials: Iterable[Trial], count: int) -> Iterator[Trial]:
    """Say how far it is, and every fault as it is found."""
    started = time.monotonic()
    for done, trial in enumerate(trials, start=1):
        for fault in trial.faults:
            print(f"study {trial.number}: {fault}", file=sys.stderr, flush=True)
        if done % 50 == 0:
            seconds = time.monotonic() - started
            print(f"{done} of {count} in {seconds:.0f} s", file=sys.stderr, flush=True)
        yield trial


def report(trials: Sequence[Trial], *, seed: int) -> Iterator[str]:
    """Yield the lines of the report: counts, kinds, what was recomputed, and faults to replay."""
    refused = Counter(trial.refused for trial in trials if trial.refused)
    faulty = [trial for trial in trials if trial.faults]
    released = [trial for trial in trials if not trial.refused and not trial.faults]
    yield f"seed {seed}: {len(trials)} studies, {len(released)} released and recomputed without "
    yield f"fault, {sum(refused.values())} refused, {len(faulty)} with faults"
    if refused:
        yield "refused: " + ", ".join(f"{code} {times}" for code, times in refused.most_common())
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for trial in released:
        for heading, kind in trial.kinds.items():
            kinds[heading][kind] += 1
    for heading, found in kinds.items():
        yield f"{heading}: " + ", ".join(f"{kind} {n}" for kind, n in found.most_common())
    recomputed = Counter(name for trial in released for name in trial.recomputed)
    yield f"recomputed {sum(recomputed.values())} values: " + ", ".join(
        f"{name} {times}" for name, times in recomputed.most_common()
    )
    unknown = Counter(name for trial in released for name in trial.unknown)
    yield "not recomputed: " + ", ".join(sorted(unknown))
    rows = sum(trial.counts.get("rows", 0) for trial in released)
    gone = sum(trial.counts.get("suppressed", 0) for trial in released)
    yield f"{rows} rows released, {gone} suppressed"
    for trial in faulty:
        yield f"study {trial.number}: {'; '.join(trial.faults)[:600]}"
        engine = " --spark 1" if trial.spark else ""
        replayed = f"--seed {seed} --only {trial.number}{engine}"
        yield f"  python -m tools.fuzz_releases {replayed} --keep DIR"


if __name__ == "__main__":
    sys.exit(main())
