"""What the public and the private certificate of a release say."""

from __future__ import annotations

import datetime
import shlex
from typing import TYPE_CHECKING, cast

from sfumato.documents.threat_model import THREAT_MODEL
from sfumato.hierarchies.domains.domain import CategoryDomain, MissingDomain
from sfumato.hierarchies.ground_distance import HierarchicalDistance, OrderedDistance
from sfumato.measures.catalogue import every_measure
from sfumato.measures.measure import SeenFrom
from sfumato.microdata.released_values import described_changes
from sfumato.microdata.roles import Role
from sfumato.plugins.offers import plugins_among
from sfumato.recoding.recoding import stored_recoding
from sfumato.release.certificates.private import PRIVATE, SuppressedRows
from sfumato.release.certificates.public import PUBLIC, MissingMarks
from sfumato.release.statement_question import published_statements, rules_as_written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.microdata.count_table import CountTable
    from sfumato.release.audit.audit import Audit
    from sfumato.release.ledger.composition import Composition
    from sfumato.release.microaggregation.microaggregation import MicroaggregatedColumn
    from sfumato.release.release_request import ReleaseRequest
    from sfumato.release.suppressed_records import SuppressedRecords
    from sfumato.release.verification import Recomputed


EXAMPLES = 6
"""How many labels of a column a certificate shows."""


def public_content(
    request: ReleaseRequest,
    destination: Path,
    audit: Audit,
    digest: str,
    labels: Mapping[str, Mapping[str | None, int]],
    dialect: Mapping[str, object] | None,
    columns: Sequence[MicroaggregatedColumn],
    *,
    released: Sequence[str],
    parts: int | None,
) -> dict[str, object]:
    """Return what a reader of the data may know: all of it can be seen in the data.

    ``released`` are the columns of the file.
    """
    import sfumato

    withheld = _withheld(request, audit)
    unsaid = _unsaid(request)
    metrics = {
        name: value
        for name, value in audit.metrics.items()
        if name not in withheld and name not in unsaid
    }
    reasons = {**audit.not_measured, **withheld}
    return {
        "kind": PUBLIC,
        "tool": f"sfumato {sfumato.__version__}",
        "how_to_check": shlex.join(
            ("sfumato", "verify", destination.name, request.options.certificate.name)
        ),
        "threat_model": THREAT_MODEL,
        "release": {
            "file": destination.name,
            "sha256": digest,
            **({"parts": parts} if parts is not None else {}),
            "rows": audit.rows + audit.starred,
            "classes": audit.classes,
            **({"starred": audit.starred} if request.suppressed_rows == "star" else {}),
            **({"csv": dialect} if dialect else {}),
        },
        "columns": _columns(request, released),
        **_missing(request),
        "values": request.values.value,
        **_local(request),
        "recoding": _recoding(request, labels, columns),
        **_changed(request),
        "suppression": _suppression(request, private=False),
        **_required(request, private=False),
        **_statements(request),
        **({} if request.batch.table.people is None else {"counts": "people"}),
        "metrics": metrics,
        **_plugins(request, metrics),
        "metrics_are_of": "the released rows"
        + ("; those with * in every quasi-identifier excepted" if audit.starred else ""),
        "not_measured": {name: why for name, why in reasons.items() if name not in unsaid},
    }


def _columns(request: ReleaseRequest, released: Sequence[str]) -> dict[str, object]:
    """Return the roles of the columns of the file, and what t and the class label need of them."""
    attributes = {attribute.name: attribute for attribute in request.attributes}
    described: dict[str, object] = {}
    for name in released:
        attribute = attributes.get(name)
        one: dict[str, object] = {
            "role": (Role.INSENSITIVE if attribute is None else attribute.role).value
        }
        if attribute is not None and attribute.label:
            one["label"] = True
        distance = None if attribute is None else attribute.ground_distance
        if isinstance(distance, HierarchicalDistance):
            one["distance"] = "hierarchical"
        elif isinstance(distance, OrderedDistance):
            one["distance"] = "ordered"
            if distance.order is not None:
                one["order"] = list(distance.order)
        described[name] = one
    return described


def _missing(request: ReleaseRequest) -> dict[str, object]:
    """Return which texts mean that a value is missing: settings, nothing of rows."""
    marks = MissingMarks(
        markers=request.missing.markers,
        label=request.missing.label,
        count_as_value=request.missing.count_as_value,
    )
    return {} if marks == MissingMarks() else {"missing": marks.plain()}


def _changed(request: ReleaseRequest) -> dict[str, object]:
    """Return how values beside the quasi-identifiers were changed: settings, nothing of rows."""
    changed = described_changes(request.attributes)
    return {"changed": changed} if changed else {}


