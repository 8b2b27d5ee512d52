"""Notices of the library on the command line: on stderr, as its own warnings are."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from sfumato.errors import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.cli.output import Output


@contextmanager
def notices_on(output: Output) -> Iterator[None]:
    """Show the notices that are given inside as warnings of the command."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", Notice)
        others = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, Notice):
                output.warn(str(message))
            else:
                others(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield
