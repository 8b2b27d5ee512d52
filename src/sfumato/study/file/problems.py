"""All problems of a study file: each with its place, what is wrong there and what would work."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError

from sfumato.errors import SettingsError, SfumatoError
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
        self._explainer = Explainer(file, model, document)
        self._found: list[SfumatoError] = []

    def read(self) -> StudyDocument:
        """Return the document as its model, or raise what is wrong with its keys and types."""
        try:
            return self._model.model_validate(self._document)
        except ValidationError as error:
            details = error.errors(include_input=False, include_url=False)
        self._found.extend(self._explainer.explain_all(details))
        self.raise_all()
        raise AssertionError("a document that is refused has a problem")

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Collect the error that is raised inside, with its place."""
        try:
            yield
        except RefusedKeyError as refused:
            found = self._explainer.located(refused.error, (*place, *refused.keys))
            self._found.append(found)
        except SfumatoError as error:
            self._found.append(self._explainer.located(error, place))

    def raise_all(self) -> None:
        """Raise the problem, or one error that carries all of them, if there are any."""
        if not self._found:
            return
        if len(self._found) == 1:
            raise self._found[0]
        kinds = {type(error) for error in self._found}
        kind = kinds.pop() if len(kinds) == 1 else SettingsError
        raise kind.several(self._found, file=self._file)
