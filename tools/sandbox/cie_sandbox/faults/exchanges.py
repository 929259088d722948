"""Faults of any one HTTP exchange, counted over all listeners, whatever its purpose."""
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .board import FaultBoard
from .catalogue import Stage

_OWN_HANDS = ("curl/", "Python-urllib/")
"""Clients that set up a test, or play the person; their exchanges are not counted."""
_PADDING = b" " * (64 * 1024)
_LONGEST = 120.0
_ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/"
_TYPES = {"text/html": "application/json"}

Application = Callable[..., Iterable[bytes]]


def with_faults(app: Application, faults: FaultBoard) -> Application:
    """The application, with faulty answers when a fault of stage EXCHANGE is armed."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        agent = environ.get("HTTP_USER_AGENT", "")
        if environ["PATH_INFO"].startswith("/sandbox/") or agent.startswith(_OWN_HANDS):
            return app(environ, start_response)
        faults.count_exchange()
        fault = faults.take(Stage.EXCHANGE)
        if fault is None:
            return app(environ, start_response)
        return _wrong(fault.removeprefix("exchange-"), app, environ, start_response, faults.slow_seconds)

    return answer


def _wrong(
    fault: str, app: Application, environ: dict[str, Any], start_response: Callable[..., Any], slow: float
) -> Iterable[bytes]:
    own = f"https://{environ['HTTP_HOST']}{environ['PATH_INFO']}"
    locations = {
        "redirect-host": _ELSEWHERE, "redirect-http": own.replace("https:", "http:", 1),
        "redirect-file": "file:///etc/hostname", "redirect-loop": own}
    if fault == "reset":
        return _reset(environ["werkzeug.socket"])
    if fault == "slow":
        time.sleep(slow)
        return _reset(environ["werkzeug.socket"])
    if fault in locations:
        start_response("307 Temporary Redirect", [("Location", locations[fault]), ("Content-Length", "0")])
        return []
    if fault in ("empty", "500"):
        start_response(
            "200 OK" if fault == "empty" else "500 Internal Server Error",
            [("Content-Type", "text/plain"), ("Content-Length", "0")])
        return []
    status, headers, body = _right(app, environ)
    kept = [(name, value) for name, value in headers if name.lower() not in ("content-length", "content-type")]
    kind = next((value for name, value in headers if name.lower() == "content-type"), "text/html")
    if fault == "type":
        kind = _TYPES.get(kind.partition(";")[0], "text/html; charset=utf-8")
    endless = fault in ("huge", "drip")
    length = [] if endless else [("Content-Length", str(len(body) + (10 if fault == "cut" else 0)))]
    start_response(status, [*kept, ("Content-Type", kind), *length])
    if fault == "cut":
        return [body[:len(body) // 2]]
    return _endless(body, drips=fault == "drip") if endless else [body]


def _right(app: Application, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    """The answer of the application."""
    said: list[Any] = []
    parts = app(environ, lambda status, headers, _error=None: said.extend((status, headers)))
    body = b"".join(parts)
    return said[0], said[1], body


def _endless(body: bytes, *, drips: bool) -> Iterator[bytes]:
    """The right body, then blanks until the client stops; or a byte of it a second."""
    end = time.monotonic() + _LONGEST
    if not drips:
        yield body
    for index in range(1 << 30):
        if time.monotonic() > end:
            return
        if drips:
            time.sleep(1)
        yield body[index:index + 1] or b" " if drips else _PADDING


def _reset(connection: socket.socket) -> list[bytes]:
    """Ends the connection with RST, without a close_notify of TLS."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Takes TLS off the socket; closing it then sends RST. The number must not be closed here, because TLS would
    # continue to write to it.
    connection.shutdown(socket.SHUT_RD)
    raise ConnectionResetError
