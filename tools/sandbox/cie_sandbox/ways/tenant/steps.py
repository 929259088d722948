"""initiate, challenge, introspect: the steps before a token."""
import time

from flask import Response, jsonify

from .chain import CODE_LENGTH, INTERVAL, Chain, Step
from .errors import (
    INTROSPECT, TOO_EARLY, UNKNOWN_CLIENT, UNSUPPORTED, USER_NOT_FOUND, Refused)
from .forms import CAPABILITIES, CHALLENGE_TYPES, form, label, user_name, words
from .service import Tenant

LABEL_WITH_ESCAPES = "\u001b[2J\u001b]0;title\u0007s***o@e***.invalid\u202e\n"
WANTED = {
    "code": ("oob",), "password": ("password",), "both": ("password", "oob"), "mfa": ("password",),
    "reset": ("password",), "blocked": ("password",), "register": ("password",)}
"""The users' authentication methods; a user not listed here needs a browser."""


def initiate(tenant: Tenant) -> Response:
    """Begins: the user, and the client's capabilities."""
    fields = form({"client_id", "username", "challenge_type"}, {"capabilities"})
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    types = _types(fields["challenge_type"])
    capabilities = words(fields.get("capabilities", ""), CAPABILITIES)
    user = tenant.ways.users.named(user_name(fields["username"]))
    if user is None:
        raise Refused(USER_NOT_FOUND)
    if tenant.fault("native-redirect") or not set(WANTED.get(user.role, ())) & types:
        return browser()
    token = tenant.chains.start(Chain(user, types, capabilities))
    return jsonify(continuation_token=token)


def challenge(tenant: Tenant) -> Response:
    """Sends a code, or requires the password. Again: a new code."""
    fields = form({"client_id", "continuation_token"}, {"challenge_type", "id"})
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    chain = tenant.chains.find(
        fields["continuation_token"], Step.STARTED, Step.CODE, Step.PASSWORD, Step.SECOND_FACTOR, Step.SECOND_CODE)
    if chain.step in (Step.SECOND_FACTOR, Step.SECOND_CODE):
        if chain.step is Step.SECOND_FACTOR and fields.get("id") != chain.method:
            raise Refused(INTROSPECT)
        phone = chain.user.phone
        return coded(tenant, chain, Step.SECOND_CODE, phone or chain.user.user_name, "sms" if phone else "email")
    types = _types(fields["challenge_type"]) if "challenge_type" in fields else chain.challenge_types
    for wanted in WANTED[chain.user.role]:
        if wanted in types & chain.challenge_types:
            if wanted == "oob":
                return coded(tenant, chain, Step.CODE, chain.user.user_name, "email")
            token = tenant.chains.go_on(chain, Step.PASSWORD)
            return _answer(tenant, fields["continuation_token"], {
                "challenge_type": "password", "continuation_token": token})
    return browser()


def introspect(tenant: Tenant) -> Response:
    """The person's second factors."""
    fields = form({"client_id", "continuation_token"}, set())
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    chain = tenant.chains.find(fields["continuation_token"], Step.SECOND_FACTOR)
    phone = chain.user.phone
    token = tenant.chains.go_on(chain, Step.SECOND_FACTOR)
    return jsonify(continuation_token=token, methods=[{
        "id": chain.method, "challenge_type": "oob", "challenge_channel": "sms" if phone else "email",
        "login_hint": label(phone or chain.user.user_name)}])


def coded(tenant: Tenant, chain: Chain, step: Step, contact: str, channel: str) -> Response:
    """Sends a code; returns its length and its receiver, in part."""
    if time.monotonic() - chain.sent < INTERVAL:
        raise Refused(TOO_EARLY)
    chain.sent = time.monotonic()
    before = chain.token
    tenant.send_code(chain, contact)
    return _answer(tenant, before, {
        "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": channel,
        "challenge_target_label": label(contact), "code_length": CODE_LENGTH, "interval": INTERVAL,
        "continuation_token": tenant.chains.go_on(chain, step)})


def browser() -> Response:
    """The client cannot do it and should open a browser."""
    return jsonify(challenge_type="redirect", redirect_reason="The account needs what this client cannot do.")


def known_client(tenant: Tenant, fields: dict[str, str]) -> None:
    """One application is registered."""
    if fields["client_id"] != tenant.client_id:
        raise Refused(UNKNOWN_CLIENT)


def _types(text: str) -> frozenset[str]:
    types = words(text, CHALLENGE_TYPES)
    if "redirect" not in types:
        raise Refused(UNSUPPORTED)
    return types


def _answer(tenant: Tenant, before: str, body: dict[str, object]) -> Response:
    match tenant.fault(*CHALLENGE_FAULTS):
        case "native-token-stale":
            body["continuation_token"] = before
        case "native-token-dead":
            body["continuation_token"] = "a-token-that-nobody-knows"
        case "native-unknown-challenge":
            body["challenge_type"] = "carrier-pigeon"
        case "native-escapes":
            body["challenge_target_label"] = LABEL_WITH_ESCAPES
        case "native-code-length-0":
            body["code_length"] = 0
        case "native-code-length-huge":
            body["code_length"] = 2**63
        case "native-interval-negative":
            body["interval"] = -1
    return jsonify(body)


CHALLENGE_FAULTS = (
    "native-token-stale", "native-token-dead", "native-unknown-challenge", "native-escapes",
    "native-code-length-0", "native-code-length-huge", "native-interval-negative")
