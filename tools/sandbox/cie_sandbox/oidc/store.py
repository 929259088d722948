"""The provider's state: codes, tokens, devices, and the identifiers that may come once."""
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, TokenMixin
from authlib.oauth2.rfc8628 import DeviceCredentialMixin

from ..visits.visit import Citizen
from .client import Client
from .request_object import AuthorizationRequest

CODE_LIFE = 600
"""Ten minutes at most, by RFC 6749 §4.1.2."""
DEVICE_LIFE = 600
ACCESS_LIFE = 900
REFRESH_LIFE = 30 * 24 * 3600
"""Thirty days at most, by the CIE profile."""


@dataclass
class Grant:
    """The person's agreement: all its tokens belong together."""

    client: Client
    citizen: Citizen
    scope: str
    claims: list[str]
    level: int
    nonce: str | None = None
    auth_time: int = field(default_factory=lambda: int(time.time()))
    identifier: str = field(default_factory=lambda: secrets.token_hex(8))
    ended: bool = False

    # authlib's user is the grant here: it knows the person, and the data to release.


@dataclass
class Code(AuthorizationCodeMixin):  # type: ignore[misc]
    """An authorization code, good once and for ten minutes."""

    text: str
    grant: Grant
    request: AuthorizationRequest
    made: float = field(default_factory=time.monotonic)
    used: bool = False

    @property
    def code_challenge(self) -> str:
        """For authlib's proof key check."""
        return self.request.challenge

    @property
    def code_challenge_method(self) -> str:
        """Always S256."""
        return "S256"

    def get_redirect_uri(self) -> str:
        """The redirect URI."""
        return self.request.redirect_uri

    def get_scope(self) -> str:
        """The scope."""
        return self.grant.scope

    def get_nonce(self) -> str | None:
        """The request's nonce."""
        return self.grant.nonce

    def get_auth_time(self) -> int:
        """The time of the login."""
        return self.grant.auth_time


@dataclass
class Token(TokenMixin):  # type: ignore[misc]
    """An access token with its refresh token, if there is one."""

    grant: Grant
    access: str
    refresh: str | None
    scope: str
    made: float = field(default_factory=time.time)
    access_revoked: bool = False
    refresh_used: bool = False

    def check_client(self, client: Client) -> bool:
        """True for a token of this client."""
        return self.grant.client.client_id == client.client_id

    def get_scope(self) -> str:
        """The scope."""
        return self.scope

    def get_expires_in(self) -> int:
        """The access token's life."""
        return ACCESS_LIFE

    def is_expired(self) -> bool:
        """True if the access token has expired."""
        return time.time() > self.made + ACCESS_LIFE

    def is_revoked(self) -> bool:
        """True if the access token was revoked."""
        return self.access_revoked or self.grant.ended

    @property
    def refreshable(self) -> bool:
        """True if the refresh token is still valid."""
        return not self.grant.ended and not self.refresh_used and time.time() < self.made + REFRESH_LIFE


@dataclass
class Device(DeviceCredentialMixin):  # type: ignore[misc]
    """One device authorization (RFC 8628)."""

    device_code: str
    user_code: str
    client: Client
    scope: str
    level: int
    interval: float
    made: float = field(default_factory=time.monotonic)
    last_poll: float = float("-inf")
    answer: tuple[Grant | None, bool] | None = None
    used: bool = False

    def get_client_id(self) -> str:
        """The client."""
        return self.client.client_id

    def get_scope(self) -> str:
        """The scope."""
        return self.scope

    def get_user_code(self) -> str:
        """The user code."""
        return self.user_code

    def get_nonce(self) -> None:
        """Absent in this grant."""
        return None

    def get_auth_time(self) -> int:
        """The time of the login."""
        grant = self.answer[0] if self.answer else None
        return grant.auth_time if grant else int(time.time())

    def is_expired(self) -> bool:
        """True if the device code has expired."""
        return time.monotonic() - self.made > DEVICE_LIFE


class Store:
    """All of them, in memory."""

    def __init__(self) -> None:
        self.codes: dict[str, Code] = {}
        self.tokens: list[Token] = []
        self.devices: dict[str, Device] = {}
        self._once: dict[str, float] = {}
        self._lock = threading.Lock()

    def first_use(self, *words: str) -> bool:
        """Keeps an identifier; False if it came before within ten minutes."""
        key, now = "\0".join(words), time.monotonic()
        with self._lock:
            self._once = {name: at for name, at in self._once.items() if now - at < 600}
            if key in self._once:
                return False
            self._once[key] = now
            return True

    def take_code(self, text: str, client: Client) -> Code | None:
        """A code, once. A second use ends the grant, so that tokens from the first use are void as well."""
        with self._lock:
            code = self.codes.get(text)
            if code is None or code.grant.client.client_id != client.client_id:
                return None
            if code.used:
                code.grant.ended = True
                return None
            code.used = True
            return code if time.monotonic() - code.made < CODE_LIFE else None

    def save_token(self, grant: Grant, token: dict[str, Any]) -> None:
        """Keeps an issued token."""
        with self._lock:
            self.tokens = self.tokens[-1000:]
            self.tokens.append(Token(
                grant, token["access_token"], token.get("refresh_token"), token.get("scope", "")))

    def by_access(self, text: str) -> Token | None:
        """The token with this access token."""
        return next((token for token in self.tokens if token.access == text), None)

    def by_refresh(self, text: str) -> Token | None:
        """The token with this refresh token."""
        return next((token for token in self.tokens if token.refresh is not None and token.refresh == text), None)

    def by_user_code(self, text: str) -> Device | None:
        """The device that waits with this code; spaces, hyphens and case do not matter (RFC 8628 §6.1)."""
        wanted = "".join(letter for letter in text.upper() if letter.isalnum())
        return next(
            (d for d in self.devices.values()
             if d.user_code.replace("-", "") == wanted and d.answer is None and not d.is_expired()), None)
