"""The files of a run folder: their names, and how the records among them are opened."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

import sfumato
from sfumato.documents.nesting import parsed_json
from sfumato.errors import SettingsError, shown
from sfumato.study.file.study_copy import HIERARCHIES
from sfumato.study.runs.run_records import FORMAT, KIND, RunFile

File = TypeVar("File", bound=RunFile)

STUDY, AS_WRITTEN = "study.toml", "study-as-written.toml"
RUN, FRONT, FRONT_TABLE = "run.json", "front.json", "front.csv"
STATE = "state.json"
REPORT = "report.html"
UTILITY = "utility.json"
"""What analysts can still do with a solution: sfumato utility writes it, the report shows it."""
RELEASES = "releases"
"""The private certificates of releases: they outlive the run that they were made from."""
OURS = frozenset(
    {STUDY, AS_WRITTEN, RUN, FRONT, FRONT_TABLE, STATE, HIERARCHIES, REPORT, UTILITY, RELEASES}
)
"""What may be in a run folder that is replaced; other files are somebody's work."""


def is_run_folder(folder: str | Path) -> bool:
    """Say whether a folder looks like that of a run, whatever its state."""
    return (Path(folder) / RUN).is_file()


def read_record(folder: Path, name: str, model: type[File]) -> File:
    """Return a JSON file of a run folder, or refuse what is not one of this version."""
    content = read_ours(folder, name)
    if content.get("format") != FORMAT:
        raise SettingsError(
            f"{folder} has the format {content.get('format')!r} and this sfumato "
            f"({sfumato.__version__}) reads {FORMAT}",
            code="other-version",
            file=folder,
            found=shown(content.get("format")),
            remedy="search again with this version",
        )
    try:
        return model.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = " ".join(map(str, first["loc"]))
        raise broken_run(folder, f"{name} was changed, at {place}") from None


def read_ours(folder: Path, name: str) -> dict[str, object]:
    """Return a JSON file of a run folder of any version, or refuse what is not ours."""
    try:
        content = parsed_json((folder / name).read_bytes())
    except FileNotFoundError:
        raise _not_a_run(folder, f"it has no {name}") from None
    except OSError as error:
        raise SettingsError.unreadable(folder / name, error) from None
    except ValueError as error:
        raise broken_run(folder, f"{name} is not JSON ({error})") from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise _not_a_run(folder, f"its {name} is not ours")
    return content


def _not_a_run(folder: Path, reason: str) -> SettingsError:
    return SettingsError(
        f"{folder} is not a run folder: {reason}",
        code="not-a-run-folder",
        file=folder,
        remedy="give a folder that 'sfumato search STUDY -o RUN' wrote",
    )


def broken_run(folder: Path, reason: str) -> SettingsError:
    """Return the error for a folder that is no longer as it was written."""
    return SettingsError(
        f"the run folder {folder} is broken: {reason}",
        code="broken-run-folder",
        file=folder,
        remedy="search again",
    )
