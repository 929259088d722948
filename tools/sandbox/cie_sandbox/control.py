"""The control interface `/sandbox/…`, on every listener: faults, switches, counters."""
from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request

from .faults.board import SWITCHES, FaultBoard, UnknownName
from .faults.catalogue import CATALOGUE

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32">'
    '<rect width="96" height="32" fill="#a0a"/>'
    '<text x="48" y="21" fill="#fff" text-anchor="middle" font-size="14">SANDBOX</text></svg>')


def blueprint(faults: FaultBoard, counters: Callable[[], dict[str, dict[str, int]]]) -> Blueprint:
    """Loopback only, like all listeners; a web page elsewhere is refused by its Origin."""
    routes = Blueprint("control", __name__, url_prefix="/sandbox")

    @routes.before_request
    def own_hands_only() -> Response | None:
        if request.remote_addr != "127.0.0.1" or "Origin" in request.headers:
            return Response("loopback tools only\n", 403, content_type="text/plain")
        return None

    @routes.get("/fault")
    def show() -> Response:
        names = {fault.name: [fault.stage.name, fault.meaning] for fault in CATALOGUE.values()}
        return jsonify(**faults.summary(), faults=names, known_switches=SWITCHES)

    @routes.post("/fault")
    def arm() -> Response:
        form = request.form
        try:
            count = int(form["count"]) if "count" in form else None
            faults.arm(form.get("fault", ""), form.get("at", "card"), count, int(form.get("after", "0")))
        except (UnknownName, ValueError) as error:
            return Response(f"{error}\n", 400, content_type="text/plain")
        return jsonify(**faults.summary())

    @routes.delete("/fault")
    def clear() -> Response:
        faults.clear()
        return jsonify(**faults.summary())

    @routes.post("/switch")
    def turn() -> Response:
        try:
            faults.switch(request.form.get("switch", ""), request.form.get("on", "1") == "1")
        except UnknownName as error:
            return Response(f"{error}\n", 400, content_type="text/plain")
        return jsonify(**faults.summary())

    @routes.get("/state")
    def state() -> Response:
        return jsonify(listeners=counters())

    @routes.get("/logo.svg")
    def logo() -> Response:
        return Response(LOGO, content_type="image/svg+xml")

    return routes
