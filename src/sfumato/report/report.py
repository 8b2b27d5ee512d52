"""Writing the report of a run: one HTML file that needs nothing else."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.report.computing import compute_report
from sfumato.report.page import page

if TYPE_CHECKING:
    from sfumato.study.run import Run


def write_report(run: Run, path: Path, *, picked: int | None = None) -> None:
    """Write the report of a run, opening with the picked solution, or else with the knee.

    The file opens offline in any browser and asks nothing of any network. It holds figures of
    the table before it was recoded, so only its owner may read it. It appears whole or not at
    all; a file that was there is replaced.
    """
    text = page(compute_report(run, picked=picked))
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file in it, such as {path}/report.html")
    temporary = None
    try:
        # The temporary file is made with mode 0600, which the move keeps.
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".report-", suffix=".html")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsError(
            f"the report cannot be written to {path}: {reason}; name a file in a folder that "
            "exists and that you may write to"
        ) from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
