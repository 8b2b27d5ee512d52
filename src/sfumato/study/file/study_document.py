"""The study file as a whole: its tables, with those of all methods that have settings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Literal

from pydantic import Field, create_model

from sfumato.classes.suppression import Policy, Suppression, Threshold
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.spark.engine import SparkEngine
from sfumato.errors import SettingsError
from sfumato.front.decisions.criterion import read_criterion
from sfumato.microdata.combination_guard import MOST_COMBINATIONS
from sfumato.microdata.missing import MISSING_LABEL, MissingPolicy, MissingValues
from sfumato.release.release_request import ReleasedValues
from sfumato.statements.confidential import ConfidentialStatement
from sfumato.statements.predicate_parser import predicate
from sfumato.study.file.column_table import Column
from sfumato.study.file.population_table import PopulationTable
from sfumato.study.file.search_table import (
    SearchTable,
    check_unique,
    search_table,
    settings_kinds,
)
from sfumato.study.file.source_table import SourceTable
from sfumato.study.file.table import Number, Table, Texts, at_key, table_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.classes.suppression import ClassCriterion
    from sfumato.engines.engine import Engine
    from sfumato.study.file.named_paths import NamedPaths


class MissingTable(Table):
    """What becomes of missing values."""

    policy: MissingPolicy = Field(
        default=MissingPolicy.CATEGORY,
        strict=False,
        description="A category of its own, an error, or rows that are dropped.",
    )
    markers: Texts = Field(
        default=(),
        description="Texts that mean a missing value. Empty fields always do.",
        examples=[["?"]],
    )
    label: str = Field(
        default=MISSING_LABEL, description="What the category is called.", examples=[MISSING_LABEL]
    )

    count_as_value: bool = Field(
        default=False,
        description="Whether missing is one more sensitive value to the kinds of l-diversity.",
    )

    def missing(self) -> MissingValues:
        """Return how missing values are treated."""
        return MissingValues(
            policy=self.policy,
            markers=self.markers,
            label=self.label,
            count_as_value=self.count_as_value,
        )


class SuppressionTable(Table):
    """Which rows may be left out of a release."""

    policy: Policy = Field(
        default=Policy.NONE, strict=False, description="How rows are suppressed."
    )
    limit: Number | None = Field(
        default=None,
        description='With the policy "limit": a share of the rows (0.01) or a number of rows '
        "(300).",
        examples=[0.01],
    )
    k: int | None = Field(
        default=None,
        description='With the policy "given-k": classes smaller than this are suppressed.',
        examples=[5],
    )
    threshold: Threshold = Field(
        default=Threshold.LARGEST,
        strict=False,
        description='With the policy "limit": only the largest threshold, or every one.',
    )
    failing: bool = Field(
        default=False,
        description='With the policy "limit": suppress the classes that fail the criteria instead '
        "of the smallest ones. What is missing then tells of them.",
    )

    def suppression(self) -> Suppression:
        """Return how rows are suppressed."""
        return Suppression(
            policy=self.policy,
            limit=self.limit,
            k=self.k,
            threshold=self.threshold,
            failing=self.failing,
        )


class StatementTable(Table):
    """A predicate that people protect."""

    protect: str = Field(
        description="The predicate, about values of sensitive columns.",
        examples=["Health = 2"],
    )
    damage: Number | None = Field(
        default=None,
        description="The share of a person's harm that comes from it, above 0 and at most 1. For "
        "all statements or for none.",
        examples=[0.5],
    )
    where: str | None = Field(
        default=None,
        description="The rows that protect it, by a predicate about any columns. Everybody if "
        "left out.",
        examples=["Ward = oncology"],
    )

    def statement(self) -> ConfidentialStatement:
        """Return the statement; an error names the key that is wrong."""
        for key, text in (("protect", self.protect), ("where", self.where)):
            if text is not None:
                with at_key(key):
                    predicate(text)
        with at_key("damage"):
            return ConfidentialStatement(protect=self.protect, where=self.where, damage=self.damage)


SuppressedRows = Literal["drop", "star"]


class ReleaseTable(Table):
    """What the released table looks like."""

    suppressed: SuppressedRows = Field(
        default="drop",
        description="Whether suppressed rows are left out, or stay with * in all "
        "quasi-identifiers and nothing in the other columns.",
    )
    values: ReleasedValues = Field(
        default=ReleasedValues.GENERALIZED,
        strict=False,
        description="Whether cells show the label of their block or its statistic.",
    )
    escape_formulas: bool = Field(
        default=False,
        description="Whether a CSV file has an apostrophe before texts that a spreadsheet would "
        "run as formulas.",
    )
    require: Texts = Field(
        default=(),
        description="The policy: what every class of a release must meet. Nothing else is "
        "released, and searches look among recodings that meet it.",
        examples=[["k>=5", "distinct-l>=2"]],
    )

    def required(self) -> tuple[ClassCriterion, ...]:
        """Return the policy."""
        with at_key("require"):
            found = tuple(read_criterion(each, key="require") for each in self.require)
            check_unique(found)
        return found


class EngineTable(Table):
    """What counts and rewrites the rows."""

    kind: Literal["duckdb", "spark"] = Field(
        default="duckdb", description="DuckDB, in this process, or Spark."
    )
    master: str | None = Field(
        default=None, description="Where Spark is: the URL of its master.", examples=["local[*]"]
    )
    remote: str | None = Field(
        default=None,
        description="Instead of a master, the address of a Spark Connect server.",
        examples=["sc://host:15002"],
    )
    most_combinations: int = Field(
        default=MOST_COMBINATIONS,
        ge=1,
        description="The most distinct combinations of quasi-identifiers that are counted.",
        examples=[MOST_COMBINATIONS],
    )

    seal: str | None = Field(
        default=None,
        description="Written by sfumato where Spark is on another host: it shows that you allowed "
        "it yourself. Leave it as it is, or leave it out.",
    )

    def engine(self, paths: NamedPaths) -> Engine:
        """Return the engine, if the user allows its host; nothing is started yet."""
        if self.kind == "spark":
            engine = SparkEngine(master=self.master, remote=self.remote)
            if engine.address is not None:
                key = "remote" if self.remote is not None else "master"
                paths.check_host(engine.address, key=key, sealed=self.seal)
            return engine
        for key in ("master", "remote"):
            if key in self.given:
                raise SettingsError(
                    "it says where Spark is, and the engine is DuckDB",
                    code="conflicting-settings",
                    key=key,
                    remedy='set kind = "spark", or leave it out',
                )
        return DuckDBEngine()


class StudyDocument(Table):
    """A study: where the rows are, what every column is, and what matters."""

    source: SourceTable = Field(default=SourceTable(), description="Where the rows are.")
    columns: dict[str, Column] = Field(default={}, description="What every column is, by its name.")
    missing: MissingTable = Field(
        default=MissingTable(), description="What becomes of missing values."
    )
    suppression: SuppressionTable = Field(
        default=SuppressionTable(), description="Which rows may be left out."
    )
    statements: list[StatementTable] = Field(
        default=[], description="What people protect, a table for each predicate."
    )
    population: PopulationTable = Field(
        default=PopulationTable(), description="Whom the people of the source were drawn from."
    )
    search: SearchTable = Field(
        default=SearchTable(), description="What to look for, where and how."
    )
    release: ReleaseTable = Field(
        default=ReleaseTable(), description="What the released table looks like."
    )
    engine: EngineTable = Field(
        default=EngineTable(), description="What counts and rewrites the rows."
    )


def study_document(named: Iterable[str] = ()) -> type[StudyDocument]:
    """Return the model of a study file; methods of other packages are in it if ``named``."""
    return document_with(tuple(settings_kinds(named).items()))


@cache
def document_with(kinds: tuple[tuple[str, type[object]], ...]) -> type[StudyDocument]:
    """Return the model of a study file that has the settings of some methods."""
    search = search_table(dict(kinds))
    return create_model(
        "StudyDocument",
        __base__=StudyDocument,
        __doc__=StudyDocument.__doc__,
        search=(search, Field(default=search(), description="What to look for, where and how.")),
    )


def header(table: str) -> str:
    """Return how a study file heads a table: one that it can have several times by two brackets.

    >>> header("source"), header("statements")
    ('[source]', '[[statements]]')
    """
    return f"[[{table}]]" if table == "statements" else f"[{table}]"


def homes(model: type[StudyDocument]) -> Mapping[str, str]:
    """Return under which header a key belongs, or under which ones it could."""
    tables = tables_of(model)
    found: dict[str, str] = {}
    for method, settings in tables_of(tables["search"]).items():
        for key in settings.key_names():
            before = f"{found[key]} or " if key in found else ""
            found[key] = f"{before}[search.{method}]"
    counts = Counter(key for table in tables.values() for key in table.key_names())
    return found | {
        key: header(name)
        for name, table in tables.items()
        for key in table.key_names()
        if counts[key] == 1
    }


def tables_of(model: type[Table]) -> dict[str, type[Table]]:
    """Return the tables in a table, by their names; those of columns are not among them."""
    inside = {
        field.alias or name: table_in(field.annotation)
        for name, field in model.model_fields.items()
    }
    return {name: table for name, table in inside.items() if table is not None}
