"""Discovery, keys, tokens, userinfo, revocation and introspection."""
import json
import secrets
import time

from flask import Blueprint, Response, jsonify, request

from ..faults.catalogue import Stage
from ..faults.openid import REFRESH, TOKEN, TOKEN_ERRORS
from .client import ALGORITHMS, DEVICE_GRANT, SCOPES
from .keys import ALGORITHM
from .provider import ELSEWHERE, OpenIDProvider
from .request_object import USER_CLAIMS
from .server import Server
from .store import Token
from .tokens import ACR, about, encrypted, forge, subject

_ENDPOINTS = (
    "authorization", "token", "userinfo", "revocation", "introspection", "device_authorization", "jwks_uri")
_PATHS = {
    "authorization": "authorize", "revocation": "revoke", "introspection": "introspect", "jwks_uri": "jwks"}
_ANSWER_FAULTS = frozenset(TOKEN) - frozenset(REFRESH)
_BAD_KEYS = [
    {"kty": "RSA", "kid": "weak", "e": "AQAB", "n": "_" + "A" * 170}, {"kty": "RSA", "kid": "empty"},
    {"kty": "AKP", "kid": "later", "alg": "ML-DSA-65", "pub": "AAAA"}]
_POLL_ERRORS = {
    "poll-slow-down": "slow_down", "poll-pending": "authorization_pending",
    "poll-access-denied": "access_denied", "poll-expired-token": "expired_token"}


