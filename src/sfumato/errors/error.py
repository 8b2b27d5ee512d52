"""The base of all errors: what they carry, and the one place that makes the sentence of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Self

from sfumato.errors.hint import Hint
from sfumato.errors.listing import counted, listed, shown
from sfumato.errors.suggestions import closest, did_you_mean
from sfumato.errors.where import Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOST_EXPECTED = 50


class SfumatoError(Exception):
    """The base of every error that sfumato raises on purpose.

    ``code`` names the kind of problem and stays the same when the words change. ``where`` is the
    place, ``found`` the setting as `shown`, ``expected`` what it must be: a condition or the
    choices, ``suggestion`` the name or value that was most likely meant. The sentence is made of
    them; ``problem`` says what they cannot, ``remedy`` what to do about it, a `Hint` where Python
    and a study file say it differently. ``excerpt`` is a text that was read as a formula, shown
    with a caret below ``where.character``. ``problems`` are the errors that this one reports
    together. No field holds a row or an identifier.

    >>> print(SfumatoError(code="out-of-range", key="k", found="0", expected="at least 1"))
    k is 0; it must be at least 1
    >>> print(SfumatoError("there is no column 'Age'", code="unknown-column", suggestion="age",
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
        remedy: str | Hint | None = None,
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
        self.remedy = remedy.python if isinstance(remedy, Hint) else remedy
        self._in_file = remedy.file if isinstance(remedy, Hint) else None
        self.excerpt = excerpt
        self.problems: tuple[SfumatoError, ...] = ()
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

        >>> print(SfumatoError.unknown_choice("policy", "dorp", ["category", "drop"]))
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

    @classmethod
    def unreadable(
        cls,
        path: object,
        error: OSError,
        *,
        expected: str | None = None,
        remedy: str | None = None,
    ) -> Self:
        """Return the error for a file that the system does not let us read.

        >>> print(SfumatoError.unreadable("a.csv", PermissionError(13, "Permission denied")))
        a.csv cannot be read: Permission denied
        """
        problem = f"{path} cannot be read: {error.strerror or error}"
        return cls(problem, code="unreadable-file", file=path, expected=expected, remedy=remedy)

    @classmethod
    def unwritable(cls, path: object, error: OSError, *, remedy: str | None = None) -> Self:
        """Return the error for a file or folder that the system does not let us write.

        >>> full = OSError(28, "No space left on device")
        >>> print(SfumatoError.unwritable("a.csv", full, remedy="name another file"))
        a.csv cannot be written: No space left on device; name another file
        """
        problem = f"{path} cannot be written: {error.strerror or error}"
        return cls(problem, code="unwritable-file", file=path, remedy=remedy)

    @classmethod
    def wrong_setting(cls, key: str, given: object, expected: str, *, code: str) -> Self:
        """Return the error for a setting that is not what it must be.

        >>> print(SfumatoError.wrong_setting("k", 0, "at least 1", code="out-of-range"))
        k is 0; it must be at least 1
        """
        return cls(code=code, key=key, found=shown(given), expected=expected)

    @classmethod
    def several(cls, problems: Sequence[SfumatoError], *, file: object) -> Self:
        """Return one error for several problems of a file, which it carries.

        >>> wrong = [SfumatoError(code="out-of-range", file="a.toml", key=key, found="0")
        ...          for key in ("k", "unit")]
        >>> print(SfumatoError.several(wrong, file="a.toml"))
        a.toml: 2 problems:
        - k is 0
        - unit is 0
        """
        lines = "".join(f"\n- {str(each).removeprefix(f'{file}: ')}" for each in problems)
        error = cls(
            f"{counted(len(problems), 'problem')}:{lines}", code="several-problems", file=file
        )
        error.problems = tuple(problems)
        return error

    def located(
        self,
        *,
        file: object = None,
        table: str | None = None,
        column: str | None = None,
        key: str | None = None,
    ) -> Self:
        """Add what the caller knows about the place; what is known already stays.

        >>> error = SfumatoError(code="out-of-range", key="unit", found="0")
        >>> print(error.located(file="study.toml", table="[columns.age]"))
        study.toml: [columns.age] unit is 0
        """
        outer = Where(file=None if file is None else str(file), table=table, column=column, key=key)
        self.where = self.where.inside(outer)
        return self

    def in_file_syntax(self) -> Self:
        """Say what would help as a study file or an option says it, where that differs.

        >>> hint = Hint(python="set header=True", file="set header = true under [source]")
        >>> print(SfumatoError("there is no header", remedy=hint).in_file_syntax())
        there is no header; set header = true under [source]
        """
        self.remedy = self._in_file or self.remedy
        for each in self.problems:
            each.in_file_syntax()
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
        if self.problems:
            fields["problems"] = [each.to_json() for each in self.problems]
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
