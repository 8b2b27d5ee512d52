"""Where a member of a family comes from: a package and its version."""

from __future__ import annotations

from dataclasses import dataclass

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
