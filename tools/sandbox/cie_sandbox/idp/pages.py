"""Pages, cookies and cross-cutting rules of the identity provider's web application."""
from flask import Flask, Response, render_template, request

from ..saml.errors import ErrorCode
from .provider import COOKIE, Provider
from .sessions import Conversation


def page(template: str, status: int = 200, **values: object) -> Response:
    """A page of the sandbox; every one carries the banner."""
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def error_page(
    code: ErrorCode | None, status: int, text: str = "", again: str | None = None,
) -> Response:
    """The page whose title is ERRORE; `again` is the address for another try."""
    return page("error.html", status, code=code, text=text, again=again)


def redirect(location: str, status: int = 302) -> Response:
    """A redirect without a body; werkzeug's own would repeat the URL in one."""
    response = Response("", status)
    response.headers["Location"] = location
    return response


def set_session_cookie(response: Response, cookie: str) -> None:
    """The cookie lives as long as the browser; it is sent to all of the identity provider, and hidden from scripts."""
    response.set_cookie(COOKIE, cookie, path="/idp", secure=True, httponly=True, samesite="Lax")


def own_conversation(provider: Provider, key: str | None) -> Conversation | None:
    """The conversation that belongs to the request's cookie."""
    return provider.sessions.conversation(request.cookies.get(COOKIE), key)


def single(values: dict[str, list[str]], wanted: set[str]) -> dict[str, str] | None:
    """The values of exactly these parameters, each once."""
    if set(values) != wanted or any(len(items) != 1 for items in values.values()):
        return None
    return {key: items[0] for key, items in values.items()}


def guard(app: Flask, provider: Provider, hosts: set[str]) -> None:
    """Host names of the sandbox only, no caching, and one journal line a request."""
    app.config["MAX_CONTENT_LENGTH"] = 512 * 1024

    @app.before_request
    def check_host() -> Response | None:
        # A foreign page whose name was made to resolve to 127.0.0.1 must not reach the sandbox.
        if request.host not in hosts:
            return error_page(None, 421, "Host sconosciuto.")
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Sandbox"] = "not a government service"
        provider.journal.note(
            "request", at=str(request.environ.get("sandbox.listener")),
            what=request.endpoint or "unknown", status=response.status_code)
        return response

    @app.errorhandler(Exception)
    def fail(error: Exception) -> Response:
        status = getattr(error, "code", None)
        if isinstance(status, int) and 400 <= status < 500:
            return error_page(None, status, "Richiesta non valida.")
        # The type suffices, because a message or a traceback can hold data from the wire.
        provider.journal.note("error", kind=type(error).__name__)
        return error_page(None, 500, "Errore di sistema.")
