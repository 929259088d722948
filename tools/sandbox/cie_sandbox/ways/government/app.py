"""The endpoints of the government kit, and its entry in the service description."""
from flask import Blueprint, Response, jsonify

from ..context import Ways
from ..rules import LOOPBACK_RETURN, page
from ..service import Entry
from ..tokens import key_set
from . import bank, methods, sessions, verification
from .errors import Refused, answer
from .service import KEY, Government

BASE = "/government"
_AUTH = BASE + "/v1/auth"
_OFFER = _AUTH + "/acquirer/branch/offer"


def blueprint(ways: Ways) -> Blueprint:
    """All endpoints below `/government/`."""
    routes = Blueprint("government", __name__)
    service = Government(ways)

    @routes.errorhandler(Refused)
    def refuse(refused: Refused) -> Response:
        ways.journal.note("refused", way="government", reason=refused.word)
        return answer(refused)

    @routes.get(BASE + "/v3/auth/<flow>/methods")
    def flow_methods(flow: str) -> Response:
        return methods.of_flow(service, flow)

    @routes.get(_AUTH + "/methods")
    def known_methods() -> Response:
        return methods.known(service)

    @routes.get(_AUTH + "/banks")
    def banks() -> Response:
        return methods.banks(service)

    @routes.get(BASE + "/v3/auth/<target>/auth-url")
    def auth_url(target: str) -> Response:
        return methods.address(service, target, False)

    @routes.get(BASE + "/v2/auth/<target>/auth-url")
    def auth_url_v2(target: str) -> Response:
        return methods.address(service, target, True)

    @routes.get(_AUTH + "/otp/screen")
    def otp_screen() -> Response:
        return methods.otp_screen(service)

    @routes.get(_AUTH + "/<target>/<request_id>/verify")
    def verify(target: str, request_id: str) -> Response:
        return verification.by_bank(service, target, request_id)

    @routes.post(_AUTH + "/sms-otp/<request_id>/verify")
    def verify_code(request_id: str) -> Response:
        return verification.by_code(service, request_id)

    @routes.get(BASE + "/v3/auth/token")
    def token() -> Response:
        return sessions.first(service)

    @routes.get(_AUTH + "/prolong/")
    def prolong() -> Response:
        return sessions.prolong(service)

    @routes.post(BASE + "/v2/auth/token/refresh")
    def refresh() -> Response:
        return sessions.refresh(service, "user")

    @routes.post(BASE + "/v2/auth/token/logout")
    def logout() -> Response:
        return sessions.logout(service)

    @routes.get(_AUTH + "/temporary/token")
    def temporary() -> Response:
        return sessions.temporary(service)

    @routes.get(_OFFER + "/<offer>/token")
    def service_token(offer: str) -> Response:
        return sessions.entrance(service, offer)

    @routes.post(_OFFER + "/token/refresh")
    def service_refresh() -> Response:
        return sessions.refresh(service, "service")

    @routes.post(_OFFER + "/token/logout")
    def service_logout() -> Response:
        return sessions.logout(service)

    @routes.get(BASE + "/bank/<name>/authorize")
    def bank_page(name: str) -> Response:
        return bank.show(service, name)

    @routes.post(BASE + "/bank/<name>/authorize")
    def bank_form(name: str) -> Response:
        return bank.submit(service, name)

    @routes.get(BASE + "/returned")
    def returned() -> Response:
        return page("returned.html")

    @routes.get(BASE + "/.well-known/openid-configuration")
    def configuration() -> Response:
        return jsonify(issuer=service.base.rstrip("/"), jwks_uri=service.base + "keys")

    @routes.get(BASE + "/keys")
    def keys() -> Response:
        return jsonify(key_set(ways, KEY))

    return routes


def entries(ways: Ways) -> list[Entry]:
    """The bank in the service description."""
    return [{
        "method": "bank", "base": ways.base + "government/", "flow": "login",
        "hosts": [f"localhost:{ways.port}"], "returnUrl": LOOPBACK_RETURN, "issuer": ways.base + "government", "audience": "government"}]
