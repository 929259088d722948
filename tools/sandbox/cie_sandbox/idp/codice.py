"""The one-time code between the card call and the browser: `codice`, 16 digits, for 60 seconds."""
import secrets
import threading
import time
from dataclasses import dataclass

from .people import Person
from .sessions import Conversation

LIFE = 60.0


@dataclass(frozen=True)
class _Entry:
    conversation: Conversation
    person: Person
    made: float


class CodiceBook:
    """The codes in circulation. Each is bound to a conversation and to the person of a certificate."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    def issue(self, conversation: Conversation, person: Person, age: float = 0) -> str:
        """A new code; an older one of the same conversation ends."""
        codice = "".join(secrets.choice("0123456789") for _ in range(16))
        now = time.monotonic()
        with self._lock:
            self._entries = {
                code: entry for code, entry in self._entries.items()
                if entry.conversation is not conversation and now - entry.made < LIFE}
            self._entries[codice] = _Entry(conversation, person, now - age)
        return codice

    def redeem(self, codice: str, conversation: Conversation) -> Person | None:
        """The person of a code that is valid for this conversation. With any result, the code is used up."""
        with self._lock:
            entry = self._entries.pop(codice, None)
        if entry is None or entry.conversation is not conversation:
            return None
        return entry.person if time.monotonic() - entry.made < LIFE else None
