"""The service provider's browser sessions, and its state against replay."""
import secrets
import threading
import time
from dataclasses import dataclass, field

LIFE = 900.0


@dataclass(frozen=True)
class Pending:
    """An AuthnRequest that waits for its response."""

    request: str
    level: int
    made: float
    next_url: str | None = None


@dataclass
class Session:
    """The session of a cookie: pending logins by RelayState, and a profile once one succeeded."""

    cookie: str
    pending: dict[str, Pending] = field(default_factory=dict)
    attributes: dict[str, str] | None = None
    level: int = 0
    started: float = field(default_factory=time.monotonic)


class SessionStore:
    """All sessions, and the IDs of accepted responses and assertions."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._taken: dict[str, float] = {}
        self._lock = threading.Lock()

    def session(self, cookie: str | None) -> Session | None:
        """The session of a cookie."""
        session = self._sessions.get(cookie or "")
        if session is None or time.monotonic() - session.started > LIFE:
            return None
        return session

    def new(self) -> Session:
        """A session with a fresh cookie."""
        session = Session(secrets.token_urlsafe(24))
        with self._lock:
            self._sessions = {
                cookie: old for cookie, old in self._sessions.items()
                if time.monotonic() - old.started < LIFE}
            self._sessions[session.cookie] = session
        return session

    def end(self, cookie: str | None) -> None:
        """Forgets a session."""
        with self._lock:
            self._sessions.pop(cookie or "", None)

    def expect(
        self, session: Session, request: str, relay_state: str, level: int, next_url: str | None = None
    ) -> None:
        """Binds a request to the browser session by its RelayState."""
        with self._lock:
            session.pending[relay_state] = Pending(request, level, time.monotonic(), next_url)

    def answered(self, session: Session, relay_state: str) -> Pending | None:
        """The request of a RelayState, once; not after 15 minutes."""
        with self._lock:
            pending = session.pending.pop(relay_state, None)
        return pending if pending and time.monotonic() - pending.made < LIFE else None

    def take(self, *identifiers: str) -> bool:
        """Keeps the IDs; False if one of them was accepted before."""
        now = time.monotonic()
        with self._lock:
            self._taken = {i: at for i, at in self._taken.items() if now - at < LIFE}
            if any(identifier in self._taken for identifier in identifiers):
                return False
            self._taken.update(dict.fromkeys(identifiers, now))
        return True
