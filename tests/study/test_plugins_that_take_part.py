"""Measures of one's own are recorded where they decided something, and can be refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.measures.test_one_value_everywhere import RECODINGS, study

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

OWN = {"suppressed-mode": "tests", "widest-label": "tests"}


def test_certificates_say_whose_measures_took_part(tmp_path: Path) -> None:
    out, private = tmp_path / "out.csv", tmp_path / "private.json"
    study("lattice").release(RECODINGS["lattice"], out, private_certificate=private)
    kept = json.loads(private.read_text(encoding="utf-8"))
    shown = json.loads((tmp_path / "out.csv.certificate.json").read_text(encoding="utf-8"))
    assert kept["plugins"] == OWN
    assert set(shown["plugins"]) <= set(shown["metrics"])


def test_a_release_can_refuse_them(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(sf.SettingsError) as caught:
        study("lattice").release(RECODINGS["lattice"], out, plugins=False)
    assert "'suppressed-mode'" in str(caught.value)
    assert not out.exists()
