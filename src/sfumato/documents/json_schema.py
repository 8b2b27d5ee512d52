"""The JSON Schema of a document, made from its model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue

if TYPE_CHECKING:
    from pydantic_core import core_schema


class _Schema(GenerateJsonSchema):
    """No document of ours has null: what is not known is left out. A key needs no title."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if isinstance(schema.get("default"), BaseModel | None):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002
        return False


def schema_text(
    model: type[BaseModel],
    *,
    title: str,
    mode: JsonSchemaMode = "validation",
    required: tuple[str, ...] = (),
) -> str:
    """Return the schema of a model as text; ``required`` are keys that it could do without."""
    content = model.model_json_schema(schema_generator=_Schema, mode=mode)
    for each in content["$defs"].values():
        if "enum" in each:
            # Docstrings of enumerations are written for readers of the code.
            each.pop("description", None)
    whole = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **content,
        "title": title,
        "required": [*content.get("required", ()), *required],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
