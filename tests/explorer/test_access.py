"""Only the browser that has the address of the terminal gets in, and only from its own pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from sfumato.explorer.access import Guard, Session, security_headers

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

PORT = 8123


async def _inside(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def ask(
    session: Session,
    *,
    path: str = "/data",
    query: str = "",
    kind: str = "http",
    method: str = "GET",
    **headers: str,
) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of an answer; 101 is an accepted socket, 0 a closed one."""
    said = {"host": f"127.0.0.1:{PORT}", **headers}
    scope: Scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in said.items()],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Guard(_inside, session=session)(scope, receive, send))
    first = sent[0]
    if kind == "websocket":
        return (101 if first["type"] == "websocket.accept" else 0), {}
    return first["status"], {name.decode(): value.decode() for name, value in first["headers"]}


def cookie_of(session: Session) -> str:
    return f"{session.cookie_name}={session.cookie}"


def test_nobody_gets_in_without_the_cookie() -> None:
    assert ask(Session(port=PORT))[0] == 403
    assert ask(Session(port=PORT), kind="websocket", origin=f"http://127.0.0.1:{PORT}")[0] == 0
    assert ask(Session(port=PORT), cookie=f"sfumato-{PORT}=guessed")[0] == 403
    assert ask(Session(port=PORT), cookie="=;;=")[0] == 403


def test_the_token_becomes_a_strict_cookie_once() -> None:
    told: list[str] = []
    session = Session(port=PORT, renewed=told.append)
    token = session.token
    status, headers = ask(session, query=f"token={token}&run=a%20b")
    assert status == 303
    assert headers["location"] == "/data?run=a+b"
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=Strict" in headers["set-cookie"]
    assert told == [session.token] != [token]
    assert ask(session, query=f"token={token}")[0] == 403


def test_a_wrong_token_does_not_use_up_the_right_one() -> None:
    session = Session(port=PORT)
    token = session.token
    assert ask(session, query="token=wrong")[0] == 403
    assert ask(session, query=f"token={token}")[0] == 303


def test_who_is_signed_in_is_let_through() -> None:
    session = Session(port=PORT)
    status, headers = ask(session, cookie=cookie_of(session))
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert security_headers(PORT).items() <= headers.items()
    assert "http:" not in headers["content-security-policy"]


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", ""])
def test_another_name_of_the_server_is_refused(host: str) -> None:
    session = Session(port=PORT)
    assert ask(session, cookie=cookie_of(session), host=host)[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}"])
def test_pages_from_elsewhere_are_refused(origin: str) -> None:
    session = Session(port=PORT)
    for method in ("GET", "POST"):
        assert ask(session, cookie=cookie_of(session), origin=origin, method=method)[0] == 421
    assert ask(session, cookie=cookie_of(session), origin=origin, kind="websocket")[0] == 0


def test_a_socket_says_where_it_comes_from() -> None:
    session = Session(port=PORT)
    own = f"http://localhost:{PORT}"
    assert ask(session, kind="websocket", cookie=cookie_of(session), origin=own)[0] == 101
    assert ask(session, kind="websocket", cookie=cookie_of(session))[0] == 0
