"""The errors that sfumato raises on purpose: one family, with fields and one way to word them.

Anything else that escapes is an internal error of sfumato, not a mistake in the user's input.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, Self

from sfumato.errors.listing import listed
from sfumato.errors.suggestions import closest, did_you_mean
from sfumato.errors.where import Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "HierarchyError",
    "ReleaseError",
    "SettingsError",
    "SfumatoError",
    "SourceError",
    "UnmetError",
    "Where",
    "located",
    "shown",
]

_KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOST_EXPECTED = 50


def shown(value: object) -> str:
    """Return how an error may show a setting: never the rows of a table given by mistake.

    >>> shown("k"), shown([1, 2])
    ("'k'", 'a list')
    """
    plain = value is None or isinstance(value, str | bool | int | float | PurePath)
    return repr(value) if plain else f"a {type(value).__name__}"


class SfumatoError(Exception):
    """The base of every error that sfumato raises on purpose.

    ``code`` names the kind of problem and stays the same when the words change. ``where`` is the
    place, ``found`` the setting as `shown`, ``expected`` what it must be: a condition or the
    choices, ``suggestion`` the name or value that was most likely meant. The sentence is made of
    them; ``problem`` says what they cannot, ``remedy`` what to do about it. ``excerpt`` is a text
    that was read as a formula, shown with a caret below ``where.character``. No field holds a row
    or an identifier.

    >>> print(SettingsError(code="out-of-range", key="k", found="0", expected="at least 1"))
    k is 0; it must be at least 1
    >>> print(SourceError("there is no column 'Age'", code="unknown-column", suggestion="age",
    ...                   file="people.csv", column="Age", expected=("age", "zip")))
    people.csv: there is no column 'Age' (did you mean 'age'?); expected one of 'age', 'zip'
    """

    generic_code: ClassVar[str] = "error"

    def __init__(
        self,
        problem: str | None = None,
        *,
        code: str | None = None,
        file: object = None,
        table: str | None = None,
        column: str | None = None,
        key: str | None = None,
        line: int | None = None,
        character: int | None = None,
        found: str | None = None,
        expected: str | Sequence[str] | None = None,
        suggestion: str | None = None,
        remedy: str | None = None,
        excerpt: str | None = None,
    ) -> None:
        self.problem = problem
        self.code = code or self.generic_code
        self.where = Where(
            file=None if file is None else str(file),
            table=table,
            column=column,
            key=key,
            line=line,
            character=character,
        )
        self.found = found
        self.expected = expected if isinstance(expected, str | None) else tuple(expected)
        self.suggestion = suggestion
        self.remedy = remedy
        self.excerpt = excerpt
        if not _KEBAB_CASE.fullmatch(self.code):
            raise ValueError(f"the code of an error is {self.code!r}; it must be in kebab-case")
        if problem is None and found is None:
            raise ValueError(f"the error {self.code} needs a problem or what was found")
        # Unpickling calls the class with these arguments and then restores the fields.
        super().__init__(str(self))

    @classmethod
    def unknown_choice(
        cls, key: str, given: object, choices: Iterable[str], *, file: object = None
    ) -> Self:
        """Return the error for a setting that is not one of the choices; it suggests the closest.

        >>> print(SettingsError.unknown_choice("policy", "dorp", ["category", "drop"]))
        policy is 'dorp' (did you mean 'drop'?); it must be one of 'category', 'drop'
        """
        known = tuple(map(str, choices))
        return cls(
            code="unknown-choice",
            file=file,
            key=key,
            found=shown(given),
            expected=known,
            suggestion=closest(str(given), known),
        )

    def located(
        self,
        *,
        file: object = None,
        table: str | None = None,
        column: str | None = None,
        key: str | None = None,
    ) -> Self:
        """Add what the caller knows about the place; what is known already stays.

        >>> error = SettingsError(code="out-of-range", key="unit", found="0")
        >>> print(error.located(file="study.toml", table="[columns.age]"))
        study.toml: [columns.age] unit is 0
        """
        outer = Where(file=None if file is None else str(file), table=table, column=column, key=key)
        self.where = self.where.inside(outer)
        return self

    def to_json(self) -> dict[str, object]:
        """Return the sentence and the fields that are known, for machines."""
        known: dict[str, object] = {
            "found": self.found,
            "expected": list(self.expected) if isinstance(self.expected, tuple) else self.expected,
            "suggestion": self.suggestion,
            "excerpt": self.excerpt,
        }
        fields: dict[str, object] = {name: each for name, each in known.items() if each is not None}
        return {"code": self.code, "message": str(self), "where": self.where.to_json()} | fields

    def __str__(self) -> str:
        """Return the sentence: the place, the problem, what was meant and what would work."""
        if self.problem is None:
            statement = f"{str(self.where) or 'the setting'} is {self.found}"
        else:
            place = self.where.before(self.problem)
            statement = f"{place}: {self.problem}" if place else self.problem
        ways = [self._demand(), self.remedy]
        sentence = "; ".join([statement + did_you_mean(self.suggestion), *filter(None, ways)])
        return sentence + self._pointer()

    def _pointer(self) -> str:
        """Return the excerpt on a line of its own, with a caret below the character."""
        if self.excerpt is None:
            return ""
        line = re.sub(r"\s", " ", self.excerpt)
        caret = "" if self.where.character is None else f"\n    {' ' * (self.where.character - 1)}^"
        return f"\n    {line}{caret}"

    def _demand(self) -> str:
        if not self.expected:
            return ""
        demand = "expected" if self.problem is not None else "it must be"
        if isinstance(self.expected, str):
            return f"{demand} {self.expected}"
        one_of = "one of " if len(self.expected) > 1 else ""
        return f"{demand} {one_of}{listed(self.expected, most=_MOST_EXPECTED)}"


class SourceError(SfumatoError):
    """A data source cannot be read, or does not hold what the study says it holds."""

    generic_code = "invalid-source"


class HierarchyError(SfumatoError):
    """A hierarchy is malformed, or does not fit the values of its column."""

    generic_code = "invalid-hierarchy"


class SettingsError(SfumatoError, ValueError):
    """A setting is out of range, unknown, or contradicts another one."""

    generic_code = "invalid-setting"


class ReleaseError(SfumatoError):
    """A release cannot be written; nothing was left at its destination."""

    generic_code = "release-failed"


class UnmetError(SfumatoError):
    """The work was done and what was asked for does not hold: no solution fits, a promise fails."""

    generic_code = "unmet"


@contextmanager
def located(
    *,
    file: object = None,
    table: str | None = None,
    column: str | None = None,
    key: str | None = None,
) -> Iterator[None]:
    """Add what is known about the place to the errors that are raised inside.

    >>> with located(file="study.toml", table="[columns.age]"):
    ...     raise SettingsError(code="out-of-range", key="unit", found="0")
    Traceback (most recent call last):
    ...
    sfumato.errors.SettingsError: study.toml: [columns.age] unit is 0
    """
    try:
        yield
    except SfumatoError as error:
        error.located(file=file, table=table, column=column, key=key)
        raise
