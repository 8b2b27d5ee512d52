"""The words of a column's name."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae"})


def column_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's name, in small letters without accents.

    >>> column_words("PatientID"), column_words("code_postal"), column_words("Straße Nr. 2")
    (('patient', 'id'), ('code', 'postal'), ('strasse', 'nr', '2'))
    """
    plain = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return tuple(re.findall(r"[^\W\d_]+|\d+", split.casefold()))


def tells(words: Iterable[str], known: frozenset[str]) -> bool:
    """Say whether one of the words, or two neighbours written as one, is known.

    >>> tells(column_words("last name"), frozenset(["lastname"]))
    True
    """
    listed = list(words)
    pairs = [first + second for first, second in pairwise(listed)]
    return any(word in known for word in (*listed, *pairs))
