"""What every table of a study file is: typed, frozen, with the keys that it has and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator
from pydantic_core import PydanticCustomError

from sfumato.errors import SettingsError, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Iterator


MARK = "\x1f"
"""How the tag of a member of a union begins, so that it is told apart from a key of the file."""


def key_of(field: str) -> str:
    """Return the key of a field: words are joined by hyphens.

    >>> key_of("minimum_level")
    'minimum-level'
    """
    return field.replace("_", "-")


class Table(BaseModel):
    """A table of a study file."""

    model_config = ConfigDict(
        alias_generator=key_of,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        strict=True,
    )

    @classmethod
    def key_names(cls) -> tuple[str, ...]:
        """Return the keys of the table, in their order.

        >>> from sfumato.study.file.study_document import MissingTable
        >>> MissingTable.key_names()
        ('policy', 'markers', 'label')
        """
        return tuple(field.alias or name for name, field in cls.model_fields.items())

    @property
    def given(self) -> tuple[str, ...]:
        """The keys that the file sets, in the order of the table."""
        return tuple(
            field.alias or name
            for name, field in type(self).model_fields.items()
            if name in self.model_fields_set
        )


def table_in(annotation: object) -> type[Table] | None:
    """Return the table that a field holds, alone, optional or in a list; None for other fields."""
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    if get_origin(annotation) in (list, Union, UnionType):
        found = [table_in(each) for each in get_args(annotation) if each is not type(None)]
        return found[0] if len(found) == 1 else None
    return None


class RefusedKeyError(SettingsError):
    """A key of a table cannot have its value: ``error`` says why.

    ``keys`` lead from the table to what is wrong.
    """

    def __init__(self, *keys: str | int, error: SfumatoError) -> None:
        super().__init__(str(error))
        self.keys = keys
        self.error = error


@contextmanager
def at_key(key: str | int) -> Iterator[None]:
    """Name the key, or the place in a list, of the errors that are raised inside."""
    try:
        yield
    except RefusedKeyError as refused:
        raise RefusedKeyError(key, *refused.keys, error=refused.error) from None
    except SfumatoError as error:
        raise RefusedKeyError(key, error=error) from None


def must_be(
    expected: str, accepts: Callable[[object], bool], *, schema: object, made: type | None = None
) -> PlainValidator:
    """Return a validator of a value; ``schema`` is the type that the JSON Schema describes."""

    def validate(value: object) -> object:
        if not accepts(value):
            raise wrong_value(expected)
        return made(value) if made else value

    return PlainValidator(validate, json_schema_input_type=schema)


def only(expected: str, accepts: Callable[[object], bool]) -> BeforeValidator:
    """Return a validator that lets only some values through to the types of a union."""

    def validate(value: object) -> object:
        if not accepts(value):
            raise wrong_value(expected)
        return value

    return BeforeValidator(validate)


def wrong_value(expected: str) -> PydanticCustomError:
    """Return the problem of a value that is not what is expected."""
    return PydanticCustomError("expected", "must be {expected}", {"expected": expected})


def is_whole(value: object) -> bool:
    """Say whether a value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Say whether a value is a number; true and false are not."""
    return is_whole(value) or isinstance(value, float)


def is_list(of: Callable[[object], bool]) -> Callable[[object], bool]:
    """Return a test for lists whose members all pass a test."""
    return lambda value: isinstance(value, list | tuple) and all(map(of, value))


def is_text(value: object) -> bool:
    """Say whether a value is a text."""
    return isinstance(value, str)


def _is_day(value: object) -> bool:
    return is_text(value) or (isinstance(value, date) and not isinstance(value, datetime))


def _is_numbers_by_name(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(is_number, value.values()))


Number = Annotated[int | float, must_be("a number", is_number, schema=float)]
"""A number as it is written, whole or not."""
Numbers = Annotated[
    tuple[int | float, ...],
    must_be("a list of numbers", is_list(is_number), schema=list[float], made=tuple),
]
Wholes = Annotated[
    tuple[int, ...],
    must_be("a list of whole numbers", is_list(is_whole), schema=list[int], made=tuple),
]
Texts = Annotated[
    tuple[str, ...], must_be("a list of texts", is_list(is_text), schema=list[str], made=tuple)
]
Day = Annotated[date | str, must_be("a date", _is_day, schema=date)]
"""A date, in quotes or not."""
NumbersByName = Annotated[
    dict[str, int | float],
    must_be("a table of numbers", _is_numbers_by_name, schema=dict[str, float]),
]
