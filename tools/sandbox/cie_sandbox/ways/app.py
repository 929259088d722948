"""The listener of the other ways in: one web application, a blueprint a way."""
from collections.abc import Callable

from flask import Flask, Response

from .. import control
from .context import Ways
from .rules import guard, page

Counters = Callable[[], dict[str, dict[str, int]]]


def application(ways: Ways, counters: Counters) -> Flask:
    """All ways, the control interface, and a page for whoever looks in."""
    app = Flask("cie_sandbox")
    guard(app, ways)
    app.register_blueprint(control.blueprint(ways.faults, counters))

    @app.get("/")
    def home() -> Response:
        return page("ways-home.html")

    return app
