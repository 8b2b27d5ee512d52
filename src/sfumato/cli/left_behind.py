"""The offer to remove what killed commands left behind, made by the next one."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.cli.output import Output


def tell_what_was_left(output: Output, *places: Path) -> None:
    """Warn of what processes that have ended left beside some places or among temporary files."""
    from sfumato.documents.leftovers import ended
    from sfumato.errors.listing import counted

    folders = dict.fromkeys(place.absolute().parent for place in places)
    found = ended([*folders, Path(tempfile.gettempdir())])
    if found:
        given = " ".join(shlex.quote(str(folder)) for folder in folders)
        output.warn(
            f"{counted(len(found), 'private folder')} of commands that were killed may hold rows "
            f"of your data; see and remove them with: sfumato tidy {given} --remove"
        )
