"""Processes: one verification each, under one identifier from the list of methods to the token."""
import secrets
import threading
import time
import uuid
from dataclasses import dataclass, field

from ..users import User
from .errors import Refused

LIFE = 600.0
TOKEN_LIFE = 3600
TRIES = 3
_MAXIMUM = 1000


@dataclass
class Process:
    """A verification: its person, purpose and method."""

    flow: str
    identifier: str = field(default_factory=lambda: str(uuid.uuid4()))
    user: User | None = None
    """The person to verify."""
    at_bank: User | None = None
    """The person known to the bank, before its code was checked."""
    bank: str | None = None
    code: str = ""
    otp: str = ""
    otp_request: str = ""
    tries: int = TRIES
    token_given: bool = False
    started: float = field(default_factory=time.monotonic)


@dataclass
class Ticket:
    """A visit at the bank: its origin, and its return address."""

    process: Process
    bank: str
    return_url: str
    state: str
    tries: int = TRIES


@dataclass(frozen=True)
class Session:
    """The session of a bearer token; without a `user` for a temporary one."""

    user: User | None
    kind: str
    ends: float


class Processes:
    """All processes, visits and tokens."""

    def __init__(self) -> None:
        self._processes: dict[str, Process] = {}
        self._tickets: dict[str, Ticket] = {}
        self._sessions: dict[str, Session] = {}
        self._ended: set[str] = set()
        self._lock = threading.Lock()

    def start(self, flow: str) -> Process:
        """A new process."""
        process = Process(flow)
        with self._lock:
            alive = [(k, p) for k, p in self._processes.items() if time.monotonic() - p.started < LIFE]
            self._processes = dict(alive[-_MAXIMUM:])
            self._processes[process.identifier] = process
        return process

    def find(self, identifier: str) -> Process:
        """The process of an identifier."""
        process = self._processes.get(identifier)
        if process is None or time.monotonic() - process.started > LIFE:
            raise Refused(404, "unknown-process")
        return process

    def visit(self, process: Process, bank: str, return_url: str, state: str) -> str:
        """A ticket for the bank's page."""
        key = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets[key] = Ticket(process, bank, return_url, state)
        return key

    def ticket(self, key: str) -> Ticket | None:
        """The visit of a ticket."""
        return self._tickets.get(key)

    def leave(self, key: str) -> bool:
        """Ends a visit; False if it had ended."""
        with self._lock:
            return self._tickets.pop(key, None) is not None

    def take_code(self, process: Process, bank: str, code: str) -> bool:
        """Checks that the code is that of this process and bank; it is valid once."""
        with self._lock:
            good = bool(process.code) and process.bank == bank and secrets.compare_digest(
                process.code.encode(), code.encode())
            if good:
                process.code = ""
            return good

    def keep(self, token: str, user: User | None, kind: str) -> str:
        """Keeps a token."""
        with self._lock:
            self._sessions[token] = Session(user, kind, time.monotonic() + TOKEN_LIFE)
        return token

    def session(self, token: str, kind: str) -> Session:
        """The session of a token, or 401."""
        session = self._sessions.get(token)
        if session is None or session.kind != kind or session.ends < time.monotonic():
            raise Refused(401, "unknown-token")
        return session

    def end(self, token: str) -> None:
        """Ends a token. A repetition is no error, because a logout is repeated when the network is back."""
        with self._lock:
            if self._sessions.pop(token, None) is None and token not in self._ended:
                raise Refused(401, "unknown-token")
            self._ended.add(token)
