"""The common part of both sides of SPID in the sandbox: address, keys, people; and the context of a request."""
import secrets
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..saml.metadata import ServiceProvider, read_service_provider
from ..saml.response import SigningKey
from ..ways.context import Ways
from . import metadata
from .names import PROVIDERS, SP_ENTITY_ID, IdentityProvider

if TYPE_CHECKING:
    from .client import SPIDClient

LIFE = 600.0
CODE_LIFE = 300.0


@dataclass(frozen=True)
class Pending:
    """An AuthnRequest of ours that waits for its response."""

    provider: IdentityProvider
    level: int
    return_url: str | None
    state: str = ""
    """The identifier by which the client recognises its answer at its own address."""
    made: float = field(default_factory=time.monotonic)

    def answer(self, values: dict[str, str]) -> dict[str, str]:
        """The client's data in the answer."""
        return {**values, "state": self.state} if self.state else values


class Spid:
    """Service provider and identity providers of one install."""

    def __init__(self, ways: Ways) -> None:
        self.ways = ways
        self.base = ways.origin + "/spid/"
        state = ways.state
        self.sp_key = SigningKey(state.sp_key, state.sp)
        self.idp_key = SigningKey(state.idp_key, state.idp)
        self.stranger = SigningKey(state.server_key, state.server)
        others = [metadata.foreign(data, number) for number, data in enumerate(ways.spid_metadata, 1)]
        self.providers = {provider.entity_id: provider for provider in [*PROVIDERS.values(), *others]}
        self._pending: dict[str, Pending] = {}
        self._users: dict[str, tuple[dict[str, str], float]] = {}
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    @cached_property
    def service_provider(self) -> ServiceProvider:
        """Our service provider, as the identity providers know it."""
        folder = self.ways.state.root / "spid"
        folder.mkdir(mode=0o700, exist_ok=True)
        for old in folder.glob("sp-*.pem"):
            old.unlink()
        made = metadata.service_provider(self.base, self.sp_key.certificate.read_bytes())
        return read_service_provider(metadata.unsigned(made), folder, strict=False)

    @cached_property
    def _client(self) -> "SPIDClient":
        self.ways.saml_library.result()
        from .client import SPIDClient
        pem = self.idp_key.certificate.read_bytes()
        documents = [
            metadata.unsigned(metadata.identity_provider(provider, self.base, pem))
            for provider in PROVIDERS.values()] + self.ways.spid_metadata
        return SPIDClient(
            self.base + "acs", self.sp_key.key, self.sp_key.certificate, *documents, entity_id=SP_ENTITY_ID)

    @property
    def client(self) -> "SPIDClient":
        """The service provider's SAML side."""
        with self._lock:
            return self._client

    def expect(self, request: str, pending: Pending) -> None:
        """Keeps the context of a request."""
        with self._lock:
            self._pending = {
                key: old for key, old in self._pending.items() if time.monotonic() - old.made < LIFE}
            self._pending[request] = pending

    def answered(self, request: str) -> Pending | None:
        """The context of a request, once."""
        with self._lock:
            pending = self._pending.pop(request, None)
        return pending if pending is not None and time.monotonic() - pending.made < LIFE else None

    def first_time(self, *identifiers: str) -> bool:
        """Keeps IDs of messages; False if one of them came before."""
        now = time.monotonic()
        with self._lock:
            self._seen = {name: at for name, at in self._seen.items() if now - at < LIFE}
            if any(identifier in self._seen for identifier in identifiers):
                return False
            self._seen.update(dict.fromkeys(identifiers, now))
        return True

    def keep_user(self, attributes: dict[str, str]) -> str:
        """A code for a person's data, valid once and for a minute."""
        code = secrets.token_urlsafe(32)
        with self._lock:
            self._users[code] = (attributes, time.monotonic())
        return code

    def user(self, code: str, is_last: bool) -> dict[str, str] | None:
        """The data of a code, which is invalid after its last use."""
        with self._lock:
            found = self._users.pop(code, None) if is_last else self._users.get(code)
        return found[0] if found is not None and time.monotonic() - found[1] < CODE_LIFE else None