def _suppression(request: ReleaseRequest, *, private: bool) -> dict[str, object]:
    """Return which rows were left out.

    Where classes are missing because they fail a sensitive criterion, readers are not told which
    one: with it, what is missing tells what its people share.
    """
    policy = request.suppression
    criteria = _told(policy.criteria, request, private=private)
    return {
        "policy": policy.policy.value,
        **({} if policy.limit is None else {"limit": policy.limit}),
        **({} if policy.k is None else {"k": policy.k}),
        **({"criteria": criteria} if criteria else {}),
        **({"failing": True} if private and policy.failing else {}),
        "rows": request.suppressed_rows.value,
    }


def _required(request: ReleaseRequest, *, private: bool) -> dict[str, object]:
    """Return the policy that the release meets, as far as it is told."""
    told = _told(request.required, request, private=private)
    return {"require": told} if told else {}


def _told(
    criteria: Sequence[ClassCriterion], request: ReleaseRequest, *, private: bool
) -> list[str]:
    silent = request.suppression.tells_of_failing and not private
    return [str(each) for each in criteria if not silent or each.least_size is not None]


def _unsaid(request: ReleaseRequest) -> set[str]:
    """Return the metrics that would tell of confidential statements, where these are not told."""
    if not request.suppression.tells_of_failing:
        return set()
    measures = (*every_measure(request.batch.table), *request.measures)
    return {str(measure) for measure in measures if measure.needs_statements}


def _local(request: ReleaseRequest) -> dict[str, object]:
    """Say that the labels of a value are not everywhere the same, where it is so."""
    if all(column.partition is not None for column in request.blocks):
        return {}
    return {"local": "labels differ from class to class"}


def _plugins(request: ReleaseRequest, metrics: Mapping[str, float]) -> dict[str, object]:
    """Return whose the metrics are that are not built in; of no other member is anything said."""
    shown = [measure for measure in request.measures if str(measure) in metrics]
    found = plugins_among(shown)
    return {"plugins": {text: str(origin) for text, origin in found.items()}} if found else {}


def _statements(request: ReleaseRequest) -> dict[str, object]:
    """Return which predicates the release keeps confidential, for whom: the policy, no counts."""
    statements = request.batch.table.statements
    if statements is None or request.suppression.tells_of_failing:
        return {}
    return {"statements": published_statements(statements.statements, request.attributes)}


def _withheld(request: ReleaseRequest, audit: Audit) -> dict[str, str]:
    """Return the metrics that would tell which values occur beyond the released ones, and why.

    Losses are shares of the domain. Where that is no more than the values that occur, a reader
    could solve a loss for its size: the age of the oldest person, or that a suppressed one has a
    value that nobody else has. So it is with a height where the values make the levels.
    """
    identifiers = request.batch.table.quasi_identifiers
    measures = (*every_measure(request.batch.table), *request.measures)
    of_domains = (SeenFrom.BLOCKS, SeenFrom.PARTITIONS)
    withheld = {}
    for measure in measures:
        if measure.seen_from not in of_domains or str(measure) not in audit.metrics:
            continue
        open_domains = [
            each.name
            for each in identifiers
            if not (each.levels_declared if measure.needs_levels else each.domain_declared)
        ]
        if open_domains:
            withheld[str(measure)] = (
                f"it depends on which values of {', '.join(map(repr, open_domains))} occur, also "
                "among suppressed people; it is in the private certificate. Declare the domain in "
                "the study to publish it"
            )
    return withheld


def _recoding(
    request: ReleaseRequest,
    labels: Mapping[str, Mapping[str | None, int]],
    columns: Sequence[MicroaggregatedColumn],
) -> dict[str, object]:
    """Return, for every quasi-identifier, its level and what the cells look like.

    Of statistics it tells the block that each stands for: what a generalized release would show.
    In a local recoding these are classes, and a statistic can be that of several.
    """
    described: dict[str, object] = {}
    for q, column in enumerate(request.blocks):
        one: dict[str, object] = {}
        if column.level is not None and request.batch.table.quasi_identifiers[q].levels_declared:
            # Not of how many: a hierarchy can be higher because of a suppressed person's value.
            one["level"] = column.level
        if column.output is not None and not columns:
            one["output"] = column.output.value
        one["labels"] = len(labels[column.name])
        if columns and column.by_class:
            # Labels of classes would tell more than their statistics do.
            pass
        elif columns:
            written = zip(columns[q].blocks.labels, column.labels, strict=True)
            blocks = {shown: block for shown, block in written if shown is not None}
            if any(shown != block for shown, block in blocks.items()):
                one["blocks"] = {shown: blocks[shown] for shown in _ordered(request, q, blocks)}
        else:
            one["examples"] = _ordered(request, q, labels[column.name])[:EXAMPLES]
        if columns:
            one["statistic"] = columns[q].statistic.value
            if columns[q].digits is not None:
                one["digits"] = columns[q].digits
        described[column.name] = one
    return described


