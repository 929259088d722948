"""An authorization request: the signed request object of the CIE profile and its checks."""
import base64
import json
import re
import time
from dataclasses import dataclass
from typing import Any

from authlib.jose.errors import JoseError
from authlib.oauth2 import OAuth2Error

from ..saml import names
from .client import SCOPES, Client

_LONGEST_LIFE = 600
_SLACK = 60
_RANDOM = re.compile(r"[A-Za-z0-9_-]{32,512}")
_SHORT = re.compile(r"[A-Za-z0-9_-]{16,512}")
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_MAXIMUM = 16 * 1024
PROMPTS = ("consent", "consent login", "login consent", "login", "none")
_EQUAL = (
    "client_id", "response_type", "redirect_uri", "code_challenge", "code_challenge_method", "state", "nonce",
    "prompt", "acr_values", "response_mode")
_OUTSIDE = ("client_id", "response_type", "scope", "code_challenge", "code_challenge_method")
"""The parameters required beside the object as well (OpenID Connect Core §6.1, CIE profile)."""
USER_CLAIMS = {
    "given_name": "name", "family_name": "familyName", "birthdate": "dateOfBirth",
    "https://attributes.eid.gov.it/fiscal_number": "fiscalNumber", "gender": "gender",
    "place_of_birth": "placeOfBirth", "phone_number": "mobilePhone", "email": "email", "address": "address",
    "document_details": "idCard", "https://attributes.eid.gov.it/e_delivery_service": "digitalAddress"}
"""OpenID claims by the names of the corresponding SAML attributes."""
_PROFILE = ("given_name", "family_name", "birthdate", "https://attributes.eid.gov.it/fiscal_number")
BY_SCOPE = {
    "profile": _PROFILE, "identity": _PROFILE, "email": ("email",), "phone": ("phone_number",), "address": ("address",)}


class BadRedirect(Exception):
    """The answer has no valid receiver: a page with status 400."""


@dataclass(frozen=True)
class AuthorizationRequest:
    """A request that passed every check."""

    client: Client
    redirect_uri: str
    scope: str
    state: str
    nonce: str
    challenge: str
    prompt: str
    level: int
    response_mode: str
    claims: frozenset[str]

    def user_claims(self) -> list[str]:
        """The claims about the person that scope and `claims` request."""
        by_scope = {name for word in self.scope.split() for name in BY_SCOPE.get(word, ())}
        return [name for name in USER_CLAIMS if name in by_scope or name in self.claims]


class Refusal(Exception):
    """An error of the authorization endpoint, returned to the client by redirect."""

    def __init__(self, error: str, redirect_uri: str, state: str | None, response_mode: str = "query") -> None:
        super().__init__(error)
        self.error, self.redirect_uri, self.state, self.response_mode = error, redirect_uri, state, response_mode


def _unverified(text: str) -> dict[str, Any]:
    """The claims of a request object, before its signature is verified."""
    try:
        payload = text.split(".")[1]
        found = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (IndexError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read(
    values: dict[str, list[str]], clients: dict[str, Client], issuer: str, lenient: bool = False
) -> AuthorizationRequest:
    """Checks a request. Raises `BadRedirect` or `Refusal`.

    A lenient check is for products that cannot keep the profile.
    """
    if any(len(items) != 1 for items in values.values()):
        raise BadRedirect
    plain = {name: items[0] for name, items in values.items()}
    text = plain.get("request", "")
    if len(text) > _MAXIMUM:
        raise BadRedirect
    shown = _unverified(text)
    client = clients.get(plain.get("client_id") or str(shown.get("client_id")))
    if client is None:
        raise BadRedirect
    redirect_uri = shown.get("redirect_uri") if text else plain.get("redirect_uri")
    # An error may go to this client's own address, also before its signature is verified.
    if not isinstance(redirect_uri, str) or not client.check_redirect_uri(redirect_uri):
        raise BadRedirect
    state = shown.get("state")

    def refuse(error: str) -> Refusal:
        return Refusal(error, redirect_uri, state if isinstance(state, str) else None)

    if "request_uri" in plain:
        raise refuse("request_uri_not_supported")
    if "registration" in plain:
        raise refuse("registration_not_supported")
    if not text:
        raise refuse("invalid_request")
    try:
        claims = client.read(text)
    except (JoseError, ValueError, KeyError, OAuth2Error):
        raise refuse("invalid_request_object") from None
    if lenient:
        now = int(time.time())
        claims = {"iat": now, "exp": now + _SLACK, **claims}
    _check_envelope(claims, client, issuer, refuse)
    if any(name not in plain for name in _OUTSIDE):
        raise refuse("invalid_request")
    for name in _EQUAL:
        if name in plain and plain[name] != claims.get(name):
            raise refuse("invalid_request")
    return _checked(claims, client, plain, refuse, _SHORT if lenient else _RANDOM)


def _check_envelope(claims: dict[str, Any], client: Client, issuer: str, refuse: Any) -> None:
    now = time.time()
    audience = claims.get("aud")
    issued, ends = claims.get("iat"), claims.get("exp")
    good = (
        claims.get("iss") == client.client_id == claims.get("client_id")
        and audience in (issuer, [issuer])
        and isinstance(issued, int | float) and isinstance(ends, int | float)
        and issued <= now + _SLACK and now - _SLACK < ends <= issued + _LONGEST_LIFE)
    if not good:
        raise refuse("invalid_request_object")


def _checked(
    claims: dict[str, Any], client: Client, plain: dict[str, str], refuse: Any, random: re.Pattern[str]
) -> AuthorizationRequest:
    def word(name: str, default: str = "") -> str:
        value = claims.get(name, default)
        return value if isinstance(value, str) else ""

    if word("response_type") != "code":
        raise refuse("unsupported_response_type")
    scope = word("scope").split()
    outside = plain["scope"].split()
    if "openid" not in scope or not set(scope) <= set(SCOPES) or "openid" not in outside or not set(outside) <= set(scope):
        raise refuse("invalid_scope")
    prompt = word("prompt", "consent")
    good = (
        word("code_challenge_method") == "S256" and _CHALLENGE.fullmatch(word("code_challenge"))
        and random.fullmatch(word("state")) and random.fullmatch(word("nonce")) and prompt in PROMPTS
        and word("response_mode", "query") in ("query", "form_post"))
    if not good:
        raise refuse("invalid_request")
    classes = word("acr_values").split()
    levels = [names.LEVELS[name] for name in classes if name in names.LEVELS]
    if not levels:
        raise refuse("invalid_request")
    if prompt == "none":
        # No login session is kept here.
        raise refuse("login_required")
    return AuthorizationRequest(
        client, word("redirect_uri"), " ".join(scope), word("state"), word("nonce"), word("code_challenge"),
        prompt, levels[0], word("response_mode", "query"), _asked(claims.get("claims")))


def _asked(parameter: object) -> frozenset[str]:
    """The members of the `claims` parameter, of ID token and userinfo alike."""
    if not isinstance(parameter, dict):
        return frozenset()
    return frozenset(
        name for part in ("id_token", "userinfo") for name in parameter.get(part) or {} if name in USER_CLAIMS)
