"""What every JSON document of ours is: typed, frozen, with the fields that it has and no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue

from sfumato.documents.json_values import json_value

if TYPE_CHECKING:
    from pydantic_core import core_schema


class Record(BaseModel):
    """A JSON document, or an object in one.

    Fields that have their default are not written. Infinite numbers are the texts "inf" and
    "-inf", which are read as numbers again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    def plain(self) -> dict[str, object]:
        """Return the record in the types of JSON."""
        return {
            name: json_value(value)
            for name, value in self.model_dump(exclude_defaults=True).items()
        }

    def text(self, *, indent: int | None = None) -> str:
        """Return the record as JSON that every reader takes."""
        return json.dumps(self.plain(), ensure_ascii=False, indent=indent, allow_nan=False)


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
