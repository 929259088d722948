"""The sandbox's log: the events, never the persons.

Facts are our own words and numbers; data from the wire (URLs, parameters, cookies, SAML, names) are never written. A
secret that must be recognised again is written as a salted digest.
"""
import hashlib
import secrets
import threading
import time
from typing import TextIO


class Journal:
    """One line an event: seconds since the start, the event, its facts."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._salt = secrets.token_bytes(16)
        self._start = time.monotonic()
        self._lock = threading.Lock()

    def note(self, event: str, **facts: str | int | None) -> None:
        """Writes an event. Facts must be words of the program, or `tag`s; those that are `None` are omitted."""
        seconds = time.monotonic() - self._start
        known = (f"{key}={value}" for key, value in facts.items() if value is not None)
        words = [f"{seconds:9.3f}", event, *known]
        with self._lock:
            print(" ".join(words), file=self._stream, flush=True)

    def tag(self, secret: str | bytes) -> str:
        """Eight digits that identify a secret within one run's log."""
        data = secret.encode() if isinstance(secret, str) else secret
        return hashlib.sha256(self._salt + data).hexdigest()[:8]
