"""A release as ``sfumato release`` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.findings.suppression_findings import THRESHOLD_BY_CRITERION
from sfumato.recoding.recoding import stored_recoding
from sfumato.release.ledger.composition import Composition
from sfumato.views.finding_view import finding_views

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.front.decisions.picking import Pick
    from sfumato.release.release import Release
    from sfumato.release.release_request import ReleasedValues
    from sfumato.views.finding_view import FindingView


@dataclass(frozen=True, kw_only=True)
class ReleaseView:
    """What was written and verified.

    ``values`` are the metrics of the recoding, suppressed rows included, ``released_rows`` those
    of the rows in the file. ``unchanged`` are the columns released as they are, ``seconds`` the
    times of rewriting and verifying, ``warnings`` what must not be overlooked, ``findings`` what
    was found before anything was written. ``merged_classes``
    of a local recoding have the same statistics as others; ``squared_errors`` are SSE/SST.
    ``earlier`` are the files of earlier releases of the same people, ``joint_k`` and
    ``joint_alone`` what all of them show together; ``adds`` says whether this one adds to it.
    """

    file: str
    solution: int
    reason: str
    levels: Mapping[str, int]
    recoding: Mapping[str, Mapping[str, object]]
    rows: int
    starred: int
    suppressed: int
    unchanged: tuple[str, ...]
    changed: Mapping[str, str]
    released_values: ReleasedValues
    statistics: Mapping[str, str]
    squared_errors: Mapping[str, float]
    merged_classes: int
    values: Mapping[str, float]
    released_rows: Mapping[str, float]
    verified: tuple[str, ...]
    certificate: str
    private_certificate: str
    seconds: Mapping[str, float]
    warnings: tuple[str, ...]
    findings: tuple[FindingView, ...]
    earlier: tuple[str, ...] = ()
    joint_k: int | None = None
    joint_alone: int | None = None
    adds: bool = False


def release_view(picked: Pick, release: Release) -> ReleaseView:
    """Return what is shown of a release."""
    composition = release.composition or Composition()
    return ReleaseView(
        file=str(release.path),
        solution=picked.solution.id,
        reason=picked.reason,
        levels=picked.solution.levels,
        recoding=stored_recoding(picked.solution.recoding),
        rows=release.rows,
        starred=release.starred,
        suppressed=release.suppressed,
        unchanged=release.unchanged,
        changed=release.changed,
        released_values=release.values,
        statistics=release.statistics,
        squared_errors=release.squared_errors,
        merged_classes=release.merged,
        values=release.promised,
        released_rows=release.metrics,
        verified=release.verified,
        certificate=str(release.certificate_path),
        private_certificate=str(release.private_certificate_path),
        seconds={"rewrite": release.rewrite_seconds, "verify": release.verify_seconds},
        warnings=_warnings(release),
        findings=finding_views(release.findings),
        earlier=tuple(each.file for each in composition.earlier),
        joint_k=composition.k,
        joint_alone=composition.alone,
        adds=composition.adds,
    )


def _warnings(release: Release) -> tuple[str, ...]:
    # Findings about the source and the policy were told before anything was written.
    warnings = [str(each) for each in release.findings if each.code == THRESHOLD_BY_CRITERION]
    if release.promised["k"] < 2:
        people = release.certificate.get("counts") == "people"
        who = "class is a single person" if people else "record is unique in its class"
        warnings.append(
            f"k = 1: at least one {who} and can be re-identified by its quasi-identifiers; pick a "
            "solution with k>=2 at least"
        )
    composition = release.composition
    if composition is not None and composition.refused:
        warnings.append(
            "together with earlier releases of the same people it shows more than is allowed, "
            "which was accepted; the private certificate has the numbers"
        )
    elif composition is not None and any(each.changed for each in composition.earlier):
        warnings.append(
            "classes that an earlier release shows too have changed by a few people: whoever holds "
            "both can compare the sensitive values and tell those of the few"
        )
    alone = {name: blocks for name, blocks in release.alone.items() if blocks}
    if alone:
        shown = ", ".join(f"{blocks:,} of {name!r}" for name, blocks in alone.items())
        warnings.append(
            f"blocks whose rows all have the same value: {shown}. Their statistic is that value, "
            "which a label would have hidden"
        )
    return tuple(warnings)
