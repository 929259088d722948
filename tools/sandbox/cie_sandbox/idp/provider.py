"""The common part of the identity provider."""
from dataclasses import dataclass, field
from pathlib import Path

from ..faults.board import FaultBoard
from ..journal import Journal
from ..saml.metadata import ServiceProvider
from ..saml.response import SigningKey
from ..tls.client_authorities import ClientAuthorities
from .codice import CodiceBook
from .people import People
from .sessions import SessionStore

ENTITY_ID = "https://idp.cie-sandbox.invalid/not-a-government-service"
COOKIE = "sandbox_idp"


@dataclass
class Provider:
    """One identity provider: addresses, keys, people, and its state."""

    port: int
    card_port: int
    key: SigningKey
    stranger: SigningKey
    people: People
    authorities: ClientAuthorities
    faults: FaultBoard
    journal: Journal
    service_providers: dict[str, ServiceProvider] = field(default_factory=dict)
    sessions: SessionStore = field(default_factory=SessionStore)
    codici: CodiceBook = field(default_factory=CodiceBook)
    metadata: bytes = b""

    @property
    def origin(self) -> str:
        """Scheme, host and port of the browser's side."""
        return f"https://localhost:{self.port}"

    @property
    def ios_origin(self) -> str:
        """The host of links for iPhones; it resolves to the same listener."""
        return f"https://ios.localhost:{self.port}"

    @property
    def base(self) -> str:
        """Base URL of all endpoints."""
        return f"{self.origin}/idp/"

    @property
    def card_base(self) -> str:
        """The base URL on the listener that requires a client certificate."""
        return f"https://localhost:{self.card_port}/idp/"

    def certificate_path(self) -> Path:
        """The signing certificate, PEM."""
        return self.key.certificate
