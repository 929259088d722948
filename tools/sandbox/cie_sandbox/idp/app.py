"""The identity provider's two web applications: for browsers, and for the card call's own port."""
from collections.abc import Callable

from flask import Blueprint, Flask, Response, request

from .. import control
from . import card_call, challenge_call, completion, login, phone, sso
from .pages import guard, page
from .provider import COOKIE, Provider

Counters = Callable[[], dict[str, dict[str, int]]]


def _hosts(port: int) -> set[str]:
    return {f"{name}:{port}" for name in ("localhost", "ios.localhost", "127.0.0.1")}


def _front(provider: Provider) -> Blueprint:
    routes = Blueprint("idp", __name__)

    @routes.get("/idp/shibboleth")
    def metadata() -> Response:
        return Response(provider.metadata, content_type="application/samlmetadata+xml")

    @routes.get("/idp/")
    def home() -> Response:
        return page("home.html")

    @routes.route("/idp/profile/SAML2/Redirect/SLO", methods=["GET", "POST"])
    def logout() -> Response:
        # Only the identity provider's own session ends, without a SAML answer.
        provider.sessions.end(request.cookies.get(COOKIE))
        response = page("logout.html")
        response.delete_cookie(COOKIE, path="/idp", secure=True, httponly=True, samesite="Lax")
        return response

    return routes


def front(provider: Provider, counters: Counters) -> Flask:
    """The application for browsers. The card call works here too, for a client that offers TLS 1.2 at most."""
    app = Flask("cie_sandbox")
    guard(app, provider, _hosts(provider.port))
    for routes in (
        _front(provider), sso.blueprint(provider), login.blueprint(provider),
        completion.blueprint(provider), challenge_call.blueprint(provider),
        phone.blueprint(provider), control.blueprint(provider.faults, counters),
    ):
        app.register_blueprint(routes)
    app.register_blueprint(card_call.login2(provider))
    return app


def card_only(provider: Provider, counters: Counters) -> Flask:
    """The port that requires a client certificate."""
    app = Flask("cie_sandbox")
    guard(app, provider, _hosts(provider.card_port))
    app.register_blueprint(card_call.login2(provider))
    app.register_blueprint(card_call.direct(provider))
    app.register_blueprint(control.blueprint(provider.faults, counters))
    return app
