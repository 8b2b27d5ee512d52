"""One study: written to a file, searched, released, and handed to the independent reader."""

from __future__ import annotations

import csv
import json
import random
import tempfile
import traceback
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import duckdb
import pyarrow as pa
import pyarrow.parquet
from tools.fuzz_releases.engine import SharedDuckDBEngine
from tools.fuzz_releases.reader import BARE, read_release, top_meets, wrong_refusal
from tools.fuzz_releases.studies import DrawnStudy, draw_study

import sfumato as sf

if TYPE_CHECKING:
    from sfumato.recoding.recoding import Recoding

JUDGED = {"nothing-to-release", "criteria-not-met", "policy-not-met"}
"""The codes of refusals of a recoding that the reader judges."""
UNFOUND = {"nothing-found", "criteria-unmet"}
"""What it is called when no recoding can be found."""
REFUSALS = {
    *JUDGED, *UNFOUND, "equal-statistics", "empty-text", "no-values", "duplicate", "taken-label",
    "not-a-number", "out-of-range",
}  # fmt: skip
"""The codes of errors that a random study may well deserve; any other is a failure."""
EVALUATIONS = 100
CHECKED_SHARE = 0.2
"""The share of releases whose suppressed rows are compared with a release that has all rows."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What became of a study: ``faults`` if something is wrong, ``refused`` if it was not released.

    ``recomputed`` has the names of the metrics that the reader compared, ``kinds`` what the study
    was like.
    """

    number: int
    kinds: dict[str, str]
    spark: bool = False
    faults: tuple[str, ...] = ()
    refused: str | None = None
    recomputed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def run_trial(seed: int, number: int, keep: Path | None = None, *, spark: bool = False) -> Trial:
    """Draw a study, release it and read the files again."""
    drawn = draw_study(seed, number, spark=spark)
    trial = partial(Trial, number=number, kinds=drawn.kinds, spark=spark)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        folder = Path(made) if keep is None else keep
        folder.mkdir(exist_ok=True, parents=True)
        release = _Releasing(drawn=drawn, folder=folder)
        try:
            refused = release.refusal()
            left = [p.name for p in folder.iterdir() if p.name.startswith(("out", ".sfumato"))]
            if refused is not None:
                wrong = release.wrong(refused)
                faults = [wrong] if wrong else []
                faults += [f"refused, and left {left}"] if left else []
                return trial(refused=refused, faults=tuple(faults))
            if drawn.row_id and release.can_be_judged and release.rng.random() < CHECKED_SHARE:
                release.write_bare()
            found = read_release(drawn, folder)
        except sf.SfumatoError as error:
            return trial(faults=(f"refused with {error.code}: {error}",))
        except Exception:
            return trial(faults=(traceback.format_exc(limit=-4),))
    return trial(
        faults=tuple(found.faults),
        recomputed=tuple(found.recomputed),
        unknown=tuple(found.unknown),
        counts=found.counts,
    )


class _Releasing:
    """The release of a study, and of the same recoding with nothing suppressed."""

    def __init__(self, *, drawn: DrawnStudy, folder: Path) -> None:
        self.drawn, self.folder = drawn, folder
        self.rng = random.Random(f"{drawn.seed}/{drawn.number}/chosen")
        self.source = _source(drawn, folder)
        self.chosen: Recoding | sf.Solution | None = None
        self.finished = True

    @property
    def recoding(self) -> object:
        """The recoding that was chosen, None if there is none."""
        return getattr(self.chosen, "recoding", self.chosen)

    @property
    def can_be_judged(self) -> bool:
        """Whether its classes with all rows tell which are suppressed: not of local recodings."""
        return self.recoding is not None and not isinstance(self.recoding, sf.Local)

    def refusal(self) -> str | None:
        """Release a recoding of the study; return why there is none."""
        drawn = self.drawn
        try:
            study = _study(drawn, self.source)
            if drawn.method is None:
                self.chosen = _drawn_recoding(study, self.rng)
            else:
                found = study.search(
                    method=drawn.method,
                    seed=drawn.number + 1,
                    threads=1,
                    should_stop=sf.after_evaluations(EVALUATIONS),
                )
                if not len(found.front.solutions):
                    return "nothing-found"
                self.chosen = self.rng.choice(found.front.solutions)
            threshold = getattr(self.chosen, "threshold", None)
            told = {"kind": type(self.recoding).__name__, "threshold": threshold}
            (self.folder / "chosen.json").write_text(json.dumps(told))
            study.release(
                self.chosen,
                self.folder / drawn.target,
                suppressed_rows="star" if drawn.star else "drop",
                values="microaggregated" if drawn.microaggregated else "generalized",
                private_certificate=self.folder / "private.json",
                codebook=self.folder / "book.json" if drawn.codebook else None,
                escape_formulas=drawn.escape,
                # Studies of invented people, of whom the ledger of the developer need not know.
                ledger=False,
            )
        except sf.SfumatoError as error:
            if error.code not in REFUSALS and not self._deserved(str(error.code)):
                raise
            return str(error.code)
        return None

    def _deserved(self, code: str) -> bool:
        """Say whether a study is refused for what was drawn."""
        # A kept class with nothing but * would be taken for suppressed rows.
        # Statistics are checked by sizes in rows, which then do not tell what is kept.
        sizes = self.drawn.microaggregated and (self.drawn.failing or bool(self.drawn.person))
        conflict = code == "conflicting-settings" and self.chosen is not None
        return (conflict and (self.drawn.star or sizes)) or (
            code == "all-rows-dropped" and not self.drawn.counted_rows
        )

    def wrong(self, code: str) -> str | None:
        """Say why a refusal was wrong, None if the reader cannot say so."""
        if code in UNFOUND:
            return f"{code}, and all rows in one class meet all" if top_meets(self.drawn) else None
        if code not in JUDGED or not self.can_be_judged or self.drawn.row_id is None:
            return None
        try:
            self.write_bare()
        except sf.SfumatoError as error:
            # What no release of this table could have comes after what a recoding misses.
            if error.code in REFUSALS - JUDGED:
                return None
            raise
        threshold = getattr(self.chosen, "threshold", None)
        return wrong_refusal(self.drawn, self.folder, threshold)

    def write_bare(self) -> None:
        """Release the same recoding with all rows, by a study that asks for nothing."""
        bare = replace(
            self.drawn,
            policy="none",
            limit=None,
            given_k=None,
            every=False,
            failing=False,
            criteria=(),
            require=(),
            objectives=("k",),
        )
        _study(bare, self.source).release(
            self.recoding,  # type: ignore[arg-type]
            self.folder / BARE,
            ledger=False,
        )


