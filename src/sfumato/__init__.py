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
        objectives=["k", "loss"],
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
    from sfumato.compare.anonymization import Anonymization as Anonymization
    from sfumato.compare.catalogue import comparator as comparator
    from sfumato.compare.catalogue import comparator_names as comparator_names
    from sfumato.compare.catalogue import property_named as property_named
    from sfumato.compare.catalogue import property_names as property_names
    from sfumato.compare.property_vector import PropertyVector as PropertyVector
    from sfumato.compare.tournament import Tournament as Tournament
    from sfumato.compare.tournament import tournament as tournament
    from sfumato.compare.verdict import Outcome as Outcome
    from sfumato.compare.verdict import Verdict as Verdict
    from sfumato.data.admissible_partitions import AdmissiblePartitions as AdmissiblePartitions
    from sfumato.data.builders.alternatives import Alternatives as Alternatives
    from sfumato.data.builders.dates import Dates as Dates
    from sfumato.data.builders.flat import Flat as Flat
    from sfumato.data.builders.groups import Groups as Groups
    from sfumato.data.builders.intervals import Intervals as Intervals
    from sfumato.data.builders.prefixes import Prefixes as Prefixes
    from sfumato.data.engines.duckdb_engine import DuckDBEngine as DuckDBEngine
    from sfumato.data.engines.spark_engine import SparkEngine as SparkEngine
    from sfumato.data.ground_distance import EqualDistance as EqualDistance
    from sfumato.data.ground_distance import HierarchicalDistance as HierarchicalDistance
    from sfumato.data.ground_distance import OrderedDistance as OrderedDistance
    from sfumato.data.hierarchy import Hierarchy as Hierarchy
    from sfumato.data.hierarchy_csv import read_hierarchy_csv as read_hierarchy_csv
    from sfumato.data.hierarchy_csv import write_hierarchy_csv as write_hierarchy_csv
    from sfumato.data.missing import MissingPolicy as MissingPolicy
    from sfumato.data.missing import MissingValues as MissingValues
    from sfumato.data.partitions_csv import read_partitions_csv as read_partitions_csv
    from sfumato.data.partitions_csv import write_partitions_csv as write_partitions_csv
    from sfumato.data.rewrite_plan import SuppressedRows as SuppressedRows
    from sfumato.data.roles import Attribute as Attribute
    from sfumato.data.roles import Role as Role
    from sfumato.data.roles import identifying as identifying
    from sfumato.data.roles import insensitive as insensitive
    from sfumato.data.roles import quasi_identifying as quasi_identifying
    from sfumato.data.roles import sensitive as sensitive
    from sfumato.data.secrets.secrets import Secret as Secret
    from sfumato.data.secrets.secrets import Secrets as Secrets
    from sfumato.data.secrets.sentence import Sentence as Sentence
    from sfumato.data.secrets.sentence import atom as atom
    from sfumato.data.secrets.sentence_parser import sentence as sentence
    from sfumato.data.source import CatalogTable as CatalogTable
    from sfumato.data.source import CsvFile as CsvFile
    from sfumato.data.source import DatabaseTable as DatabaseTable
    from sfumato.data.source import ParquetFile as ParquetFile
    from sfumato.data.statistic import Statistic as Statistic
    from sfumato.data.tree_view import tree_view as tree_view
    from sfumato.errors import HierarchyError as HierarchyError
    from sfumato.errors import ReleaseError as ReleaseError
    from sfumato.errors import SettingsError as SettingsError
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.errors import SourceError as SourceError
    from sfumato.errors import UnmetError as UnmetError
    from sfumato.front.alternatives import Tolerance as Tolerance
    from sfumato.front.alternatives import alternatives as alternatives
    from sfumato.front.box_archive import BoxArchive as BoxArchive
    from sfumato.front.convergence_error import convergence_error as convergence_error
    from sfumato.front.criterion import MeasureCriterion as MeasureCriterion
    from sfumato.front.criterion import read_criterion as read_criterion
    from sfumato.front.front import Front as Front
    from sfumato.front.front import Solution as Solution
    from sfumato.front.hypervolume import hypervolume as hypervolume
    from sfumato.front.igd_plus import igd_plus as igd_plus
    from sfumato.front.objective_scale import ObjectiveScale as ObjectiveScale
    from sfumato.front.picking import Pick as Pick
    from sfumato.front.picking import pick as pick
    from sfumato.front.picking import select as select
    from sfumato.front.representation_ratio import representation_ratio as representation_ratio
    from sfumato.measures.catalogue import measure as measure
    from sfumato.measures.catalogue import measure_names as measure_names
    from sfumato.measures.measure import Direction as Direction
    from sfumato.measures.measure import Kind as Kind
    from sfumato.measures.measure import Measure as Measure
    from sfumato.measures.measure import Monotone as Monotone
    from sfumato.measures.measure import Proved as Proved
    from sfumato.measures.measure import SeenFrom as SeenFrom
    from sfumato.measures.measure import column_of as column_of
    from sfumato.recoding.class_criterion import ClassCriterion as ClassCriterion
    from sfumato.recoding.partition_space import PartitionSpace as PartitionSpace
    from sfumato.recoding.recoding import Recoding as Recoding
    from sfumato.recoding.suppression import BELOW_WEIGHTED_K as BELOW_WEIGHTED_K
    from sfumato.recoding.suppression import NO_SUPPRESSION as NO_SUPPRESSION
    from sfumato.recoding.suppression import Policy as Policy
    from sfumato.recoding.suppression import Suppression as Suppression
    from sfumato.recoding.suppression import Threshold as Threshold
    from sfumato.recoding.suppression import given_k as given_k
    from sfumato.recoding.suppression import limited as limited
    from sfumato.release.audit import Audit as Audit
    from sfumato.release.release import Release as Release
    from sfumato.release.released_values import ReleasedValues as ReleasedValues
    from sfumato.report.comparison import write_comparison as write_comparison
    from sfumato.report.report import write_report as write_report
    from sfumato.search.anytime_settings import AnytimeSettings as AnytimeSettings
    from sfumato.search.aog_ga_settings import AogGaSettings as AogGaSettings
    from sfumato.search.catalogue import search_methods as search_methods
    from sfumato.search.control import SearchControl as SearchControl
    from sfumato.search.genitor_settings import GenitorSettings as GenitorSettings
    from sfumato.search.guarantee import Guarantee as Guarantee
    from sfumato.search.nsga_ii_settings import NsgaIISettings as NsgaIISettings
    from sfumato.search.pbg_ea_settings import PbgEaSettings as PbgEaSettings
    from sfumato.search.result import MinimalRecodings as MinimalRecodings
    from sfumato.search.result import Progress as Progress
    from sfumato.search.result import SearchResult as SearchResult
    from sfumato.search.result import Steps as Steps
    from sfumato.search.stopping import after_evaluations as after_evaluations
    from sfumato.search.stopping import after_seconds as after_seconds
    from sfumato.search.stopping import any_of as any_of
    from sfumato.study.comparison import Comparison as Comparison
    from sfumato.study.evaluation import Evaluation as Evaluation
    from sfumato.study.progress_bar import progress_bar as progress_bar
    from sfumato.study.run import Run as Run
    from sfumato.study.run_folder import read_run as read_run
    from sfumato.study.run_folder import write_run as write_run
    from sfumato.study.study import Study as Study
    from sfumato.study.study_file import StudyFile as StudyFile
    from sfumato.study.study_file import read_study_file as read_study_file

