"""The files of a run folder: their names, and how the records among them are opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sfumato
from sfumato.errors import SettingsError
from sfumato.study.file.study_copy import HIERARCHIES
from sfumato.study.runs.run_json import FORMAT, KIND

STUDY, AS_WRITTEN = "study.toml", "study-as-written.toml"
RUN, FRONT, FRONT_TABLE = "run.json", "front.json", "front.csv"
STATE = "state.json"
REPORT = "report.html"
RELEASES = "releases"
"""The private certificates of releases: they outlive the run that they were made from."""
OURS = frozenset({STUDY, AS_WRITTEN, RUN, FRONT, FRONT_TABLE, STATE, HIERARCHIES, REPORT, RELEASES})
"""What may be in a run folder that is replaced; other files are somebody's work."""


def is_run_folder(folder: str | Path) -> bool:
    """Say whether a folder looks like that of a run, whatever its state."""
    return (Path(folder) / RUN).is_file()


def read_record(folder: Path, name: str) -> dict[str, Any]:
    """Return a JSON file of a run folder, or refuse what is none of ours."""
    try:
        record = json.loads((folder / name).read_bytes())
    except FileNotFoundError:
        raise SettingsError(
            f"{folder} is no run folder: it has no {name}; give a folder that "
            "'sfumato search STUDY -o RUN' wrote"
        ) from None
    except OSError as error:
        raise SettingsError(f"{folder / name} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise broken_run(folder, f"{name} is no JSON ({error})") from None
    if not isinstance(record, dict) or record.get("kind") != KIND:
        raise SettingsError(
            f"{folder} is no run folder: its {name} is not ours; give a folder that "
            "'sfumato search STUDY -o RUN' wrote"
        )
    if record.get("format") != FORMAT:
        raise SettingsError(
            f"{folder} has the format {record.get('format')!r} and this sfumato "
            f"({sfumato.__version__}) reads {FORMAT}; search again with this version"
        )
    return record


def broken_run(folder: Path, reason: str) -> SettingsError:
    """Return the error for a folder that is no longer as it was written."""
    return SettingsError(f"the run folder {folder} is broken: {reason}; search again")
