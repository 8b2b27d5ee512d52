"""The table ``[engine]`` of a study file: what counts and rewrites the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.spark.engine import SparkEngine
from sfumato.errors import SettingsError
from sfumato.microdata.combination_guard import MOST_COMBINATIONS

if TYPE_CHECKING:
    from sfumato.engines.engine import Engine
    from sfumato.study.file.study_keys import StudyTable

ENGINE_KEYS = ("kind", "master", "remote", "most_combinations")
KINDS = ("duckdb", "spark")


def engine_of(settings: StudyTable) -> Engine:
    """Return the engine that the table describes; nothing is started yet."""
    kind = settings.choice("kind", KINDS) or "duckdb"
    if kind == "duckdb":
        for key in ("master", "remote"):
            if key in settings.values:
                raise SettingsError(
                    f"{settings.at(key)} says where Spark is, and the engine is DuckDB; write "
                    'kind = "spark", or leave it out'
                )
        return DuckDBEngine()
    with settings.naming():
        return SparkEngine(
            master=settings.text("master", example='"local[*]"'),
            remote=settings.text("remote", example='"sc://host:15002"'),
        )


def most_combinations(settings: StudyTable) -> int:
    """Return how many combinations may be counted."""
    most = settings.whole("most_combinations", example=str(MOST_COMBINATIONS))
    if most is not None and most < 1:
        raise settings.wrong("most_combinations", "write a whole number from 1 on")
    return MOST_COMBINATIONS if most is None else most