__version__ = "0.1.0"

_HOMES = {
    "Anonymization": "compare.anonymization",
    "AnytimeSettings": "search.anytime_settings",
    "Attribute": "data.roles",
    "Audit": "release.audit",
    "BELOW_WEIGHTED_K": "recoding.suppression",
    "BoxArchive": "front.box_archive",
    "CatalogTable": "data.source",
    "Comparison": "study.comparison",
    "CsvFile": "data.source",
    "DatabaseTable": "data.source",
    "Dates": "data.builders.dates",
    "Direction": "measures.measure",
    "DuckDBEngine": "data.engines.duckdb_engine",
    "EqualDistance": "data.ground_distance",
    "Evaluation": "study.evaluation",
    "Flat": "data.builders.flat",
    "Front": "front.front",
    "GenitorSettings": "search.genitor_settings",
    "Groups": "data.builders.groups",
    "Guarantee": "search.guarantee",
    "HierarchicalDistance": "data.ground_distance",
    "Hierarchy": "data.hierarchy",
    "HierarchyError": "errors",
    "Intervals": "data.builders.intervals",
    "Kind": "measures.measure",
    "Measure": "measures.measure",
    "MissingPolicy": "data.missing",
    "MissingValues": "data.missing",
    "Monotone": "measures.measure",
    "NO_SUPPRESSION": "recoding.suppression",
    "NsgaIISettings": "search.nsga_ii_settings",
    "ObjectiveScale": "front.objective_scale",
    "OrderedDistance": "data.ground_distance",
    "Outcome": "compare.verdict",
    "ParquetFile": "data.source",
    "PartitionSpace": "recoding.partition_space",
    "PbgEaSettings": "search.pbg_ea_settings",
    "Pick": "front.picking",
    "Policy": "recoding.suppression",
    "Prefixes": "data.builders.prefixes",
    "Progress": "search.result",
    "PropertyVector": "compare.property_vector",
    "Proved": "measures.measure",
    "Recoding": "recoding.recoding",
    "Release": "release.release",
    "ReleaseError": "errors",
    "ReleasedValues": "release.released_values",
    "Role": "data.roles",
    "Run": "study.run",
    "SearchControl": "search.control",
    "SearchResult": "search.result",
    "Secret": "data.secrets.secrets",
    "Secrets": "data.secrets.secrets",
    "SeenFrom": "measures.measure",
    "Sentence": "data.secrets.sentence",
    "SettingsError": "errors",
    "SfumatoError": "errors",
    "Solution": "front.front",
    "SourceError": "errors",
    "SparkEngine": "data.engines.spark_engine",
    "Statistic": "data.statistic",
    "Steps": "search.result",
    "Study": "study.study",
    "StudyFile": "study.study_file",
    "SuppressedRows": "data.rewrite_plan",
    "Suppression": "recoding.suppression",
    "Threshold": "recoding.suppression",
    "Tolerance": "front.alternatives",
    "Tournament": "compare.tournament",
    "UnmetError": "errors",
    "Verdict": "compare.verdict",
    "after_evaluations": "search.stopping",
    "after_seconds": "search.stopping",
    "alternatives": "front.alternatives",
    "any_of": "search.stopping",
    "atom": "data.secrets.sentence",
    "column_of": "measures.measure",
    "comparator": "compare.catalogue",
    "comparator_names": "compare.catalogue",
    "convergence_error": "front.convergence_error",
    "given_k": "recoding.suppression",
    "hypervolume": "front.hypervolume",
    "identifying": "data.roles",
    "igd_plus": "front.igd_plus",
    "insensitive": "data.roles",
    "limited": "recoding.suppression",
    "measure": "measures.catalogue",
    "measure_names": "measures.catalogue",
    "pick": "front.picking",
    "progress_bar": "study.progress_bar",
    "property_named": "compare.catalogue",
    "property_names": "compare.catalogue",
    "quasi_identifying": "data.roles",
    "read_hierarchy_csv": "data.hierarchy_csv",
    "read_run": "study.run_folder",
    "read_study_file": "study.study_file",
    "representation_ratio": "front.representation_ratio",
    "search_methods": "search.catalogue",
    "select": "front.picking",
    "sensitive": "data.roles",
    "sentence": "data.secrets.sentence_parser",
    "tournament": "compare.tournament",
    "tree_view": "data.tree_view",
    "write_comparison": "report.comparison",
    "write_hierarchy_csv": "data.hierarchy_csv",
    "write_report": "report.report",
    "write_run": "study.run_folder",
    "AdmissiblePartitions": "data.admissible_partitions",
    "Alternatives": "data.builders.alternatives",
    "read_partitions_csv": "data.partitions_csv",
    "write_partitions_csv": "data.partitions_csv",
    "AogGaSettings": "search.aog_ga_settings",
    "MinimalRecodings": "search.result",
    "read_criterion": "front.criterion",
    "ClassCriterion": "recoding.class_criterion",
    "MeasureCriterion": "front.criterion",
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
