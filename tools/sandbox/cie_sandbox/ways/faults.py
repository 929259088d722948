"""Faults that any answer of the methods can have, whatever the endpoint."""
import json
import time
from typing import Any

from flask import Flask, Response, g, request

from ..faults import answers
from ..faults.board import WAYS
from ..faults.catalogue import Stage
from .context import Ways
from .rules import error, redirect

JSON = "application/json"
ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/"


def place() -> str:
    """The endpoint of a request, as faults name it: `tenant/token`."""
    return (request.endpoint or "").replace(".", "/").replace("_", "-")


def install(app: Flask, ways: Ways) -> None:
    """Faults of stage WAY, at all endpoints of all methods."""

    @app.before_request
    def before() -> Response | None:
        if request.blueprint not in WAYS or request.path.startswith("/sandbox/"):
            return None
        fault = ways.faults.take(Stage.WAY, place())
        g.fault = fault
        if fault is None:
            return None
        ways.journal.note("fault", name=fault, at=place())
        if fault == "way-slow":
            time.sleep(ways.faults.slow_seconds)
        if fault == "way-held":
            ways.faults.hold()
        return _instead(fault)

    @app.after_request
    def after(response: Response) -> Response:
        fault = g.get("fault")
        return response if fault is None else _changed(fault, response)


def _instead(fault: str) -> Response | None:
    """The answer in place of the right one; None if that one is only changed."""
    word = fault.removeprefix("way-")
    if word.isdigit():
        response = error(int(word), "server-fault")
        if word == "429":
            response.headers["Retry-After"] = "1"
        return response
    match fault:
        case "way-not-json":
            return Response('{"half": ', 200, content_type=JSON)
        case "way-not-utf8":
            return Response(b'{"continuation_token": "\xff\xfe"}', 200, content_type=JSON)
        case "way-html":
            return Response("<!doctype html><title>Accesso alla rete</title>", 200, content_type="text/html")
        case "way-empty":
            return Response(b"", 200, content_type=JSON)
        case "way-array":
            return Response("[]", 200, content_type=JSON)
        case "way-deep":
            return Response(b'{"a": ' + b"[" * 100_000, 200, content_type=JSON)
        case "way-no-members":
            return Response("{}", 200, content_type=JSON)
        case "way-redirect-loop":
            return redirect(request.url, 307)
        case "way-redirect-host":
            return redirect(ELSEWHERE + request.path.lstrip("/"), 307)
        case "way-redirect-http":
            return redirect(request.url.replace("https:", "http:", 1), 307)
    return None


def _changed(fault: str, response: Response) -> Response:
    """The right answer with its body changed; an answer without JSON stays."""
    if not response.is_json:
        return response
    body, status = response.get_data(), response.status_code
    match fault:
        case "way-content-type":
            response.content_type = "text/html; charset=utf-8"
        case "way-wrong-types":
            response.set_data(json.dumps(_other_types(json.loads(body))))
        case "way-repeated-member":
            response.set_data(_repeated(json.loads(body)))
        case "way-huge":
            return answers.huge(body.rstrip(), 8 * 1024 * 1024, JSON)
        case "way-endless":
            return answers.endless(body.rstrip(), JSON)
        case "way-truncated":
            # As a list, because the length of a plain body would be recomputed.
            return Response([body[:12]], status, {"Content-Length": str(len(body))}, content_type=JSON)
        case "way-drip":
            return answers.dripping(body, JSON)
    return response


def _other_types(value: Any) -> Any:
    if not isinstance(value, dict):
        return 7 if isinstance(value, str) else "seven"
    return {key: _other_types(item) for key, item in value.items()}


def _repeated(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    pairs = [f"{json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()]
    again = [f"{json.dumps(key)}: {json.dumps('another')}" for key in value]
    return "{" + ", ".join(pairs + again) + "}"
