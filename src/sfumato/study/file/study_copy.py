"""A copy of a study file that stands on its own: for the run folder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from sfumato.hierarchies.builders.alternatives import Alternatives
from sfumato.hierarchies.ground_distance import HierarchicalDistance
from sfumato.hierarchies.partitioned_domain import PartitionedDomain
from sfumato.sources.source import PostgresTable, path_of, source_of
from sfumato.study.file.named_paths import catalog_seal, database_seal, host_seal, source_seal
from sfumato.study.file.toml_syntax import parsed
from sfumato.study.file.toml_text import TomlValue, document_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.microdata.roles import Attribute
    from sfumato.study.file.study_file import StudyFile

HIERARCHIES = "hierarchies"


def source_path(study_file: StudyFile) -> Path | None:
    """Return where the rows of a study file are, as an absolute path; None for a catalog table."""
    path = path_of(source_of(study_file.study.source))
    return None if path is None else path.absolute()


def study_copy(study_file: StudyFile) -> tuple[str, Mapping[str, PartitionedDomain]]:
    """Return the text of a copy, and the hierarchies of the files that it names.

    The source has its absolute path, which is sealed: whoever searched was allowed to read it. So
    has the table of the population, and so is the address of an engine on another host. A
    hierarchy that came from a file is named by a
    path in the folder ``hierarchies`` beside the copy, where it is to be written. The method and
    the seed are those that ran, whoever chose them.
    """
    # What tomllib returns is what TOML can hold.
    read, _ = parsed(study_file.path, study_file.text)
    document = cast("dict[str, dict[str, TomlValue]]", read)
    document["source"] = _sealed_source(document["source"], study_file)
    if "path" in document.get("population", {}):
        document["population"] = _sealed_population(document["population"], study_file)
    engine = study_file.study.engine
    if "engine" in document:
        document["engine"] = {k: v for k, v in document["engine"].items() if k != "seal"}
        sealed = None if engine.address is None else host_seal(engine.address)
        if sealed is not None:
            document["engine"]["seal"] = sealed
    files: dict[str, PartitionedDomain] = {}
    columns: dict[str, TomlValue] = {}
    for position, attribute in enumerate(study_file.study.attributes, start=1):
        settings = dict(cast("dict[str, TomlValue]", document["columns"][attribute.name]))
        path = f"{HIERARCHIES}/{position:02}-{_plain(attribute.name)}.csv"
        hierarchy = _from_file(attribute)
        if hierarchy is not None:
            files[path] = hierarchy
            if "partitions" in settings:
                settings["partitions"] = path
            elif "hierarchy" in settings:
                settings["hierarchy"] = path
            else:
                settings["distance"] = {"hierarchy": path}
        if isinstance(attribute.hierarchy, Alternatives):
            settings["partitions"] = _alternatives(attribute, settings["partitions"], path, files)
        columns[attribute.name] = settings
    document["columns"] = columns
    asked: dict[str, TomlValue] = {
        "method": study_file.search.method,
        "seed": study_file.search.seed,
    }
    written = {"method": "auto", "seed": 1, **document.get("search", {})}
    changed = {key: value for key, value in asked.items() if written[key] != value}
    if changed:
        document["search"] = {**document.get("search", {}), **changed}
    return document_text(document), files


def source_address(study_file: StudyFile) -> str | None:
    """Return the address of the database that the rows are in; None if they are elsewhere."""
    source = source_of(study_file.study.source)
    return source.address if isinstance(source, PostgresTable) else None


def _sealed_source(written: Mapping[str, TomlValue], study_file: StudyFile) -> dict[str, TomlValue]:
    """Return the table of the source with an absolute path and a seal."""
    source = {key: value for key, value in written.items() if key != "seal"}
    path, address = source_path(study_file), source_address(study_file)
    if address is not None:
        sealed = database_seal(address)
    elif path is not None:
        source["path"] = str(path)
        sealed = source_seal(path)
    else:
        sealed = catalog_seal(str(source["table"]))
    return source if sealed is None else {**source, "seal": sealed}


def population_path(study_file: StudyFile) -> Path | None:
    """Return where the table of the population is, as an absolute path; None if there is none."""
    population = study_file.study.population
    if population is None or population.table is None:
        return None
    path = path_of(source_of(population.table))
    return None if path is None else path.absolute()


def _sealed_population(
    written: Mapping[str, TomlValue], study_file: StudyFile
) -> dict[str, TomlValue]:
    """Return the table of the population with an absolute path and a seal."""
    path = population_path(study_file)
    assert path is not None, "a population with a path has a table"
    sealed = source_seal(path)
    own = {**{key: value for key, value in written.items() if key != "seal"}, "path": str(path)}
    return own if sealed is None else {**own, "seal": sealed}


def _alternatives(
    attribute: Attribute,
    written: TomlValue,
    path: str,
    files: dict[str, PartitionedDomain],
) -> list[TomlValue]:
    """Return a list of hierarchies with those from files named by paths beside the copy."""
    assert isinstance(attribute.hierarchy, Alternatives)
    assert isinstance(written, list)
    copied: list[TomlValue] = []
    for number, (value, each) in enumerate(
        zip(written, attribute.hierarchy.hierarchies, strict=True), start=1
    ):
        if isinstance(each, PartitionedDomain):
            own = path.replace(".csv", f"-{number}.csv")
            files[own] = each
            value = own
        copied.append(value)
    return copied


def _from_file(attribute: Attribute) -> PartitionedDomain | None:
    """Return the hierarchy of a column, or of its distance, if it was read from a file.

    A column is quasi-identifying or has a distance, never both.
    """
    if isinstance(attribute.hierarchy, PartitionedDomain):
        return attribute.hierarchy
    if isinstance(attribute.ground_distance, HierarchicalDistance):
        return attribute.ground_distance.hierarchy
    return None


def _plain(name: str) -> str:
    """Return a name as every file system takes it.

    >>> _plain("marital status/now")
    'marital-status-now'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "column"
