"""What every settings class of a family must be: a frozen value that its text names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar, cast

from sfumato.plugins.member_text import read_measure
from sfumato.plugins.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.plugins.class_family import ClassFamily

Kind = TypeVar("Kind")


def check_text(member: Kind, family: ClassFamily[Kind]) -> None:
    """Check that a member is a frozen value which its text names, registered or not."""
    kind = type(member)
    assert family.accepts(kind), f"{kind.__name__} is not {family.expected()}"
    name: str = family.name_of(kind)
    assert re.fullmatch(r"[a-z][a-z0-9-]*", name), f"{name!r}: use lower case and hyphens"
    check_frozen(kind)
    assert kind.__doc__, f"{kind.__name__} has no docstring"
    assert not kind.__doc__.startswith(f"{kind.__name__}("), f"{kind.__name__} has no docstring"
    written, given = read_measure(str(member), noun=family.noun)
    assert written == name
    parameters = Parameters.of(kind, owner=repr(name), name=name, readers=family.readers)
    again = cast("Callable[..., Kind]", kind)(**parameters.read(given))
    assert again == member, f"{member} is read as {again}"
    assert hash(again) == hash(member)


def check_frozen(kind: type[object]) -> None:
    """Check that a class is itself a frozen dataclass, and not only a subclass of one."""
    parameters = vars(kind).get("__dataclass_params__")
    assert parameters is not None, f"{kind.__name__} needs @dataclass(frozen=True, kw_only=True)"
    assert parameters.frozen, f"{kind.__name__} must be frozen: @dataclass(frozen=True, …)"
