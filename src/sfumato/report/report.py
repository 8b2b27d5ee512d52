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


def check_report_path(run: Run, path: Path, *, force: bool) -> None:
    """Refuse a place that a report must not take: a folder, the run's own files, other work.

    With ``force`` a file is replaced, and only one that is HTML: never data or a study.
    """
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file in it, such as {path}/report.html")
    if not path.exists():
        return
    for what, other in {
        "the source of the run": Path(run.source.path),
        "the study of the run": run.study_file.path,
    }.items():
        if other.exists() and path.samefile(other):
            raise SettingsError(
                f"{path} is {what}, and is never replaced; name another file with -o"
            )
    if not _is_html(path):
        raise SettingsError(
            f"{path} exists and is no HTML, so a report does not replace it; name another file "
            "with -o"
        )
    if not force:
        raise SettingsError(f"{path} exists; name another file with -o, or replace it with --force")


def _is_html(path: Path) -> bool:
    """Say whether a file begins as a page does, or is empty."""
    try:
        with path.open("rb") as file:
            start = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror or error}") from None
    return not start or start.startswith((b"<!doctype html", b"<html"))


def write_report(run: Run, path: Path, *, picked: int | None = None) -> None:
    """Write the report of a run, opening with the picked solution, or else with the knee.

    The file opens offline in any browser and asks nothing of any network. It holds figures of
    the table before it was recoded, so only its owner may read it. It appears whole or not at
    all; a page that was there is replaced, any other file is not.
    """
    check_report_path(run, path, force=True)
    text = page(compute_report(run, picked=picked))
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
