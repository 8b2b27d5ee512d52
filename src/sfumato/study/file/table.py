"""What every table of a study file is: typed, frozen, with the keys that it has and no others."""

from __future__ import annotations

from contextlib import contextmanager
from types import UnionType
from typing import TYPE_CHECKING, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict

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

        >>> from sfumato.study.file.missing_table import MissingTable
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
