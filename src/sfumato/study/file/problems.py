"""All problems of a study file: each with its place, what is wrong there and what would work."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from sfumato.errors import SettingsError, SfumatoError
from sfumato.errors.listing import counted
from sfumato.study.file.explanation import Explainer
from sfumato.study.file.table import RefusedKeyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.study.file.study_document import StudyDocument


class Problems:
    """Collects the problems of a document, to report them together."""

    def __init__(self, file: Path, document: dict[str, object], model: type[StudyDocument]) -> None:
        self._file = file
        self._document = document
        self._model = model
        self._explainer = Explainer(model, document)
        self._found: list[tuple[str, type[SfumatoError]]] = []

    def read(self) -> StudyDocument:
        """Return the document as its model, or raise what is wrong with its keys and types."""
        try:
            return self._model.model_validate(self._document)
        except ValidationError as error:
            texts = self._explainer.explain_all(
                error.errors(include_input=False, include_url=False)
            )
        self._found.extend((text, SettingsError) for text in texts)
        self.raise_all()
        raise AssertionError("a document that is refused has a problem")

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Collect the error that is raised inside, with its place."""
        try:
            yield
        except RefusedKeyError as error:
            text = self._explainer.text((*place, *error.keys))
            self._found.append((f"{text}: {error}", error.kind))
        except SfumatoError as error:
            self._found.append((f"{self._explainer.text(place)}: {error}", type(error)))

    def raise_all(self) -> None:
        """Raise one error that tells all problems, if there are any."""
        if not self._found:
            return
        kinds = {kind for _, kind in self._found}
        kind = kinds.pop() if len(kinds) == 1 else SettingsError
        texts = [text for text, _ in self._found]
        if len(texts) == 1:
            raise kind(f"{self._file}: {texts[0]}")
        lines = "".join(f"\n- {text}" for text in texts)
        raise kind(f"{self._file}: {counted(len(texts), 'problem')}:{lines}")
