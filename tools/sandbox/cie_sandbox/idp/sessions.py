"""Sessions (by cookie) and the conversations in them, one for each AuthnRequest."""
import base64
import secrets
import threading
import time
from dataclasses import dataclass, field
from enum import Enum, auto

from cryptography import x509

from ..saml.authn_request import AuthnRequest
from ..saml.metadata import ServiceProvider
from .people import Person

LIFE = 600.0
"""A conversation ends after ten minutes in any case."""
_MAXIMUM = 1000


class Phase(Enum):
    """The progress of a conversation."""

    STARTED = auto()
    AUTHENTICATED = auto()
    DONE = auto()


@dataclass
class Challenge:
    """Variant B between its two steps."""

    text: str
    certificate: x509.Certificate
    person: Person
    made: float


@dataclass
class Conversation:
    """One login of one browser at one service provider."""

    key: str
    provider: ServiceProvider
    request: AuthnRequest
    relay_state: str | None
    token: str
    operation: str = field(default_factory=lambda: secrets.token_hex(16))
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    started: float = field(default_factory=time.monotonic)
    phase: Phase = Phase.STARTED
    person: Person | None = None
    approved: Person | None = None
    challenge: Challenge | None = None
    consent_fault: str | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def alive(self) -> bool:
        """True if it can still continue."""
        return self.phase is not Phase.DONE and time.monotonic() - self.started < LIFE

    def authenticate(self, person: Person) -> None:
        """The person has proved who they are."""
        self.person = person
        self.phase = Phase.AUTHENTICATED


@dataclass
class Session:
    """The session of a cookie."""

    cookie: str
    conversations: dict[str, Conversation] = field(default_factory=dict)
    last_response: bytes | None = None
    started: float = field(default_factory=time.monotonic)


class SessionStore:
    """All sessions, and all conversations by the secrets that name them."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._by_token: dict[str, Conversation] = {}
        self._by_operation: dict[str, Conversation] = {}
        self._seen_requests: dict[str, float] = {}
        self._lock = threading.Lock()

    def start(
        self, old_cookie: str | None, provider: ServiceProvider, request: AuthnRequest,
        relay_state: str | None, odd_token: bool,
    ) -> tuple[Session, Conversation]:
        """A new session, with a new cookie, for a request. An older session of the browser ends."""
        token = base64.urlsafe_b64encode(secrets.token_bytes(33)).decode()
        if odd_token:
            token = f"{token}+/=%&è+"
        conversation = Conversation("e1s1", provider, request, relay_state, token)
        session = Session(secrets.token_urlsafe(24), {conversation.key: conversation})
        with self._lock:
            self._prune()
            old = self._sessions.pop(old_cookie or "", None)
            if old is not None:
                session.last_response = old.last_response
            self._sessions[session.cookie] = session
            self._by_token[token] = conversation
            self._by_operation[conversation.operation] = conversation
        return session, conversation

    def session(self, cookie: str | None) -> Session | None:
        """The session of a cookie."""
        return self._sessions.get(cookie or "")

    def end(self, cookie: str | None) -> None:
        """Forgets a session."""
        with self._lock:
            self._sessions.pop(cookie or "", None)

    def conversation(self, cookie: str | None, key: str | None) -> Conversation | None:
        """A conversation of the cookie's own session, if it can still continue."""
        session = self.session(cookie)
        return _alive(session.conversations.get(key or "")) if session is not None else None

    def by_token(self, token: str | None) -> Conversation | None:
        """The conversation of an authnRequestString."""
        return _alive(self._by_token.get(token or ""))

    def by_operation(self, operation: str | None) -> Conversation | None:
        """The conversation of an opId, which the phone app gets."""
        return _alive(self._by_operation.get(operation or ""))

    def request_seen(self, identifier: str) -> bool:
        """True if an AuthnRequest's ID came before; keeps it."""
        with self._lock:
            seen = identifier in self._seen_requests
            self._seen_requests[identifier] = time.monotonic()
        return seen

    def _prune(self) -> None:
        def keep(started: float) -> bool:
            return time.monotonic() - started < LIFE

        self._sessions = dict(
            [(k, s) for k, s in self._sessions.items() if keep(s.started)][-_MAXIMUM:])
        for table in (self._by_token, self._by_operation):
            for key in [k for k, c in table.items() if not keep(c.started)]:
                del table[key]
        for identifier in [i for i, at in self._seen_requests.items() if not keep(at)]:
            del self._seen_requests[identifier]


def _alive(conversation: Conversation | None) -> Conversation | None:
    return conversation if conversation is not None and conversation.alive else None
