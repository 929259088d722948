"""The rules for every answer of the methods: own host names only, no caching, one journal line a request."""
import json
import re
from collections.abc import Set
from typing import Any

from flask import Flask, Response, jsonify, render_template, request

from .context import Ways


LOOPBACK_RETURN = "http://127.0.0.1/signed-in"
"""The return address of this install's native client; the port is its own."""
APP_RETURN = "invalid.cie-sandbox.client:/signed-in"
"""The return address with a private-use scheme (RFC 8252 §7.1)."""
_LOOPBACK = re.compile(r"(http://127\.0\.0\.1):([1-9][0-9]{0,4})(/[^?#]*)")


def is_registered(address: str, registered: Set[str]) -> bool:
    """Checks whether a return address is registered: exactly (RFC 6749 §3.1.2.3), but for the port of the loopback
    address (RFC 8252 §7.3)."""
    found = _LOOPBACK.fullmatch(address)
    return address in registered or (
        found is not None and int(found[2]) < 65536 and found[1] + found[3] in registered)


def page(template: str, status: int = 200, **values: object) -> Response:
    """A page for people; it carries the banner."""
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def error(status: int, word: str) -> Response:
    """An error outside of the methods: JSON, one word."""
    response = jsonify(error=word)
    response.status_code = status
    return response


def redirect(location: str, status: int = 303) -> Response:
    """A redirect without a body; werkzeug's own would repeat the URL in one."""
    return Response("", status, {"Location": location})


def own_hands() -> bool:
    """Checks whether a call of the control interface comes from a tool on this machine, not from a web page."""
    return request.remote_addr == "127.0.0.1" and "Origin" not in request.headers


def json_body() -> dict[str, Any] | None:
    """The request's JSON object, whose texts can all be written as UTF-8; None for any other body."""
    try:
        body = request.get_json(silent=True)
        json.dumps(body, ensure_ascii=False).encode()
    except (RecursionError, UnicodeError):
        return None
    return body if isinstance(body, dict) else None


def guard(app: Flask, ways: Ways) -> None:
    """Installs the rules."""
    app.config["MAX_CONTENT_LENGTH"] = 512 * 1024

    @app.before_request
    def check_host() -> Response | None:
        if request.host not in (f"localhost:{ways.port}", f"127.0.0.1:{ways.port}"):
            return error(421, "unknown-host")
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Sandbox"] = "not a government service"
        ways.journal.note(
            "request", at="ways", what=request.endpoint or "unknown", status=response.status_code)
        return response

    @app.errorhandler(Exception)
    def fail(problem: Exception) -> Response:
        status = getattr(problem, "code", None)
        if isinstance(status, int) and 400 <= status < 500:
            return error(status, "bad-request")
        # The type suffices, because a message or a traceback can hold data from the wire.
        ways.journal.note("error", kind=type(problem).__name__)
        return error(500, "server-error")
