"""The same people are recognized, whatever the file is; other people are not."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawn_examples import examples
from tests.raised import raises
from tests.release.ledger.ledger_tables import (
    BY_AGE,
    BY_PLACE,
    one_more,
    patients,
    study_of,
    together,
)

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.messages.grouped_counts import PersonKey
from sfumato.errors import UnmetError
from sfumato.release.ledger.keyed_hashes import KeyedHashes
from sfumato.release.ledger.sketch import Minima
from sfumato.sources.source import source_of

if TYPE_CHECKING:
    from pathlib import Path


def renamed(levels: dict[str, int]) -> dict[str, int]:
    return {("plz" if name == "zip" else name): level for name, level in levels.items()}


@pytest.mark.parametrize("person", [False, True])
def test_one_row_more_one_column_renamed_another_format_and_folder(
    tmp_path: Path, person: bool
) -> None:
    table = patients()
    table.to_csv(tmp_path / "patients.csv", index=False)
    study_of(tmp_path / "patients.csv", person=person).release(BY_AGE, tmp_path / "first.csv")
    other = one_more(table).sample(frac=1, random_state=5).rename(columns={"zip": "plz"})
    (tmp_path / "elsewhere").mkdir()
    path = tmp_path / "elsewhere" / "other.parquet"
    other.assign(age=other["age"].astype(int)).to_parquet(path, index=False)
    study = study_of(path, person=person, zip_column="plz")
    with raises(UnmetError, code="composition"):
        study.release(renamed(BY_PLACE), tmp_path / "second.csv")
    same = study.release(renamed(BY_AGE), tmp_path / "third.csv")
    assert len(together(same).earlier) == 1


@pytest.mark.parametrize("person", [False, True])
def test_other_people_are_not_found(tmp_path: Path, person: bool) -> None:
    study_of(patients(), person=person).release(BY_AGE, tmp_path / "first.csv")
    others = patients(seed=4, first=1000)
    second = study_of(others, person=person).release(BY_PLACE, tmp_path / "second.csv")
    assert together(second).earlier == ()


def test_people_are_found_by_their_key_though_all_else_changed(tmp_path: Path) -> None:
    study_of(patients(), person=True).release(BY_AGE, tmp_path / "first.csv")
    # A year later: other ages, places and illnesses of the same people, and half of them left.
    later = patients(seed=5)[:300]
    with raises(UnmetError, code="composition"):
        study_of(later, person=True).release(BY_PLACE, tmp_path / "second.csv")


@settings(max_examples=examples(40))
@given(
    seed=st.integers(0, 2**32),
    common=st.integers(0, 2000),
    own=st.tuples(*[st.integers(0, 2000)] * 2),
)
def test_a_sketch_estimates_what_is_shared(seed: int, common: int, own: tuple[int, int]) -> None:
    hashes = KeyedHashes(seed.to_bytes(8))
    both = [f"both {n}" for n in range(common)]
    sets = [[*both, *(f"{side} {n}" for n in range(own[side]))] for side in (0, 1)]
    if min(map(len, sets)) < 500:
        return
    one, other = (Minima.of_hashes(hashes.of(each, purpose="test")) for each in sets)
    share = common / min(map(len, sets))
    found = one.shared(other.sketch())
    # Beyond the noise of the registers, which chance alone does not exceed.
    assert abs(found - share) < 0.35
    if common == 0:
        assert found < 0.2
    assert one.shared(one.sketch()) == 1.0


def test_of_few_members_few_bits_are_kept() -> None:
    hashes = KeyedHashes(b"key")
    for members, registers in ((5, 4), (64, 8), (600, 64), (100_000, 1024)):
        texts = [str(n) for n in range(members)]
        sketch = Minima.of_hashes(hashes.of(texts, purpose="test")).sketch()
        assert len(sketch.registers) == registers


def test_the_engine_hashes_people_as_python_does() -> None:
    table = patients(rows=50)
    found = DuckDBEngine().person_minima(
        source_of(table), PersonKey(columns=("sex", "name"), markers=()), key="ab"
    )
    expected: dict[str, str] = {}
    for sex, name in zip(table["sex"], table["name"], strict=True):
        parts = sorted(hashlib.sha256(f"ab{text}".encode()).hexdigest() for text in (name, sex))
        whole = hashlib.sha256(f"ab{''.join(parts)}".encode()).hexdigest()
        bucket, rest = whole[:3], whole[3:15]
        expected[bucket] = min(rest, expected.get(bucket, rest))
    assert found == expected
