"""An edited certificate contradicts itself: whoever reads it says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError
from tests.raised import raises
from tests.release.certified import edited, released
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.release.certificates.private import PrivateCertificateRecord
from sfumato.release.certificates.public import PublicCertificate
from sfumato.release.received.release_check import Fault

if TYPE_CHECKING:
    from pathlib import Path

HUGE = 10**30
PUBLIC: dict[str, tuple[tuple[str, ...], object]] = {
    "k beyond the rows": (("metrics", "k"), 9999),
    "k × classes beyond the rows": (("metrics", "k"), 70),
    "a negative k": (("metrics", "k"), -5),
    "half a row": (("metrics", "k"), 1.5),
    "not a number": (("metrics", "t"), float("nan")),
    "a distance beyond 1": (("metrics", "t"), 1.5),
    "a negative loss": (("metrics", "dm"), -1),
    "sums that differ": (("metrics", "s-k"), 1),
    "an average that is none": (("metrics", "c-avg"), 1000),
    "negative rows": (("release", "rows"), -5),
    "rows beyond counting": (("release", "rows"), HUGE),
    "more classes than rows": (("release", "classes"), 1000),
    "no class": (("release", "classes"), 0),
    "more starred rows than rows": (("release", "starred"), 1000),
    "negative starred rows": (("release", "starred"), -5),
    "not a digest": (("release", "sha256"), "0"),
    "more labels than classes": (("recoding", "age", "labels"), 1000),
    "a policy that k misses": (("require",), ["k>=50"]),
    "an identifying column": (("columns", "age", "role"), "identifying"),
    "a quasi-identifier less": (("columns", "age", "role"), "insensitive"),
    "a delimiter that is none": (("release", "csv", "delimiter"), "\n"),
}
PRIVATE: dict[str, tuple[tuple[str, ...], object]] = {
    "k beyond the rows": (("metrics", "k"), 9999),
    "k of the released rows": (("metrics_of_released_rows", "k"), 9999),
    "k before": (("metrics_before", "k"), 9999),
    "k of one kind alone": (("metrics", "k"), 3),
    "negative suppressed rows": (("suppressed", "rows"), -5),
    "suppressed rows beyond counting": (("suppressed", "rows"), HUGE),
    "suppressed rows that are not in the source": (("source_rows",), 81),
    "negative source": (("source_rows",), -5),
    "negative incomplete rows": (("rows_left_out_as_incomplete",), -5),
    "sizes of suppressed classes": (("suppressed", "class_sizes"), {"1": HUGE}),
    "dm without the suppressed rows": (("metrics", "dm"), 80),
    "a threshold below 0": (("threshold",), -5),
}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("laws")
    release = released(folder)
    assert release.suppressed > 0
    return release.certificate_path.read_text(), (folder / "private.json").read_text()


def changed(text: str, keys: tuple[str, ...], value: object) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(text)
    inner = content
    for key in keys[:-1]:
        inner = inner[key]
    assert inner.get(keys[-1]) != value
    inner[keys[-1]] = value
    return content


@pytest.mark.parametrize("name", PUBLIC)
def test_public_certificates_that_contradict_themselves(
    certificates: tuple[str, str], name: str
) -> None:
    PublicCertificate.model_validate(json.loads(certificates[0]))
    with pytest.raises(ValidationError):
        PublicCertificate.model_validate(changed(certificates[0], *PUBLIC[name]))


@pytest.mark.parametrize("name", PRIVATE)
def test_private_certificates_that_contradict_themselves(
    certificates: tuple[str, str], name: str
) -> None:
    PrivateCertificateRecord.model_validate(json.loads(certificates[1]))
    with pytest.raises(ValidationError):
        PrivateCertificateRecord.model_validate(changed(certificates[1], *PRIVATE[name]))


def suppress(rows: int) -> Any:
    """Return an edit that suppresses other rows, in all places that must agree at once."""

    def edit(content: dict[str, Any]) -> None:
        gone = content["suppressed"]
        content["source_rows"] += rows - gone["rows"]
        gone["rows"], gone["class_sizes"] = rows, {"1": rows}
        gone["records"] = [{**gone["records"][0], "rows": rows}]

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        lambda content: content["metrics"].update(k=9999),
        lambda content: content["metrics_of_released_rows"].update(k=9999),
        lambda content: content["suppressed"].update(rows=-5),
        suppress(-5),
        suppress(HUGE),
        suppress(1000),
    ],
)
def test_an_audit_says_that_its_certificate_was_edited(tmp_path: Path, edit: Any) -> None:
    """A k of 9999 and 1,000 suppressed rows passed once.

    Of the others −5 rows were refused before too, by a sum, and 10³⁰ ended in an OverflowError.
    """
    released(tmp_path)
    private = tmp_path / "private.json"
    study = study_of_people(suppression=sf.limited(0.3))
    study.audit(tmp_path / "out.csv", private_certificate=private)
    edited(private, edit)
    with raises(sf.SourceError, code="broken-certificate", file=private):
        study.audit(tmp_path / "out.csv", private_certificate=private)


@pytest.mark.parametrize("name", ["k beyond the rows", "negative rows", "sums that differ"])
def test_verify_says_that_the_certificate_was_edited(tmp_path: Path, name: str) -> None:
    certificate = released(tmp_path).certificate_path
    content = changed(certificate.read_text(), *PUBLIC[name])
    certificate.write_text(json.dumps(content))
    assert sf.verify_release(tmp_path / "out.csv", certificate).faults == (
        Fault.BROKEN_CERTIFICATE,
    )
