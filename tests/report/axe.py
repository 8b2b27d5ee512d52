"""axe-core, which looks for what people with disabilities stumble over, in an open page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.report.browser import Browser

LOOK = """
const done = arguments[arguments.length - 1];
window.axe.run(document, { resultTypes: ['violations'] }).then((found) => done(
  found.violations.map(({ id, impact, nodes }) => [
    id, impact, nodes.map((node) => node.html.slice(0, 200))])));
"""


def lacking_axe() -> str:
    """Return why axe cannot be run, nothing if it can."""
    given = os.environ.get("SFUMATO_AXE")
    if given is None:
        return "SFUMATO_AXE does not name axe.min.js of the npm package axe-core"
    return "" if Path(given).is_file() else f"there is no file {given}"


def serious_faults(page: Browser) -> list[str]:
    """Return what axe calls serious or critical in the page that is open."""
    script = Path(os.environ["SFUMATO_AXE"]).read_text(encoding="utf-8")
    page.run(f"{script}; window.axe = axe;")
    found = page.ask("POST", "/execute/async", {"script": LOOK, "args": []})
    return [
        f"{rule} ({impact}): {', '.join(places)}"
        for rule, impact, places in found
        if impact in ("serious", "critical")
    ]
