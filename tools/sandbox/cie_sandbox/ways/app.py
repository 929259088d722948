"""The listener of the other sign-in methods: one web application, a blueprint a method."""
from collections.abc import Callable

from flask import Flask, Response

from .. import control
from ..federation import app as federation
from ..oidc import app as oidc
from ..spid import app as spid
from .context import Ways
from .faults import install
from .government import app as government
from .rules import guard, page
from .tenant import app as tenant

WAYS = (tenant, government, oidc, federation, spid)
"""Modules with `blueprint(ways)` and `entries(ways)`."""
CONTRIBUTIONS = tuple(way.entries for way in WAYS)
Counters = Callable[[], dict[str, dict[str, int]]]


def application(ways: Ways, counters: Counters) -> Flask:
    """All methods, the control interface, and a page for visitors."""
    app = Flask("cie_sandbox")
    guard(app, ways)
    install(app, ways)
    app.register_blueprint(control.blueprint(ways.faults, counters))
    for way in WAYS:
        app.register_blueprint(way.blueprint(ways))

    @app.get("/")
    def home() -> Response:
        return page("ways-home.html")

    return app
