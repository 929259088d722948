"""The common part of all other sign-in methods: address, people, mailbox, keys, faults and log."""
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from ..faults.board import FaultBoard
from ..idp.people import People
from ..journal import Journal
from ..sp.sessions import SessionStore
from ..state.folder import StateFolder
from .keys import Keys
from .mailbox import Mailbox
from .users import Users


@dataclass
class Ways:
    """One listener for the sign-in methods other than the CIE login."""

    port: int
    sp_base: str
    """The service provider of the card's login, to which another method may send a person."""
    state: StateFolder
    people: People
    users: Users
    mailbox: Mailbox
    keys: Keys
    faults: FaultBoard
    journal: Journal
    claims_hook: str | None = None
    saml_library: "Future[Any]" = field(default_factory=Future)
    """Done once pysaml2 is loaded, because its modules import each other, and two threads must not load them at
    once."""
    """Names of further applications of the identity app."""
    spid_metadata: list[bytes] = field(default_factory=list)
    """Further identity providers of SPID."""
    oidc_clients: list[bytes] = field(default_factory=list)
    """Further clients of the OpenID provider."""

    sp_sessions: SessionStore = field(default_factory=SessionStore)
    """The logged-in person there."""

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"https://localhost:{self.port}"

    @property
    def base(self) -> str:
        """Base URL of all methods."""
        return self.origin + "/"
