"""The JSON Schema of the study file, made from its models: editors complete keys by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.documents.record import schema_text
from sfumato.search.catalogue import SEARCHES
from sfumato.study.file.search_table import settings_kinds
from sfumato.study.file.study_document import document_with, study_document

if TYPE_CHECKING:
    from sfumato.study.file.study_document import StudyDocument

SCHEMA_NAME = "study.schema.json"
PUBLISHED = Path(__file__).with_name(SCHEMA_NAME)
"""The schema with the methods of sfumato itself, as it is shipped."""


def study_schema(model: type[StudyDocument] | None = None) -> str:
    """Return the schema as text; unless given, of a study with all methods that are installed."""
    # The model does without these two tables only to say better what is missing.
    return schema_text(
        model or study_document(SEARCHES.offers),
        title="sfumato study",
        required=("source", "columns"),
    )


def published_schema() -> str:
    """Return what the file that is shipped must hold: the methods of other packages left out."""
    own = {
        name: kind for name, kind in settings_kinds().items() if kind.__module__[:8] == "sfumato."
    }
    return study_schema(document_with(tuple(own.items())))


if __name__ == "__main__":
    PUBLISHED.write_text(published_schema(), encoding="utf-8")
