"""What all parts of the OpenID provider share."""
from dataclasses import dataclass, field

from ..faults.catalogue import Stage
from ..ways.context import Ways
from .client import CLIENT_ID, Client, by_identifier, described
from .keys import KeyRing
from .store import Store

ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/oidc/"


@dataclass
class OpenIDProvider:
    """One provider: address, keys, clients, and what is going on."""

    ways: Ways
    keys: KeyRing
    clients: dict[str, Client]
    store: Store = field(default_factory=Store)

    @classmethod
    def of(cls, ways: Ways) -> "OpenIDProvider":
        """The provider of an install, with the client whose key is in the state folder."""
        keys = KeyRing(ways.keys, ways.state.root)
        # The client has one key, which also opens what is encrypted for it.
        key = {name: value for name, value in keys.client.public.items() if name not in ("use", "alg")}
        own = Client(CLIENT_ID, "Sportello di prova", [key])
        return cls(ways, keys, by_identifier([own, *(described(data) for data in ways.oidc_clients)]))

    @property
    def issuer(self) -> str:
        """Also the base of all endpoints."""
        return self.ways.origin + "/oidc/"

    def fault(self, stage: Stage, among: frozenset[str] | None = None) -> str | None:
        """The fault that acts now, without its prefix."""
        name = self.ways.faults.take(stage, among=among)
        if name is None:
            return None
        self.ways.journal.note("fault", name=name)
        return name.removeprefix("oidc-")
