"""How long the first import and the first compilation take."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

TIMES = 7
IMPORT = "import time; t = time.perf_counter(); import sfumato; print(time.perf_counter() - t)"
KERNELS = (
    "import time; t = time.perf_counter(); "
    "from sfumato.classes.compilation import load_kernels; load_kernels(); "
    "print(time.perf_counter() - t)"
)


def seconds(code: str, cache: str | None = None) -> float:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout
    return float(shown)


def main() -> None:
    imports = [seconds(IMPORT) for _ in range(TIMES)]
    print(f"import sfumato           {statistics.median(imports):6.3f} s  (asked: under 0.3 s)")
    with tempfile.TemporaryDirectory() as cache:
        first = seconds(KERNELS, cache)
        later = statistics.median(seconds(KERNELS, cache) for _ in range(TIMES))
    print(f"kernels, first use       {first:6.2f} s  (asked: under 15 s)")
    print(f"kernels, from the cache  {later:6.2f} s")


if __name__ == "__main__":
    main()
