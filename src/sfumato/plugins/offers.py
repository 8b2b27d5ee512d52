"""What other packages offer, and where a member comes from: a package and its version."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint


_OWN = "sfumato"


@dataclass(frozen=True, kw_only=True, order=True)
class Origin:
    """The package that defines a member; built-in ones are sfumato's own.

    ``version`` is None if the member is in no installed package: in a script or a notebook, whose
    module is then named in place of the package.

    >>> str(Origin(package="disclosure-extras", version="1.2")), str(Origin(package="__main__"))
    ('disclosure-extras 1.2', '__main__')
    """

    package: str
    version: str | None = None

    @property
    def built_in(self) -> bool:
        """Whether it is sfumato itself."""
        return self.package == _OWN

    def __str__(self) -> str:
        return self.package if self.version is None else f"{self.package} {self.version}"


def own_origin() -> Origin:
    """Return the origin of all that is built in."""
    import sfumato

    return Origin(package=_OWN, version=sfumato.__version__)


def plugins_among(members: Iterable[object]) -> dict[str, Origin]:
    """Return the origin of every member that is not built in, by its text.

    Members are objects of any family: measures, searches, comparators.

    >>> from sfumato.measures.privacy.k import K
    >>> plugins_among([K()])
    {}
    """
    origins = {str(member): origin_of(member) for member in members}
    return {text: origin for text, origin in sorted(origins.items()) if not origin.built_in}


def refuse_plugins(members: Iterable[object]) -> None:
    """Refuse members that are not built in, and say whose they are."""
    found = plugins_among(members)
    if found:
        used = ", ".join(f"{text!r} (of {origin})" for text, origin in found.items())
        raise SettingsError(
            f"plug-ins are refused here, and the study uses {used}",
            code="plug-in",
            found=used,
            remedy="use built-in members only, or allow plug-ins",
        )


_GROUPS = "sfumato."
"""What the names of all groups of entry points begin with."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A member that an installed package names in its metadata; it is imported by `load`."""

    name: str
    group: str
    origin: Origin
    entry: EntryPoint

    def load(self) -> object:
        """Import what the entry point names. Anything can go wrong in another package."""
        return self.entry.load()

    @property
    def module(self) -> str:
        """The module that the entry point names."""
        return self.entry.value.partition(":")[0].strip()


@functools.cache
def _all_offers() -> tuple[Offer, ...]:
    from importlib.metadata import entry_points

    # The metadata of all packages is read once a process, which takes about 20 ms.
    found = entry_points()
    return tuple(
        Offer(name=entry.name, group=entry.group, origin=_origin(entry), entry=entry)
        for group in sorted(found.groups)
        if group.startswith(_GROUPS)
        for entry in found.select(group=group)
    )


def _origin(entry: EntryPoint) -> Origin:
    if entry.dist is None:
        return Origin(package=entry.value.partition(":")[0].partition(".")[0])
    return Origin(package=entry.dist.name, version=entry.dist.version)


def offers_of(group: str) -> dict[str, tuple[Offer, ...]]:
    """Return what packages offer to a group, by name; two offers of one name are a conflict."""
    found: dict[str, tuple[Offer, ...]] = {}
    for offer in sorted(_all_offers(), key=lambda offer: (offer.name, offer.origin.package)):
        if offer.group == group:
            found[offer.name] = (*found.get(offer.name, ()), offer)
    return found


def origin_of(member: object) -> Origin:
    """Return where a member of any family comes from: a class, a function or an instance.

    A member that is made of another object, as a search is of its function, says its ``origin``
    itself. Nothing is imported: the module of the member is looked up in the entry points.
    """
    own = getattr(member, "origin", None)
    if isinstance(own, Origin):
        return own
    home = member if inspect.isclass(member) or inspect.isroutine(member) else type(member)
    module = str(home.__module__)
    package = module.partition(".")[0]
    if package == own_origin().package:
        return own_origin()
    near = [offer for offer in _all_offers() if offer.module.partition(".")[0] == package]
    # Several packages can share a namespace: the one that names the very module comes first.
    near.sort(key=lambda offer: offer.module != module)
    return near[0].origin if near else Origin(package=package)