def metadata(provider: OpenIDProvider) -> dict[str, object]:
    """The provider's metadata (OpenID Connect Discovery §3, RFC 8414)."""
    endpoints = {
        name if name == "jwks_uri" else f"{name}_endpoint": provider.issuer + _PATHS.get(name, name)
        for name in _ENDPOINTS}
    return {
        "issuer": provider.issuer, **endpoints,
        "scopes_supported": list(SCOPES), "response_types_supported": ["code"],
        "response_modes_supported": ["query", "form_post"],
        "grant_types_supported": ["authorization_code", "refresh_token", DEVICE_GRANT],
        "acr_values_supported": [ACR.format(level) for level in (1, 2, 3)],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": [ALGORITHM],
        "userinfo_signing_alg_values_supported": [ALGORITHM],
        "userinfo_encryption_alg_values_supported": ["RSA-OAEP", "RSA-OAEP-256"],
        "userinfo_encryption_enc_values_supported": ["A128CBC-HS256", "A256CBC-HS512"],
        "id_token_encryption_alg_values_supported": ["RSA-OAEP", "RSA-OAEP-256"],
        "id_token_encryption_enc_values_supported": ["A128CBC-HS256", "A256CBC-HS512"],
        "display_values_supported": ["page"],
        "request_object_signing_alg_values_supported": ALGORITHMS,
        "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        "token_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
        "claims_supported": ["sub", *USER_CLAIMS], "claims_parameter_supported": True,
        "request_parameter_supported": True, "request_uri_parameter_supported": False,
        "require_signed_request_object": True, "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True}


def add(routes: Blueprint, provider: OpenIDProvider, server: Server) -> None:
    """All endpoints that programs call."""

    @routes.get("/oidc/.well-known/openid-configuration")
    def discovery() -> Response:
        fault = provider.fault(Stage.OIDC_DISCOVERY)
        return jsonify(_changed(metadata(provider), fault or ""))

    @routes.get("/oidc/jwks")
    def jwks() -> Response:
        fault = provider.fault(Stage.OIDC_KEYS)
        published = provider.keys.published()
        if fault == "keys-some-bad":
            published = {"keys": [*_BAD_KEYS, *published["keys"]]}
        return jsonify({"keys": []} if fault == "keys-empty" else published)

    @routes.get("/oidc/stranger/keys")
    def strange_keys() -> Response:
        provider.ways.journal.note("stranger-asked")
        return jsonify(keys=[provider.keys.stranger.public])

    @routes.post("/oidc/token")
    def token() -> Response:
        if request.form.get("grant_type") == DEVICE_GRANT:
            poll = provider.fault(Stage.OIDC_POLL)
            if poll is not None:
                return _error(_POLL_ERRORS[poll], 400)
        fault = provider.fault(Stage.OIDC_TOKEN, _ANSWER_FAULTS)
        return _refused(fault) or _token_answer(server, fault)

    @routes.route("/oidc/userinfo", methods=["GET", "POST"])
    def userinfo() -> Response:
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        found = provider.store.by_access(text) if kind == "Bearer" else None
        if found is None or found.is_expired() or found.is_revoked():
            return _unauthorized()
        return _userinfo(provider, found)

    @routes.post("/oidc/revoke")
    def revoke() -> Response:
        return server.create_endpoint_response("revocation")  # type: ignore[no-any-return]

    @routes.post("/oidc/introspect")
    def introspect() -> Response:
        return server.create_endpoint_response("introspection")  # type: ignore[no-any-return]


def _changed(answer: dict[str, object], fault: str) -> dict[str, object]:
    match fault:
        case "discovery-other-issuer":
            return {**answer, "issuer": ELSEWHERE}
        case "discovery-foreign-endpoints" | "discovery-http-endpoints":
            own = str(answer["issuer"])
            new = ELSEWHERE if fault == "discovery-foreign-endpoints" else own.replace("https:", "http:", 1)
            return {
                name: new + value.removeprefix(own)
                if isinstance(value, str) and name != "issuer" else value for name, value in answer.items()}
        case "discovery-no-token-endpoint":
            return {name: value for name, value in answer.items() if name != "token_endpoint"}
        case "discovery-no-s256":
            return {**answer, "code_challenge_methods_supported": ["plain"]}
    return answer


def _error(error: str, status: int) -> Response:
    response = jsonify(error=error, error_description="Errore simulato.")
    response.status_code = status
    return response


def _refused(fault: str | None) -> Response | None:
    error = (fault or "").removeprefix("token-").replace("-", "_")
    if error in TOKEN_ERRORS:
        return _error(error, TOKEN_ERRORS[error])
    return None


def _token_answer(server: Server, fault: str | None) -> Response:
    response: Response = server.create_token_response()
    change = {"token-no-access-token": "access_token", "token-no-id-token": "id_token"}.get(fault or "")
    if response.status_code != 200 or (change is None and fault != "token-wrong-type"):
        return response
    answer = json.loads(response.get_data())
    if change is not None:
        answer.pop(change, None)
    else:
        answer["token_type"] = "mac"
    return jsonify(answer)


def _unauthorized() -> Response:
    return Response("", 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'})


def _userinfo(provider: OpenIDProvider, token: Token) -> Response:
    fault = provider.fault(Stage.OIDC_USERINFO)
    if fault == "userinfo-401":
        return _unauthorized()
    now, grant = int(time.time()), token.grant
    claims = {
        "iss": provider.issuer, "aud": grant.client.client_id, "sub": subject(provider, grant), "iat": now,
        "exp": now + 300, "jti": secrets.token_urlsafe(16), **about(grant, grant.claims)}
    changes: dict[str, dict[str, str | int]] = {
        "userinfo-other-sub": {"sub": "0" * 64}, "userinfo-wrong-iss": {"iss": ELSEWHERE},
        "userinfo-wrong-aud": {"aud": ELSEWHERE}, "userinfo-expired": {"iat": now - 7200, "exp": now - 3600}}
    claims |= changes.get(fault or "", {})
    switches = provider.ways.faults
    if fault == "userinfo-unsigned" or switches.is_on("userinfo-json"):
        return jsonify(claims)
    weakness = (fault or "").removeprefix("userinfo-")
    text = forge(weakness, claims, provider.keys.signing, provider.keys.stranger)
    if switches.is_on("userinfo-jwt") or grant.client.keys[0]["kty"] != "RSA":
        return Response(text, 200, content_type="application/jwt")
    # The media type of the CIE profile; a media type is written in any letters, and may have parameters (RFC 9110
    # §8.3.1).
    return Response(encrypted(provider, grant, text), 200, content_type="Application/JOSE; charset=utf-8")
