"""The description of a study: a source, its columns, the policy and the objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.arrays import plain_numbers
from sfumato.classes.suppression import NO_SUPPRESSION, ClassCriterion, Policy, Suppression
from sfumato.engines.column_names import MOST_SHOWN, check_columns
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.errors import SettingsError, SourceError, shown
from sfumato.errors.listing import listed
from sfumato.front.decisions.criterion import MeasureCriterion, read_criteria
from sfumato.front.front import Solution
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Measure
from sfumato.microdata.combination_guard import MOST_COMBINATIONS
from sfumato.microdata.count_source import Counting, count_source
from sfumato.microdata.counting import counted_attributes
from sfumato.microdata.missing import MissingValues
from sfumato.microdata.released_values import released_values
from sfumato.microdata.roles import Attribute, person_columns
from sfumato.microdata.statement_check import check_roles
from sfumato.recoding.levels import Levels
from sfumato.recoding.partition_space import check_trees
from sfumato.recoding.recoding import Recoding
from sfumato.search.problem import Problem
from sfumato.search.space import Space, spaces_named
from sfumato.sources.source import ColumnarTable, Source, source_of
from sfumato.sources.source_stamp import SourceStamp
from sfumato.statements.confidential import ConfidentialStatement, ConfidentialStatements

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engines.engine import Engine
    from sfumato.engines.messages.grouped_counts import CoarserValues
    from sfumato.hierarchies.partitioned_domain import PartitionedDomain
    from sfumato.microdata.count_table import CountTable
    from sfumato.recoding.lattice import Lattice
    from sfumato.statements.predicate import Predicate

_FREEDOM = (Space.LATTICE, Space.ADMISSIBLE, Space.PARTITIONS, Space.LOCAL)
"""The spaces, those whose recodings choose least freely first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyDescription:
    """Microdata, the roles of their columns, how much may be suppressed, and what matters.

    ``source`` is a path (CSV, Parquet), a pandas, polars or Arrow table, or one of the sources
    of `sfumato.sources.source`. Every column must be listed in ``attributes``, so that a forgotten
    name column cannot slip through, unless ``unlisted_insensitive`` says that the rest is
    released as it is. ``objectives`` are measures or their names. ``space`` says which recodings
    are searched: levels of the hierarchies (``lattice``), ``partitions`` of the ordered domains,
    which may be cut anywhere if a column is not constrained, ``admissible`` partitions, or
    ``local`` recodings, which assign combinations of values to classes. Several spaces are
    searched one after another and give one front.
    ``criteria`` are what every class must meet, such as ``k>=5``: only recodings count of which
    all classes that are kept meet them. ``require`` is the policy of the publisher: nothing is
    released that misses it, and it takes part in searches like criteria. ``statements``
    are predicates that people protect, such as "Health = 2", or rules that say who protects which.
    Nothing is read before it is needed, and the rows are counted once. Nothing is counted where
    about more than ``most_combinations`` distinct combinations are expected. ``described_in`` is
    the study file that it comes from, if any, so that errors speak of that.
    """

    source: Source | ColumnarTable | str | Path
    attributes: Sequence[Attribute]
    objectives: Sequence[Measure | str] = ("k", "loss")
    suppression: Suppression = NO_SUPPRESSION
    criteria: Sequence[ClassCriterion | str] = ()
    require: Sequence[ClassCriterion | str] = ()
    missing: MissingValues = field(default_factory=MissingValues)
    unlisted_insensitive: bool = False
    space: Space | str | Sequence[Space | str] = Space.LATTICE
    statements: (
        ConfidentialStatements
        | ConfidentialStatement
        | Predicate
        | str
        | Sequence[ConfidentialStatement | Predicate | str]
        | None
    ) = None
    engine: Engine = field(default_factory=DuckDBEngine)
    most_combinations: int = MOST_COMBINATIONS
    described_in: Path | None = None

    def __post_init__(self) -> None:
        plain_numbers(self)
        object.__setattr__(self, "source", source_of(self.source))
        if isinstance(self.attributes, Attribute):
            object.__setattr__(self, "attributes", (self.attributes,))
        object.__setattr__(self, "attributes", tuple(self.attributes))
        if isinstance(self.objectives, str | Measure):
            object.__setattr__(self, "objectives", (self.objectives,))
        if not isinstance(self.objectives, Sequence) or not self.objectives:
            raise SettingsError(
                code="too-few",
                key="objectives",
                found=shown(self.objectives) if self.objectives else "empty",
                expected="a list of at least one measure, like ['k', 'loss']",
            )
        parsed = tuple(measure(o) if isinstance(o, str) else o for o in self.objectives)
        object.__setattr__(self, "objectives", parsed)
        for attribute in self.attributes:
            must_be(attribute, Attribute, "attributes", "columns like quasi_identifying('age', …)")
        for objective in parsed:
            must_be(objective, Measure, "objectives", "measures like 'k' or measure('k')")
        must_be(self.suppression, Suppression, "suppression", "a policy like limited(0.01)")
        object.__setattr__(self, "criteria", read_criteria(self.criteria))
        object.__setattr__(self, "require", read_criteria(self.require, key="require"))
        if self.suppression.failing and not self.policy.criteria:
            raise SettingsError(
                "with 'failing' the classes that fail a criterion are suppressed, and there are no "
                "criteria",
                code="missing-setting",
                key="criteria",
                expected="criteria like ['distinct-l>=2']",
                remedy="or leave out 'failing'",
            )
        must_be(self.missing, MissingValues, "missing", "like MissingValues(policy='drop')")
        spaces = spaces_named(self.space)
        object.__setattr__(self, "space", spaces if len(spaces) > 1 else spaces[0])
        if not isinstance(self.most_combinations, int) or self.most_combinations < 1:
            raise SettingsError(
                code="out-of-range",
                key="most_combinations",
                found=shown(self.most_combinations),
                expected=f"a whole number from 1 up, like {MOST_COMBINATIONS}",
            )
        counted_attributes(self.attributes)
        if self.statements is not None:
            object.__setattr__(self, "statements", ConfidentialStatements.of(self.statements))
            if not self.unlisted_insensitive:
                check_roles(ConfidentialStatements.of(self.statements), self.attributes)

    @cached_property
    def source_columns(self) -> tuple[str, ...]:
        """The columns of the source when it was counted, in order."""
        return self.engine.columns(source_of(self.source))

    @cached_property
    def source_stamp(self) -> SourceStamp | None:
        """What tells whether the file of the source is still the one that was counted."""
        return SourceStamp.of(source_of(self.source))

    @cached_property
    def released_values(self) -> CoarserValues:
        """What is counted and released in place of values: rules, and spellings by their map."""
        return released_values(
            self.engine, source_of(self.source), self.attributes, missing=self.missing
        )

    @cached_property
    def count_table(self) -> CountTable:
        """The count table: one GROUP BY over the source, done on first use."""
        source = source_of(self.source)
        _ = self.source_stamp
        columns = self.source_columns
        named = [attribute.name for attribute in self.attributes]
        check_columns(named, columns, where=str(source))
        unlisted = [column for column in columns if column not in named]
        if unlisted and not self.unlisted_insensitive:
            setting = (
                "unlisted_insensitive=True"
                if self.described_in is None
                else f'unlisted = "insensitive" under [source] of {self.described_in}'
            )
            raise SourceError(
                f"{source} has columns that the study does not list: "
                f"{listed(unlisted, most=MOST_SHOWN)}",
                code="unlisted-columns",
                file=source,
                found=listed(unlisted, most=MOST_SHOWN),
                remedy=f"give each a role, or set {setting} to release them as they are",
            )
        return count_source(
            Counting(
                source=source,
                attributes=self.attributes,
                missing=self.missing,
                engine=self.engine,
                statements=None
                if self.statements is None
                else ConfidentialStatements.of(self.statements),
                most_combinations=self.most_combinations,
                coarser=self.released_values,
            ),
            columns=columns,
        )

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The spaces that are searched, in their order."""
        return spaces_named(self.space)

    @property
    def problem(self) -> Problem:
        """The problem that a search solves: of several, the one with the most freedom.

        So it asks for nothing that only some of the recodings have.
        """
        return max(self.problems, key=lambda problem: _FREEDOM.index(problem.space))

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problems that a search solves, one in each space."""
        if Space.PARTITIONS in self.spaces:
            check_trees(self.count_table)
        if self.suppression.policy is Policy.NONE and any(
            isinstance(m, Measure) and m.name == "sl" for m in self.objectives
        ):
            raise SettingsError(
                "objective 'sl' is the loss of suppressed rows, and the policy suppresses none",
                code="conflicting-settings",
                key="objectives",
                found="'sl'",
                remedy="leave it out, or allow suppression",
            )
        return tuple(
            Problem(
                table=self.count_table,
                objectives=tuple(m for m in self.objectives if isinstance(m, Measure)),
                suppression=self.policy,
                space=space,
            )
            for space in self.spaces
        )

    @property
    def members(self) -> tuple[Measure, ...]:
        """The measures that decide what is released: the objectives and those of the criteria."""
        asked = [c.measure for c in self.policy.criteria if isinstance(c, MeasureCriterion)]
        objectives = [m for m in self.objectives if isinstance(m, Measure)]
        return tuple({str(each): each for each in (*objectives, *asked)}.values())

    @property
    def policy(self) -> Suppression:
        """The suppression policy with all that every class must meet, criteria and policy."""
        return replace(self.suppression, criteria=read_criteria((*self.criteria, *self.require)))

    @property
    def counts_people(self) -> bool:
        """Whether there is a person key, so that privacy counts people and not rows."""
        return bool(person_columns(self.attributes))

    @property
    def required(self) -> tuple[ClassCriterion, ...]:
        """What a release must meet."""
        return read_criteria(self.require, key="require")

    def recoding(self, chosen: Mapping[str, int] | Recoding | Solution) -> Recoding:
        """Return what was chosen as a recoding of this study."""
        if isinstance(chosen, Recoding | Solution):
            recoding = chosen.recoding if isinstance(chosen, Solution) else chosen
            recoding.check(self.count_table)
            return recoding
        lattice = self.lattice
        return Levels.of(dict(zip(lattice.names, lattice.node(chosen), strict=True)))

    @property
    def hierarchies(self) -> dict[str, PartitionedDomain]:
        """The hierarchies or admissible partitions of the columns as they fit the data."""
        return dict(zip(self.count_table.names, self.count_table.hierarchies, strict=True))

    @property
    def lattice(self) -> Lattice:
        """The lattice of full-domain recodings."""
        return self.problem.tables.lattice


def must_be(given: object, kind: type, key: str, expected: str) -> None:
    """Refuse a setting that is not of a kind."""
    if not isinstance(given, kind):
        raise SettingsError(code="wrong-type", key=key, found=shown(given), expected=expected)
