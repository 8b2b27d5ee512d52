"""The tables of a study file, read key by key with errors that name the place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError, SfumatoError
from sfumato.errors.listing import listed
from sfumato.study.file.toml_text import key_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_SHOWN = 60
"""The greatest length at which a message shows a value as it is written."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a question that suggests the most similar name, or nothing.

    >>> nearest("Hierachy", ["role", "hierarchy"])
    " (did you mean 'hierarchy'?)"
    """
    by_spelling = {_spelling(each): each for each in known}
    close = difflib.get_close_matches(_spelling(name), by_spelling, n=1, cutoff=0.6)
    return f" (did you mean {by_spelling[close[0]]!r}?)" if close else ""


def _spelling(name: str) -> str:
    return name.casefold().replace("_", "-")


@dataclass(frozen=True, kw_only=True)
class StudyTable:
    """A table of a study file; ``place`` is how the file names it, such as ``[columns.age]``.

    Every key must be among ``known``. ``elsewhere`` says to which table other keys belong.
    """

    file: Path
    place: str
    values: Mapping[str, object]
    known: tuple[str, ...]
    elsewhere: Mapping[str, str]

    def __post_init__(self) -> None:
        for key in self.values:
            if key in self.known:
                continue
            home = self.elsewhere.get(key)
            hint = f"; it belongs under {home}" if home else nearest(key, self.known)
            raise SettingsError(
                f"{self.file}: {self.place} has no key {key!r}{hint}; its keys are "
                f"{', '.join(self.known)}"
            )

    @classmethod
    def of(
        cls,
        value: object,
        *,
        file: Path,
        place: str,
        known: Sequence[str],
        elsewhere: Mapping[str, str] | None = None,
    ) -> StudyTable:
        """Return a value as a table, or refuse what is none."""
        if not isinstance(value, Mapping):
            raise SettingsError(
                f"{file}: {place} is {written(value)}; it must be a table with the keys "
                f"{', '.join(known)}"
            )
        return cls(
            file=file, place=place, values=value, known=tuple(known), elsewhere=elsewhere or {}
        )

    def at(self, key: str) -> str:
        """Return how an error names a key of this table."""
        return f"{self.file}: {self.place} {key_text(key)}"

    def wrong(self, key: str, demand: str) -> SettingsError:
        """Return the error for a key that has a value of the wrong kind."""
        return SettingsError(f"{self.at(key)} is {written(self.values[key])}; {demand}")

    def text(self, key: str, *, example: str) -> str | None:
        """Return a text, None if the key is absent."""
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(key, f"write a text in quotes, such as {key_text(key)} = {example}")

    def choice(self, key: str, options: Sequence[str]) -> str | None:
        """Return one of several texts, None if the key is absent."""
        value = self.text(key, example=f'"{options[0]}"')
        if value is None or value in options:
            return value
        raise self.wrong(key, f"choose one of {', '.join(options)}{nearest(value, options)}")

    def flag(self, key: str) -> bool | None:
        """Return true or false, None if the key is absent."""
        value = self.values.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(key, "write true or false, without quotes")

    def whole(self, key: str, *, example: str) -> int | None:
        """Return a whole number, None if the key is absent."""
        value = self.values.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise self.wrong(key, f"write a whole number, such as {key} = {example}")

    def number(self, key: str, *, example: str) -> int | float | None:
        """Return a number as it is written, whole or not, None if the key is absent."""
        value = self.values.get(key)
        if value is None or _is_number(value):
            return value  # type: ignore[return-value]
        raise self.wrong(key, f"write a number, such as {key} = {example}")

    def day(self, key: str) -> date | str | None:
        """Return a date, which may stand in quotes or not, None if the key is absent."""
        value = self.values.get(key)
        plain = isinstance(value, date) and not isinstance(value, datetime)
        if value is None or plain or isinstance(value, str):
            return value  # type: ignore[return-value]
        raise self.wrong(key, f"write a date, such as {key} = 1998-03-14")

    def texts(self, key: str, *, example: str) -> tuple[str, ...] | None:
        """Return a list of texts, None if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        raise self.wrong(key, f"write a list of texts, such as {key} = {example}")

    def numbers(self, key: str, *, example: str) -> tuple[int | float, ...] | None:
        """Return a list of numbers, None if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, list) and all(map(_is_number, value)):
            return tuple(value)
        raise self.wrong(key, f"write a list of numbers, such as {key} = {example}")

    def numbers_by_name(self, key: str, *, example: str) -> dict[str, int | float] | None:
        """Return a table of numbers, None if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, Mapping) and all(map(_is_number, value.values())):
            return dict(value)
        raise self.wrong(key, f"write a table of numbers, such as {key} = {example}")

    def groups(self, key: str) -> list[dict[str, list[str]]]:
        """Return a list of tables from labels to lists of texts."""
        value = self.values.get(key)
        if isinstance(value, list) and all(map(_is_grouping, value)):
            return value
        raise self.wrong(
            key,
            "write a table of labels and their members for each level, such as "
            f'{key} = [{{ "Once married" = ["Divorced", "Widowed"] }}]',
        )

    @contextmanager
    def naming(self, key: str | None = None) -> Iterator[None]:
        """Name this table, or a key of it, in the errors that are raised inside."""
        try:
            yield
        except SfumatoError as error:
            if str(error).startswith(f"{self.file}: "):
                raise
            place = self.at(key) if key else f"{self.file}: {self.place}"
            raise type(error)(f"{place}: {error}") from None


def written(value: object) -> str:
    """Return how a message shows a value: as TOML has it if that is short.

    >>> written("yes"), written(["a"] * 100)
    ('"yes"', 'a list')
    """
    if isinstance(value, Mapping):
        return f"a table with the keys {listed(list(value))}" if value else "an empty table"
    text = value_text(value)  # type: ignore[arg-type]
    return text if len(text) <= MOST_SHOWN else f"a {'text' if isinstance(value, str) else 'list'}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_grouping(level: object) -> bool:
    return isinstance(level, dict) and all(
        isinstance(members, list) and all(isinstance(member, str) for member in members)
        for members in level.values()
    )
