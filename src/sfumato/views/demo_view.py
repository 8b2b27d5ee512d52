"""The demo as it is told: an attack, a search, a release, an audit, and the attack again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.front.decisions.trade_off import neighbours
from sfumato.search.space import size_record
from sfumato.views.run.freedoms_view import freedoms_view
from sfumato.views.run.solution_view import folded, solution_views, spread

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.datasets.hospital import HospitalFiles
    from sfumato.front.decisions.picking import Pick
    from sfumato.release.audit.audit import Audit
    from sfumato.release.release import Release
    from sfumato.study.runs.run import Run
    from sfumato.views.attack_view import AttackView
    from sfumato.views.run.freedoms_view import FreedomsView
    from sfumato.views.run.solution_view import SolutionView

MOST_SOLUTIONS = 7


@dataclass(frozen=True, kw_only=True)
class DemoView:
    """All that the demo shows.

    ``front`` is the number of solutions, ``some`` are a few of them. ``freedoms`` says what each
    freedom loses, where several spaces were searched. ``trade_offs`` say what the neighbours of
    the picked solution would bring and cost. ``policy`` is what the study requires of a release,
    ``requirements`` what the audit says of each of its parts.
    """

    folder: str
    data: str
    rows: int
    attack_before: AttackView
    nodes: int | str
    exact: bool
    front: int
    objectives: tuple[str, ...]
    some: tuple[SolutionView, ...]
    freedoms: FreedomsView | None
    trade_offs: tuple[str, ...]
    policy: tuple[str, ...]
    solution: int
    freedom: str
    reason: str
    values: Mapping[str, float]
    released: str
    released_rows: int
    suppressed: int
    verified: int
    private_certificate: str
    audit: Mapping[str, float]
    requirements: Mapping[str, str]
    attack_after: AttackView
    report: str


def demo_view(
    files: HospitalFiles,
    run: Run,
    *,
    picked: Pick,
    release: Release,
    audit: Audit,
    attacks: tuple[AttackView, AttackView],
    report: Path,
) -> DemoView:
    """Return what the demo shows; ``attacks`` are those on the source and on the release."""
    result = run.result
    beside = neighbours(result.front, run.metrics)
    trades = (beside[picked.solution.id].down, beside[picked.solution.id].up)
    return DemoView(
        folder=str(files.study.parent),
        data=str(files.data),
        rows=run.source.rows,
        attack_before=attacks[0],
        nodes=size_record(result.nodes),
        exact=result.exact,
        front=len(result.front),
        objectives=tuple(result.front.objectives),
        some=solution_views(run, spread(folded(run, result.front.solutions), MOST_SOLUTIONS)),
        freedoms=freedoms_view(run),
        trade_offs=tuple(trade.sentence for trade in trades if trade is not None),
        policy=tuple(map(str, run.policy)),
        solution=picked.solution.id,
        freedom=picked.solution.freedom,
        reason=picked.reason,
        values=picked.solution.values,
        released=str(release.path),
        released_rows=release.rows,
        suppressed=release.suppressed,
        verified=len(release.verified),
        private_certificate=str(release.private_certificate_path),
        audit=audit.whole_table or {},
        requirements=audit.requirements,
        attack_after=attacks[1],
        report=str(report),
    )
