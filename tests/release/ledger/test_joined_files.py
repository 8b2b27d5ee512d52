"""What the ledger computes against a naive join of the released files themselves, row by row."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples

import sfumato as sf
from sfumato.documents.own_seal import VARIABLE
from sfumato.errors import ReleaseError, UnmetError
from sfumato.recoding.local import Local

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from sfumato.recoding.recoding import Recoding


@dataclass(frozen=True)
class Drawn:
    """A release: its levels, or the class of every key combination in turn, and its k."""

    levels: tuple[int, int] | None
    classes: tuple[int, ...]
    values: str
    rows: str
    k: int

    def recoding(self, study: sf.Study) -> Recoding:
        if self.levels is not None:
            return sf.Levels.of(dict(zip(("a", "b"), self.levels, strict=True)))
        table = study.count_table
        classes = np.resize(np.array(self.classes, dtype=np.int32), table.cells)
        return Local.of(table, classes, dict.fromkeys(table.names, sf.Output.SET))


REFUSED = ("nothing-to-release", "equal-statistics", "conflicting-settings")
NUMBERS = tuple(map(str, range(1, 9)))
WORDS = ("x1", "x2", "y1", "y2")
RELEASES = st.lists(
    st.builds(
        Drawn,
        levels=st.none() | st.tuples(st.integers(0, 2), st.integers(0, 2)),
        classes=st.lists(st.integers(-1, 3), min_size=2, max_size=7)
        .filter(lambda classes: max(classes) >= 0)
        .map(tuple),
        values=st.sampled_from(["generalized", "microaggregated"]),
        rows=st.sampled_from(["drop", "star"]),
        k=st.integers(1, 3),
    ),
    min_size=2,
    max_size=3,
)
ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(NUMBERS), st.sampled_from(WORDS)),
    min_size=6,
    max_size=20,
)


def study_of(frame: pd.DataFrame, *, person: bool, k: int) -> sf.Study:
    return sf.Study(
        source=frame,
        attributes=[
            sf.identifying("who", person=person),
            sf.quasi_identifying("a", sf.Intervals(widths=(2, 8), low=1, high=8)),
            sf.quasi_identifying("b", sf.Prefixes(keep=(1,), values=WORDS)),
            sf.insensitive("row"),
        ],
        suppression=sf.given_k(k),
    )


def shown_in(path: Path) -> Mapping[str, Hashable]:
    """The labels of every row that a file shows, by the number that it has as payload."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    # A starred row has no payload.
    shown = table[table["row"].str.startswith("r")]
    return {row: (a, b) for a, b, row in zip(shown["a"], shown["b"], shown["row"], strict=True)}


def joined(frame: pd.DataFrame, files: Sequence[Mapping[str, Hashable]]) -> list[set[str]]:
    """The people of every joint class: rows by what all files show of them, or do not."""
    members: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for who, row in zip(frame["who"], frame["row"], strict=True):
        seen = tuple(file.get(row) for file in files)
        if any(label is not None for label in seen):
            members[seen].add(who)
    return list(members.values())


@settings(max_examples=examples(25))
@given(rows=ROWS, releases=RELEASES, person=st.booleans())
def test_the_ledger_counts_what_a_join_of_the_files_shows(
    rows: list[tuple[int, str, str]], releases: list[Drawn], person: bool
) -> None:
    """Global and local recodings, labels and statistics, dropped and starred rows, people or rows.

    The files carry a number for every row, so that the join needs nothing of the recodings.
    """
    frame = pd.DataFrame(
        [(f"p{who if person else n}", a, b, f"r{n}") for n, (who, a, b) in enumerate(rows)],
        columns=["who", "a", "b", "row"],
    )
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, f"{folder}/state")
        files: list[Mapping[str, Hashable]] = []
        for number, drawn in enumerate(releases):
            # A local recoding has no class that is suppressed for its size.
            k = drawn.k if drawn.levels is not None else 1
            study = study_of(frame, person=person, k=k)
            path = Path(folder) / f"{number}.csv"
            try:
                release = study.release(
                    drawn.recoding(study),
                    path,
                    values=drawn.values,
                    suppressed_rows=drawn.rows,
                    accept_composition=True,
                )
            except (UnmetError, ReleaseError) as error:
                # All rows are suppressed, or the statistics cannot be released.
                if error.code in REFUSED:
                    continue
                raise
            earlier, files = files, [*files, shown_in(path)]
            found = release.composition
            assert found is not None
            assert len(found.earlier) == len(earlier)
            if not earlier:
                continue
            sizes = [len(people) for people in joined(frame, files)]
            assert found.classes == len(sizes)
            assert found.k == min(sizes)
            alone = [people for people in joined(frame, files) if len(people) == 1]
            assert found.alone == len(set().union(*alone))
            assert found.adds == (len(sizes) > len(joined(frame, earlier)))
