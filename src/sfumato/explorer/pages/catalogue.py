"""All pages of the explorer, by their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.explorer.pages.data import data_page
from sfumato.explorer.pages.front import front_page
from sfumato.explorer.pages.search import search_page
from sfumato.explorer.pages.start import start_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.explorer.workplace import Workplace

PAGES: tuple[Callable[[Workplace], None], ...] = (start_page, data_page, search_page, front_page)


def register_pages(workplace: Workplace) -> None:
    """Serve every page for a workplace."""
    for page in PAGES:
        page(workplace)
