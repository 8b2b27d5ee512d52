"""Local recoding: cells are assigned to classes, and every class has labels of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from sfumato.arrays import sealed_codes
from sfumato.errors import SettingsError
from sfumato.microdata.output import Output
from sfumato.recoding.packed_codes import packed_codes, unpacked_codes
from sfumato.recoding.recoding import Recoding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.arrays import Codes, Counts, Flags
    from sfumato.microdata.count_table import CountTable


@dataclass(frozen=True, kw_only=True)
class Local(Recoding):
    """A class, or suppression, for every cell of a table.

    ``classes`` has the class of every cell in the order of the table, -1 for suppressed ones;
    classes are numbered in the order of their first cell. ``cells`` tells the table from others.
    ``columns`` has the kind of labels of every quasi-identifier.
    """

    kind: ClassVar[str] = "local"
    heading: ClassVar[str] = "classes"
    freedom: ClassVar[str] = "local"
    labels_of_kept_rows: ClassVar[bool] = True

    columns: tuple[tuple[str, Output], ...]
    cells: str
    packed: str

    @classmethod
    def of(cls, table: CountTable, classes: Codes | Counts, outputs: Mapping[str, Output]) -> Local:
        """Return the recoding that assigns the cells of a table to classes, -1 to suppression."""
        codes = _numbered(classes)
        found = cls(
            columns=tuple((name, outputs[name]) for name in table.names),
            cells=table.cells_digest,
            packed=packed_codes(codes),
        )
        found.__dict__["classes"] = sealed_codes(codes)
        return found

    @cached_property
    def classes(self) -> Codes:
        """The class of every cell, -1 for suppressed ones."""
        return sealed_codes(unpacked_codes(self.packed))

    @property
    def class_count(self) -> int:
        """The number of classes."""
        return int(self.classes.max(initial=-1)) + 1

    @property
    def suppressed(self) -> Flags:
        """Which cells are suppressed."""
        flags: Flags = self.classes < 0
        return flags

    @property
    def outputs(self) -> dict[str, Output]:
        """The kind of labels of every quasi-identifier."""
        return dict(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(name for name, _ in self.columns)

    def numbers(self) -> dict[str, int]:
        """Return nothing: the labels of a column differ from class to class."""
        return {}

    def __str__(self) -> str:
        return f"{self.class_count:,} classes"

    def stored(self) -> dict[str, object]:
        """Return the kinds of labels, and the classes of the cells as a packed text."""
        return {
            "outputs": {name: output.value for name, output in self.columns},
            "cells": self.cells,
            "classes": self.packed,
        }

    def shown(self) -> dict[str, object]:
        """Return the kinds of labels and the number of classes: the cells are many."""
        return {
            "outputs": {name: output.value for name, output in self.columns},
            "classes": self.class_count,
        }

    @classmethod
    def read(cls, stored: Mapping[str, object]) -> Local:
        """Return the recoding that was stored."""
        outputs, cells, packed = (stored.get(key) for key in ("outputs", "cells", "classes"))
        if not isinstance(outputs, dict) or not isinstance(cells, str):
            raise TypeError("a local recoding has outputs and the digest of its cells")
        if not isinstance(packed, str):
            raise TypeError("the classes of a local recoding are a packed text")
        columns = tuple((str(name), Output(output)) for name, output in outputs.items())
        classes = unpacked_codes(packed)
        if not np.array_equal(classes, _numbered(classes)):
            raise ValueError("the classes of a local recoding are not numbered by their first cell")
        # Packed anew: another machine may deflate otherwise.
        return cls(columns=columns, cells=cells, packed=packed_codes(classes))

    def check(self, table: CountTable) -> None:
        """Refuse a table with other cells."""
        if self.names == table.names and self.cells == table.cells_digest:
            return
        raise SettingsError(
            "the local recoding is of another table: it assigns the key combinations of one table "
            "to classes, and this one has others",
            code="other-table",
            remedy="search again",
        )


def _numbered(classes: Codes | Counts) -> Codes:
    """Return classes numbered by their first cell, so that equal recodings are equal."""
    numbers, first, which = np.unique(classes, return_index=True, return_inverse=True)
    rank = np.empty(numbers.shape[0], dtype=np.int64)
    shown: Flags = np.asarray(numbers >= 0)  # type: ignore[operator]
    order = np.argsort(first[shown], kind="stable")
    places = np.flatnonzero(shown)[order]
    rank[places] = np.arange(places.shape[0])
    rank[~shown] = -1
    return cast("Codes", rank[which.ravel()].astype(np.int32))
