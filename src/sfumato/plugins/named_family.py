"""A family of settings classes that are found in folders and named by texts.

Every concrete class of the family in the given packages is a member, by its ``name``; its text
is ``name`` or ``name(parameter=value, …)``, several values of one parameter being separated by
spaces.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from sfumato.errors import SettingsError, shown
from sfumato.plugins.member_text import read_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field

Member = TypeVar("Member")


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


@dataclass(frozen=True, kw_only=True)
class NamedFamily(Generic[Member]):
    """The members of a family: ``kind`` is its base class, ``noun`` what errors call a member.

    ``usual_names`` has other names that people may write, in lower case, only to suggest the right
    one; ``hint`` says how a text is written, by the first name unless it is given.
    """

    noun: str
    kind: type[Member]
    packages: tuple[str, ...]
    readers: Mapping[str, Reader] = field(default_factory=lambda: PLAIN_READERS)
    synonyms: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    listing: str = "there are"

    @cached_property
    def classes(self) -> Mapping[str, type[Member]]:
        """The classes of the family by name, in alphabetical order."""
        found: dict[str, type[Member]] = {}
        for package in self.packages:
            path = importlib.import_module(package).__path__
            for module_info in pkgutil.walk_packages(path, f"{package}."):
                module = importlib.import_module(module_info.name)
                members: list[tuple[str, Any]] = inspect.getmembers(module, inspect.isclass)
                for _, member in members:
                    here = member.__module__ == module.__name__ and issubclass(member, self.kind)
                    if here and not inspect.isabstract(member):
                        assert member.name not in found, f"two are called {member.name!r}"
                        found[member.name] = member
        return dict(sorted(found.items()))

    def member(self, text: str) -> Member:
        """Return the member that a text names, or say what would have worked."""
        if not isinstance(text, str):
            raise SettingsError(f"a {self.noun} is {shown(text)}; name one of {self._known()}")
        name, given = read_measure(text, noun=self.noun, hint=self.hint or self._hint())
        if name not in self.classes:
            near = self._near(name)
            meant = f"did you mean {near!r}? " if near else ""
            raise SettingsError(
                f"there is no {self.noun} {name!r}; {meant}{self.listing} {self._known()}"
            )
        # The classes are dataclasses: they are settings.
        parameters = {p.name: p for p in fields(self.classes[name])}  # type: ignore[arg-type]
        for key in given:
            if key not in parameters:
                raise SettingsError(
                    f"{self.noun} {name!r} has no parameter {key!r}; "
                    f"{self._signature(name, parameters)}"
                )
        for key, parameter in parameters.items():
            if key not in given and _required(parameter):
                raise SettingsError(
                    f"{self.noun} {name!r} needs the parameter {key!r}; "
                    f"{self._signature(name, parameters)}"
                )
        values = {key: self._typed(name, parameters, key, text) for key, text in given.items()}
        make = cast("Callable[..., Member]", self.classes[name])
        return make(**values)

    def _hint(self) -> str:
        example = next(iter(self.classes))
        return (
            f"write its name, such as {example}, or its name and parameters: "
            f"{example}(parameter=value, …)"
        )

    def _near(self, name: str) -> str | None:
        default = self.synonyms.get(name.lower().replace("ℓ", "l").replace("_", "-"))
        if default is not None:
            return default
        return next(iter(difflib.get_close_matches(name, self.classes, n=1, cutoff=0.5)), None)

    def _known(self) -> str:
        return ", ".join(self.classes)

    def _typed(
        self, name: str, parameters: Mapping[str, Field[object]], key: str, text: str
    ) -> object:
        reader = self._reader(parameters[key])
        if reader is None:
            raise SettingsError(
                f"the parameter {key!r} of {self.noun} {name!r} cannot be written as text; set it "
                "in Python"
            )
        try:
            return reader.read(text)
        except SettingsError:
            raise
        except ValueError:
            raise SettingsError(
                f"the parameter {key!r} of {self.noun} {name!r} is {text!r}, and must be "
                f"{reader.what}; {self._signature(name, parameters)}"
            ) from None

    def _reader(self, parameter: Field[object]) -> Reader | None:
        # Annotations are strings throughout the package; of alternatives the first readable is.
        annotation = str(parameter.type)
        if annotation in self.readers:
            return self.readers[annotation]
        kinds = annotation.split(" | ")
        return next((self.readers[kind] for kind in kinds if kind in self.readers), None)

    def _signature(self, name: str, parameters: Mapping[str, Field[object]]) -> str:
        if not parameters:
            return f"it takes none: write {name}"
        said = []
        for key, parameter in parameters.items():
            reader = self._reader(parameter)
            what = "set in Python" if reader is None else reader.what
            said.append(f"{key} ({what}{'' if _required(parameter) else ', may be left out'})")
        return f"it takes {', '.join(said)}"


def _required(parameter: Field[object]) -> bool:
    return parameter.default is MISSING and parameter.default_factory is MISSING
