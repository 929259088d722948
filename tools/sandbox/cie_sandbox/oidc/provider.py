"""The common part of the OpenID provider."""
from dataclasses import dataclass, field

from ..faults.catalogue import Stage
from ..ways.context import Ways
from ..ways.rules import APP_RETURN, LOOPBACK_RETURN
from .client import CLIENT_ID, Client, by_identifier, described
from .keys import KeyRing
from .store import Store

ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/oidc/"


@dataclass
class OpenIDProvider:
    """One provider: address, keys, clients, and its state."""

    ways: Ways
    keys: KeyRing
    clients: dict[str, Client]
    store: Store = field(default_factory=Store)

    @classmethod
    def of(cls, ways: Ways) -> "OpenIDProvider":
        """The provider of an install, with the client whose key is in the state folder."""
        keys = KeyRing(ways.keys, ways.state.root)
        # The client has one key, which also decrypts data for it.
        key = {name: value for name, value in keys.client.public.items() if name not in ("use", "alg")}
        own = Client(CLIENT_ID, "Sportello di prova", [key], frozenset({LOOPBACK_RETURN, APP_RETURN}))
        return cls(ways, keys, by_identifier([own, *(described(data) for data in ways.oidc_clients)]))

    @property
    def issuer(self) -> str:
        """Also the base of all endpoints."""
        return self.ways.origin + "/oidc/"

    def fault(self, stage: Stage, among: frozenset[str] | None = None) -> str | None:
        """The active fault, without its prefix."""
        name = self.ways.faults.take(stage, among=among)
        if name is None:
            return None
        self.ways.journal.note("fault", name=name)
        return name.removeprefix("oidc-")