def _ordered(
    request: ReleaseRequest, q: int, texts: Mapping[str, object] | Mapping[str | None, object]
) -> list[str]:
    """Return what cells of a column show, in an order that tells nothing of other rows.

    The order of classes would tell which comes first, and that of categories that are not declared
    whether they are all numbers.
    """
    identifier = request.batch.table.quasi_identifiers[q]
    domain = identifier.hierarchy.domain
    known = domain.known if isinstance(domain, MissingDomain) else domain
    by_itself = identifier.domain_declared or not isinstance(known, CategoryDomain)
    shown = list(map(str, texts))
    return shown if by_itself and request.blocks[q].partition is not None else sorted(shown)


def _private_recoding(
    request: ReleaseRequest, public: object, columns: Sequence[MicroaggregatedColumn]
) -> dict[str, object]:
    """Return the recoding as the public certificate has it, with all that an audit needs.

    Labels that are made of values are listed, also those that no kept row shows. Of statistics it
    has the number of the block that each stands for, and how many show a value.
    """
    described = cast("dict[str, dict[str, object]]", public)
    private: dict[str, object] = {}
    for q, column in enumerate(request.blocks):
        one = dict(described[column.name])
        if request.recoding.labels_of_kept_rows:
            one["block_labels"] = list(column.labels)
        if column.partition is None:
            one["label_sizes"] = column.sizes.tolist()
        if columns and column.by_class:
            one["class_values"] = list(columns[q].blocks.labels)
        elif columns:
            one["block_of_value"] = {
                written: block
                for block, written in enumerate(columns[q].blocks.labels)
                if written is not None
            }
        if columns:
            one["blocks_of_one_value"] = columns[q].alone
            one["squared_error"] = columns[q].squared_error
        private[column.name] = one
    return private


def _people(table: CountTable) -> dict[str, object]:
    """Say that people were counted, and how many, where there is a person key."""
    if table.people is None:
        return {}
    return {
        "counts": "people",
        "people": table.people.count,
        "people_in_several_cells": table.people.in_several_cells,
    }


def composition_content(composition: Composition | None) -> dict[str, object]:
    """Return what the private certificate says of earlier releases of the same people.

    Readers are not told: that there were others cannot be seen in the data.
    """
    if composition is None:
        return {"composition": {"ledger": False}}
    numbers: dict[str, object] = {}
    if composition.k is not None:
        numbers = {
            "k": composition.k,
            "alone": composition.alone,
            "classes": composition.classes,
            "values": dict(composition.values or {}),
            "require": list(composition.required),
            "missed": list(composition.missed),
            "adds": composition.adds,
        }
    return {
        "composition": {
            "ledger": True,
            **numbers,
            "differencing": composition.differencing,
            "accepted": composition.accepted and composition.refused,
            "earlier": [
                {name: value for name, value in vars(each).items() if value is not None}
                for each in composition.earlier
            ],
        }
    }


def private_content(
    request: ReleaseRequest,
    public: Mapping[str, object],
    totals: SuppressedRecords,
    verified: Recomputed,
    columns: Sequence[MicroaggregatedColumn],
    audit: Audit,
) -> dict[str, object]:
    """Return all that the publisher should keep: settings, source, and metrics of all rows."""
    table = request.batch.table
    unsaid = _unsaid(request)
    recomputed = [f"{c.blocks.name}: {c.statistic} of every block" for c in columns]
    recomputed += verified.of_people
    return {
        "kind": PRIVATE,
        "note": "for the publisher alone: it tells about rows that the release leaves out",
        "tool": public["tool"],
        "threat_model": public["threat_model"],
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "release": public["release"],
        **request.options.provenance,
        "source_rows": table.rows,
        **_people(table),
        "rows_left_out_as_incomplete": table.dropped_rows,
        "values": public["values"],
        "chosen": stored_recoding(request.recoding),
        "recoding": _private_recoding(request, public["recoding"], columns),
        **(
            {"minimum_levels": dict(zip(table.names, table.minimum_levels, strict=True))}
            if any(table.minimum_levels)
            else {}
        ),
        **_changed(request),
        "threshold": request.threshold,
        "suppression": _suppression(request, private=True),
        **_required(request, private=True),
        **(
            {}
            if table.statements is None
            else {"statements": rules_as_written(table.statements.statements)}
        ),
        "metrics_before": dict(request.before),
        "metrics": dict(request.promised),
        "metrics_of_released_rows": {
            name: value
            for name, value in audit.metrics.items()
            if name in cast("Mapping[str, float]", public["metrics"]) or name in unsaid
        },
        "recomputed_from_the_file_by_sql": list(verified.of_file),
        **({"recomputed_from_the_source_by_sql": recomputed} if recomputed else {}),
        "suppressed": SuppressedRows.of(totals).plain(),
        "findings": [finding.record() for finding in request.findings],
    }
