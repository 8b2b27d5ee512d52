"""The form under which names are looked up: accents, case and signs play no part."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})


_SIGNS = frozenset("<>≤≥=+%#*/&")


def spelling(value: str) -> str:
    """Return what spellings of one value have in common; signs of comparison count.

    >>> spelling("Nord-West ") == spelling("NORD WEST"), spelling("<5 days") == spelling(">5 days")
    (True, False)
    """
    if not any(map(str.isalpha, value)):
        return value.strip()
    return plain_text(value) + "".join(character for character in value if character in _SIGNS)


@lru_cache(maxsize=100_000)
def plain_text(text: str) -> str:
    """Return a text in small letters without accents, its words with one blank between.

    >>> plain_text(" Côte-d'Ivoire "), plain_text("MÜNCHEN"), plain_text("męż.")
    ('cote d ivoire', 'munchen', 'mez')
    """
    split = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    letters = "".join(c for c in split if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+|[+&]", letters))
