"""An audit of a file says so if the certificate beside it was edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.release.certified import edited, released
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.release.received.certificate_beside import CONTRADICTED

if TYPE_CHECKING:
    from pathlib import Path


def codes(folder: Path) -> list[str]:
    study = study_of_people(suppression=sf.limited(0.3))
    return [finding.code for finding in study.audit(folder / "out.csv").findings]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda content: content["metrics"].update({"distinct-l": 1}), "other-metrics"),
        (lambda content: content["metrics"].update(k=9999), "broken-certificate"),
        (lambda content: content["release"].update(rows=-5), "broken-certificate"),
    ],
)
def test_an_edited_certificate_is_a_finding(tmp_path: Path, edit: Any, said: str) -> None:
    """It was passed over in silence."""
    certificate = released(tmp_path).certificate_path
    assert CONTRADICTED not in codes(tmp_path)
    edited(certificate, edit)
    study = study_of_people(suppression=sf.limited(0.3))
    (finding,) = (f for f in study.audit(tmp_path / "out.csv").findings if f.code == CONTRADICTED)
    assert said in finding.message
    if said == "other-metrics":
        assert finding.counts["distinct-l of the certificate"] == 1
        assert finding.counts["distinct-l of the file"] > 1


def test_a_certificate_that_was_edited_after_it_was_signed(tmp_path: Path) -> None:
    """What was edited is not a number, and only the signature tells."""
    certificate = released(tmp_path).certificate_path
    sf.sign_certificate(certificate, sf.SigningKey.made())
    assert CONTRADICTED not in codes(tmp_path)
    edited(certificate, lambda content: content.update(tool="another tool"))
    assert CONTRADICTED in codes(tmp_path)
    # Whoever breaks the signature as well does not silence it.
    certificate.with_name(f"{certificate.name}.sig").write_text("not a signature")
    assert CONTRADICTED in codes(tmp_path)


def test_a_certificate_of_another_file_says_nothing(tmp_path: Path) -> None:
    certificate = released(tmp_path).certificate_path
    edited(certificate, lambda content: content["release"].update(sha256="0" * 64))
    assert CONTRADICTED not in codes(tmp_path)
    certificate.write_text("a note of the publisher")
    assert CONTRADICTED not in codes(tmp_path)
    certificate.unlink()
    assert CONTRADICTED not in codes(tmp_path)