def _study(drawn: DrawnStudy, source: object) -> sf.Study:
    person = set(drawn.person)
    changes = {each.name: each for each in drawn.payload}

    def changed(name: str) -> dict[str, object]:
        rule = changes[name].rule if name in changes else None
        return {} if rule is None else {"coarsen": rule}

    attributes = [
        *(
            sf.quasi_identifying(
                column.name,
                column.hierarchy(),  # type: ignore[arg-type]
                weight=weight,
                output=column.output,
                minimum_level=column.minimum_level,
                person=column.name in person,
            )
            for column, weight in zip(drawn.columns, drawn.weights, strict=True)
        ),
        *(
            sf.sensitive(
                name,
                label=name == drawn.label,
                normalize=changes[name].change == "spelling",
                **changed(name),  # type: ignore[arg-type]
            )
            for name in drawn.sensitive
        ),
        *(
            sf.insensitive(name, label=name == drawn.label, person=name in person, **changed(name))  # type: ignore[arg-type]
            for name in drawn.insensitive
        ),
        *(sf.identifying(name, person=name in person) for name in drawn.identifying),
    ]
    statements = [
        sf.ConfidentialStatement(
            protect=each.protect,
            where=None if each.where is None else str(each.where),
            damage=each.damage,
        )
        for each in drawn.statements
    ]
    return sf.Study(
        source=source,  # type: ignore[arg-type]
        attributes=attributes,
        objectives=drawn.objectives,
        suppression=_suppression(drawn),
        criteria=drawn.criteria,
        require=drawn.require,
        missing=sf.MissingValues(
            policy=sf.MissingPolicy(drawn.missing),
            markers=drawn.markers,
            count_as_value=drawn.missing_counts,
        ),
        statements=statements or None,
        space=drawn.space,
        engine=_ENGINES[drawn.engine](),
    )


_ENGINES = {
    "duckdb": sf.DuckDBEngine,
    "duckdb, one database": SharedDuckDBEngine,
    "spark": sf.SparkEngine,
}


def _suppression(drawn: DrawnStudy) -> sf.Suppression:
    if drawn.policy == "limit":
        assert drawn.limit is not None
        threshold: Literal["every", "largest"] = "every" if drawn.every else "largest"
        return sf.limited(drawn.limit, threshold=threshold, failing=drawn.failing)
    if drawn.policy == "given-k":
        assert drawn.given_k is not None
        return sf.given_k(drawn.given_k)
    return sf.NO_SUPPRESSION if drawn.policy == "none" else sf.BELOW_WEIGHTED_K


def _source(drawn: DrawnStudy, folder: Path) -> object:
    """Write the table in its format, or return it in memory."""
    if drawn.source == "csv":
        path = folder / "source.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
            writer.writerow(drawn.order)
            writer.writerows([row[name] or "" for name in drawn.order] for row in drawn.rows)
        # Where all values are texts nothing tells a header from a row.
        return sf.CsvFile(path=path, header=True)
    table = pa.table(
        {
            name: pa.array(
                [_typed(row[name], name in drawn.whole) for row in drawn.rows],
                pa.int64() if name in drawn.whole else pa.string(),
            )
            for name in drawn.order
        }
    )
    if drawn.source == "arrow":
        return table
    if drawn.source == "pandas":
        return table.to_pandas()
    if drawn.source == "parquet":
        path = folder / "source.parquet"
        pyarrow.parquet.write_table(table, path)
        return path
    path = folder / "source.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("drawn", table)
        connection.execute("CREATE TABLE people AS SELECT * FROM drawn")
    return sf.DatabaseTable(path=path, table="people")


def _typed(value: str | None, whole: bool) -> str | int | None:
    return int(value) if whole and value is not None else value


def _drawn_recoding(study: sf.Study, rng: random.Random) -> Recoding:
    """Return levels, or cuts, that nothing but chance chose."""
    hierarchies = study.hierarchies
    least = {attribute.name: attribute.minimum_level for attribute in study.attributes}
    if study.space == "partitions":
        cuts = {}
        for name, hierarchy in hierarchies.items():
            partition = hierarchy.levels[min(least[name], hierarchy.height)]
            places = [n for n in range(1, hierarchy.leaf_count) if partition[n] != partition[n - 1]]
            cuts[name] = sorted(rng.sample(places, min(len(places), rng.choice((0, 1, 2, 5)))))
        return sf.Cuts.of(cuts)
    return sf.Levels.of(
        {name: rng.randint(min(least[name], h.height), h.height) for name, h in hierarchies.items()}
    )
