"""authlib's authorization server with the grants of the CIE profile."""
import secrets
import time
from typing import Any

from authlib.consts import default_json_headers
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2 import OAuth2Request
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidScopeError, grants
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant
from authlib.oidc.core import OpenIDCode
from flask import Response, request

from ..faults.catalogue import Stage
from ..faults.openid import REFRESH
from ..saml import names
from .client import SCOPES, Client
from .client_assertion import METHOD, ClientAssertion
from .provider import ELSEWHERE, OpenIDProvider
from .request_object import BY_SCOPE, USER_CLAIMS
from .store import ACCESS_LIFE, DEVICE_LIFE, Code, Device, Grant, Token
from .tokens import ACR, access_token, id_token

INTERVAL = 1
"""The polling interval of a device in seconds; the profile does not set one, and tests must not wait long."""
_URI_FAULTS = frozenset({"oidc-device-foreign-uri", "oidc-device-http-uri"})


def claims_of(scope: str) -> list[str]:
    """The claims requested by scopes alone."""
    wanted = {name for word in scope.split() for name in BY_SCOPE.get(word, ())}
    return [name for name in USER_CLAIMS if name in wanted]


class Server(AuthorizationServer):  # type: ignore[misc]
    """Token, revocation, introspection and device authorization endpoints of one provider."""

    def __init__(self, provider: OpenIDProvider) -> None:
        super().__init__(query_client=provider.clients.get, save_token=self._save)
        self.provider = provider
        self.scopes_supported = list(SCOPES)
        self.register_token_generator("default", BearerTokenGenerator(
            lambda client, grant_type, user, scope: access_token(provider, user, scope or ""),
            lambda **_: secrets.token_urlsafe(36), ACCESS_LIFE))
        self.register_client_auth_method(METHOD, ClientAssertion(provider))
        self.register_grant(_CodeGrant, [CodeChallenge(required=True), _IDToken()])
        self.register_grant(_RefreshGrant, [_RefreshFault()])
        self.register_grant(_DeviceGrant, [_IDToken()])
        for endpoint in (_Revocation, _Introspection, _DeviceAuthorization):
            self.register_endpoint(endpoint)

    def _save(self, token: dict[str, Any], request: OAuth2Request) -> None:
        self.provider.store.save_token(request.user, token)

    def handle_response(self, status_code: int, payload: Any, headers: Any) -> Response:
        """The profile's error: an unknown or unauthenticated client gets 401."""
        if isinstance(payload, dict) and payload.get("error") == "invalid_client":
            status_code = 401
        response: Response = super().handle_response(status_code, payload, headers)
        return response


class _Lasting:
    """A refresh token only if the person was asked for lasting access."""

    def generate_token(self, **arguments: Any) -> Any:
        lasting = "offline_access" in (arguments.get("scope") or "").split()
        return super().generate_token(**{**arguments, "include_refresh_token": lasting})  # type: ignore[misc]


class _CodeGrant(_Lasting, grants.AuthorizationCodeGrant):  # type: ignore[misc]
    TOKEN_ENDPOINT_AUTH_METHODS = [METHOD]

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        provider: OpenIDProvider = self.server.provider
        return provider.store.take_code(code, client)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """Kept, because a second use must be noticed."""

    def authenticate_user(self, authorization_code: Code) -> Grant:
        return authorization_code.grant


class _IDToken(OpenIDCode):  # type: ignore[misc]
    """An ID token beside the access token."""

    def exists_nonce(self, nonce: str, request: OAuth2Request) -> bool:
        return False

    def process_token(self, grant: Any, token: dict[str, Any]) -> dict[str, Any]:
        given: Grant = grant.request.user
        token["id_token"] = id_token(grant.server.provider, given, token["access_token"])
        return token


class _RefreshFault:
    """An ID token when such a fault is armed, because the profile has none with a refresh."""

    def __call__(self, grant: Any) -> None:
        grant.register_hook("process_token", self.process_token)

    def process_token(self, grant: Any, token: dict[str, Any]) -> None:
        provider: OpenIDProvider = grant.server.provider
        fault = provider.fault(Stage.OIDC_TOKEN, frozenset(REFRESH)) or ""
        if fault == "token-no-rotation":
            token["refresh_token"] = grant.request.form["refresh_token"]
        elif fault:
            token["id_token"] = self.identity(
                provider, grant.request.user, token["access_token"], fault.removeprefix("token-refresh-"))

    @staticmethod
    def identity(provider: OpenIDProvider, given: Grant, access: str, fault: str) -> str:
        """The ID token of the same sign-in (OpenID Connect Core §12.2), or one with a fault."""
        if fault == "id-token":
            other = Client(given.client.client_id + "-other", "", given.client.keys)
            given, access = Grant(other, given.citizen, given.scope, given.claims, given.level), ""
        changes: dict[str, dict[str, object]] = {
            "other-nonce": {"nonce": secrets.token_urlsafe(32)},
            "other-auth-time": {"auth_time": given.auth_time - 60},
            "new-azp": {"azp": given.client.client_id},
            "lower-acr": {"acr": ACR.format(given.level - 1)},
        }
        return id_token(provider, given, access, changes.get(fault))


