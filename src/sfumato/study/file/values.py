"""The values of keys that pydantic has no plain type for; each says what it must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Annotated

from pydantic import PlainValidator
from pydantic_core import PydanticCustomError


def must_be(
    expected: str, accepts: Callable[[object], bool], *, schema: object, made: type | None = None
) -> PlainValidator:
    """Return a validator of a value; ``schema`` is the type that the JSON Schema describes."""

    def validate(value: object) -> object:
        if not accepts(value):
            raise PydanticCustomError("expected", "must be {expected}", {"expected": expected})
        return made(value) if made else value

    return PlainValidator(validate, json_schema_input_type=schema)


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
