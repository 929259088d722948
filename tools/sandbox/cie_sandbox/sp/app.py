"""The service provider's pages: button, login by either binding, assertion consumer, profile, logout."""
import base64
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from flask import Flask, Response, jsonify, render_template, request

from .. import buttons, control
from ..faults.board import FaultBoard
from ..faults.catalogue import Stage
from ..journal import Journal
from ..saml import names
from .response_checks import Rejected
from .sessions import Session, SessionStore

if TYPE_CHECKING:
    from .client import SAMLClient

COOKIE = "sandbox_sp"
_BINDINGS = {"redirect": names.REDIRECT, "post": names.POST}


def _page(template: str, status: int = 200, **values: object) -> Response:
    return Response(render_template(template, **values), status, content_type="text/html; charset=utf-8")


def _wants_json() -> bool:
    return request.args.get("format") == "json" or (
        request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json")


def _refuse(journal: Journal, reason: str) -> Response:
    journal.note("response-refused", reason=reason)
    if _wants_json():
        refused = jsonify(authenticated=False, error=reason)
        refused.status_code = 403
        return refused
    return _page("sp-error.html", 403, reason=reason)


def _redirect(location: str) -> Response:
    return Response("", 303, {"Location": location})


def _set_cookie(response: Response, session: Session) -> None:
    # The response comes by a form of another site: only a SameSite=None cookie is sent with it.
    response.set_cookie(
        COOKIE, session.cookie, path="/", secure=True, httponly=True, samesite="None")


def application(
    port: int, client: "Future[SAMLClient]", metadata: bytes, faults: FaultBoard, journal: Journal,
    counters: Callable[[], dict[str, dict[str, int]]], sessions: SessionStore, leads_to: str,
) -> Flask:
    """The whole service provider. Its client may still be loading; the first login waits for it.

    A login may go on at an address that starts with `leads_to`, where somebody else waits for it.
    """
    app = Flask("cie_sandbox")
    app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024
    app.register_blueprint(control.blueprint(faults, counters))
    _rules(app, port, journal)

    def own_session() -> Session | None:
        return sessions.session(request.cookies.get(COOKIE))

    def fault(*names: str) -> str | None:
        return faults.take(Stage.SERVICE, among=frozenset(names))

    def stolen_link() -> str:
        # The text of an identity provider's page for another browser.
        origin = client.result().provider_origin
        return (
            f"{origin}/OpenApp?nextUrl={origin}/idp/Authn/X509&name=conversation&value=e1s1"
            "&authnRequestString=somebody-elses&OpText=Accesso&imgUrl=x")

    @app.get("/")
    def home() -> Response:
        button = stolen_link() if fault("sp-hand-off-link") else "/login"
        return _page("sp-home.html", button=buttons.card(button), style=buttons.STYLE)

    @app.get("/welcome")
    def welcome() -> Response:
        return _page("sp-welcome.html")

    @app.get("/metadata")
    def describe() -> Response:
        return Response(metadata, content_type="application/samlmetadata+xml")

    @app.get("/login")
    def login() -> Response:
        if fault("sp-hand-off"):
            return _redirect(stolen_link())
        binding = _BINDINGS.get(request.args.get("binding", "redirect"))
        level = {"1": 1, "2": 2, "3": 3}.get(request.args.get("level", "3"))
        if binding is None or level is None:
            return _refuse(journal, "bad-request")
        comparison = request.args.get("comparison", "exact" if level == 3 else "minimum")
        next_url = request.args.get("next")
        if comparison not in ("exact", "minimum") or not (next_url or leads_to).startswith(leads_to):
            return _refuse(journal, "bad-request")
        relay_state = secrets.token_urlsafe(24)
        identifier, (destination, message, arguments) = client.result().request(
            binding, level, comparison, relay_state)
        session = own_session() or sessions.new()
        sessions.expect(session, identifier, relay_state, level, next_url)
        if binding == names.REDIRECT:
            response = _redirect(dict(arguments["headers"])["Location"])
        else:
            response = _page(
                "post.html", action=destination, field="SAMLRequest", relay_state=relay_state,
                response=base64.b64encode(message.encode()).decode())
        _set_cookie(response, session)
        return response

    @app.post("/acs")
    def consume() -> Response:
        form = request.form.to_dict(flat=False)
        if any(len(values) != 1 for values in form.values()) or "SAMLResponse" not in form:
            return _refuse(journal, "bad-request")
        if fault("sp-welcomes-all"):
            return _redirect("/welcome")
        session = own_session()
        pending = None
        if session is not None:
            pending = sessions.answered(session, form.get("RelayState", [""])[0])
        if session is None or pending is None:
            return _refuse(journal, "relay-state")
        try:
            attributes, identifiers = client.result().judge(
                form["SAMLResponse"][0], pending.request, pending.level)
            if not sessions.take(*identifiers):
                raise Rejected("replay")
        except Rejected as rejection:
            return _refuse(journal, rejection.reason)
        # A new cookie with the login, because an earlier known one must not become a logged-in one.
        sessions.end(session.cookie)
        fresh = sessions.new()
        fresh.attributes, fresh.level = attributes, pending.level
        acted = fault("sp-still-button", "sp-no-cookie")
        if acted == "sp-no-cookie":
            response = _redirect("/welcome")
            response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="None")
            return response
        journal.note("logged-in", person=journal.tag(attributes.get("fiscalNumber", "")))
        response = _redirect("/" if acted else pending.next_url or "/profile")
        _set_cookie(response, fresh)
        return response

    @app.get("/profile")
    def profile() -> Response:
        session = own_session()
        if session is None or session.attributes is None:
            return _refuse(journal, "not-logged-in")
        if _wants_json():
            return jsonify(authenticated=True, level=session.level, attributes=session.attributes)
        return _page("sp-profile.html", attributes=session.attributes, level=session.level)

    @app.route("/logout", methods=["GET", "POST"])
    def logout() -> Response:
        sessions.end(request.cookies.get(COOKIE))
        response = _redirect("/")
        response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="None")
        return response

    return app


def _rules(app: Flask, port: int, journal: Journal) -> None:
    @app.before_request
    def check_host() -> Response | None:
        if request.host not in (f"localhost:{port}", f"127.0.0.1:{port}"):
            return _page("sp-error.html", 421, reason="unknown-host")
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["X-Sandbox"] = "not a government service"
        journal.note(
            "request", at="sp", what=request.endpoint or "unknown", status=response.status_code)
        return response

    @app.errorhandler(Exception)
    def fail(error: Exception) -> Response:
        status = getattr(error, "code", None)
        if isinstance(status, int) and 400 <= status < 500:
            reason = "too-large" if status == 413 else "bad-request"
            return _page("sp-error.html", status, reason=reason)
        journal.note("error", kind=type(error).__name__)
        return _page("sp-error.html", 500, reason="server-error")
