"""Scope requests: an application's request to a person, and the answer of the person's app."""
import secrets
import threading
import time
import uuid
from dataclasses import dataclass, field

from .clients import Client

TIMEOUT = 120
"""Seconds that a request waits for the person."""
_MAXIMUM = 1000

# action and type of the answer, by the action of the person (or the app)
OUTCOMES: dict[str, tuple[str, str] | None] = {
    "approve": ("data-received", "code"),
    "dispatched": ("data-dispatched", "code"),
    "browser": ("data-received", "browser"),
    "cancel": ("user-cancelled", "code"),
    "upgrade": ("mobile-upgrade", "code"),
    "verify-error": ("verify-error", "code"),
    "unknown": ("data-teleported", "code"),
    "pending": None,
}


@dataclass
class ScopeRequest:
    """One question of one application."""

    client: Client
    level: str
    timeout: int
    identifier: str = field(default_factory=lambda: str(uuid.uuid4()))
    text: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    outcome: str = "pending"
    fetched: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        """True if the time limit passed without an answer."""
        return time.monotonic() - self.started > self.timeout


class ScopeRequests:
    """All requests by identifier."""

    def __init__(self) -> None:
        self._requests: dict[str, ScopeRequest] = {}
        self._lock = threading.Lock()

    def add(self, request: ScopeRequest) -> None:
        """Keeps a request; forgets those of an hour ago."""
        with self._lock:
            alive = [(k, r) for k, r in self._requests.items() if time.monotonic() - r.started < 3600]
            self._requests = dict(alive[-_MAXIMUM:])
            self._requests[request.identifier] = request

    def find(self, identifier: str) -> ScopeRequest | None:
        """The request of an identifier."""
        return self._requests.get(identifier)

    def named(self, text: str) -> ScopeRequest | None:
        """The request of a scope request string, or of a link that has one in it."""
        return next((r for r in self._requests.values() if r.text in text or r.identifier in text), None)

    def take(self, request: ScopeRequest) -> bool:
        """Marks the data as fetched; False if they were before."""
        with self._lock:
            first, request.fetched = not request.fetched, True
            return first
