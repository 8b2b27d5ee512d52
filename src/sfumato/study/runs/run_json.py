"""The JSON of a run: what is written to its ``.json`` files, and read back.

Infinite metrics are the texts "inf" and "-inf", because JSON has no infinite numbers.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from sfumato.front.front import Front, Solution
from sfumato.measures.measure import Direction
from sfumato.recoding.recoding import read_recoding, stored_recoding
from sfumato.search.guarantee import Guarantee
from sfumato.search.result import MinimalRecodings, SearchResult
from sfumato.search.space_size import recorded_size, size_record
from sfumato.study.runs.run import RunColumn, RunLevel, SolutionDetail, SourceRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.runs.run import Run

FORMAT = 1
"""The version of the run folder; another one is refused."""

KIND = "sfumato run"


def run_record(run: Run, *, versions: Mapping[str, str], files: Mapping[str, str]) -> str:
    """Return ``run.json``: where a run comes from and how it was made.

    ``files`` has the SHA-256 of the study and the hierarchies: metrics hold for these alone.
    """
    record = {
        "kind": KIND,
        "format": FORMAT,
        "version": run.version,
        "created": run.created,
        "source": {
            "path": run.source.path,
            "sha256": run.source.sha256,
            "bytes": run.source.bytes,
            "rows": run.source.rows,
            "dropped_rows": run.source.dropped_rows,
        },
        "method": run.result.method,
        "exact": run.result.exact,
        "finished": run.result.finished,
        "reason": run.result.reason,
        "evaluated": run.result.evaluated,
        "nodes": size_record(run.result.nodes),
        "guarantee": guarantee_record(run.result.guarantee),
        **minimal_record(run.result.minimal),
        "seed": run.study_file.search.seed,
        "seconds": run.seconds,
        "versions": dict(versions),
        "files": dict(files),
        "columns": [
            {
                "name": column.name,
                "weight": column.weight,
                "leaf_count": column.leaf_count,
                "levels": [
                    {
                        "blocks": level.blocks,
                        "examples": list(level.examples),
                        **({} if level.cuts is None else {"cuts": list(level.cuts)}),
                        **({} if level.name is None else {"name": level.name}),
                    }
                    for level in column.levels
                ],
            }
            for column in run.columns
        ],
    }
    return json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def guarantee_record(guarantee: Guarantee | None) -> dict[str, object] | None:
    """Return what a search has proved about all recodings, None if it keeps no account of it."""
    if guarantee is None:
        return None
    epsilon = guarantee.epsilon
    return {
        "epsilon": epsilon if math.isfinite(epsilon) else str(epsilon),
        "scales": _written(guarantee.scales),
        "slacks": _written(guarantee.slacks),
        "single_slacks": _written(guarantee.single_slacks),
        "settled": guarantee.settled,
        "nodes": guarantee.nodes,
    }


def minimal_record(minimal: MinimalRecodings | None) -> dict[str, object]:
    """Return what a search for minimal recodings tested and pruned, nothing for other searches."""
    if minimal is None:
        return {}
    return {
        "minimal": {
            "criteria": list(minimal.criteria),
            "full": minimal.full,
            "partial": minimal.partial,
            "pruned": minimal.pruned,
        }
    }


def state_record(state: Mapping[str, object]) -> str:
    """Return ``state.json``: what a search that was stopped needs to go on."""
    record = {"kind": KIND, "format": FORMAT, "state": dict(state)}
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def state_of(record: Mapping[str, Any]) -> Mapping[str, object]:
    """Return the state of ``state.json``."""
    if not isinstance(record["state"], dict):
        raise TypeError("state")
    return record["state"]


def front_record(run: Run) -> str:
    """Return ``front.json``: the objectives and, a line each, the solutions with their details."""
    front = run.result.front
    lines = [
        json.dumps(
            {
                "id": solution.id,
                **stored_recoding(solution.recoding),
                "values": _written(solution.values),
                "suppressed": solution.suppressed,
                "threshold": solution.threshold,
                "detail": _detail_record(detail),
            },
            ensure_ascii=False,
            allow_nan=False,
        )
        for solution, detail in zip(front, run.details, strict=True)
    ]
    head = {
        "kind": KIND,
        "format": FORMAT,
        "objectives": {name: way.value for name, way in front.objectives.items()},
        "before": _detail_record(run.before),
    }
    opening = json.dumps(head, ensure_ascii=False, allow_nan=False)[:-1]
    return f'{opening}, "solutions": [\n' + ",\n".join(lines) + "\n]}\n"


def _detail_record(detail: SolutionDetail) -> dict[str, object]:
    return {
        "metrics": _written(detail.metrics),
        "classes": detail.classes,
        "kept_rows": detail.kept_rows,
        "suppressed": detail.suppressed,
        "class_sizes": [list(pair) for pair in detail.class_sizes],
        "column_losses": dict(detail.column_losses),
    }


def _written(metrics: Mapping[str, float]) -> dict[str, float | str]:
    return {
        name: metric if math.isfinite(metric) else str(metric) for name, metric in metrics.items()
    }


# What reads trusts the shape of the record; a KeyError, TypeError or ValueError says that it is
# broken, which the reader of the folder turns into words.


def result_of(
    record: Mapping[str, Any], front: Front, state: Mapping[str, object] | None = None
) -> SearchResult:
    """Return the search result of ``run.json``, its front, and its state if it was stopped."""
    # Before searches could be stopped, all were finished.
    finished = record.get("finished", True)
    for name, value in (("exact", record["exact"]), ("finished", finished)):
        if not isinstance(value, bool):
            raise TypeError(name)
    return SearchResult(
        front=front,
        method=str(record["method"]),
        exact=record["exact"],
        evaluated=int(record["evaluated"]),
        nodes=recorded_size(record["nodes"]),
        reason=str(record["reason"]),
        finished=finished,
        guarantee=guarantee_of(record.get("guarantee")),
        state=state,
        minimal=minimal_of(record.get("minimal")),
    )


def guarantee_of(record: Mapping[str, Any] | None) -> Guarantee | None:
    """Return the guarantee of a search; runs of methods without one, and old runs, have none."""
    if record is None:
        return None
    return Guarantee(
        epsilon=float(record["epsilon"]),
        scales=_read(record["scales"]),
        slacks=_read(record["slacks"]),
        single_slacks=_read(record["single_slacks"]),
        settled=int(record["settled"]),
        nodes=recorded_size(record["nodes"]),
    )


def minimal_of(record: Mapping[str, Any] | None) -> MinimalRecodings | None:
    """Return what a search for minimal recodings tested; other searches have nothing of it."""
    if record is None:
        return None
    return MinimalRecodings(
        criteria=tuple(map(str, record["criteria"])),
        full=int(record["full"]),
        partial=int(record["partial"]),
        pruned=int(record["pruned"]),
    )


def source_of(record: Mapping[str, Any]) -> SourceRecord:
    """Return the record of the source."""
    source = record["source"]
    return SourceRecord(
        path=str(source["path"]),
        sha256=str(source["sha256"]),
        bytes=int(source["bytes"]),
        rows=int(source["rows"]),
        dropped_rows=int(source["dropped_rows"]),
    )


def columns_of(record: Mapping[str, Any]) -> tuple[RunColumn, ...]:
    """Return the quasi-identifiers of ``run.json``."""
    return tuple(
        RunColumn(
            name=str(column["name"]),
            weight=float(column["weight"]),
            leaf_count=int(column["leaf_count"]),
            levels=tuple(
                RunLevel(
                    blocks=int(level["blocks"]),
                    examples=tuple(map(str, level["examples"])),
                    cuts=tuple(map(int, level["cuts"])) if "cuts" in level else None,
                    name=str(level["name"]) if "name" in level else None,
                )
                for level in column["levels"]
            ),
        )
        for column in record["columns"]
    )


def front_of(record: Mapping[str, Any]) -> Front:
    """Return the front of ``front.json``."""
    solutions = tuple(
        Solution(
            id=int(solution["id"]),
            recoding=read_recoding(solution),
            values=_read(solution["values"]),
            suppressed=int(solution["suppressed"]),
            threshold=int(solution["threshold"]),
        )
        for solution in record["solutions"]
    )
    if [solution.id for solution in solutions] != list(range(len(solutions))):
        raise ValueError("ids")
    objectives = {name: Direction(way) for name, way in record["objectives"].items()}
    return Front(objectives=objectives, solutions=solutions)


def detail_of(record: Mapping[str, Any]) -> SolutionDetail:
    """Return the details of a solution."""
    return SolutionDetail(
        metrics=_read(record["metrics"]),
        classes=int(record["classes"]),
        kept_rows=int(record["kept_rows"]),
        suppressed=int(record["suppressed"]),
        class_sizes=tuple((int(size), int(rows)) for size, rows in record["class_sizes"]),
        column_losses=_read(record["column_losses"]),
    )


def _read(metrics: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(metric) for name, metric in metrics.items()}
