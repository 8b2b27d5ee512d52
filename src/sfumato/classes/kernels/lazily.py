"""Kernels that are compiled when they are first called, with the signatures that they declare.

Numba compiles a function with signatures when its module is imported, and one without them for
whatever types it meets. A first search needs only some of the kernels, and each for one signature.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar, cast

from numba import njit

from sfumato.classes.kernels.signatures import HELPER, KERNEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from numba.core.dispatcher import Dispatcher
    from numba.core.typing.templates import Signature

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_LOCK = threading.RLock()


def _compile(dispatcher: Dispatcher, signatures: tuple[Signature, ...]) -> None:
    """Compile a function, or load it from the cache, and refuse all other types from then on."""
    with _LOCK:
        if not dispatcher.signatures:
            for signature in signatures:
                dispatcher.compile(signature)
            dispatcher.disable_compile()


class Kernel(Generic[Arguments, Result]):
    """A kernel that Python calls."""

    def __init__(
        self, function: Callable[Arguments, Result], signatures: tuple[Signature, ...]
    ) -> None:
        self._dispatcher = cast("Dispatcher", njit(**KERNEL)(function))
        self._declared = signatures
        self._loaded = False
        self.__doc__ = function.__doc__

    def load(self) -> Dispatcher:
        """Return the compiled function."""
        if not self._loaded:
            _compile(self._dispatcher, self._declared)
            self._loaded = True
        return self._dispatcher

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Call the compiled function."""
        called: Result = self.load()(*args, **kwargs)
        return called


def kernel(
    *signatures: Signature,
) -> Callable[[Callable[Arguments, Result]], Kernel[Arguments, Result]]:
    """Make a function a kernel that Python calls."""
    return lambda function: Kernel(function, signatures)


def helper(signature: Signature) -> Callable[[Callable[Arguments, Result]], Dispatcher]:
    """Make a function one that only kernels call: compiled when the first of them is."""

    def declared(function: Callable[Arguments, Result]) -> Dispatcher:
        dispatcher = cast("Dispatcher", njit(**HELPER)(function))
        template = cast("Callable[[object, object], object]", dispatcher.get_call_template)

        def when_typed(args: object, kws: object) -> object:
            _compile(dispatcher, (signature,))
            return template(args, kws)

        # Numba asks for it when it types the call of a kernel that is not in the cache.
        dispatcher.get_call_template = when_typed
        return dispatcher

    return declared
