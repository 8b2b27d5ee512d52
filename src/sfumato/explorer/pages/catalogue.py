"""All pages of the explorer, by their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.explorer.pages.compare import compare_page
from sfumato.explorer.pages.data import data_page
from sfumato.explorer.pages.front import front_page
from sfumato.explorer.pages.hierarchies import hierarchies_page
from sfumato.explorer.pages.release import release_page
from sfumato.explorer.pages.search import search_page
from sfumato.explorer.pages.start import start_page
from sfumato.explorer.pages.study import study_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.explorer.workplace import Workplace

PAGES: tuple[Callable[[Workplace], None], ...] = (
    start_page,
    data_page,
    hierarchies_page,
    search_page,
    front_page,
    compare_page,
    release_page,
    study_page,
)


def register_pages(workplace: Workplace) -> None:
    """Serve every page for a workplace."""
    for page in PAGES:
        page(workplace)
