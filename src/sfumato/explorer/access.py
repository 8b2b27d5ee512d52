"""Who may use the explorer: the browser of the person who started it, and nobody else.

The server listens on 127.0.0.1, which every program and every user of the machine can reach, and
which any page in the same browser can ask. So a request needs the session's cookie, which a
browser gets once, for a token that only the terminal shows; and it must name this server as its
host and, if it says where it comes from, as its origin (DNS rebinding, cross-site WebSockets).
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN = "token"

_REFUSED = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Not signed in</title></head>
<body><main><h1>This browser is not signed in</h1>
<p>The explorer opens only with the address that the terminal shows, and each address works once.
Look there for the newest one: a new address appears when one was used.</p></main></body></html>
"""


@dataclass(kw_only=True)
class Session:
    """The secrets of one explorer: the cookie of its browser, and the token of the next one.

    ``renewed`` is told the new token when one was used.
    """

    port: int
    renewed: Callable[[str], None] = lambda token: None  # noqa: ARG005
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def cookie_name(self) -> str:
        """The name of the cookie: cookies are shared by all ports of a host."""
        return f"sfumato-{self.port}"

    @property
    def hosts(self) -> tuple[str, str]:
        """What a request may call this server."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def address(self, path: str = "/") -> str:
        """Return the address that signs a browser in, once."""
        return f"http://127.0.0.1:{self.port}{path}?{TOKEN}={self.token}"

    def takes(self, token: str) -> bool:
        """Say whether a token is the one that is valid, and if so make the next one."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return False
        self.token = secrets.token_urlsafe(32)
        self.renewed(self.token)
        return True

    def knows(self, cookies: str) -> bool:
        """Say whether the cookies of a request hold that of this session."""
        try:
            found = SimpleCookie(cookies).get(self.cookie_name)
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self.cookie.encode())


def security_headers(port: int) -> dict[str, str]:
    """Return what tells a browser to load nothing from elsewhere and to keep no copy.

    NiceGUI's templates have scripts and styles inside the page, so these are allowed there; any
    address but this server's is not.
    """
    sockets = f"ws://127.0.0.1:{port} ws://localhost:{port}"
    return {
        "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline' "
        "'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self' {sockets}; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'self'; object-src 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }


class Guard:
    """Lets through what the session's browser asks of this server, and refuses everything else."""

    def __init__(self, app: ASGIApp, *, session: Session) -> None:
        """Guard an application."""
        self._app = app
        self._session = session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it to the application."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        session = self._session
        origin = headers.get("origin")
        if headers.get("host") not in session.hosts or (
            origin is not None and origin not in {f"http://{host}" for host in session.hosts}
        ):
            await _refuse(scope, send, status=421, body="This server is not called that.\n")
            return
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        token = query.pop(TOKEN, None)
        if scope["type"] == "http" and scope["method"] == "GET" and token is not None:
            if session.knows(headers.get("cookie", "")) or session.takes(token):
                await _sign_in(scope, send, session, query)
                return
            await _refuse(scope, send, status=403, body=_REFUSED)
            return
        if not session.knows(headers.get("cookie", "")):
            await _refuse(scope, send, status=403, body=_REFUSED)
            return
        # A page of this server sends its origin with its sockets; another program need not.
        if scope["type"] == "websocket" and origin is None:
            await _refuse(scope, send, status=403, body="")
            return
        await self._app(scope, receive, _with_headers(send, security_headers(session.port)))


async def _sign_in(scope: Scope, send: Send, session: Session, query: dict[str, str]) -> None:
    """Give the browser its cookie, and send it to the same page without the token."""
    place = scope["path"] + (f"?{urlencode(query)}" if query else "")
    cookie = f"{session.cookie_name}={session.cookie}; Path=/; HttpOnly; SameSite=Strict"
    await _answer(
        send,
        status=303,
        headers={"location": place, "set-cookie": cookie, "cache-control": "no-store"},
    )


async def _refuse(scope: Scope, send: Send, *, status: int, body: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    kind = "text/html" if body.startswith("<") else "text/plain"
    headers = {
        "content-type": f"{kind}; charset=utf-8",
        "content-security-policy": "default-src 'none'",
        "cache-control": "no-store",
    }
    await _answer(send, status=status, headers=headers, body=body)


async def _answer(send: Send, *, status: int, headers: dict[str, str], body: str = "") -> None:
    content = body.encode()
    pairs = {**headers, "content-length": str(len(content))}
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in pairs.items()],
        }
    )
    await send({"type": "http.response.body", "body": content})


def _with_headers(send: Send, headers: dict[str, str]) -> Send:
    """Return a ``send`` that adds headers to every answer; pages are never kept."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = [pair for pair in message["headers"] if pair[0].decode() not in headers]
            added = dict(headers)
            if not any(name == b"cache-control" for name, _ in there):
                added["cache-control"] = "no-store"
            message["headers"] = [
                *there,
                *((name.encode(), value.encode()) for name, value in added.items()),
            ]
        await send(message)

    return sending
