"""One study: written to a file, searched, released, and handed to the independent reader."""

from __future__ import annotations

import csv
import json
import random
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.parquet
from tools.fuzz_releases.reader import read_release
from tools.fuzz_releases.studies import DrawnStudy, draw_study

import sfumato as sf

if TYPE_CHECKING:
    from sfumato.recoding.recoding import Recoding

REFUSALS = {
    "nothing-to-release", "equal-statistics", "empty-text", "conflicting-settings",
    "criteria-not-met", "criteria-unmet", "no-values", "duplicate", "taken-label", "not-a-number",
    "out-of-range",
}  # fmt: skip
"""The codes of errors that a random study may well deserve; any other is a failure."""
EVALUATIONS = 300


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What became of a study: ``faults`` if something is wrong, ``refused`` if it was not released.

    ``recomputed`` has the names of the metrics that the reader compared, ``kinds`` what the study
    was like.
    """

    number: int
    kinds: dict[str, str]
    faults: tuple[str, ...] = ()
    refused: str | None = None
    recomputed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)


def run_trial(seed: int, number: int, keep: Path | None = None) -> Trial:
    """Draw a study, release it and read the files again."""
    drawn = draw_study(seed, number)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
        folder = Path(made) if keep is None else keep
        folder.mkdir(exist_ok=True, parents=True)
        try:
            refused = _released(drawn, folder)
        except sf.SfumatoError as error:
            if error.code not in REFUSALS:
                fault = f"refused with {error.code}: {error}"
                return Trial(number=number, kinds=drawn.kinds, faults=(fault,))
            refused = str(error.code)
        except Exception:
            fault = traceback.format_exc(limit=-4)
            return Trial(number=number, kinds=drawn.kinds, faults=(fault,))
        if refused is not None:
            left = [p.name for p in folder.iterdir() if p.name.startswith(("out", ".sfumato"))]
            faults = (f"refused, and left {left}",) if left else ()
            return Trial(number=number, kinds=drawn.kinds, refused=refused, faults=faults)
        found = read_release(drawn, folder)
    return Trial(
        number=number,
        kinds=drawn.kinds,
        faults=tuple(found.faults),
        recomputed=tuple(found.recomputed),
        unknown=tuple(found.unknown),
        counts=found.counts,
    )


def _released(drawn: DrawnStudy, folder: Path) -> str | None:
    """Release a recoding of the study; return why there is none."""
    study = _study(drawn, folder)
    rng = random.Random(f"{drawn.seed}/{drawn.number}/chosen")
    chosen: Recoding | sf.Solution
    if drawn.method is None:
        chosen = _drawn_recoding(study, rng)
    else:
        found = study.search(
            method=drawn.method,
            seed=drawn.number + 1,
            threads=1,
            should_stop=sf.after_evaluations(EVALUATIONS),
        )
        if not len(found.front.solutions):
            return "nothing-found"
        chosen = rng.choice(found.front.solutions)
    study.release(
        chosen,
        folder / drawn.target,
        suppressed_rows="star" if drawn.star else "drop",
        values="microaggregated" if drawn.microaggregated else "generalized",
        private_certificate=folder / "private.json",
        codebook=folder / "book.json" if drawn.codebook else None,
        # Studies of invented people, of whom the ledger of the developer need not know.
        ledger=False,
    )
    kind = type(getattr(chosen, "recoding", chosen)).__name__
    (folder / "chosen.json").write_text(json.dumps({"kind": kind}))
    return None


def _study(drawn: DrawnStudy, folder: Path) -> sf.Study:
    attributes = [
        *(
            sf.quasi_identifying(
                column.name,
                column.hierarchy(),  # type: ignore[arg-type]
                weight=weight,
                output=column.output,
            )
            for column, weight in zip(drawn.columns, drawn.weights, strict=True)
        ),
        *(sf.sensitive(name, label=name == drawn.label) for name in drawn.sensitive),
        *(sf.insensitive(name, label=name == drawn.label) for name in drawn.insensitive),
        *(sf.identifying(name) for name in drawn.identifying),
    ]
    if drawn.policy == "limit":
        assert drawn.limit is not None
        suppression = sf.limited(drawn.limit, threshold="every" if drawn.every else "largest")
    elif drawn.policy == "given-k":
        assert drawn.given_k is not None
        suppression = sf.given_k(drawn.given_k)
    else:
        suppression = sf.NO_SUPPRESSION if drawn.policy == "none" else sf.BELOW_WEIGHTED_K
    return sf.Study(
        source=_source(drawn, folder),  # type: ignore[arg-type]
        attributes=attributes,
        objectives=drawn.objectives,
        suppression=suppression,
        criteria=drawn.criteria,
        missing=sf.MissingValues(policy=sf.MissingPolicy(drawn.missing), markers=drawn.markers),
        space=drawn.space,
    )


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
    if study.space == "partitions":
        cuts = {}
        for name, hierarchy in hierarchies.items():
            places = range(1, hierarchy.leaf_count)
            cuts[name] = sorted(rng.sample(places, min(len(places), rng.choice((0, 1, 2, 5)))))
        return sf.Cuts.of(cuts)
    return sf.Levels.of({name: rng.randint(0, h.height) for name, h in hierarchies.items()})
