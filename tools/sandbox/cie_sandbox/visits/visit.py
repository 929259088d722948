"""One person at a provider's pages, from the request to the answer."""
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

from flask import Response

LIFE = 600.0
"""A visit ends after ten minutes in any case."""
TRIES = 3
"""Wrong passwords, or wrong codes, that end a visit."""
_MAXIMUM = 1000


class Step(Enum):
    """The person's next step."""

    PASSWORD = auto()
    CODE = auto()
    CONSENT = auto()
    DONE = auto()


class Outcome(Enum):
    """The end of a visit."""

    ACCEPTED = auto()
    DENIED = auto()
    CANCELLED = auto()
    IDLE = auto()
    TOO_MANY_TRIES = auto()
    LEVEL_UNAVAILABLE = auto()
    BLOCKED = auto()


@dataclass(frozen=True)
class Citizen:
    """The logged-in person: a user name, the fiscal code, and the attributes by the names that SPID gives them."""

    user: str
    email: str
    attributes: dict[str, str]
    blocked: bool = False

    @property
    def fiscal_code(self) -> str:
        """With its prefix `TINIT-`."""
        return self.attributes["fiscalNumber"]


@dataclass
class Visit:
    """The needs of the pages. `answer` makes the response that returns to the sender of the person."""

    title: str
    requester: str
    level: int
    wanted: list[str]
    answer: Callable[["Visit", Outcome], Response]
    with_consent: bool = True
    identifier: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    form_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    started: float = field(default_factory=time.monotonic)
    step: Step = Step.PASSWORD
    citizen: Citizen | None = None
    code: str = ""
    tries: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def alive(self) -> bool:
        """True if it can still continue."""
        return self.step is not Step.DONE and time.monotonic() - self.started < LIFE

    def failed(self) -> bool:
        """Counts a wrong word; returns true if that was the last one."""
        self.tries += 1
        return self.tries >= TRIES

    def end(self, outcome: Outcome) -> Response:
        """The answer. The visit is over."""
        self.step = Step.DONE
        return self.answer(self, outcome)


class VisitBook:
    """All visits of one provider, by identifier; the cookie identifies the browser's visit."""

    def __init__(self) -> None:
        self._visits: dict[str, Visit] = {}
        self._lock = threading.Lock()

    def add(self, visit: Visit) -> Visit:
        """Keeps a new visit."""
        with self._lock:
            alive = [(key, old) for key, old in self._visits.items() if old.alive]
            self._visits = dict(alive[-_MAXIMUM:])
            self._visits[visit.identifier] = visit
        return visit

    def of_browser(self, identifier: str, cookie: str | None) -> Visit | None:
        """The visit to which a browser returns."""
        visit = self._visits.get(identifier)
        if visit is None or not visit.alive or cookie is None:
            return None
        return visit if secrets.compare_digest(visit.cookie.encode(), cookie.encode()) else None

    def own(self, identifier: str, cookie: str | None, form_token: str) -> Visit | None:
        """The visit of a form, if the cookie and the form's token are its own."""
        visit = self.of_browser(identifier, cookie)
        if visit is None:
            return None
        return visit if secrets.compare_digest(visit.form_token.encode(), form_token.encode()) else None
