"""The risk of a study: of its source as it is, and of what is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.classes.class_tables import ClassTables
from sfumato.classes.recoded import recode
from sfumato.classes.suppression import NO_SUPPRESSION
from sfumato.errors import SettingsError, located
from sfumato.front.front import Solution
from sfumato.microdata.count_source import person_key
from sfumato.microdata.weight_counting import count_weights
from sfumato.recoding.levels import Levels
from sfumato.recoding.recoding import Recoding
from sfumato.risk.assessment.exposed_table import ExposedTable
from sfumato.risk.assessment.table_risk import RiskSettings, table_risk
from sfumato.risk.attacks.covering import leaves_covered, people_of_classes
from sfumato.risk.attacks.labelled_classes import LabelledClasses
from sfumato.sources.source import source_of
from sfumato.study.matched_tables import table_label
from sfumato.study.releasing import recoded_under

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.arrays import Floats
    from sfumato.findings.finding import Finding
    from sfumato.microdata.population import Population
    from sfumato.risk.assessment.table_risk import TableRisk
    from sfumato.sources.source import ColumnarTable, Source
    from sfumato.study.description import StudyDescription

DEFAULT_RISK = RiskSettings()


@dataclass(frozen=True, kw_only=True, eq=False)
class RiskAssessment:
    """The risk before and after; ``after`` is None if nothing was chosen.

    ``counts_people`` says that risks are those of people and not of rows, ``population`` what the
    study knows of the population. ``findings`` are what to look at in the columns of the source,
    classic identifiers among them.
    """

    columns: tuple[str, ...]
    before: TableRisk
    after: TableRisk | None
    settings: RiskSettings
    counts_people: bool
    population: Population | None
    findings: tuple[Finding, ...]


def assess_risk(
    study: StudyDescription,
    chosen: Mapping[str, int]
    | Recoding
    | Solution
    | Source
    | ColumnarTable
    | str
    | Path
    | None = None,
    *,
    threshold: int | None = None,
    settings: RiskSettings = DEFAULT_RISK,
) -> RiskAssessment:
    """Assess the risk of a study's source, and of a recoding of it or a file; see `Study.risk`."""
    from sfumato.study.examining import study_findings

    table = study.count_table
    population = study.population
    people = _people(study)
    weights = _weights(study)
    tables = ClassTables(table=table, carries=())
    bottom = Levels.of(dict(zip(table.names, study.lattice.bottom, strict=True)))
    (source,) = recode(tables, [bottom], thresholds=[None], suppression=NO_SUPPRESSION)
    before = ExposedTable.of_anonymization(
        source.anonymization(), label="the source", weights=weights
    )
    after = None
    if chosen is not None:
        after = _exposed(study, chosen, threshold, weights)
    return RiskAssessment(
        columns=table.names,
        before=table_risk(before, population=people, settings=settings),
        after=None if after is None else table_risk(after, population=people, settings=settings),
        settings=settings,
        counts_people=study.counts_people,
        population=population,
        findings=study_findings(study),
    )


def _people(study: StudyDescription) -> float | None:
    """Return how many people the population has, if its size is known and its table is not."""
    population, units = study.population, study.count_table.units
    if population is None or (population.size is None and population.fraction is None):
        return None
    return units / population.fraction_of(units)


def _weights(study: StudyDescription) -> Floats | None:
    population = study.population
    if population is None or population.weights is None:
        return None
    source = source_of(study.source)
    with located(file=source):
        return count_weights(
            source,
            study.count_table,
            population.weights,
            engine=study.engine,
            missing=study.missing,
            coarser=study.released_values,
        )


def _exposed(
    study: StudyDescription,
    chosen: Mapping[str, int] | Recoding | Solution | Source | ColumnarTable | str | Path,
    threshold: int | None,
    weights: Floats | None,
) -> ExposedTable:
    if isinstance(chosen, Mapping | Recoding | Solution):
        if isinstance(chosen, Solution) and threshold is None:
            threshold = chosen.threshold
        recoded = recoded_under(study, study.recoding(chosen), threshold)
        label = f"solution {chosen.id}" if isinstance(chosen, Solution) else "the recoding"
        return ExposedTable.of_anonymization(recoded.anonymization(), label=label, weights=weights)
    return _exposed_file(study, source_of(chosen))


def _exposed_file(study: StudyDescription, file: Source) -> ExposedTable:
    """Return what a file shows by the quasi-identifiers of the study that it has."""
    if person_key(study.attributes, study.missing) is not None:
        raise SettingsError(
            "the study counts people, and a file does not tell which rows are about one person",
            code="needs-people",
            file=file,
            remedy="name the run and the solution instead: sfumato risk RUN --pick RULE",
        )
    table = study.count_table
    with located(file=file):
        found = LabelledClasses.of_file(file, quasi_identifiers=table.names, engine=study.engine)
        population = None
        if table.population is not None:
            population = people_of_classes(
                found.names,
                found.labels,
                leaves_covered(found.names, found.texts, study.hierarchies, study.missing),
                table.population.codes,
                table.population.counts,
                study.hierarchies,
            )
            _check_population(population, found)
    exposed = ExposedTable.of_file(found, label=table_label(file), population=population)
    return replace(exposed, suppressed=max(exposed.suppressed, table.rows - exposed.rows))


def _check_population(population: object, found: LabelledClasses) -> None:
    import numpy as np

    short = int((np.asarray(population) < found.sizes).sum())
    if short:
        raise SettingsError(
            f"the population has fewer people than the file in {short:,} of "
            f"{found.sizes.shape[0]:,} classes",
            code="population-too-small",
            key="population",
            expected="every person of the file in the population",
        )
