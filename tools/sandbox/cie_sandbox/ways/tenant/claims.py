"""The claims of tokens about a person, and the claims provider: an external party that may add to them."""
import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from ..users import User
from .errors import HOOK_FAILED, Refused

_KIND = "microsoft.graph.tokenIssuanceStart.provideClaimsForToken"
_SECONDS = 2.0
_LONGEST = 64 * 1024
RESERVED = frozenset({
    "iss", "sub", "aud", "exp", "nbf", "iat", "nonce", "tid", "oid", "azp", "acr", "amr", "ver", "scp", "at_hash"})


def subject(client_id: str, user_name: str) -> str:
    """Pairwise: two clients cannot recognise the same person."""
    return hashlib.sha256(f"{client_id}\n{user_name}".encode()).hexdigest()[:40]


def of(user: User) -> dict[str, Any]:
    """The person's own claims, and the free attributes of the user file under their names."""
    person = user.person
    return {
        "name": f"{person.name} {person.family_name}", "given_name": person.name,
        "family_name": person.family_name, "birthdate": person.date_of_birth,
        "fiscal_number": "TINIT-" + person.fiscal_code, "preferred_username": user.user_name,
        "email": user.user_name,
        **{key: value for key, value in user.attributes.items() if key not in RESERVED}}


def from_outside(hook: str, user: User, client_id: str, correlation: str) -> Mapping[str, Any]:
    """Asks the claims provider, in the published form. Any other answer ends the sign-in."""
    question = {
        "type": "microsoft.graph.authenticationEvent.tokenIssuanceStart",
        "data": {
            "@odata.type": "microsoft.graph.onTokenIssuanceStartCalloutData",
            "authenticationContext": {
                "correlationId": correlation, "protocol": "OAUTH2.0",
                "clientServicePrincipal": {"appId": client_id},
                "user": {
                    "userPrincipalName": user.user_name, "mail": user.user_name,
                    "givenName": user.person.name, "surname": user.person.family_name}}}}
    message = urllib.request.Request(
        hook, json.dumps(question).encode(), {"Content-Type": "application/json"}, method="POST")
    try:
        with _opener().open(message, timeout=_SECONDS) as answer:
            body = answer.read(_LONGEST + 1)
        if len(body) > _LONGEST:
            raise ValueError("too long")
        (action,) = json.loads(body)["data"]["actions"]
        if action["@odata.type"] != _KIND or not isinstance(action["claims"], dict):
            raise ValueError("another action")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(HOOK_FAILED) from error
    return {key: value for key, value in action["claims"].items() if key not in RESERVED}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """None, because the person's name goes only to the address on the command line."""


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))
