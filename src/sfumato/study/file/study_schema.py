"""The JSON Schema of the study file, made from its models: editors complete keys by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from sfumato.study.file.search_table import settings_kinds
from sfumato.study.file.study_document import document_with, study_document

if TYPE_CHECKING:
    from pydantic_core import core_schema

    from sfumato.study.file.study_document import StudyDocument

SCHEMA_NAME = "study.schema.json"
PUBLISHED = Path(__file__).with_name(SCHEMA_NAME)
"""The schema with the methods of sfumato itself, as it is shipped."""


class _Schema(GenerateJsonSchema):
    """TOML has no null: a key that is left out is not there. A key needs no title beside itself."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if isinstance(schema.get("default"), BaseModel | None):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002
        return False


def study_schema(model: type[StudyDocument] | None = None) -> str:
    """Return the schema as text; unless given, of a study with all methods that are installed."""
    content = (model or study_document()).model_json_schema(schema_generator=_Schema)
    for each in content["$defs"].values():
        if "enum" in each:
            # Docstrings of enumerations are written for readers of the code.
            each.pop("description", None)
    whole = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **content,
        "title": "sfumato study",
        # Without them the model only has more to say about what is missing.
        "required": ["source", "columns"],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def published_schema() -> str:
    """Return what the file that is shipped must hold: the methods of other packages left out."""
    own = {
        name: kind for name, kind in settings_kinds().items() if kind.__module__[:8] == "sfumato."
    }
    return study_schema(document_with(tuple(own.items())))


if __name__ == "__main__":
    PUBLISHED.write_text(published_schema(), encoding="utf-8")
