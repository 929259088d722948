"""The common part of all endpoints of native sign-in."""
import secrets
import threading
from dataclasses import dataclass, field

from ...faults.catalogue import Stage
from ..context import Ways
from ..faults import place
from ..mailbox import new_code
from .chain import CODE_LENGTH, Chain, Chains
from .claims import subject
from .errors import ON_DEMAND, REFRESH_EXPIRED, Refused

KEY = "tenant"


@dataclass(frozen=True)
class Grant:
    """The session of a refresh token."""

    role: str
    scopes: tuple[str, ...]
    family: str


@dataclass
class Tenant:
    """One tenant with one client."""

    ways: Ways
    chains: Chains = field(default_factory=Chains)
    hook: str | None = None
    _grants: dict[str, Grant] = field(default_factory=dict)
    _used: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def authority(self) -> str:
        """Base URL, with which all endpoints begin."""
        return self.ways.base + "tenant/"

    @property
    def issuer(self) -> str:
        """`iss` of all tokens."""
        return self.authority + "v2.0"

    @property
    def client_id(self) -> str:
        """The one application of this install."""
        return self.ways.keys.identifier("tenant-client")

    def fault(self, *names: str) -> str | None:
        """A fault at this point of native sign-in."""
        fault = self.ways.faults.take(Stage.NATIVE, place(), frozenset(names))
        if fault is not None:
            self.ways.journal.note("fault", name=fault, at=place())
        return fault

    def refuse_on_demand(self) -> None:
        """Any error of the table, if a fault requires it."""
        fault = self.fault(*ON_DEMAND)
        if fault is not None:
            raise Refused(ON_DEMAND[fault])

    def send_code(self, chain: Chain, recipient: str) -> None:
        """A new code, by e-mail or text message; the previous one is invalid from now on."""
        chain.code = new_code(CODE_LENGTH)
        self.ways.mailbox.deliver(recipient, "Your code", chain.code)
        self.ways.journal.note("code-sent", to=self.ways.journal.tag(recipient))

    def subject(self, role: str) -> str:
        """A person has another identifier at each client."""
        return subject(self.client_id, self.ways.users.by_role[role].user_name)

    def new_refresh_token(self, role: str, scopes: list[str], family: str | None = None) -> str:
        """A refresh token, valid once."""
        token = secrets.token_urlsafe(48)
        with self._lock:
            self._grants[token] = Grant(role, tuple(scopes), family or secrets.token_hex(8))
        return token

    def take_refresh_token(self, token: str) -> Grant:
        """The session of the token. A repeated use ends all tokens of the sign-in."""
        with self._lock:
            grant = self._grants.pop(token, None)
            if grant is not None:
                self._used[token] = grant.family
                return grant
            family = self._used.get(token)
            self._grants = {t: g for t, g in self._grants.items() if g.family != family}
        raise Refused(REFRESH_EXPIRED)
