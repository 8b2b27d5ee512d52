"""A study: the one description of a release, from the source to the objectives."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from sfumato.errors import Notice, SettingsError
from sfumato.findings.suppression_findings import OF_SUPPRESSION, policy_findings
from sfumato.front.decisions.constrained_front import check_constraint_names
from sfumato.front.decisions.metric import SUPPRESSED
from sfumato.front.decisions.picking import pick, read_rule
from sfumato.front.front import Solution
from sfumato.microdata.roles import Attribute
from sfumato.release.release_request import ReleaseOptions, silent_stage, unheard
from sfumato.search.catalogue import method_named
from sfumato.search.control import SearchControl, StopRule, never
from sfumato.search.result import Listener, SearchResult, silent
from sfumato.search.several_spaces import search_spaces
from sfumato.study.description import StudyDescription, must_be
from sfumato.study.evaluation import Evaluation, all_measures, evaluate_recoding, front_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from sfumato.compare.comparator import Comparator
    from sfumato.compare.properties.property import Property
    from sfumato.compare.tournament import Tournament
    from sfumato.engines.messages.rewrite_plan import SuppressedRows
    from sfumato.findings.finding import Finding
    from sfumato.front.decisions.picking import Pick
    from sfumato.front.front import Front
    from sfumato.measures.measure import Measure
    from sfumato.recoding.recoding import Recoding
    from sfumato.release.audit.audit import Audit
    from sfumato.release.release import Release
    from sfumato.release.release_request import ReleasedValues
    from sfumato.release.signatures.keys import SigningKey
    from sfumato.sources.source import ColumnarTable, Source
    from sfumato.study.comparison import Comparison, Recoded


@dataclass(frozen=True, kw_only=True, eq=False)
class Study(StudyDescription):
    """A description of microdata with what can be done with it: search, compare, release, audit."""

    def with_attributes(self, *changed: Attribute) -> Self:
        """Return the study with some columns as given here; a column that it lacks is added.

        >>> from sfumato.hierarchies.builders.flat import Flat
        >>> from sfumato.microdata.roles import insensitive, quasi_identifying, sensitive
        >>> roles = [quasi_identifying("sex", Flat()), insensitive("income")]
        >>> study = Study(source="people.csv", attributes=roles)
        >>> [a.role.value for a in study.with_attributes(sensitive("income")).attributes]
        ['quasi-identifying', 'sensitive']
        """
        for attribute in changed:
            must_be(attribute, Attribute, "changed", "columns like sensitive('income')")
        listed = {attribute.name: attribute for attribute in (*self.attributes, *changed)}
        return replace(self, attributes=tuple(listed.values()))

    def search(
        self,
        *,
        method: str = "auto",
        settings: object | Mapping[str, object] | None = None,
        seed: int = 1,
        threads: int | None = None,
        listener: Listener = silent,
        should_stop: StopRule = never,
        resume: Mapping[str, object] | None = None,
    ) -> SearchResult:
        """Return the front: the Pareto-optimal recodings that the method finds.

        ``method`` is one of `sfumato.search.catalogue.search_methods`, and ``settings`` its own
        settings where it has some; in several spaces, the settings by the names of the methods
        that run there. ``seed`` is that of methods that draw at random; ``threads``
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
        _warn_of(policy_findings(self.policy))
        if len(self.problems) == 1:
            return method_named(method).run(self.problem, settings=settings, control=control)
        if not isinstance(settings, Mapping | None):
            raise SettingsError.wrong_setting(
                "settings",
                settings,
                "those of each method by its name, like {'nsga-ii': NsgaIISettings(…)}",
                code="wrong-type",
            )
        return search_spaces(
            self.problems, method_named(method), settings=settings or {}, control=control
        )

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

    def pick(self, front: Front, rule: str | None = None) -> Pick:
        """Return the solution of a front that a rule picks, and why (docs/picking.md).

        Without a rule it is the one with the least loss that meets the policy of the study,
        ``require``. A rule is a text like ``k>=5``, ``knee`` or ``7``.
        """
        return pick(rule, front, front_metrics(self.problem, front), policy=self.required)

    def check_rule(self, rule: str) -> None:
        """Refuse a rule that could not be asked of any front of this study."""
        check_constraint_names(
            read_rule(rule, policy=self.required),
            [*map(str, all_measures(self.problem)), SUPPRESSED],
        )

    def findings(
        self,
        chosen: Mapping[str, int] | Recoding | Solution | None = None,
        *,
        threshold: int | None = None,
        escape_formulas: bool = False,
    ) -> tuple[Finding, ...]:
        """Return what to look at before something of this study is released.

        Columns that single out rows, identifiers that would be released, spellings that count as
        different values, and more; `docs/findings.md` has all kinds. They are about the source
        as it would be released, and about the ``chosen`` recoding where that matters.
        """
        from sfumato.study.examining import study_findings

        recoding = None if chosen is None else self.recoding(chosen)
        if isinstance(chosen, Solution) and threshold is None:
            threshold = chosen.threshold
        return study_findings(
            self, recoding=recoding, threshold=threshold, formulas_run=not escape_formulas
        )

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
        return compare_anonymizations(
            *both,
            properties=properties,
            comparators=comparators,
            measures=all_measures(self.problem),
        )

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
        codebook: str | Path | None = None,
        escape_formulas: bool = False,
        plugins: bool = True,
        ledger: bool = True,
        accept_composition: bool = False,
        provenance: Mapping[str, object] | None = None,
        force: bool = False,
        stage: Callable[[str], None] = silent_stage,
        found: Callable[[tuple[Finding, ...]], None] = unheard,
        sign: SigningKey | None = None,
    ) -> Release:
        """Write a recoding to a CSV or Parquet file, verified from the written file.

        ``chosen`` is a solution of a front, or one level for every quasi-identifier. Suppressed
        rows are left out, or with "star" kept with ``*`` for every quasi-identifier and nothing
        for sensitive values. Cells show the label of their block, or with ``values``
        "microaggregated" its statistic over the kept rows: the mean, median or mode, as the
        attribute says or as suits its values. In a local recoding it is that of the class. The
        public certificate goes beside the file; the private one is written only where
        ``private_certificate`` says, with ``provenance`` in it.
        The ``codebook``, a .json or .html file, says what the labels of every column mean. With
        ``escape_formulas`` a CSV file has an apostrophe before texts that a spreadsheet would run.
        With ``plugins=False`` a study that uses measures of other packages is refused.
        What all releases of the same people show together must meet the policy, too, or at least
        the least k that one of them promised: the ``ledger`` of this user remembers them. With
        ``accept_composition`` it is released all the same.
        ``found`` is told the findings before anything is written; they are in the release too.
        The public certificate is signed with the key ``sign``, in a file beside it (.sig).
        If anything fails, nothing is left at the destination.
        """
        from sfumato.study.releasing import release_recoding

        options = ReleaseOptions.checked(
            self.source,
            destination,
            engine=self.engine,
            certificate=certificate,
            private_certificate=private_certificate,
            codebook=codebook,
            escape_formulas=escape_formulas,
            force=force,
            suppressed_rows=suppressed_rows,
            values=values,
            plugins=plugins,
            ledger=ledger,
            accept_composition=accept_composition,
            provenance=provenance,
            stage=stage,
            found=found,
            sign=sign,
        )
        release = release_recoding(self, chosen, options, threshold=threshold)
        _warn_of(each for each in release.findings if each.code in OF_SUPPRESSION)
        return release

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
        from sfumato.study.auditing import audit_against

        return audit_against(self, table, private_certificate=private_certificate)


def _warn_of(findings: Iterable[Finding]) -> None:
    for finding in findings:
        warnings.warn(str(finding), Notice, stacklevel=3)
