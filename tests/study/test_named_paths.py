"""A study file reads the files of its own folder, and others only if its user allowed them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.raised import raises
from tests.study.study_files import write_people

from sfumato import read_run, read_study_file
from sfumato.cli.main import main
from sfumato.documents.own_seal import VARIABLE
from sfumato.errors import SettingsError
from sfumato.study.file.named_paths import NamedPaths, catalog_seal, source_seal
from sfumato.study.file.study_copy import study_copy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study file in a folder of its own."""
    (tmp_path / "mine").mkdir()
    return write_people(tmp_path / "mine")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside, which the study would like to read."""
    path = tmp_path / "secret.csv"
    path.write_text("age;*\n20;*\n")
    return path


def naming(study: Path, old: str, new: str) -> Path:
    text = study.read_text()
    assert old in text
    study.write_text(text.replace(old, new))
    return study


def named(study: Path, path: str) -> Path:
    return naming(study, 'path = "people.csv"', f'path = "{path}"')


def test_what_is_in_the_folder_is_read(study: Path) -> None:
    assert read_study_file(study).path == study
    below = study.parent / "below"
    below.mkdir()
    (study.parent / "people.csv").rename(below / "people.csv")
    assert read_study_file(named(study, "below/../below/people.csv"))
    (study.parent / "inner.csv").symlink_to(below / "people.csv")
    assert read_study_file(naming(study, "below/../below/people.csv", "inner.csv"))


@pytest.mark.parametrize("way", ["absolute", "up", "link", "linked folder"])
def test_a_source_outside_is_refused(way: str, study: Path, secret: Path) -> None:
    (study.parent / "link.csv").symlink_to(secret)
    (study.parent / "linked").symlink_to(secret.parent)
    path = {
        "absolute": str(secret),
        "up": "../secret.csv",
        "link": "link.csv",
        "linked folder": "linked/secret.csv",
    }[way]
    named(study, path)
    with raises(
        SettingsError,
        code="outside-folder",
        file=study,
        table="[source]",
        key="path",
        found=repr(path),
    ) as caught:
        read_study_file(study)
    assert str(secret.resolve()) in (caught.value.remedy or "")
    assert read_study_file(study, allow_paths=[secret])
    assert read_study_file(study, allow_paths=[str(secret.parent)])
    with raises(SettingsError, code="outside-folder"):
        read_study_file(study, allow_paths=[study.parent, secret.with_name("secret")])


@pytest.mark.parametrize(
    "setting",
    [
        'hierarchy = "../secret.csv"',
        'hierarchy = { file = "../secret.csv" }',
        'partitions = "../secret.csv"',
        'partitions = ["../secret.csv", { flat = true }]',
    ],
)
def test_a_hierarchy_outside_is_refused(setting: str, study: Path, secret: Path) -> None:
    naming(study, 'hierarchy = "hierarchies/sex.csv"', setting)
    with raises(SettingsError, code="outside-folder", file=study, column="sex"):
        read_study_file(study)
    assert secret.exists()


def test_a_distance_outside_is_refused(study: Path, secret: Path) -> None:
    naming(study, 'distance = "ordered"', 'distance = { hierarchy = "../secret.csv" }')
    with raises(SettingsError, code="outside-folder", file=study, column="income"):
        read_study_file(study)
    assert secret.exists()


@pytest.mark.parametrize("path", ["a\\u0000b.csv"])
def test_what_cannot_be_a_path(path: str, study: Path) -> None:
    named(study, path)
    with raises(SettingsError, code="not-a-name", file=study, key="path"):
        read_study_file(study)


@pytest.mark.parametrize(
    ("table", "refused"),
    [
        ("hospital.patients", False),
        ("hospital.`odd name`", False),
        ("csv.`/etc/passwd`", True),
        ("text.`file:///etc/passwd`", True),
        ("parquet.`../secret`", True),
        ("parquet.`s3a://bucket/people`", True),
        ("parquet.`inside/people`", False),
    ],
)
def test_paths_that_spark_would_read(table: str, refused: bool, tmp_path: Path) -> None:
    paths = NamedPaths.of(tmp_path / "study.toml")
    if not refused:
        paths.check_catalog(table)
        return
    with raises(SettingsError, code="outside-folder", key="table"):
        paths.check_catalog(table)
    address = table.split("`")[1]
    NamedPaths.of(tmp_path / "study.toml", [address]).check_catalog(table)
    # What this user's own search wrote into a run folder.
    paths.check_catalog(table, sealed=catalog_seal(table))
    with raises(SettingsError, code="outside-folder", key="table"):
        paths.check_catalog(table, sealed=catalog_seal("csv.`/etc/group`"))


def test_what_init_wrote_is_read_by_this_user_alone(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = study.parent / "people.csv"
    far = tmp_path / "far" / "study.toml"
    far.parent.mkdir()
    assert main(["init", str(people), "-o", str(far), "--quiet"]) == 0
    assert "seal" in far.read_text()
    assert read_study_file(far)
    # It may be moved.
    far.parent.rename(tmp_path / "moved")
    text = (tmp_path / "moved" / "study.toml").read_text()
    (tmp_path / "moved" / "study.toml").write_text(text.replace("../mine", str(people.parent)))
    assert read_study_file(tmp_path / "moved" / "study.toml")
    # Its seal is for that file alone, and for this user.
    (study.parent / "other.csv").write_text(people.read_text())
    for old, new in (("people.csv", "other.csv"), (str(source_seal(people)), "00" * 32)):
        (tmp_path / "moved" / "study.toml").write_text(
            text.replace("../mine", str(people.parent)).replace(old, new)
        )
        with raises(SettingsError, code="outside-folder"):
            read_study_file(tmp_path / "moved" / "study.toml")
    (tmp_path / "moved" / "study.toml").write_text(text.replace("../mine", str(people.parent)))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "somebody else"))
    with raises(SettingsError, code="outside-folder"):
        read_study_file(tmp_path / "moved" / "study.toml")


def test_init_beside_the_data_needs_no_seal(study: Path) -> None:
    new = study.with_name("new.toml")
    assert main(["init", str(study.parent / "people.csv"), "-o", str(new), "--quiet"]) == 0
    assert "seal" not in new.read_text()
    assert read_study_file(new)


def test_the_workflow_from_any_folder(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run, out = tmp_path / "runs" / "run", elsewhere / "out.csv"
    assert main(["search", os.path.relpath(study), "-o", str(run), "--quiet"]) == 0
    assert main(["release", str(run), "--pick", "0", "-o", "out.csv", "--quiet"]) == 0
    assert main(["audit", str(out), str(run), "--quiet"]) == 0
    # Of another user, the run shows its front, and its source is read if that user allows it.
    monkeypatch.setenv(VARIABLE, str(tmp_path / "somebody else"))
    assert main(["front", str(run), "--quiet"]) == 0
    assert main(["report", str(run), "--quiet"]) == 0
    release = ["release", str(run), "--pick", "0", "-o", "again.csv", "--quiet"]
    capsys.readouterr()
    assert main([*release, "--json"]) == 1
    assert '"outside-folder"' in capsys.readouterr().out
    assert not (elsewhere / "again.csv").exists()
    with raises(SettingsError, code="outside-folder"):
        read_run(run)
    people = study.parent / "people.csv"
    assert read_run(run, allow_paths=[people])
    assert main([*release, "--allow-path", str(people)]) == 0


def test_a_study_that_names_another_file_is_searched_only_if_it_may(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside.csv"
    (study.parent / "people.csv").rename(outside)
    named(study, "../outside.csv")
    search = ["search", str(study), "-o", str(tmp_path / "run"), "--quiet", "--json"]
    assert main(search) == 1
    assert '"outside-folder"' in capsys.readouterr().out
    assert not (tmp_path / "run").exists()
    assert main([*search, "--allow-path", str(outside)]) == 0
    # Whoever searched was allowed to read it, and so is the run.
    release = ["release", str(tmp_path / "run"), "--pick", "0", "-o", str(tmp_path / "out.csv")]
    assert main([*release, "--quiet"]) == 0


def test_a_run_whose_folder_for_certificates_is_a_link(study: Path, tmp_path: Path) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    assert main(["search", str(study), "-o", str(run), "--quiet"]) == 0
    other.mkdir()
    (run / "releases").symlink_to(other)
    out = tmp_path / "out.csv"
    assert main(["release", str(run), "--pick", "0", "-o", str(out), "--quiet"]) == 1
    assert list(other.iterdir()) == []
    assert not out.exists()


def on_spark(study: Path, where: str) -> Path:
    study.write_text(f'{study.read_text()}\n[engine]\nkind = "spark"\n{where}\n')
    return study


ELSEWHERE = (
    ('remote = "sc://evil.example.org:15002/;token=abc"', "remote", "sc://evil.example.org:15002"),
    ('remote = "sc://localhost"', "remote", "sc://localhost"),
    ('master = "spark://one:7077,two:7077"', "master", "spark://one:7077,two:7077"),
    ('master = "k8s://https://evil.example.org"', "master", "k8s://https://evil.example.org"),
    ('master = "local://evil.example.org"', "master", "local://evil.example.org"),
)


@pytest.mark.parametrize(("where", "key", "host"), ELSEWHERE)
def test_rows_are_not_sent_to_a_host_that_nobody_allowed(
    where: str, key: str, host: str, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on_spark(study, where)
    with raises(SettingsError, code="other-host", key=key, found=repr(host)) as error:
        read_study_file(study)
    assert "token" not in str(error.value)
    assert read_study_file(study, allow_paths=[host]).study.engine.address is not None
    # Who reads no rows sends none.
    assert read_study_file(study, reads_source=False)
    for command in (
        ["search", str(study), "-o", str(study.parent / "run")],
        ["evaluate", str(study)],
    ):
        assert main(command) == 1
    assert host in capsys.readouterr().err
    assert not (study.parent / "run").exists()


@pytest.mark.parametrize(
    "where", ["", 'master = "local"', 'master = "local[*]"', 'master = "local[2,4]"']
)
def test_an_engine_on_this_machine_needs_nobodys_leave(where: str, study: Path) -> None:
    assert read_study_file(on_spark(study, where)).study.engine.address is None


def test_a_host_that_was_searched_on_is_known_to_its_user_alone(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, key, host = ELSEWHERE[0]
    allowed = read_study_file(on_spark(study, where), allow_paths=[host])
    text, (path,) = study_copy(allowed)
    text = text.replace(path, "hierarchies/sex.csv")
    copy = study.with_name("copy.toml")
    copy.write_text(text)
    assert read_study_file(copy).study.engine == allowed.study.engine
    copy.write_text(text.replace("evil.example.org", "worse.example.org"))
    with raises(SettingsError, code="other-host", key=key):
        read_study_file(copy)
    copy.write_text(text)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "somebody else"))
    with raises(SettingsError, code="other-host", key=key):
        read_study_file(copy, allow_paths=[study.parent])
