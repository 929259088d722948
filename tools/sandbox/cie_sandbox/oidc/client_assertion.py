"""The authentication of a client: private_key_jwt (RFC 7523), each assertion once."""
import time
from typing import Any

from authlib.jose.errors import JoseError
from authlib.oauth2.rfc6749 import InvalidClientError
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion

from .client import Client
from .provider import OpenIDProvider

METHOD = "private_key_jwt"
_LONGEST_LIFE = 600
_SLACK = 60


class ClientAssertion(JWTBearerClientAssertion):  # type: ignore[misc]
    """authlib's check, with the algorithms, the times and the replay memory of the CIE profile."""

    CLIENT_AUTH_METHOD = METHOD

    def __init__(self, provider: OpenIDProvider) -> None:
        super().__init__(provider.issuer + "token")
        self._provider = provider

    def __call__(self, query_client: Any, request: Any) -> Any:
        """The client of a request; None without an assertion."""
        text = request.form.get("client_assertion")
        if text is None:
            return None
        if request.form.get("client_assertion_type") != self.CLIENT_ASSERTION_TYPE:
            raise InvalidClientError
        named = request.form.get("client_id")
        for client in self._provider.clients.values():
            if named in (None, client.client_id) and self._is_by(client, text):
                request.client = client
                return self.authenticate_client(client)
        raise InvalidClientError

    def _is_by(self, client: Client, text: str) -> bool:
        now = time.time()
        try:
            claims = client.read(text)
            good = (
                claims["iss"] == claims["sub"] == client.client_id and self._is_for_us(claims["aud"])
                and claims["iat"] <= now + _SLACK and now - _SLACK < claims["exp"] <= claims["iat"] + _LONGEST_LIFE
                and len(claims["jti"]) >= 16)
        except (JoseError, KeyError, TypeError, ValueError):
            return False
        return good and self._provider.store.first_use("jti", client.client_id, claims["jti"])

    def _is_for_us(self, audience: object) -> bool:
        return audience == self.token_url or (isinstance(audience, list) and self.token_url in audience)
