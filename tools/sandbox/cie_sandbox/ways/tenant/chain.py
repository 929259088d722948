"""Chains: one sign-in each, from step to step by a continuation token that is valid once."""
import hmac
import secrets
import threading
import time
from dataclasses import dataclass, field
from enum import Enum, auto

from ..users import User
from .errors import EXPIRED_CHAIN, Refused

LIFE = 600.0
TRIES = 3
INTERVAL = 1
"""Seconds until a code may be sent again."""
CODE_LENGTH = 8
_MAXIMUM = 1000


class Step(Enum):
    """The awaited step of the chain."""

    STARTED = auto()
    CODE = auto()
    PASSWORD = auto()
    SECOND_FACTOR = auto()
    SECOND_CODE = auto()
    REGISTRATION = auto()
    REGISTRATION_CODE = auto()
    GRANTED = auto()


@dataclass
class Chain:
    """One sign-in of one client."""

    user: User
    challenge_types: frozenset[str]
    capabilities: frozenset[str]
    step: Step = Step.STARTED
    token: str = ""
    code: str = ""
    sent: float = 0.0
    tries: int = TRIES
    method: str = field(default_factory=lambda: secrets.token_hex(8))
    contact: str = ""
    started: float = field(default_factory=time.monotonic)

    def is_code(self, text: str) -> bool:
        """Compares in constant time."""
        return bool(self.code) and hmac.compare_digest(self.code.encode(), text.encode())


class Chains:
    """All chains, by the currently valid token."""

    def __init__(self) -> None:
        self._by_token: dict[str, Chain] = {}
        self._lock = threading.Lock()

    def start(self, chain: Chain) -> str:
        """The first token of a new chain."""
        now = time.monotonic()
        with self._lock:
            alive = [(t, c) for t, c in self._by_token.items() if now - c.started < LIFE]
            self._by_token = dict(alive[-_MAXIMUM:])
        return self.go_on(chain, Step.STARTED)

    def find(self, token: str, *steps: Step) -> Chain:
        """The chain of a token, if it waits for one of these steps."""
        chain = self._by_token.get(token)
        if chain is None or chain.step not in steps or time.monotonic() - chain.started > LIFE:
            raise Refused(EXPIRED_CHAIN)
        return chain

    def go_on(self, chain: Chain, step: Step) -> str:
        """The chain's next token; the previous one is invalid from now on."""
        with self._lock:
            self._by_token.pop(chain.token, None)
            chain.token, chain.step = secrets.token_urlsafe(32), step
            self._by_token[chain.token] = chain
            return chain.token

    def end(self, chain: Chain) -> bool:
        """Forgets a chain; False if another request did it first."""
        with self._lock:
            return self._by_token.pop(chain.token, None) is not None

    def failed(self, chain: Chain) -> None:
        """A wrong code or password: the same step again, three times in all."""
        with self._lock:
            chain.tries -= 1
            if chain.tries <= 0:
                self._by_token.pop(chain.token, None)
