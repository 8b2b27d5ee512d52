"""A study: the one description of a release, from the source to the objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.data.combination_guard import MOST_COMBINATIONS, check_combinations
from sfumato.data.counting import build_count_table, counted_attributes
from sfumato.data.engines.duckdb_engine import DuckDBEngine
from sfumato.data.engines.unknown_columns import MOST_SHOWN, check_columns
from sfumato.data.floors import fit_floors
from sfumato.data.listing import listed
from sfumato.data.missing import MissingValues
from sfumato.data.roles import Attribute
from sfumato.data.secrets.secret_check import check_roles
from sfumato.data.secrets.secrets import Secret, Secrets
from sfumato.data.source import ColumnarTable, Source, source_of
from sfumato.data.source_stamp import SourceStamp
from sfumato.errors import SettingsError, SourceError, shown
from sfumato.front.criterion import read_criterion
from sfumato.front.front import Solution
from sfumato.measures.catalogue import measure
from sfumato.measures.measure import Measure
from sfumato.recoding.class_criterion import ClassCriterion
from sfumato.recoding.partition_space import check_trees
from sfumato.recoding.recoding import Recoding
from sfumato.recoding.suppression import NO_SUPPRESSION, Policy, Suppression
from sfumato.release.release import silent_stage
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl
from sfumato.search.problem import Problem
from sfumato.search.result import Listener, SearchResult, silent
from sfumato.search.space import Space, space_named
from sfumato.search.stopping import StopRule, never
from sfumato.study.evaluation import Evaluation, evaluate_recoding
from sfumato.study.secret_counting import count_with_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.properties.property import Property
    from sfumato.compare.tournament import Tournament
    from sfumato.data.count_table import CountTable
    from sfumato.data.engines.engine import Engine
    from sfumato.data.partitioned_domain import PartitionedDomain
    from sfumato.data.rewrite_plan import SuppressedRows
    from sfumato.data.secrets.sentence import Sentence
    from sfumato.recoding.lattice import Lattice
    from sfumato.release.audit import Audit
    from sfumato.release.release import Release
    from sfumato.release.released_values import ReleasedValues
    from sfumato.study.comparison import Comparison, Recoded


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """Microdata, the roles of their columns, how much may be suppressed, and what matters.

    ``source`` is a path (CSV, Parquet), a pandas, polars or Arrow table, or one of the sources
    of `sfumato.data.source`. Every column must be listed in ``attributes``, so that a forgotten
    name column cannot slip through, unless ``unlisted_insensitive`` says that the rest is
    released as it is. ``objectives`` are measures or their names. ``space`` says which recodings
    are searched: levels of the hierarchies (``lattice``), ``partitions`` of the ordered domains,
    which may be cut anywhere if a column is not constrained, or ``admissible`` partitions.
    ``criteria`` are what every class must meet, such as ``k>=5``: only recodings count that meet
    them when the classes that fail are suppressed, within the limit of the policy. ``secrets`` are
    sentences that people protect, such as "Health = 2", or rules that say who protects which.
    Nothing is read before it is needed, and the rows are counted once. Nothing is counted where
    about more than ``most_combinations`` distinct combinations are expected. ``described_in`` is
    the study file that it comes from, if any, so that errors speak of that.
    """

    source: Source | ColumnarTable | str | Path
    attributes: Sequence[Attribute]
    objectives: Sequence[Measure | str] = ("k", "loss")
    suppression: Suppression = NO_SUPPRESSION
    criteria: Sequence[ClassCriterion | str] = ()
    missing: MissingValues = field(default_factory=MissingValues)
    unlisted_insensitive: bool = False
    space: Space | str = Space.LATTICE
    secrets: Secrets | Secret | Sentence | str | Sequence[Secret | Sentence | str] | None = None
    engine: Engine = field(default_factory=DuckDBEngine)
    most_combinations: int = MOST_COMBINATIONS
    described_in: Path | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", source_of(self.source))
        if isinstance(self.attributes, Attribute):
            object.__setattr__(self, "attributes", (self.attributes,))
        object.__setattr__(self, "attributes", tuple(self.attributes))
        if isinstance(self.objectives, str | Measure):
            object.__setattr__(self, "objectives", (self.objectives,))
        if not isinstance(self.objectives, Sequence) or not self.objectives:
            raise SettingsError(
                f"a study needs at least one objective and has {shown(self.objectives)}; name "
                "measures, for example ['k', 'loss']"
            )
        parsed = tuple(measure(o) if isinstance(o, str) else o for o in self.objectives)
        object.__setattr__(self, "objectives", parsed)
        for attribute in self.attributes:
            _must_be(attribute, Attribute, "an attribute", "quasi_identifying('age', …)")
        for objective in parsed:
            _must_be(objective, Measure, "an objective", "'k', or measure('k')")
        _must_be(self.suppression, Suppression, "suppression", "limited(0.01)")
        if isinstance(self.criteria, str | ClassCriterion):
            object.__setattr__(self, "criteria", (self.criteria,))
        criteria = tuple(read_criterion(c) if isinstance(c, str) else c for c in self.criteria)
        for criterion in criteria:
            _must_be(criterion, ClassCriterion, "a criterion", "'k>=5'")
        object.__setattr__(self, "criteria", criteria)
        _ = self.policy
        _must_be(self.missing, MissingValues, "missing", "MissingValues(policy='drop')")
        object.__setattr__(self, "space", space_named(self.space))
        if not isinstance(self.most_combinations, int) or self.most_combinations < 1:
            raise SettingsError(
                f"most_combinations is {shown(self.most_combinations)}; write a whole number from "
                f"1 on, such as {MOST_COMBINATIONS}"
            )
        counted_attributes(self.attributes)
        if self.secrets is not None:
            object.__setattr__(self, "secrets", Secrets.of(self.secrets))
            if not self.unlisted_insensitive:
                check_roles(Secrets.of(self.secrets), self.attributes)

    @cached_property
    def source_columns(self) -> tuple[str, ...]:
        """The columns of the source when it was counted, in order."""
        return self.engine.columns(source_of(self.source))

    @cached_property
    def source_stamp(self) -> SourceStamp | None:
        """What tells whether the file of the source is still the one that was counted."""
        return SourceStamp.of(source_of(self.source))

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
            raise SourceError(
                f"{source} has columns that the study does not list: "
                f"{listed(unlisted, most=MOST_SHOWN)}; give each a role, or "
                + (
                    "set unlisted_insensitive=True"
                    if self.described_in is None
                    else f'write unlisted = "insensitive" under [source] of {self.described_in}'
                )
                + " to release them as they are"
            )
        if self.secrets is not None:
            return count_with_secrets(
                source,
                self.attributes,
                Secrets.of(self.secrets),
                columns=columns,
                engine=self.engine,
                missing=self.missing,
                most_combinations=self.most_combinations,
            )
        counted = [attribute.name for attribute in counted_attributes(self.attributes)]
        floors = fit_floors(self.engine, source, self.attributes, missing=self.missing)
        check_combinations(
            self.engine,
            source,
            self.attributes,
            coarser=floors.coarser,
            missing=self.missing,
            most=self.most_combinations,
        )
        grouped = self.engine.count(source, counted, coarser=floors.coarser)
        return build_count_table(
            grouped,
            self.attributes,
            missing=self.missing,
            where=str(source),
            fitted=floors.fitted,
        )

    @cached_property
    def problem(self) -> Problem:
        """The problem that a search solves."""
        space = space_named(self.space)
        if space is Space.PARTITIONS:
            check_trees(self.count_table)
        if self.suppression.policy is Policy.NONE and any(
            isinstance(m, Measure) and m.name == "sl" for m in self.objectives
        ):
            raise SettingsError(
                "objective 'sl' is the loss of suppressed rows, and the policy suppresses none; "
                "leave it out, or allow suppression"
            )
        return Problem(
            table=self.count_table,
            objectives=tuple(m for m in self.objectives if isinstance(m, Measure)),
            suppression=self.policy,
            space=space,
        )

    @property
    def policy(self) -> Suppression:
        """The suppression policy with the criteria that say what is suppressed."""
        given = tuple(c for c in self.criteria if isinstance(c, ClassCriterion))
        return replace(self.suppression, criteria=given)

    def search(
        self,
        *,
        method: str = "auto",
        settings: object | None = None,
        seed: int = 1,
        threads: int | None = None,
        listener: Listener = silent,
        should_stop: StopRule = never,
        resume: Mapping[str, object] | None = None,
    ) -> SearchResult:
        """Return the front: every recoding that none other beats in all objectives.

        ``method`` is one of `sfumato.search.catalogue.search_methods`, and ``settings`` its own
        settings where it has some. ``seed`` is that of methods that draw at random; ``threads``
        is the number of threads (all cores if None) and never changes the result; ``listener`` is
        called with the progress. ``should_stop`` is asked after each step whether to stop; the
        result then says that it is not finished, and a method that can go on does so if
        ``resume`` is given the ``state`` of that result.
        """
        control = SearchControl(
            seed=seed,
            threads=threads,
            listener=listener,
            should_stop=should_stop,
            resume=resume,
        )
        return method_named(method).run(self.problem, settings=settings, control=control)

    def evaluate(
        self,
        levels: Mapping[str, int] | Recoding | Solution,
        *,
        measures: Sequence[Measure | str] | Measure | None = None,
        threshold: int | None = None,
    ) -> Evaluation:
        """Measure one recoding: all measures that the study supports, or those given.

        ``levels`` has one level for every quasi-identifier, or is a recoding or a solution. Where
        the study allows every threshold, ``threshold`` chooses the smallest class size that is
        kept; that of the solution, or the largest allowed one, if None.
        """
        if isinstance(levels, Solution):
            threshold = levels.threshold if threshold is None else threshold
        return evaluate_recoding(
            self.problem, self.recoding(levels), measures=measures, threshold=threshold
        )

    def recoding(self, chosen: Mapping[str, int] | Recoding | Solution) -> Recoding:
        """Return what was chosen as a recoding of this study."""
        if isinstance(chosen, Solution | Recoding):
            recoding = chosen.recoding if isinstance(chosen, Solution) else chosen
            if recoding.levels is None:
                recoding.check(self.count_table)
                return recoding
            chosen = recoding.levels
        lattice = self.lattice
        return Recoding.of_levels(dict(zip(lattice.names, lattice.node(chosen), strict=True)))

    def compare(
        self,
        first: Recoded | Source | ColumnarTable | str | Path,
        second: Recoded | Source | ColumnarTable | str | Path,
        *,
        properties: Sequence[Property | str] | Property | str | None = None,
        comparators: Sequence[Comparator | str] | Comparator | str | None = None,
        key: str | None = None,
        labels: tuple[str, str] | None = None,
    ) -> Comparison:
        """Say which of two anonymizations is better, row by row, and for whom (Comparison).

        Each is a solution of a front, or one level for every quasi-identifier, or a table that
        any tool made of this source. Rows of such tables are matched by the column ``key``, or
        by their order without it. All properties and comparators are taken unless some are named.
        ``labels`` are what sentences call the two.
        """
        from sfumato.study.comparison import comparable, compare_anonymizations, relabelled

        both = relabelled(comparable(self, (first, second), key=key), labels)
        return compare_anonymizations(*both, properties=properties, comparators=comparators)

    def tournament(
        self,
        entrants: Mapping[str, Recoded] | Iterable[Solution],
        *,
        comparator: Comparator | str = "coverage",
        properties: Sequence[Property | str] | Property | str = "class-size",
    ) -> Tournament:
        """Rank several recodings under one comparator, every two of them compared.

        ``entrants`` are the solutions of a front, or recodings by the names they are to have.
        """
        from sfumato.study.comparison import ranked

        named: dict[str, Recoded] = (
            dict(entrants)
            if isinstance(entrants, Mapping)
            else {f"solution {solution.id}": solution for solution in entrants}
        )
        return ranked(self.problem, named, comparator=comparator, properties=properties)

    def release(
        self,
        chosen: Mapping[str, int] | Recoding | Solution,
        destination: str | Path,
        *,
        threshold: int | None = None,
        suppressed_rows: SuppressedRows | str = "drop",
        values: ReleasedValues | str = "generalized",
        certificate: str | Path | None = None,
        private_certificate: str | Path | None = None,
        provenance: Mapping[str, object] | None = None,
        force: bool = False,
        stage: Callable[[str], None] = silent_stage,
    ) -> Release:
        """Write a recoding to a CSV or Parquet file, verified from the written file.

        ``chosen`` is a solution of a front, or one level for every quasi-identifier. Suppressed
        rows are left out, or with "star" kept with ``*`` for every quasi-identifier and nothing
        for sensitive values. Cells show the label of their block, or with ``values``
        "microaggregated" its statistic over the kept rows: the mean, median or mode, as the
        attribute says or as suits its values. The public certificate goes beside the file; the
        private one is written only where ``private_certificate`` says, with ``provenance`` in it.
        If anything fails, nothing is left at the destination.
        """
        from sfumato.study.releasing import release_recoding

        return release_recoding(
            self,
            chosen,
            destination,
            threshold=threshold,
            suppressed_rows=suppressed_rows,
            values=values,
            certificate=certificate,
            private_certificate=private_certificate,
            provenance=provenance,
            force=force,
            stage=stage,
        )

    def audit(
        self,
        table: Source | ColumnarTable | str | Path,
        *,
        private_certificate: str | Path | None = None,
    ) -> Audit:
        """Measure any table by this study's roles and hierarchies, whoever anonymized it.

        Its quasi-identifiers hold values or labels of the hierarchies. With the private
        certificate of a release the suppressed rows are counted too.
        """
        from sfumato.study.releasing import audit_against

        return audit_against(self, table, private_certificate=private_certificate)

    @property
    def hierarchies(self) -> dict[str, PartitionedDomain]:
        """The hierarchies or admissible partitions of the columns as they fit the data."""
        return dict(zip(self.count_table.names, self.count_table.hierarchies, strict=True))

    @property
    def lattice(self) -> Lattice:
        """The lattice of full-domain recodings."""
        return self.problem.tables.lattice


def _must_be(given: object, kind: type, what: str, such_as: str) -> None:
    if not isinstance(given, kind):
        raise SettingsError(f"{what} is {shown(given)}; write {such_as}, for example")
