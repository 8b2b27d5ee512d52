"""A family whose members are settings classes, named by texts with their parameters."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar, cast

from sfumato.plugins.family import Family
from sfumato.plugins.member_text import read_measure
from sfumato.plugins.parameters import PLAIN_READERS, Parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.plugins.parameters import Reader

Kind = TypeVar("Kind")


@dataclass(frozen=True, kw_only=True)
class ClassFamily(Family[type[Kind]], Generic[Kind]):
    """The concrete subclasses of ``kind``: frozen dataclasses whose fields are parameters.

    The text of an instance is ``name`` or ``name(parameter=value, …)``; several values of one
    parameter are separated by spaces. ``hint`` says what an error expects.
    """

    kind: type[Kind]
    readers: Mapping[str, Reader] = field(default_factory=lambda: PLAIN_READERS)
    hint: str = ""

    def accepts(self, value: object) -> TypeGuard[type[Kind]]:
        """Say whether a value is a concrete class of the family."""
        return (
            inspect.isclass(value)
            and issubclass(value, self.kind)
            and not inspect.isabstract(value)
            and value is not self.kind
        )

    def expected(self) -> str:
        """Name the base class."""
        return f"a concrete subclass of {self.kind.__name__}"

    def member(self, text: str) -> Kind:
        """Return the member that a text names, or say what would work."""
        self.check_text(text)
        name, given = read_measure(text, noun=self.noun, hint=self.hint or self._hint())
        values = self.parameters(name).read(given)
        make = cast("Callable[..., Kind]", self.named(name))
        return make(**values)

    def parameters(self, name: str) -> Parameters:
        """Return the parameters of a member."""
        return Parameters.of(
            self.named(name), owner=f"{self.noun} {name!r}", name=name, readers=self.readers
        )

    def _hint(self) -> str:
        example = next(iter(self.built_in))
        return (
            f"its name, like {example}, or its name and parameters: {example}(parameter=value, …)"
        )
