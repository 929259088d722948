"""token: a code, a password, a second factor or a refresh token becomes tokens."""
import base64
import json
import time
import uuid
from typing import Any

from flask import Response, jsonify, request

from ..faults import place
from ..tokens import sign, take_fault
from ..users import User
from . import claims
from .chain import Chain, Step
from .errors import (
    BAD_PARAMETER, EXPIRED_CHAIN, INVALID_CREDENTIALS, INVALID_SCOPE, MFA, NO_PASSWORD, REFRESH_EXPIRED,
    REGISTRATION, RESET_REQUIRED, UNSUPPORTED_GRANT, WRONG_CODE, Refused)
from .forms import form, not_blocked, scopes
from .service import KEY, Tenant
from .steps import WANTED, browser, known_client

_SECONDS = 3600
# A password in place of a sent code is a separate error: the person has none.
_STEPS: dict[str, tuple[Step, ...]] = {
    "oob": (Step.CODE,), "password": (Step.PASSWORD, Step.CODE), "mfa_oob": (Step.SECOND_CODE,),
    "continuation_token": (Step.GRANTED,)}
_OPTIONAL = {"continuation_token", "oob", "password", "scope", "client_info", "claims", "nonce", "refresh_token", "id"}


def token(tenant: Tenant) -> Response:
    """The last step, or one of the last two."""
    fields = form({"client_id", "grant_type"}, _OPTIONAL)
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    if fields["grant_type"] == "refresh_token":
        return _refresh(tenant, fields)
    if fields["grant_type"] not in _STEPS:
        raise Refused(UNSUPPORTED_GRANT)
    asked = scopes(fields.get("scope", ""))
    given = fields.get("continuation_token", "")
    chain = tenant.chains.find(given, *_STEPS[fields["grant_type"]])
    match fields["grant_type"]:
        case "oob" | "mfa_oob":
            check_code(tenant, chain, fields.get("oob", ""))
        case "password":
            answer = _password(tenant, chain, fields.get("password", ""))
            if answer is not None:
                return answer
    if not tenant.chains.end(chain):
        raise Refused(EXPIRED_CHAIN)
    return _tokens(tenant, chain.user, asked, fields)


def check_code(tenant: Tenant, chain: Chain, text: str) -> None:
    """A wrong code leaves the chain where it is; the third ends it."""
    if not text:
        raise Refused(BAD_PARAMETER)
    if tenant.fault("native-code-wrong") or not chain.is_code(text):
        tenant.chains.failed(chain)
        raise Refused(WRONG_CODE)
    chain.code = ""


def _password(tenant: Tenant, chain: Chain, text: str) -> Response | None:
    if not text:
        raise Refused(BAD_PARAMETER)
    if "password" not in WANTED[chain.user.role]:
        raise Refused(NO_PASSWORD)
    if not chain.user.has_password(text):
        tenant.chains.failed(chain)
        raise Refused(INVALID_CREDENTIALS)
    not_blocked(chain.user)
    match chain.user.role:
        case "reset":
            raise Refused(RESET_REQUIRED)
        case "mfa":
            if "mfa_required" not in chain.capabilities:
                return browser()
            raise Refused(MFA, tenant.chains.go_on(chain, Step.SECOND_FACTOR))
        case "register":
            if "registration_required" not in chain.capabilities:
                return browser()
            raise Refused(REGISTRATION, tenant.chains.go_on(chain, Step.REGISTRATION))
    return None


def _refresh(tenant: Tenant, fields: dict[str, str]) -> Response:
    if tenant.fault("native-refresh-expired"):
        raise Refused(REFRESH_EXPIRED)
    grant = tenant.take_refresh_token(fields.get("refresh_token", ""))
    asked = scopes(fields["scope"]) if "scope" in fields else list(grant.scopes)
    if not set(asked) <= set(grant.scopes):
        raise Refused(INVALID_SCOPE)
    return _tokens(tenant, tenant.ways.users.by_role[grant.role], asked, fields, grant.family)


def _tokens(
    tenant: Tenant, user: User, asked: list[str], fields: dict[str, str], family: str | None = None
) -> Response:
    now, subject = int(time.time()), tenant.subject(user.role)
    common: dict[str, Any] = {
        "iss": tenant.issuer, "sub": subject, "iat": now, "nbf": now, "exp": now + _SECONDS, "ver": "2.0",
        "tid": tenant.ways.keys.identifier("tenant"), "oid": str(uuid.uuid5(uuid.NAMESPACE_OID, subject))}
    said: dict[str, Any] = {}
    if tenant.hook is not None:
        said = dict(claims.from_outside(tenant.hook, user, tenant.client_id, request.headers.get(
            "client-request-id", "")))
    own = {**claims.of(user), **said} if "profile" in asked else {"preferred_username": user.user_name}
    nonce = {"nonce": fields["nonce"]} if "nonce" in fields else {}
    identity = sign(
        tenant.ways, KEY, {**own, **nonce, **common, "aud": tenant.client_id},
        fault=take_fault(tenant.ways, place()))
    access = sign(
        tenant.ways, KEY, {**common, "aud": tenant.authority + "api", "azp": tenant.client_id,
                           "scp": " ".join(asked)}, "at+jwt")
    body: dict[str, object] = {
        "token_type": "Bearer", "scope": " ".join(asked), "expires_in": _SECONDS, "access_token": access,
        "id_token": identity}
    if "offline_access" in asked:
        body["refresh_token"] = tenant.new_refresh_token(user.role, asked, family)
    if fields.get("client_info") in ("1", "true"):
        info = json.dumps({"uid": common["oid"], "utid": common["tid"]}).encode()
        body["client_info"] = base64.urlsafe_b64encode(info).rstrip(b"=").decode()
    match tenant.fault("native-expires-negative", "native-expires-huge", "native-token-type"):
        case "native-expires-negative":
            body["expires_in"] = -1
        case "native-expires-huge":
            body["expires_in"] = 2**63
        case "native-token-type":
            body["token_type"] = "mac"
    tenant.ways.journal.note("signed-in", way="tenant", person=tenant.ways.journal.tag(user.user_name))
    return jsonify(body)
