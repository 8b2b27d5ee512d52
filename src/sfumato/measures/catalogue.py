"""The measures by name: every file of this folder is found, no list is kept."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import TYPE_CHECKING, cast

import sfumato.measures
from sfumato.errors import SettingsError
from sfumato.measures.measure import Measure
from sfumato.measures.measure_text import read_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.data.count_table import CountTable

_READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "str": (str, "text"),
    "int": (int, "a whole number"),
    "float": (float, "a number"),
}


_USUAL_NAMES = {
    "k-anonymity": "k",
    "l": "distinct-l",
    "l-diversity": "distinct-l",
    "entropy-l-diversity": "entropy-l",
    "t-closeness": "t",
    "p-sensitive-k-anonymity": "p-sensitive",
    "glm": "loss",
    "information-loss": "loss",
    "discernibility": "dm",
    "classification": "cm",
    "average-class-size": "c-avg",
}
"""What papers and other tools call our measures: only to suggest the right name."""


@cache
def _classes() -> Mapping[str, type[Measure]]:
    found: dict[str, type[Measure]] = {}
    for module_info in pkgutil.iter_modules(sfumato.measures.__path__):
        module = importlib.import_module(f"{sfumato.measures.__name__}.{module_info.name}")
        for _, member in inspect.getmembers(module, inspect.isclass):
            here = member.__module__ == module.__name__
            if here and issubclass(member, Measure) and not inspect.isabstract(member):
                assert member.name not in found, f"two measures are called {member.name!r}"
                found[member.name] = member
    return dict(sorted(found.items()))


def measure_names() -> tuple[str, ...]:
    """Return the names of all measures, in alphabetical order.

    >>> "weighted-k" in measure_names()
    True
    """
    return tuple(_classes())


def measure(text: str) -> Measure:
    """Return the measure that a text names, the inverse of ``str(measure)``.

    >>> measure("recursive-l(c=3)")
    RecursiveL(c=3.0)
    >>> str(measure("s-l(column='occupation')"))
    's-l(column=occupation)'
    """
    name, given = read_measure(text)
    known = _classes()
    if name not in known:
        usual = _USUAL_NAMES.get(name.lower().replace("ℓ", "l").replace("_", "-"))
        near = [usual] if usual else difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise SettingsError(
            f"there is no measure {name!r}; {hint}the measures are {', '.join(known)}"
        )
    parameters = {parameter.name: parameter for parameter in fields(known[name])}
    unknown = [key for key in given if key not in parameters]
    if unknown:
        raise SettingsError(
            f"measure {name!r} has no parameter {unknown[0]!r}; {_signature(name, parameters)}"
        )
    lacking = [key for key, p in parameters.items() if _required(p) and key not in given]
    if lacking:
        raise SettingsError(
            f"measure {name!r} needs the parameter {lacking[0]!r}; {_signature(name, parameters)}"
        )
    values = {key: _typed(name, parameters, key, value) for key, value in given.items()}
    # The values have the types of the fields: `_typed` read them so.
    make = cast("Callable[..., Measure]", known[name])
    return make(**values)


def every_measure(table: CountTable) -> tuple[Measure, ...]:
    """Return all measures that a table supports without further settings, by name."""
    return tuple(found for kind in _classes().values() for found in kind.variants(table))


def _required(parameter: Field[object]) -> bool:
    return parameter.default is MISSING and parameter.default_factory is MISSING


def _reader(parameter: Field[object]) -> tuple[Callable[[str], object], str] | None:
    """Return how a parameter is read from text, None if text cannot say it."""
    # Annotations are strings throughout the package; "str | None" is read as "str".
    return _READERS.get(str(parameter.type).removesuffix(" | None"))


def _typed(name: str, parameters: Mapping[str, Field[object]], key: str, value: str) -> object:
    reader = _reader(parameters[key])
    if reader is None:
        raise SettingsError(
            f"the parameter {key!r} of measure {name!r} cannot be written as text; set it in Python"
        )
    read, what = reader
    try:
        return read(value)
    except ValueError:
        raise SettingsError(
            f"the parameter {key!r} of measure {name!r} is {value!r}, and must be {what}; "
            f"{_signature(name, parameters)}"
        ) from None


def _signature(name: str, parameters: Mapping[str, Field[object]]) -> str:
    if not parameters:
        return f"it takes none: write {name}"
    said = []
    for key, parameter in parameters.items():
        reader = _reader(parameter)
        what = "set in Python" if reader is None else reader[1]
        said.append(f"{key} ({what}{'' if _required(parameter) else ', may be left out'})")
    return f"it takes {', '.join(said)}"
