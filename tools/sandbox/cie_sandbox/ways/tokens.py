"""Signed tokens (RFC 7519) by authlib, their keys, and the faults of both."""
import base64
import hashlib
import hmac
import json
import time
from typing import Any

from authlib.jose import JsonWebKey, JsonWebSignature

from ..faults.catalogue import Stage
from ..state.certificates import new_key
from .context import Ways
from .faults import ELSEWHERE

Claims = dict[str, Any]
_HOURS = 7200


def key_set(ways: Ways, name: str) -> dict[str, list[dict[str, str]]]:
    """The public key of a name, as a JWK set."""
    return {"keys": [{**_public(ways.keys.public_pem(name)), "use": "sig", "alg": "RS256"}]}


def take_fault(ways: Ways, place: str) -> str | None:
    """The fault of the next token, if any."""
    fault = ways.faults.take(Stage.TOKEN, place)
    if fault is not None:
        ways.journal.note("fault", name=fault, at=place)
    return fault


def sign(ways: Ways, name: str, claims: Claims, typ: str = "JWT", fault: str | None = None) -> str:
    """A token, RS256, by the key of this name; `fault` makes it wrong."""
    public = ways.keys.public_pem(name)
    header: Claims = {"alg": "RS256", "typ": typ, "kid": _public(public)["kid"]}
    if fault is None:
        return _signed(header, claims, ways.keys.private_pem(name))
    claims = _wrong(claims, fault)
    match fault:
        case "token-alg-none":
            return f"{_part({**header, 'alg': 'none'})}.{_part(claims)}."
        case "token-hs256":
            start = f"{_part({**header, 'alg': 'HS256'})}.{_part(claims)}"
            return f"{start}.{_base64(hmac.digest(public, start.encode(), hashlib.sha256))}"
        case "token-tampered":
            first, _, signature = _signed(header, claims, ways.keys.private_pem(name)).split(".")
            return f"{first}.{_part({**claims, 'name': 'SOMEBODY ELSE'})}.{signature}"
        case "token-garbage":
            return "no.token.here"
        case "token-crit":
            header |= {"crit": ["urn:example:unknown"], "urn:example:unknown": True}
            start = f"{_part(header)}.{_part(claims)}"
            return _raw(start, ways.keys.private_pem(name))
        case "token-other-key" | "token-unknown-kid" | "token-header-jwk" | "token-header-jku" | "token-header-x5u":
            return _by_stranger(header, claims, fault)
    return _signed(header, claims, ways.keys.private_pem(name))


def _by_stranger(header: Claims, claims: Claims, fault: str) -> str:
    stranger = JsonWebKey.import_key(new_key(), {"kty": "RSA"})
    public = stranger.as_dict(is_private=False)
    match fault:
        case "token-unknown-kid":
            header["kid"] = stranger.thumbprint()
        case "token-header-jwk":
            header |= {"jwk": public, "kid": stranger.thumbprint()}
        case "token-header-jku":
            header |= {"jku": ELSEWHERE + "keys", "kid": stranger.thumbprint()}
        case "token-header-x5u":
            header |= {"x5u": ELSEWHERE + "certificate.pem", "kid": stranger.thumbprint()}
    return _signed(header, claims, stranger.as_pem(is_private=True))


def _wrong(claims: Claims, fault: str) -> Claims:
    now = int(time.time())
    match fault:
        case "token-wrong-issuer":
            return {**claims, "iss": ELSEWHERE}
        case "token-wrong-audience":
            return {**claims, "aud": "somebody-else"}
        case "token-wrong-nonce":
            return {**claims, "nonce": "the-nonce-of-another-login"}
        case "token-expired":
            return {**claims, "iat": now - 2 * _HOURS, "nbf": now - 2 * _HOURS, "exp": now - _HOURS}
        case "token-not-yet":
            return {**claims, "iat": now + _HOURS, "nbf": now + _HOURS, "exp": now + 2 * _HOURS}
        case "token-no-expiry":
            return {key: value for key, value in claims.items() if key != "exp"}
        case "token-no-subject":
            return {key: value for key, value in claims.items() if key != "sub"}
    return claims


def _public(pem: bytes) -> dict[str, str]:
    key = JsonWebKey.import_key(pem, {"kty": "RSA"})
    return {**key.as_dict(is_private=False), "kid": key.thumbprint()}


def _signed(header: Claims, claims: Claims, pem: bytes) -> str:
    # By the signature class, because `jwt` searches the claims for secrets and refuses some.
    token: bytes = JsonWebSignature(["RS256"]).serialize_compact(header, json.dumps(claims).encode(), pem)
    return token.decode()


def _raw(start: str, pem: bytes) -> str:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding, rsa
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return f"{start}.{_base64(key.sign(start.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def _part(value: Claims) -> str:
    return _base64(json.dumps(value).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
