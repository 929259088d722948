"""The JWTs that the provider signs, right or with a fault."""
import base64
import hashlib
import hmac
import json
import secrets
import time
from typing import Any

from authlib.jose import JsonWebEncryption, JsonWebSignature
from authlib.oidc.core.util import create_half_hash

from ..faults.catalogue import Stage
from .keys import ALGORITHM, SigningJWK
from .provider import ELSEWHERE, OpenIDProvider
from .request_object import USER_CLAIMS
from .store import ACCESS_LIFE, Grant

ACR = "https://www.spid.gov.it/SpidL{}"
ID_LIFE = 300
_HOUR = 3600
Claims = dict[str, Any]


def _segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def sign(claims: Claims, key: SigningJWK, kind: str | None = None, header: Claims | None = None) -> str:
    """A JWS in compact form, by authlib. `kind` is its typ."""
    protected = {"alg": key.algorithm, "kid": key.kid, **({"typ": kind} if kind else {}), **(header or {})}
    return bytes(JsonWebSignature([key.algorithm]).serialize_compact(protected, json.dumps(claims), key.key)).decode()


def forge(weakness: str, claims: Claims, key: SigningJWK, stranger: SigningJWK, kind: str | None = None) -> str:
    """A JWT with one of the weaknesses of `faults.openid.WEAK_TOKENS`; without any of them, the right one."""
    match weakness:
        case "alg-none":
            return f"{_segment({'alg': 'none', 'typ': kind or 'JWT'})}.{_segment(claims)}."
        case "hs256":
            signed = f"{_segment({'alg': 'HS256', 'kid': key.kid, 'typ': kind or 'JWT'})}.{_segment(claims)}"
            mac = hmac.new(key.public_pem, signed.encode(), hashlib.sha256).digest()
            return f"{signed}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
        case "other-key":
            return sign(claims, stranger, kind, {"kid": key.kid})
        case "header-jwk":
            return sign(claims, stranger, kind, {"jwk": stranger.public})
        case "header-jku":
            return sign(claims, stranger, kind, {"jku": claims.get("iss", "") + "stranger/keys"})
        case "header-x5u":
            return sign(claims, stranger, kind, {"x5u": claims.get("iss", "") + "stranger/certificate"})
        case "unknown-kid":
            return sign(claims, stranger, kind)
        case "changed":
            header, _, signature = sign(claims, key, kind).split(".")
            return f"{header}.{_segment({**claims, 'family_name': 'FORGED'})}.{signature}"
        case "garbage":
            return "not.a-jwt"
    return sign(claims, key, kind)


def subject(provider: OpenIDProvider, grant: Grant) -> str:
    """The pairwise subject: different for every client, equal at each login."""
    return provider.keys.first.derive("sub", grant.client.client_id, grant.citizen.fiscal_code)


def about(grant: Grant, names: list[str]) -> dict[str, str]:
    """The released claims about the person."""
    attributes = grant.citizen.attributes
    return {name: attributes[USER_CLAIMS[name]] for name in names if USER_CLAIMS[name] in attributes}


def access_token(provider: OpenIDProvider, grant: Grant, scope: str) -> str:
    """A JWT of type at+jwt (RFC 9068)."""
    now = int(time.time())
    return sign({
        "iss": provider.issuer, "sub": subject(provider, grant), "aud": provider.issuer,
        "client_id": grant.client.client_id, "scope": scope, "iat": now, "exp": now + ACCESS_LIFE,
        "jti": secrets.token_urlsafe(16)}, provider.keys.signing, "at+jwt")


def encrypted(provider: OpenIDProvider, grant: Grant, text: str) -> str:
    """A signed token in a JWE that only the client can decrypt, by the algorithms that the CIE profile requires."""
    old = provider.ways.faults.is_on("oidc-oaep-sha1")
    key = grant.client.keys[0]
    header = {
        "alg": "RSA-OAEP" if old else "RSA-OAEP-256", "enc": "A128CBC-HS256" if old else "A256CBC-HS512",
        "cty": "JWT", "kid": key["kid"]}
    return bytes(JsonWebEncryption().serialize_compact(header, text.encode(), key)).decode()


def id_token(provider: OpenIDProvider, grant: Grant, access: str, change: Claims | None = None) -> str:
    """The ID token as it is sent."""
    text = _id_token(provider, grant, access, change or {})
    return encrypted(provider, grant, text) if provider.ways.faults.is_on("id-token-encrypted") else text


def _id_token(provider: OpenIDProvider, grant: Grant, access: str, change: Claims) -> str:
    """The ID token with the claims that the CIE profile lists; a fault of stage OIDC_ID_TOKEN changes it."""
    now = int(time.time())
    claims: Claims = {
        "iss": provider.issuer, "sub": subject(provider, grant), "aud": grant.client.client_id,
        "acr": ACR.format(grant.level), "at_hash": create_half_hash(access, ALGORITHM).decode(),
        "iat": now, "nbf": now, "exp": now + ID_LIFE, "auth_time": grant.auth_time,
        "jti": secrets.token_urlsafe(16), **about(grant, grant.claims)}
    if grant.nonce is not None:
        claims["nonce"] = grant.nonce
    fault = (provider.fault(Stage.OIDC_ID_TOKEN) or "").removeprefix("id-")
    key = provider.keys.signing
    if fault == "key-rotated":
        key = provider.keys.rotate()
    header = {"crit": ["sandbox"], "sandbox": True} if fault == "critical" else {}
    _change(claims, fault, grant, now)
    claims |= change
    if header:
        return _with_critical(claims, key, header)
    return forge(fault, claims, key, provider.keys.stranger)


def _with_critical(claims: Claims, key: SigningJWK, header: Claims) -> str:
    signer = JsonWebSignature([ALGORITHM], private_headers=list(header))
    protected = {"alg": ALGORITHM, "kid": key.kid, **header}
    return bytes(signer.serialize_compact(protected, json.dumps(claims), key.key)).decode()


def _change(claims: Claims, fault: str, grant: Grant, now: int) -> None:
    other = ELSEWHERE + "client"
    changes: dict[str, Claims] = {
        "wrong-iss": {"iss": ELSEWHERE},
        "wrong-aud": {"aud": other},
        "two-audiences": {"aud": [grant.client.client_id, other]},
        "wrong-azp": {"azp": other},
        "wrong-nonce": {"nonce": secrets.token_urlsafe(32)},
        "expired": {"iat": now - 2 * _HOUR, "nbf": now - 2 * _HOUR, "exp": now - _HOUR},
        "issued-later": {"iat": now + _HOUR, "exp": now + 2 * _HOUR},
        "issued-long-ago": {"iat": now - 24 * _HOUR, "nbf": now - 24 * _HOUR},
        "not-yet": {"nbf": now + _HOUR, "exp": now + 2 * _HOUR},
        "wrong-at-hash": {"at_hash": create_half_hash("another", ALGORITHM).decode()},
        "lower-acr": {"acr": ACR.format(grant.level - 1)},
        "unknown-acr": {"acr": "https://www.spid.gov.it/SpidL9"},
        "text-exp": {"exp": str(now + ID_LIFE)},
        "empty-sub": {"sub": ""},
    }
    claims.update(changes.get(fault, {}))
    if fault.startswith("no-"):
        claims.pop(fault[3:].replace("-", "_"), None)
