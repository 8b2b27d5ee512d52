"""Which members of other packages take part in a study, to record them or to refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.plugins.offers import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.plugins.origin import Origin


def plugins_among(members: Iterable[object]) -> dict[str, Origin]:
    """Return the origin of every member that is not built in, by its text.

    Members are objects of any family: measures, searches, comparators.

    >>> from sfumato.measures.privacy.k import K
    >>> plugins_among([K()])
    {}
    """
    origins = {str(member): origin_of(member) for member in members}
    return {text: origin for text, origin in sorted(origins.items()) if not origin.built_in}


def refuse_plugins(members: Iterable[object]) -> None:
    """Refuse members that are not built in, and say whose they are."""
    found = plugins_among(members)
    if found:
        used = ", ".join(f"{text!r} (of {origin})" for text, origin in found.items())
        raise SettingsError(
            f"plug-ins are refused here, and the study uses {used}",
            code="plug-in",
            found=used,
            remedy="use built-in members only, or allow plug-ins",
        )
