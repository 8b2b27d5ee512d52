"""The parameters of a settings class, read from the text of a member."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError
from sfumato.errors.suggestions import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field


@dataclass(frozen=True, kw_only=True)
class Reader:
    """How a parameter of some type is read from text, and what an error calls it."""

    read: Callable[[str], object]
    what: str


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


PLAIN_READERS = {
    "str": Reader(read=str, what="text"),
    "int": Reader(read=int, what="a whole number"),
    "float": Reader(read=float, what="a number"),
    "bool": Reader(read=_flag, what="true or false"),
    "tuple[float, ...]": Reader(
        read=lambda text: tuple(float(part) for part in text.split()),
        what="numbers separated by spaces",
    ),
}
"""The readers by the annotation of a field."""


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The fields of a settings class, which errors call ``owner``: "measure 'k'"."""

    owner: str
    name: str
    fields: Mapping[str, Field[object]]
    readers: Mapping[str, Reader]

    @classmethod
    def of(
        cls, kind: type[object], *, owner: str, name: str, readers: Mapping[str, Reader]
    ) -> Parameters:
        """Return the parameters of a class, which is a dataclass."""
        found = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
        return cls(owner=owner, name=name, fields=found, readers=readers)

    def read(self, given: Mapping[str, str]) -> dict[str, object]:
        """Return the values of the parameters that a text gives."""
        for key in given:
            if key not in self.fields:
                raise SettingsError(
                    f"{self.owner} has no parameter {key!r}",
                    code="unknown-parameter",
                    found=repr(key),
                    suggestion=closest(key, self.fields),
                    remedy=self.signature,
                )
        for key, field in self.fields.items():
            if key not in given and _required(field):
                raise SettingsError(
                    f"{self.owner} needs the parameter {key!r}",
                    code="missing-parameter",
                    expected=self.usage,
                    remedy=self.signature,
                )
        return {key: self._value(key, text) for key, text in given.items()}

    def _value(self, key: str, text: str) -> object:
        reader = self._reader(self.fields[key])
        if reader is None:
            raise SettingsError(
                f"the parameter {key!r} of {self.owner} cannot be written as text",
                code="not-a-text",
                found=repr(text),
                remedy="set it in Python",
            )
        try:
            return reader.read(text)
        except SettingsError:
            raise
        except ValueError:
            raise SettingsError(
                f"the parameter {key!r} of {self.owner} is {text!r}",
                code="wrong-type",
                found=repr(text),
                expected=reader.what,
                remedy=self.signature,
            ) from None

    def _reader(self, field: Field[object]) -> Reader | None:
        # Where annotations are not strings, a type has its name and an alias its text. Of
        # alternatives the first readable one is taken.
        kind = field.type
        annotation = kind.__name__ if isinstance(kind, type) else str(kind)
        for name in (annotation, *annotation.split(" | ")):
            if name in self.readers:
                return self.readers[name]
        return None

    @property
    def signature(self) -> str:
        """What the text of the member may say, for errors."""
        if not self.fields:
            return "it takes no parameters"
        said = []
        for key, field in self.fields.items():
            reader = self._reader(field)
            what = "set in Python" if reader is None else reader.what
            said.append(f"{key} ({what}{'' if _required(field) else ', optional'})")
        return f"it takes {', '.join(said)}"

    @property
    def usage(self) -> str:
        """The text of the member with the names of its parameters, optional ones in brackets."""
        said = [key if _required(field) else f"[{key}]" for key, field in self.fields.items()]
        return f"{self.name}({', '.join(said)})" if said else self.name


def _required(field: Field[object]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
