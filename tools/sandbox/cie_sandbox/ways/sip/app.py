"""The endpoints of the identity app's server, and the app itself at the control interface."""
import time
from typing import Any
from urllib.parse import unquote

from flask import Blueprint, Response, jsonify, request

from ...faults.catalogue import Stage
from ..context import Ways
from ..faults import place
from ..rules import error, json_body, own_hands, page
from ..service import Entry
from ..tokens import sign
from .clients import DEFAULT, Clients, person_id
from .data import LEVELS, items, sealed
from .requests import OUTCOMES, TIMEOUT, ScopeRequest, ScopeRequests

KEY = "sip"
BASE = "/sip/sandbox"
_OWNER = "code"
_DATA_FAULTS = frozenset({
    "sip-not-json", "sip-other-secret", "sip-changed-by-stranger", "sip-other-key", "sip-wrong-signature",
    "sip-empty-signature", "sip-odd-digits", "sip-no-digits", "sip-short-iv", "sip-bad-key"})


class Refused(Exception):
    """An answer of the kit's form: status and message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def blueprint(ways: Ways) -> Blueprint:
    """`/sip/sandbox/…`, and `/sandbox/identity-app`."""
    routes = Blueprint("sip", __name__)
    clients = Clients(ways.keys.folder, ways.register)
    pending = ScopeRequests()

    def fault(*names: str) -> str | None:
        found = ways.faults.take(Stage.POLLING, place(), frozenset(names))
        if found is not None:
            ways.journal.note("fault", name=found, at=place())
        return found

    @routes.errorhandler(Refused)
    def refuse(refused: Refused) -> Response:
        answer = jsonify(statusCode=refused.status, message=refused.message)
        answer.status_code = refused.status
        return answer

    @routes.post(BASE + "/scopeRequest/appToApp/verifyPartner")
    def verify_partner() -> Response:
        body = _body({"appId", "mobileId", "verificationLevel", "civicConnect"})
        client = clients.find(str(body["appId"]))
        if client is None:
            raise Refused(401, "Unauthorized: the application is not registered.")
        if body["mobileId"] != client.mobile_id:
            raise Refused(401, "Unauthorized: the mobile identifier is not one of this application.")
        if body["verificationLevel"] not in LEVELS or not isinstance(body["civicConnect"], dict):
            raise Refused(400, "Bad request.")
        seconds = {
            "sip-timeout-1": 1, "sip-timeout-0": 0, "sip-timeout-negative": -1, "sip-timeout-huge": 2**63,
        }.get(fault("sip-timeout-1", "sip-timeout-0", "sip-timeout-negative", "sip-timeout-huge") or "", TIMEOUT)
        asked = ScopeRequest(client, str(body["verificationLevel"]), seconds)
        pending.add(asked)
        named = {"sip-uuid-path": "../../../sandbox/fault", "sip-uuid-url": "https://elsewhere.cie-sandbox.invalid/x"}
        identifier = named.get(fault(*named) or "", asked.identifier)
        return jsonify(
            scopeRequestString=asked.text, uuid=identifier, isTest=True, status=200, timeout=seconds)

    @routes.get(BASE + "/scopeRequest/<identifier>")
    def poll(identifier: str) -> Response:
        asked = _known(pending.find(identifier))
        if asked.is_over:
            raise Refused(504, "Time out.")
        outcome = OUTCOMES[asked.outcome]
        if outcome is None:
            waiting = jsonify(statusCode=202, message="User data is still not available.")
            waiting.status_code = 202
            return waiting
        action, kind = outcome
        token = sign(ways, KEY, {
            "iss": ways.origin + BASE, "aud": asked.client.app_id, "sub": asked.identifier,
            "iat": int(time.time()), "exp": int(time.time()) + 300, "codeToken": asked.identifier})
        body: dict[str, Any] = {
            "statusCode": 200, "message": "", "authResponse": token, "action": action, "type": kind}
        if fault("sip-no-action"):
            del body["action"]
        return jsonify(body)

    @routes.post(BASE + "/scopeRequest/appToApp/connectXCtr")
    def fetch() -> Response:
        body = _body({"jwtToken"})
        asked = _known(pending.find(_code(ways, str(body["jwtToken"]))))
        if asked.outcome not in ("approve", "dispatched"):
            raise Refused(401, "Unauthorized: nothing was approved.")
        if not pending.take(asked):
            raise Refused(409, "The data were fetched before.")
        user = ways.users.by_role[_OWNER]
        found = items(asked.level, user)
        ways.journal.note("signed-in", way="sip", person=ways.journal.tag(user.user_name))
        return jsonify(sealed(
            {"userId": person_id(asked.client, user.user_name), "data": found}, clients.secret(asked.client),
            ways.keys.private(KEY), fault(*_DATA_FAULTS)))

    @routes.delete(BASE + "/scopeRequest/<identifier>")
    def cancel(identifier: str) -> Response:
        _known(pending.find(identifier)).outcome = "cancel"
        return Response("", 204)

    @routes.get(BASE + "/app")
    def show() -> Response:
        text = request.args.get("$scoperequest") or request.args.get("request") or ""
        asked = _known(pending.named(unquote(text)))
        return page("identity-app.html", level=asked.level, text=asked.text, done=False)

    @routes.post(BASE + "/app")
    def tapped() -> Response:
        asked = _known(pending.named(request.form.get("request", "")))
        if asked.outcome == "pending" and request.form.get("outcome") in ("approve", "cancel"):
            asked.outcome = request.form["outcome"]
        return page("identity-app.html", done=True)

    @routes.post("/sandbox/identity-app")
    def answered() -> Response:
        asked = pending.named(unquote(request.form.get("request", "")))
        outcome = request.form.get("outcome", "approve")
        if not own_hands() or asked is None or outcome not in OUTCOMES:
            return error(400, "unknown-request-or-outcome")
        asked.outcome = outcome
        return jsonify(outcome=outcome, verificationLevel=asked.level)

    @routes.post("/sandbox/identity-app/client")
    def register() -> Response:
        if not own_hands():
            return error(403, "loopback-only")
        try:
            client = clients.register(request.form.get("name", ""))
        except ValueError:
            return error(400, "not-a-name")
        return jsonify(appId=client.app_id, mobileId=client.mobile_id, secretFile=client.secret_file)

    return routes


def _body(needed: set[str]) -> dict[str, Any]:
    body = json_body()
    if body is None or set(body) != needed:
        raise Refused(400, "Bad request.")
    return body


def _known(asked: ScopeRequest | None) -> ScopeRequest:
    if asked is None:
        raise Refused(401, "Unauthorized: no such request.")
    return asked


def _code(ways: Ways, token: str) -> str:
    from authlib.jose import JsonWebToken
    from authlib.jose.errors import JoseError
    try:
        claims = JsonWebToken(["RS256"]).decode(token, ways.keys.public_pem(KEY))
        claims.validate()
        return str(claims["codeToken"])
    except (JoseError, ValueError, KeyError) as problem:
        raise Refused(401, "Unauthorized: not a token of this server.") from problem


def entries(ways: Ways, insecure: bool) -> list[Entry]:
    """The weak identity app, in the second description only."""
    if not insecure:
        return []
    client = Clients(ways.keys.folder, []).register(DEFAULT)
    file = f"{ways.keys.folder.name}/sip-{DEFAULT}.secret"
    return [{
        "method": "identity-app", "protocol": "scope-request", "insecure": True,
        "base": f"{ways.origin}{BASE}/", "appId": client.app_id, "mobileId": client.mobile_id,
        "secretFile": file, "scope": "identity"}]
