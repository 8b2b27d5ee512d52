"""Any value as JSON, by one rule for numbers that JSON does not have."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, time
from pathlib import PurePath
from typing import TypeAlias

import numpy as np

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
"""What every reader of JSON takes."""


def json_value(value: object) -> JsonValue:
    """Return a value as JSON has it.

    A dataclass becomes an object of its fields, a mapping one of its keys, a sequence an array, a
    set a sorted one, an enum its value, a path its text, a date or time its ISO form, a NumPy
    scalar or array a plain one. Infinite numbers become the texts ``"inf"`` and ``"-inf"``; NaN
    is refused.

    >>> json_value({"k": float("inf"), "levels": (1, 2)})
    {'k': 'inf', 'levels': [1, 2]}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, float):
        return _number(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(json_value(key)): json_value(each) for key, each in value.items()}
    if isinstance(value, AbstractSet):
        return [json_value(each) for each in sorted(value)]
    if isinstance(value, Sequence):
        return [json_value(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: json_value(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _number(value: float) -> float | str:
    if math.isnan(value):
        raise ValueError("NaN has no form in JSON")
    return value if math.isfinite(value) else str(value)
