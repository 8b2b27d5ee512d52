"""How an error shows the settings and values that broke a rule."""

from __future__ import annotations

from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def shown(value: object) -> str:
    """Return how an error may show a setting: never the rows of a table given by mistake.

    >>> shown("k"), shown([1, 2])
    ("'k'", 'a list')
    """
    if isinstance(value, str):
        return repr(str(value))
    plain = value is None or isinstance(value, bool | int | float | PurePath)
    return repr(value) if plain else f"a {type(value).__name__}"


def listed(values: Collection[str], *, most: int = 10) -> str:
    """Return the values quoted and separated by commas, the first ``most`` of them.

    >>> listed(["a", "b"])
    "'a', 'b'"
    >>> listed(["a", "b", "c", "d"], most=2)
    "'a', 'b', … and 2 more"
    """
    return joined([repr(value) for value in islice(values, most)], total=len(values))


def joined(parts: Collection[str], *, total: int, separator: str = ", ") -> str:
    """Return the parts separated, with a count of those that are not shown.

    >>> joined(["'a' (lines 1 and 2)"], total=3)
    "'a' (lines 1 and 2), … and 2 more"
    """
    hidden = total - len(parts)
    ending = [f"… and {hidden:,} more"] if hidden > 0 else []
    return separator.join([*parts, *ending])


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "leaf", "leaves"), counted(1200, "value")
    ('1 leaf', '1,200 values')
    """
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
