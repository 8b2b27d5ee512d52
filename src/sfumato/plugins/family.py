"""A family of members with names: built-in ones first, then those of other packages."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar

from sfumato.errors import SettingsError, shown
from sfumato.errors.suggestions import closest
from sfumato.plugins.offers import offers_of, own_origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.plugins.offers import Offer

Member = TypeVar("Member")
Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Listing(Generic[Member]):
    """All members of a family by name, and what is wrong with those that are left out."""

    members: Mapping[str, Member]
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Family(ABC, Generic[Member]):
    """The members of a family; every one has a ``name``.

    Built-in members are what the modules of ``packages`` define; no list is kept. Other packages
    offer theirs by entry points of the ``group``, each called as its member. They are imported
    only when a name is asked for that is not built in, and in a listing.

    ``noun`` is what errors call a member. ``synonyms`` are other names that people may write, in
    lower case, only to suggest the right one.
    """

    noun: str
    packages: tuple[str, ...]
    group: str | None = None
    synonyms: Mapping[str, str] = field(default_factory=dict)

    @abstractmethod
    def accepts(self, value: object) -> TypeGuard[Member]:
        """Say whether a value is a member."""

    @abstractmethod
    def expected(self) -> str:
        """Say what a member is, for the error about an entry point that names something else."""

    def name_of(self, member: Member) -> str:
        """Return the name of a member."""
        return str(getattr(member, "name", ""))

    @cached_property
    def built_in(self) -> Mapping[str, Member]:
        """The members that sfumato has itself, in alphabetical order."""
        found: dict[str, Member] = {}
        for package in self.packages:
            path = importlib.import_module(package).__path__
            for module in pkgutil.walk_packages(path, f"{package}."):
                for value in vars(importlib.import_module(module.name)).values():
                    if self.accepts(value):
                        name = self.name_of(value)
                        assert name, f"{value!r} has no name"
                        assert found.get(name, value) is value, f"two are called {name!r}"
                        found[name] = value
        return dict(sorted(found.items()))

    @property
    def offers(self) -> Mapping[str, tuple[Offer, ...]]:
        """What other packages offer, by name; nothing is imported."""
        return {} if self.group is None else offers_of(self.group)

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, in alphabetical order; nothing is imported for it."""
        return tuple(sorted({*self.built_in, *self.offers}))

    def named(self, name: str) -> Member:
        """Return the member of a name, or say what would work."""
        self.check_text(name)
        offers = self.offers.get(name, ())
        self._refuse_two(name, offers)
        if name in self.built_in:
            return self.built_in[name]
        if offers:
            return self._loaded(offers[0])
        raise SettingsError(
            f"there is no {self.noun} {name!r}",
            code=f"unknown-{self.noun.split()[-1]}",
            found=repr(name),
            expected=self.names(),
            suggestion=self._near(name),
        )

    def check_text(self, given: str) -> None:
        """Refuse what is not a text, so that it does not name a member."""
        if not isinstance(given, str):
            raise SettingsError(
                f"a {self.noun} is {shown(given)}",
                code="not-a-text",
                found=shown(given),
                expected=self.names(),
            )

    def all(self) -> Listing[Member]:
        """Return all members that can be had; those of other packages are imported."""
        members, problems = dict(self.built_in), []
        for name in self.offers:
            try:
                members[name] = self.named(name)
            except SettingsError as error:
                problems.append(str(error))
        return Listing(members=dict(sorted(members.items())), problems=tuple(problems))

    def _refuse_two(self, name: str, offers: tuple[Offer, ...]) -> None:
        origins = [own_origin()] if name in self.built_in else []
        origins += [offer.origin for offer in offers]
        if len(origins) > 1:
            packages = " and ".join(map(str, origins))
            too_many = origins[-1].package if len(origins) == 2 else "all but one"
            raise SettingsError(
                f"{len(origins)} packages have a {self.noun} {name!r}: {packages}",
                code="taken-name",
                found=packages,
                remedy=f"uninstall {too_many}, or ask its authors for another name",
            )

    def _loaded(self, offer: Offer) -> Member:
        try:
            value = offer.load()
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise self._broken(offer, f"cannot be loaded ({reason})", found=reason) from error
        entry = offer.entry.value
        if not self.accepts(value):
            problem = f"is not {self.expected()}: its entry point names {entry}"
            raise self._broken(offer, problem, found=entry)
        own = self.name_of(value)
        if own != offer.name:
            problem = f"calls itself {own!r}, which must be the name of its entry point too"
            raise self._broken(offer, problem, found=repr(own))
        return value

    def _broken(self, offer: Offer, problem: str, *, found: str) -> SettingsError:
        return SettingsError(
            f"the {self.noun} {offer.name!r} of package {offer.origin} {problem}",
            code="broken-package",
            found=found,
            remedy="update or uninstall the package",
        )

    def _near(self, name: str) -> str | None:
        synonym = self.synonyms.get(name.lower().replace("ℓ", "l").replace("_", "-"))
        return synonym or closest(name, self.names(), cutoff=0.5)


@dataclass(frozen=True, kw_only=True)
class ValueFamily(Family[Value]):
    """A family whose members are values of one class, which modules define by any name."""

    kind: type[Value]

    def accepts(self, value: object) -> TypeGuard[Value]:
        """Say whether a value is of the class."""
        return isinstance(value, self.kind)

    def expected(self) -> str:
        """Name the class."""
        return f"a {self.kind.__name__}"
