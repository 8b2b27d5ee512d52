"""The folder of the ledger: what it holds tells nothing, and without it nothing is released."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.release.ledger.ledger_tables import BY_AGE, patients, study_of, together

import sfumato as sf
from sfumato.documents.own_seal import VARIABLE
from sfumato.errors import ReleaseError, SettingsError
from sfumato.release.ledger.keyed_hashes import KeyedHashes, unpacked_hashes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


def entry_file(state: Path) -> Path:
    (path,) = (state / "ledger").iterdir()
    return path


def test_only_its_owner_may_look_into_it(tmp_path: Path, state: Path) -> None:
    study_of(patients()).release(BY_AGE, tmp_path / "first.csv")
    assert (state / "ledger").stat().st_mode & 0o777 == 0o700
    assert entry_file(state).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("local", [False, True])
def test_it_tells_an_intruder_nothing_of_anybody(tmp_path: Path, state: Path, local: bool) -> None:
    table = patients(rows=120)
    study = study_of(table, person=True)
    chosen: dict[str, int] | sf.Solution = BY_AGE
    if local:
        study = sf.Study(
            source=table, attributes=study.attributes, criteria=["k>=5"], space="local"
        )
        chosen = study.search(method="peeling").front[0]
    study.release(chosen, tmp_path / "first.csv")
    text = entry_file(state).read_text()
    # No value of a cell, no name, and no number that one of them hashes to without the key.
    stored = json.loads(text)["entry"]
    assert "patient" not in text
    values = {*table["name"], *table["zip"], *table["age"]}
    assert not any(f'"{value}"' in text for value in values)
    kept = {
        int(number)
        for column in stored["shown"]["columns"]
        for number in unpacked_hashes(column["values"]).tolist()
    }
    if local:
        kept |= set(unpacked_hashes(stored["shown"]["cells"]).tolist())
    assert kept
    rows = list(table[["age", "zip", "sex"]].itertuples(index=False))
    guesses = values | {",".join(row) for row in rows} | {"".join(row) for row in rows}
    for guess in guesses:
        plain = guess.encode()
        for digest in (
            hashlib.blake2b(plain, digest_size=8).digest(),
            hashlib.sha256(plain).digest()[:8],
            hashlib.md5(plain, usedforsecurity=False).digest()[:8],
        ):
            assert int.from_bytes(digest, "little") not in kept
            assert int.from_bytes(digest, "big") not in kept
    for other in (b"", b"\0" * 32, b"ledger"):
        hashes = KeyedHashes(other)
        for purpose in ("value", "cell", "content"):
            assert kept.isdisjoint(hashes.of(sorted(values), purpose=purpose).tolist())
    # Another user's hashes of the very same table are others.
    assert set(stored["source"]["people"]["registers"]) <= set("0123-")


def test_another_user_stores_other_hashes(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of(patients(), person=True)
    study.release(BY_AGE, tmp_path / "first.csv")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other"))
    study.release(BY_AGE, tmp_path / "second.csv")
    one, other = (
        json.loads(entry_file(f).read_text())["entry"] for f in (state, tmp_path / "other")
    )
    for a, b in zip(one["shown"]["columns"], other["shown"]["columns"], strict=True):
        shared = set(unpacked_hashes(a["values"]).tolist()) & set(
            unpacked_hashes(b["values"]).tolist()
        )
        assert not shared
    digests = [{column["digest"] for column in each["source"]["columns"]} for each in (one, other)]
    assert not digests[0] & digests[1]
    hashes = [set(unpacked_hashes(each["shown"]["content"]).tolist()) for each in (one, other)]
    assert not hashes[0] & hashes[1]
    # Two bits of each of 64 registers: equal in a quarter of them by chance, and never in all.
    for sketch in ("cells", "people"):
        assert one["source"][sketch]["registers"] != other["source"][sketch]["registers"]


@pytest.mark.parametrize("place", ["", "ledger", "key"])
def test_a_ledger_that_cannot_be_used_is_an_error_before_anything_is_released(
    tmp_path: Path, state: Path, place: str
) -> None:
    if place:
        state.mkdir()
    (state / place if place else state).write_text("in the way")
    study = study_of(patients())
    with raises(ReleaseError, code="ledger-unusable"):
        study.release(BY_AGE, tmp_path / "first.csv")
    assert not list(tmp_path.glob("first*"))
    study.release(BY_AGE, tmp_path / "first.csv", ledger=False)


@pytest.mark.parametrize("how", ["truncated", "edited", "renamed"])
def test_an_entry_that_cannot_be_read_is_an_error(tmp_path: Path, state: Path, how: str) -> None:
    study = study_of(patients())
    study.release(BY_AGE, tmp_path / "first.csv")
    path = entry_file(state)
    if how == "truncated":
        path.write_text(path.read_text()[:100])
    elif how == "edited":
        content = json.loads(path.read_text())
        content["entry"]["k"] = 1
        path.write_text(json.dumps(content))
    else:
        path = path.rename(path.with_name("0123456789abcdef.json"))
    with raises(ReleaseError, code="ledger-unreadable"):
        study.release(BY_AGE, tmp_path / "second.csv")
    assert not list(tmp_path.glob("second*"))
    sf.Ledger.opened().forget(path.stem)
    assert together(study.release(BY_AGE, tmp_path / "second.csv")).earlier == ()


def test_nothing_else_than_an_entry_is_forgotten(tmp_path: Path, state: Path) -> None:
    study_of(patients()).release(BY_AGE, tmp_path / "first.csv")
    path = entry_file(state)
    other = state / path.name
    other.write_text("{}")
    with raises(SettingsError, code="unknown-choice"):
        sf.Ledger.opened().forget(f"../{path.stem}")
    assert other.exists()
    assert path.exists()


def test_a_release_that_cannot_be_placed_is_not_remembered(tmp_path: Path, state: Path) -> None:
    study = study_of(patients())
    study.release(BY_AGE, tmp_path / "first.csv")
    with raises(ReleaseError, code="already-exists"):
        study.release(BY_AGE, tmp_path / "first.csv")
    assert len(sf.Ledger.opened().entries()) == 1
    assert len(list((state / "ledger").iterdir())) == 1
