"""What every JSON document of ours is: typed, frozen, with the fields that it has and no others."""

from __future__ import annotations

import json

from pydantic import BaseModel, ConfigDict

from sfumato.documents.json_values import json_value


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
