"""The relying party that the provider knows: the native client of this install."""
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from authlib.jose import JsonWebKey, JsonWebToken
from authlib.jose.errors import JoseError
from authlib.oauth2.rfc6749 import ClientMixin

from ..ways.rules import is_registered

CLIENT_ID = "https://client.cie-sandbox.invalid/not-a-government-service"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES = ("openid", "profile", "email", "phone", "address", "offline_access", "identity")
ALGORITHMS = ["RS256", "RS512", "ES256", "ES512", "PS256", "PS512"]
"""The algorithms that the CIE profile requires or recommends; `none` and HS* are forbidden."""
_GRANTS = ("authorization_code", "refresh_token", DEVICE_GRANT)


@dataclass(frozen=True)
class Client(ClientMixin):  # type: ignore[misc]
    """One client. Of a native one's address at 127.0.0.1 the port may vary, and nothing else (RFC 8252 §7.3, §8.4)."""

    client_id: str
    name: str
    keys: list[dict[str, Any]]
    redirect_uris: frozenset[str] = frozenset()

    def get_client_id(self) -> str:
        """Its identifier."""
        return self.client_id

    def get_allowed_scope(self, scope: str) -> str:
        """The part of a scope that it may have."""
        return " ".join(word for word in scope.split() if word in SCOPES)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Registered exactly, but for the port of the loopback address."""
        return is_registered(redirect_uri, self.redirect_uris)

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Only by its key."""
        return method == "private_key_jwt"

    def check_response_type(self, response_type: str) -> bool:
        """Only a code."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Code, refresh, device."""
        return grant_type in _GRANTS

    def key_for(self, header: dict[str, Any]) -> Any:
        """The key that a JWT of this client names by its kid. Nothing else in the header counts."""
        for key in self.keys:
            if key["kid"] == header.get("kid"):
                return JsonWebKey.import_key(key)
        raise JoseError("unknown_key", "no key of the client has this kid")

    def read(self, text: str) -> Any:
        """The claims of a JWT signed by this client. Raises JoseError or ValueError."""
        return JsonWebToken(ALGORITHMS).decode(text, lambda header, _payload: self.key_for(header))


def described(data: bytes) -> Client:
    """A client by its description. Raises ValueError."""
    try:
        found = json.loads(data)
        addresses = frozenset(found["redirectUris"])
        keys = [dict(key) for key in found["keys"]["keys"]]
        if not keys or any(JsonWebKey.import_key(key).kty not in ("RSA", "EC") or not key["kid"] for key in keys):
            raise ValueError("keys")
        if any(urlsplit(address).hostname not in ("localhost", "127.0.0.1") for address in addresses):
            raise ValueError("redirectUris")
        return Client(str(found["clientId"]), str(found["name"]), keys, addresses)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError("not the description of a client") from error


def by_identifier(clients: Iterable[Client]) -> dict[str, Client]:
    """Clients by identifier."""
    return {client.client_id: client for client in clients}