class _RefreshGrant(grants.RefreshTokenGrant):  # type: ignore[misc]
    TOKEN_ENDPOINT_AUTH_METHODS = [METHOD]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Token | None:
        token = self.server.provider.store.by_refresh(refresh_token)
        if token is None:
            return None
        if token.refresh_used:
            # The token was copied, so the whole grant ends (RFC 9700 §4.14.2).
            token.grant.ended = True
        return token if token.refreshable else None

    def authenticate_user(self, credential: Token) -> Grant:
        return credential.grant

    def revoke_old_credential(self, credential: Token) -> None:
        credential.refresh_used = True


class _DeviceGrant(_Lasting, DeviceCodeGrant):  # type: ignore[misc]
    TOKEN_ENDPOINT_AUTH_METHODS = [METHOD]

    def query_device_credential(self, device_code: str) -> Device:
        provider: OpenIDProvider = self.server.provider
        device = provider.store.devices.get(device_code)
        if device is None or device.used:
            raise InvalidGrantError
        return device

    def query_user_grant(self, user_code: str) -> tuple[Grant | None, bool] | None:
        devices = self.server.provider.store.devices.values()
        found = next((device for device in devices if device.user_code == user_code), None)
        return found.answer if found is not None else None

    def should_slow_down(self, credential: Device) -> bool:
        now = time.monotonic()
        early = now - credential.last_poll < credential.interval
        credential.last_poll = now
        if early:
            # Five seconds more for this device from now on (RFC 8628 §3.5).
            credential.interval += 5
        return early

    def create_token_response(self) -> Any:
        self.request.credential.used = True
        return super().create_token_response()


class _DeviceAuthorization(DeviceAuthorizationEndpoint):  # type: ignore[misc]
    CLIENT_AUTH_METHODS = [METHOD]

    def create_endpoint_response(self, request: OAuth2Request) -> tuple[int, dict[str, Any], Any]:
        provider: OpenIDProvider = self.server.provider
        client = self.authenticate_client(request)
        self.server.validate_requested_scope(request.scope)
        scope = request.scope or ""
        if not {"openid", "identity"} & set(scope.split()):
            raise InvalidScopeError
        level = names.LEVELS.get(request.form.get("acr_values", ""), 2)
        device = Device(self.generate_device_code(), self.generate_user_code(), client, scope, level, INTERVAL)
        provider.store.devices[device.device_code] = device
        fault = provider.fault(Stage.OIDC_DEVICE, _URI_FAULTS)
        page = provider.issuer + "device"
        if fault == "device-foreign-uri":
            page = ELSEWHERE + "device"
        elif fault == "device-http-uri":
            page = page.replace("https:", "http:", 1)
        return 200, {
            "device_code": device.device_code, "user_code": device.user_code, "verification_uri": page,
            "verification_uri_complete": f"{page}?user_code={device.user_code}", "expires_in": DEVICE_LIFE,
            "interval": INTERVAL}, default_json_headers


class _TokenQuery:
    """The common part of revocation and introspection."""

    CLIENT_AUTH_METHODS = [METHOD]
    server: Server

    def query_token(self, text: str, hint: str | None) -> Token | None:
        store = self.server.provider.store
        found: Token | None = store.by_access(text) or store.by_refresh(text)
        return found


class _Revocation(_TokenQuery, RevocationEndpoint):  # type: ignore[misc]
    def revoke_token(self, token: Token, request: OAuth2Request) -> None:
        if request.form["token"] == token.access:
            token.access_revoked = True
        else:
            token.grant.ended = True


class _Introspection(_TokenQuery, IntrospectionEndpoint):  # type: ignore[misc]
    def check_permission(self, token: Token, client: Client, _request: OAuth2Request) -> bool:
        return token.check_client(client)

    def create_introspection_payload(self, token: Token | None) -> dict[str, bool]:
        # Only this one member, by the profile.
        if token is None:
            return {"active": False}
        is_access = request.form["token"] == token.access
        return {"active": not (token.is_expired() or token.is_revoked()) if is_access else token.refreshable}
