"""A seal holds for its texts, its purpose and its user, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.documents.own_seal import VARIABLE, is_sealed, seal, state_folder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_seal_holds_for_its_own_texts_only() -> None:
    given = seal("place", "/a", "b")
    assert is_sealed("place", "/a", "b", by=given)
    for others in (("place", "/a", "c"), ("place", "/ab"), ("other", "/a", "b"), ("place", "/a")):
        assert not is_sealed(*others, by=given)
    for forged in (None, "", 1, "é", str(given)[:-1]):
        assert not is_sealed("place", "/a", "b", by=forged)


def test_another_user_has_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = seal("place", "/a")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other"))
    assert not is_sealed("place", "/a", by=given)
    key = state_folder() / "key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in key.parent.iterdir()] == ["key"]


def test_without_a_key_nothing_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "below"))
    assert seal("place", "/a") is None
    assert not is_sealed("place", "/a", by=None)


def test_a_broken_key_seals_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_bytes(b"short")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert seal("place", "/a") is None
