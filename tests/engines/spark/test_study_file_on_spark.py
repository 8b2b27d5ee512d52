"""A study file that chooses Spark, from the command line to the release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.engines.odd_tables import people, released

import sfumato as sf
from sfumato.cli.main import main
from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

STUDY = """
[source]
SOURCE

[columns.Name]
role = "identifying"
[columns."post code"]
role = "quasi-identifying"
hierarchy = { flat = true }
[columns."a.ge"]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10], low = 20, high = 59 }
minimum-level = 1
[columns."S`e\\"x"]
role = "quasi-identifying"
hierarchy = { flat = ["F", "M"] }
[columns."dia'gnosis"]
role = "sensitive"
[columns.Note]
role = "insensitive"

[suppression]
policy = "limit"
limit = 0.2
"""


def test_search_release_and_audit_by_the_command_line(
    connect: sf.SparkEngine, tmp_path: Path
) -> None:
    people(tmp_path / "people.parquet")
    for name, engine in (
        ("here", ""),
        ("there", f'[engine]\nkind = "spark"\nremote = "{connect.remote}"\n'),
    ):
        text = STUDY.replace("SOURCE", 'path = "people.parquet"') + engine
        (tmp_path / f"{name}.toml").write_text(text)
        file, allowed = str(tmp_path / f"{name}.toml"), ["--allow-path", str(connect.remote)]
        assert main(["search", file, "-o", str(tmp_path / name), *allowed]) == 0
        out = str(tmp_path / f"{name}.csv")
        assert main(["release", str(tmp_path / name), "-o", out, "--pick", "k>=5"]) == 0
    assert released(tmp_path / "here.csv") == released(tmp_path / "there.csv")
    audit = ["audit", str(tmp_path / "there.csv"), str(tmp_path / "there.toml")]
    assert main(audit) == 1
    assert main([*audit, "--allow-path", str(connect.remote)]) == 0


def test_a_catalog_table_in_a_study_file(connect: sf.SparkEngine, tmp_path: Path) -> None:
    path = people(tmp_path / "people.parquet")
    file = tmp_path / "study.toml"
    named = f"table = 'parquet.`{path}`'"
    engine = f'[engine]\nkind = "spark"\nremote = "{connect.remote}"\nmost-combinations = 500\n'
    file.write_text(STUDY.replace("SOURCE", named) + engine)
    study = sf.read_study_file(file, allow_paths=[str(connect.remote)]).study
    assert study.most_combinations == 500
    assert study.count_table.rows == 120
    assert study.lattice.minimum_levels == (0, 1, 0)
    run = tmp_path / "run"
    assert main(["search", str(file), "-o", str(run), "--allow-path", str(connect.remote)]) == 0
    assert main(["release", str(run), "-o", str(tmp_path / "out.parquet"), "--pick", "k>=5"]) == 0


@pytest.mark.parametrize(
    ("source", "engine", "message"),
    [
        ('path = "a.csv"', 'remote = "sc://host"', "says where Spark is, and the engine is DuckDB"),
        ('path = "a.csv"', 'kind = "sparc"', "did you mean 'spark'"),
        ('path = "a.csv"', 'kind = "spark"\nmaster = 3', "must be a text in quotes"),
        ('path = "a.csv"', 'kind = "spark"\nremote = "host"', "Spark Connect server"),
        ('path = "a.csv"', "most-combinations = 0", "from 1 on"),
        ('table = "people"', 'kind = "duckdb"', r"\[source\]: path is missing"),
        ('table = "people"\nheader = true', 'kind = "spark"', "names a table of a catalog"),
        ('table = ""', 'kind = "spark"', "name of a catalog table"),
        ('unlisted = "insensitive"', 'kind = "spark"', "of the catalog"),
    ],
)
def test_tables_of_the_engine_that_are_wrong(
    tmp_path: Path, source: str, engine: str, message: str
) -> None:
    file = tmp_path / "study.toml"
    file.write_text(STUDY.replace("SOURCE", source) + f"[engine]\n{engine}\n")
    with pytest.raises(SfumatoError, match=message):
        sf.read_study_file(file)
