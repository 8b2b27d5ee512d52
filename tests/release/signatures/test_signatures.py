"""A signature says whose word a certificate is, and that nobody changed it since."""

from __future__ import annotations

import base64
import json
import shutil
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.raised import raises
from tests.release.certified import LEVELS, edited, rows_of, write_rows
from tests.study.people import study_of_people

import sfumato as sf
from sfumato.release.received.release_check import Fault
from sfumato.release.signatures.signature import SignatureState

if TYPE_CHECKING:
    from pathlib import Path

KEY = sf.SigningKey.made()


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path]:
    study = study_of_people(suppression=sf.limited(0.3))
    release = study.release(LEVELS, tmp_path / "out.csv", sign=KEY)
    return release.path, release.certificate_path


def test_an_intact_release(signed: tuple[Path, Path]) -> None:
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.intact
    assert check.signature is SignatureState.VALID
    assert check.signed_by == KEY.public.fingerprint
    # By the bytes of the file and nothing else.
    content = json.loads(signed[1].with_name(f"{signed[1].name}.sig").read_text())
    signature = base64.b64decode(content["signature"])
    assert KEY.public.fits(signature, signed[1].read_bytes())
    assert not KEY.public.fits(signature, signed[1].read_bytes() + b" ")


def test_another_key(signed: tuple[Path, Path]) -> None:
    other = sf.SigningKey.made()
    assert sf.verify_release(*signed, public_key=other.public).faults == (Fault.OTHER_KEY,)
    # Who edits the certificate and signs it himself is another key, too.
    edited(signed[1], lambda content: content["metrics"].update(t=0.01))
    sf.sign_certificate(signed[1], other, force=True)
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.faults == (Fault.OTHER_KEY, Fault.OTHER_METRICS)


def test_a_signature_under_a_false_name(signed: tuple[Path, Path]) -> None:
    """The file names the publisher's key, and somebody else signed."""
    other = sf.SigningKey.made()
    place = sf.sign_certificate(signed[1], other, force=True)
    key = base64.b64encode(KEY.public.raw).decode()
    edited(place, lambda content: content.update(key=key))
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.faults == (Fault.EDITED_CERTIFICATE,)


def test_an_edited_certificate(signed: tuple[Path, Path]) -> None:
    """One blank is enough, also where nothing that it says changed."""
    with signed[1].open("a") as file:
        file.write(" ")
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.faults == (Fault.EDITED_CERTIFICATE,)
    assert check.signature is SignatureState.DOES_NOT_FIT


def test_an_edited_file(signed: tuple[Path, Path]) -> None:
    rows = rows_of(signed[0])
    rows[1][-1] = "perhaps"
    write_rows(signed[0], rows)
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.faults == (Fault.CHANGED_FILE,)
    assert check.signature is SignatureState.VALID


def test_a_swapped_certificate(signed: tuple[Path, Path], tmp_path: Path) -> None:
    """That of another release of the same publisher, with its valid signature."""
    file, certificate = signed
    study = study_of_people(suppression=sf.limited(0.3))
    levels = {"age": 2, "zip": 1, "sex": 1}
    other = study.release(levels, tmp_path / "other.csv", sign=KEY, ledger=False)
    shutil.copy(other.certificate_path, certificate)
    shutil.copy(f"{other.certificate_path}.sig", f"{certificate}.sig")
    check = sf.verify_release(file, certificate, public_key=KEY.public)
    assert check.signature is SignatureState.VALID
    assert check.faults[0] in (Fault.OTHER_ROWS, Fault.CHANGED_FILE)


def test_no_signature(signed: tuple[Path, Path]) -> None:
    signed[1].with_name(f"{signed[1].name}.sig").unlink()
    assert sf.verify_release(*signed).intact
    check = sf.verify_release(*signed, public_key=KEY.public)
    assert check.faults == (Fault.NOT_SIGNED,)


def test_a_signature_that_is_none(signed: tuple[Path, Path]) -> None:
    place = signed[1].with_name(f"{signed[1].name}.sig")
    for text in ("", "{}", '{"kind": "sfumato signature 2"}'):
        place.write_text(text)
        with raises(sf.SourceError, code="not-a-signature", file=place):
            sf.verify_release(*signed)


def test_a_release_that_would_leave_an_old_signature(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    study = study_of_people(suppression=sf.limited(0.3))
    with raises(sf.ReleaseError, code="stale-signature"):
        study.release(LEVELS, signed[0], force=True)
    with raises(sf.ReleaseError, code="already-exists"):
        study.release(LEVELS, signed[0], sign=KEY)
    study.release(LEVELS, signed[0], force=True, sign=KEY)
    assert sf.verify_release(*signed, public_key=KEY.public).intact
    assert not list(tmp_path.glob(".sfumato*"))


def test_keys(tmp_path: Path) -> None:
    path = tmp_path / "own.key"
    public = KEY.write(path)
    assert sf.PublicKey.read(public) == KEY.public
    assert sf.SigningKey.read(path).public == KEY.public
    with raises(sf.SettingsError, code="already-exists", file=path):
        KEY.write(path)
    path.chmod(0o640)
    with raises(sf.SettingsError, code="open-key", file=path):
        sf.SigningKey.read(path)
    with raises(sf.SettingsError, code="not-a-key", file=path):
        sf.PublicKey.read(path)
    public.chmod(0o600)
    with raises(sf.SettingsError, code="not-a-key", file=public):
        sf.SigningKey.read(public)
    with raises(sf.SourceError, code="no-such-file"):
        sf.PublicKey.read(tmp_path / "none.pub")
    assert "private" not in repr(KEY).lower()


def test_a_key_with_a_passphrase(tmp_path: Path) -> None:
    path = tmp_path / "own.key"
    KEY.write(path, passphrase="correct horse")
    assert sf.SigningKey.read(path, passphrase="correct horse").public == KEY.public
    with raises(sf.SettingsError, code="wrong-passphrase"):
        sf.SigningKey.read(path, passphrase="wrong")
    with raises(sf.SettingsError, code="no-passphrase"):
        sf.SigningKey.read(path)


def test_a_key_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "curve.pub"
    path.write_bytes(
        ec.generate_private_key(ec.SECP256R1())
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    with raises(sf.SettingsError, code="not-a-key"):
        sf.PublicKey.read(path)
