"""sfumato: the whole trade-off between privacy and utility of microdata.

    import sfumato as sf

    study = sf.Study(
        source="patients.csv",
        attributes=[
            sf.identifying("name"),
            sf.quasi_identifying("age", sf.Intervals(widths=(5, 10, 20))),
            sf.quasi_identifying("zip", sf.Prefixes()),
            sf.sensitive("diagnosis"),
        ],
        suppression=sf.limited(0.01),
        objectives=["k", "normalized-loss"],
    )
    front = study.search().front
    front.to_pandas()

The names below are the public face; they are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato import datasets as datasets
    from sfumato.classes.anonymization import Anonymization as Anonymization
    from sfumato.classes.suppression import BELOW_WEIGHTED_K as BELOW_WEIGHTED_K
    from sfumato.classes.suppression import NO_SUPPRESSION as NO_SUPPRESSION
    from sfumato.classes.suppression import ClassCriterion as ClassCriterion
    from sfumato.classes.suppression import Policy as Policy
    from sfumato.classes.suppression import Suppression as Suppression
    from sfumato.classes.suppression import Threshold as Threshold
    from sfumato.classes.suppression import given_k as given_k
    from sfumato.classes.suppression import limited as limited
    from sfumato.compare.catalogue import comparator as comparator
    from sfumato.compare.catalogue import comparator_names as comparator_names
    from sfumato.compare.catalogue import property_named as property_named
    from sfumato.compare.catalogue import property_names as property_names
    from sfumato.compare.tournament import Tournament as Tournament
    from sfumato.compare.tournament import tournament as tournament
    from sfumato.compare.vectors.property_vector import PropertyVector as PropertyVector
    from sfumato.compare.verdict import Outcome as Outcome
    from sfumato.compare.verdict import Verdict as Verdict
    from sfumato.engines.duckdb.engine import DuckDBEngine as DuckDBEngine
    from sfumato.engines.messages.block_statistics import Statistic as Statistic
    from sfumato.engines.messages.coarsening import CoarseDates as CoarseDates
    from sfumato.engines.messages.coarsening import CoarseNumbers as CoarseNumbers
    from sfumato.engines.messages.rewrite_plan import SuppressedRows as SuppressedRows
    from sfumato.engines.spark.engine import SparkEngine as SparkEngine
    from sfumato.errors import HierarchyError as HierarchyError
    from sfumato.errors import ReleaseError as ReleaseError
    from sfumato.errors import SettingsError as SettingsError
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.errors import SourceError as SourceError
    from sfumato.errors import UnmetError as UnmetError
    from sfumato.findings.finding import Finding as Finding
    from sfumato.findings.finding import Severity as Severity
    from sfumato.front.box_archive import BoxArchive as BoxArchive
    from sfumato.front.decisions.alternatives import Tolerance as Tolerance
    from sfumato.front.decisions.alternatives import alternatives as alternatives
    from sfumato.front.decisions.criterion import MeasureCriterion as MeasureCriterion
    from sfumato.front.decisions.criterion import read_criterion as read_criterion
    from sfumato.front.decisions.picking import Pick as Pick
    from sfumato.front.decisions.picking import pick as pick
    from sfumato.front.decisions.picking import select as select
    from sfumato.front.front import Front as Front
    from sfumato.front.front import Solution as Solution
    from sfumato.front.indicators.convergence_error import convergence_error as convergence_error
    from sfumato.front.indicators.hypervolume import hypervolume as hypervolume
    from sfumato.front.indicators.igd_plus import igd_plus as igd_plus
    from sfumato.front.indicators.objective_values import ObjectiveScale as ObjectiveScale
    from sfumato.front.indicators.representation_ratio import (
        representation_ratio as representation_ratio,
    )
    from sfumato.hierarchies.admissible_partitions import (
        AdmissiblePartitions as AdmissiblePartitions,
    )
    from sfumato.hierarchies.builders.alternatives import Alternatives as Alternatives
    from sfumato.hierarchies.builders.dates import Dates as Dates
    from sfumato.hierarchies.builders.flat import Flat as Flat
    from sfumato.hierarchies.builders.groups import Groups as Groups
    from sfumato.hierarchies.builders.intervals import Intervals as Intervals
    from sfumato.hierarchies.builders.known_taxonomy import KnownTaxonomy as KnownTaxonomy
    from sfumato.hierarchies.builders.prefixes import Prefixes as Prefixes
    from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv as read_hierarchy_csv
    from sfumato.hierarchies.formats.hierarchy_csv import write_hierarchy_csv as write_hierarchy_csv
    from sfumato.hierarchies.formats.partitions_csv import (
        read_partitions_csv as read_partitions_csv,
    )
    from sfumato.hierarchies.formats.partitions_csv import (
        write_partitions_csv as write_partitions_csv,
    )
    from sfumato.hierarchies.ground_distance import EqualDistance as EqualDistance
    from sfumato.hierarchies.ground_distance import HierarchicalDistance as HierarchicalDistance
    from sfumato.hierarchies.ground_distance import OrderedDistance as OrderedDistance
    from sfumato.hierarchies.hierarchy import Hierarchy as Hierarchy
    from sfumato.hierarchies.tree_view import tree_view as tree_view
    from sfumato.measures.catalogue import measure as measure
    from sfumato.measures.catalogue import measure_names as measure_names
    from sfumato.measures.measure import Direction as Direction
    from sfumato.measures.measure import Kind as Kind
    from sfumato.measures.measure import Measure as Measure
    from sfumato.measures.measure import Monotone as Monotone
    from sfumato.measures.measure import Proved as Proved
    from sfumato.measures.measure import SeenFrom as SeenFrom
    from sfumato.measures.measure import column_of as column_of
    from sfumato.microdata.missing import MissingPolicy as MissingPolicy
    from sfumato.microdata.missing import MissingValues as MissingValues
    from sfumato.microdata.output import Output as Output
    from sfumato.microdata.population import Population as Population
    from sfumato.microdata.roles import Attribute as Attribute
    from sfumato.microdata.roles import Role as Role
    from sfumato.microdata.roles import identifying as identifying
    from sfumato.microdata.roles import insensitive as insensitive
    from sfumato.microdata.roles import quasi_identifying as quasi_identifying
    from sfumato.microdata.roles import sensitive as sensitive
    from sfumato.recoding.cuts import Cuts as Cuts
    from sfumato.recoding.label_reader import LabelReader as LabelReader
    from sfumato.recoding.label_reader import ReadLabel as ReadLabel
    from sfumato.recoding.label_reader import read_label as read_label
    from sfumato.recoding.levels import Levels as Levels
    from sfumato.recoding.local import Local as Local
    from sfumato.recoding.partition_space import PartitionSpace as PartitionSpace
    from sfumato.recoding.recoding import Recoding as Recoding
    from sfumato.release.audit.audit import Audit as Audit
    from sfumato.release.certificates.signing import sign_certificate as sign_certificate
    from sfumato.release.ledger.composition import Composition as Composition
    from sfumato.release.ledger.ledger import Ledger as Ledger
    from sfumato.release.received.release_check import ReleaseCheck as ReleaseCheck
    from sfumato.release.received.verifying import verify_release as verify_release
    from sfumato.release.release import Release as Release
    from sfumato.release.release_request import ReleasedValues as ReleasedValues
    from sfumato.release.signatures.keys import PublicKey as PublicKey
    from sfumato.release.signatures.keys import SigningKey as SigningKey
    from sfumato.report.comparison import write_comparison as write_comparison
    from sfumato.report.report import write_report as write_report
    from sfumato.report.risk import write_risk as write_risk
    from sfumato.risk.assessment.table_risk import RiskSettings as RiskSettings
    from sfumato.risk.attacks.file_attacks import FileAttacks as FileAttacks
    from sfumato.risk.attacks.file_attacks import Intruder as Intruder
    from sfumato.search.catalogue import search_methods as search_methods
    from sfumato.search.control import SearchControl as SearchControl
    from sfumato.search.control import after_evaluations as after_evaluations
    from sfumato.search.control import after_seconds as after_seconds
    from sfumato.search.control import any_of as any_of
    from sfumato.search.guarantee import Guarantee as Guarantee
    from sfumato.search.methods.anytime.anytime import AnytimeSettings as AnytimeSettings
    from sfumato.search.methods.aog_ga import AogGaSettings as AogGaSettings
    from sfumato.search.methods.genitor.settings import GenitorSettings as GenitorSettings
    from sfumato.search.methods.local.ruin_and_recreate import (
        RuinAndRecreateSettings as RuinAndRecreateSettings,
    )
    from sfumato.search.methods.nsga_ii import NsgaIISettings as NsgaIISettings
    from sfumato.search.methods.pbg_ea import PbgEaSettings as PbgEaSettings
    from sfumato.search.result import MinimalRecodings as MinimalRecodings
    from sfumato.search.result import Progress as Progress
    from sfumato.search.result import SearchResult as SearchResult
    from sfumato.search.result import SpaceResult as SpaceResult
    from sfumato.search.result import Steps as Steps
    from sfumato.sources.source import CatalogTable as CatalogTable
    from sfumato.sources.source import CsvFile as CsvFile
    from sfumato.sources.source import DatabaseTable as DatabaseTable
    from sfumato.sources.source import ParquetFile as ParquetFile
    from sfumato.sources.source import PostgresTable as PostgresTable
    from sfumato.sources.source import StatisticsFile as StatisticsFile
    from sfumato.sources.source import Worksheet as Worksheet
    from sfumato.statements.confidential import ConfidentialStatement as ConfidentialStatement
    from sfumato.statements.confidential import ConfidentialStatements as ConfidentialStatements
    from sfumato.statements.predicate import Predicate as Predicate
    from sfumato.statements.predicate import atom as atom
    from sfumato.statements.predicate_parser import predicate as predicate
    from sfumato.study.auditing import audit as audit
    from sfumato.study.comparison import Comparison as Comparison
    from sfumato.study.evaluation import Evaluation as Evaluation
    from sfumato.study.file.study_file import StudyFile as StudyFile
    from sfumato.study.file.study_file import read_study_file as read_study_file
    from sfumato.study.progress_bar import progress_bar as progress_bar
    from sfumato.study.proposing import propose as propose
    from sfumato.study.reading_release import read_release as read_release
    from sfumato.study.risk_assessment import RiskAssessment as RiskAssessment
    from sfumato.study.runs.run import Run as Run
    from sfumato.study.runs.run_folder import read_run as read_run
    from sfumato.study.runs.run_folder import write_run as write_run
    from sfumato.study.study import Study as Study

__version__ = "0.1.0"

_HOMES = {
    "Anonymization": "classes.anonymization",
    "AnytimeSettings": "search.methods.anytime.anytime",
    "Attribute": "microdata.roles",
    "Audit": "release.audit.audit",
    "BELOW_WEIGHTED_K": "classes.suppression",
    "BoxArchive": "front.box_archive",
    "CatalogTable": "sources.source",
    "CoarseDates": "engines.messages.coarsening",
    "CoarseNumbers": "engines.messages.coarsening",
    "Comparison": "study.comparison",
    "Composition": "release.ledger.composition",
    "CsvFile": "sources.source",
    "DatabaseTable": "sources.source",
    "PostgresTable": "sources.source",
    "Dates": "hierarchies.builders.dates",
    "Direction": "measures.measure",
    "DuckDBEngine": "engines.duckdb.engine",
    "EqualDistance": "hierarchies.ground_distance",
    "Evaluation": "study.evaluation",
    "Finding": "findings.finding",
    "Flat": "hierarchies.builders.flat",
    "Front": "front.front",
    "GenitorSettings": "search.methods.genitor.settings",
    "Groups": "hierarchies.builders.groups",
    "Guarantee": "search.guarantee",
    "HierarchicalDistance": "hierarchies.ground_distance",
    "Hierarchy": "hierarchies.hierarchy",
    "HierarchyError": "errors",
    "Intervals": "hierarchies.builders.intervals",
    "KnownTaxonomy": "hierarchies.builders.known_taxonomy",
    "Kind": "measures.measure",
    "Measure": "measures.measure",
    "MissingPolicy": "microdata.missing",
    "MissingValues": "microdata.missing",
    "Population": "microdata.population",
    "Monotone": "measures.measure",
    "NO_SUPPRESSION": "classes.suppression",
    "NsgaIISettings": "search.methods.nsga_ii",
    "ObjectiveScale": "front.indicators.objective_values",
    "OrderedDistance": "hierarchies.ground_distance",
    "Outcome": "compare.verdict",
    "ParquetFile": "sources.source",
    "StatisticsFile": "sources.source",
    "Worksheet": "sources.source",
    "PartitionSpace": "recoding.partition_space",
    "PbgEaSettings": "search.methods.pbg_ea",
    "Pick": "front.decisions.picking",
    "Policy": "classes.suppression",
    "Prefixes": "hierarchies.builders.prefixes",
    "Progress": "search.result",
    "PropertyVector": "compare.vectors.property_vector",
    "Proved": "measures.measure",
    "Cuts": "recoding.cuts",
    "LabelReader": "recoding.label_reader",
    "Local": "recoding.local",
    "Output": "microdata.output",
    "ReadLabel": "recoding.label_reader",
    "read_label": "recoding.label_reader",
    "read_release": "study.reading_release",
    "Ledger": "release.ledger.ledger",
    "Levels": "recoding.levels",
    "Recoding": "recoding.recoding",
    "PublicKey": "release.signatures.keys",
    "Release": "release.release",
    "ReleaseCheck": "release.received.release_check",
    "ReleaseError": "errors",
    "ReleasedValues": "release.release_request",
    "Role": "microdata.roles",
    "RuinAndRecreateSettings": "search.methods.local.ruin_and_recreate",
    "Run": "study.runs.run",
    "SearchControl": "search.control",
    "SearchResult": "search.result",
    "SpaceResult": "search.result",
    "ConfidentialStatement": "statements.confidential",
    "ConfidentialStatements": "statements.confidential",
    "SeenFrom": "measures.measure",
    "Predicate": "statements.predicate",
    "SettingsError": "errors",
    "SfumatoError": "errors",
    "Severity": "findings.finding",
    "SigningKey": "release.signatures.keys",
    "Solution": "front.front",
    "SourceError": "errors",
    "SparkEngine": "engines.spark.engine",
    "Statistic": "engines.messages.block_statistics",
    "Steps": "search.result",
    "Study": "study.study",
    "StudyFile": "study.file.study_file",
    "SuppressedRows": "engines.messages.rewrite_plan",
    "Suppression": "classes.suppression",
    "Threshold": "classes.suppression",
    "Tolerance": "front.decisions.alternatives",
    "Tournament": "compare.tournament",
    "UnmetError": "errors",
    "Verdict": "compare.verdict",
    "after_evaluations": "search.control",
    "after_seconds": "search.control",
    "alternatives": "front.decisions.alternatives",
    "any_of": "search.control",
    "audit": "study.auditing",
    "atom": "statements.predicate",
    "column_of": "measures.measure",
    "comparator": "compare.catalogue",
    "comparator_names": "compare.catalogue",
    "convergence_error": "front.indicators.convergence_error",
    "given_k": "classes.suppression",
    "hypervolume": "front.indicators.hypervolume",
    "identifying": "microdata.roles",
    "igd_plus": "front.indicators.igd_plus",
    "insensitive": "microdata.roles",
    "limited": "classes.suppression",
    "measure": "measures.catalogue",
    "measure_names": "measures.catalogue",
    "pick": "front.decisions.picking",
    "progress_bar": "study.progress_bar",
    "propose": "study.proposing",
    "property_named": "compare.catalogue",
    "property_names": "compare.catalogue",
    "quasi_identifying": "microdata.roles",
    "read_hierarchy_csv": "hierarchies.formats.hierarchy_csv",
    "read_run": "study.runs.run_folder",
    "read_study_file": "study.file.study_file",
    "representation_ratio": "front.indicators.representation_ratio",
    "search_methods": "search.catalogue",
    "sign_certificate": "release.certificates.signing",
    "select": "front.decisions.picking",
    "sensitive": "microdata.roles",
    "predicate": "statements.predicate_parser",
    "tournament": "compare.tournament",
    "tree_view": "hierarchies.tree_view",
    "verify_release": "release.received.verifying",
    "write_comparison": "report.comparison",
    "write_hierarchy_csv": "hierarchies.formats.hierarchy_csv",
    "write_report": "report.report",
    "write_run": "study.runs.run_folder",
    "AdmissiblePartitions": "hierarchies.admissible_partitions",
    "Alternatives": "hierarchies.builders.alternatives",
    "read_partitions_csv": "hierarchies.formats.partitions_csv",
    "write_partitions_csv": "hierarchies.formats.partitions_csv",
    "AogGaSettings": "search.methods.aog_ga",
    "MinimalRecodings": "search.result",
    "read_criterion": "front.decisions.criterion",
    "ClassCriterion": "classes.suppression",
    "MeasureCriterion": "front.decisions.criterion",
    "FileAttacks": "risk.attacks.file_attacks",
    "Intruder": "risk.attacks.file_attacks",
    "RiskAssessment": "study.risk_assessment",
    "RiskSettings": "risk.assessment.table_risk",
    "write_risk": "report.risk",
}

__all__ = ["__version__", "datasets", *sorted(_HOMES)]


def __getattr__(name: str) -> object:
    if name == "datasets":
        return importlib.import_module("sfumato.datasets")
    if name not in _HOMES:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"sfumato.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
