"""The device authorization grant (RFC 8628): its endpoint, the page for the person, and the control interface."""
import json

from flask import Blueprint, Response, jsonify, request

from ..faults.catalogue import Stage
from ..idp.pages import error_page, page
from ..visits.pages import VisitPages
from ..visits.people import UserDirectory
from ..visits.visit import Citizen, Outcome, Visit
from ..ways.rules import own_hands
from .provider import OpenIDProvider
from .request_object import USER_CLAIMS
from .server import Server, claims_of
from .store import Device, Grant

_ANSWER_FAULTS = frozenset({
    "oidc-device-no-interval", "oidc-device-long-interval", "oidc-device-invalid-client",
    "oidc-device-invalid-scope"})
_OUTCOMES = ("approve", "deny", "expire")


def add(routes: Blueprint, provider: OpenIDProvider, server: Server, directory: UserDirectory) -> None:
    """All of it."""
    pages = VisitPages("oidc_device", "/oidc/device", "sandbox_oidc_device", directory, provider.ways.journal)
    routes.register_blueprint(pages.blueprint())

    @routes.post("/oidc/device_authorization")
    def device_authorization() -> Response:
        fault = provider.fault(Stage.OIDC_DEVICE, _ANSWER_FAULTS) or ""
        error = fault.removeprefix("device-").replace("-", "_")
        if error in ("invalid_client", "invalid_scope"):
            response = jsonify(error=error)
            response.status_code = 401 if error == "invalid_client" else 400
            return response
        return _answer(server, fault)

    @routes.get("/oidc/device")
    def device_page() -> Response:
        return page("device.html", user_code=request.args.get("user_code", ""))

    @routes.post("/oidc/device")
    def device_code() -> Response:
        device = provider.store.by_user_code(request.form.get("user_code", ""))
        if device is None:
            return error_page(None, 404, "Codice sconosciuto o scaduto.")
        wanted = [USER_CLAIMS[name] for name in claims_of(device.scope)]
        return pages.begin(Visit(
            "Collega un dispositivo", device.client.name, device.level, wanted,
            lambda visit, outcome: _done(device, visit.citizen, outcome)))

    @routes.post("/sandbox/device")
    def device_decision() -> Response:
        form = request.form
        device = provider.store.by_user_code(form.get("user_code", ""))
        citizen = directory.named(form.get("user", ""))
        outcome = form.get("outcome", "approve")
        if not own_hands():
            return error_page(None, 403)
        if device is None or citizen is None or outcome not in _OUTCOMES:
            return Response("unknown code, user or outcome\n", 400, content_type="text/plain")
        if outcome == "expire":
            device.made = float("-inf")
        else:
            _decide(device, citizen if outcome == "approve" else None)
        return jsonify(outcome=outcome)


def _answer(server: Server, fault: str) -> Response:
    response: Response = server.create_endpoint_response("device_authorization")
    if response.status_code != 200 or not fault:
        return response
    answer = json.loads(response.get_data())
    if fault == "device-no-interval":
        answer.pop("interval", None)
    if fault == "device-long-interval":
        answer["interval"] = 86400
    return jsonify(answer)


def _decide(device: Device, citizen: Citizen | None) -> None:
    if citizen is None:
        device.answer = (None, False)
    else:
        device.answer = (
            Grant(device.client, citizen, device.scope, claims_of(device.scope), device.level), True)


def _done(device: Device, citizen: Citizen | None, outcome: Outcome) -> Response:
    approved = citizen if outcome is Outcome.ACCEPTED else None
    _decide(device, approved)
    return page("device-done.html", approved=approved is not None)
