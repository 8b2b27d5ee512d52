"""The kinds of findings by name: every file of the folder ``kinds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.findings.finding_kind import FindingKind
from sfumato.plugins.class_family import ClassFamily

if TYPE_CHECKING:
    from collections.abc import Collection

    from sfumato.findings.examined_table import ExaminedTable
    from sfumato.findings.finding import Finding

# Its base class is abstract, which mypy does not take for a type.
FINDINGS: ClassFamily[FindingKind] = ClassFamily(
    noun="kind of findings",
    kind=FindingKind,  # type: ignore[type-abstract]
    packages=("sfumato.findings.kinds",),
)


def find(examined: ExaminedTable, *, kinds: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Return what the kinds find, or those that are named, in their order."""
    chosen = [kind for name, kind in FINDINGS.built_in.items() if kinds is None or name in kinds]
    return tuple(
        found
        for kind in sorted(chosen, key=lambda each: (each.order, each.name))
        for found in kind().find(examined)
    )
