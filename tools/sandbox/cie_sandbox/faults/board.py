"""The armed faults and the switches of a running sandbox."""
import re
import threading
from dataclasses import dataclass

from .catalogue import CATALOGUE, Stage

PLACES = ("card", "idp", "sp", "ways")
WAYS = ("tenant", "government", "spid", "oidc", "federation")
"""The methods as places of their faults: the whole method, or one endpoint of it, as in `tenant/token`."""

SWITCHES: dict[str, str] = {
    "script-link": "the login page builds its link in JavaScript (variables a, b, c, d, f)",
    "slash-link": "for iPhone, the parameters follow `/` without a question mark",
    "odd-token": "authnRequestString contains + / = % & and a letter outside ASCII",
    "universal-link": "the hand-off link of level 2 has the path idp/login/app",
    "lenient": "the card call takes a missing or reversed name/value pair",
    "oidc-lenient": "the OpenID provider takes requests without iat and exp, and a state and nonce of 16 characters",
    "fed-intermediate": "the OpenID provider stands below an intermediate of the federation, not below the anchor",
    "userinfo-jwt": "userinfo is signed and not encrypted, and comes as application/jwt",
    "userinfo-json": "userinfo is plain JSON, as for a client that was registered for nothing else",
    "oidc-oaep-sha1": "what the OpenID provider encrypts, it encrypts by RSA-OAEP and A128CBC-HS256",
    "id-token-encrypted": "the OpenID provider encrypts ID tokens for the client, too",
}


class UnknownName(ValueError):
    """No fault, place or switch has this name."""


@dataclass
class _Armed:
    name: str
    place: str
    count: int | None
    after: int = 0


class FaultBoard:
    """The active faults, their places, and their counts. Each use of a counted fault takes one off."""

    def __init__(self, slow_seconds: float = 20) -> None:
        self.slow_seconds = slow_seconds
        self._armed: list[_Armed] = []
        self._switches: set[str] = set()
        self._exchanges = 0
        self._lock = threading.Lock()
        self._cleared = threading.Event()

    def arm(self, name: str, place: str = "card", count: int | None = None, after: int = 0) -> None:
        """Arms a fault until it is cleared, or for `count` uses; so many as `after` says pass before the first.

        A TLS fault acts at its place only; a fault of the methods acts at all of them without a place.
        """
        if name not in CATALOGUE:
            raise UnknownName(f"no fault is called {name!r}: see --list-faults")
        if place not in PLACES and place.partition("/")[0] not in WAYS:
            raise UnknownName(f"no listener is called {place!r}: {', '.join(PLACES + WAYS)}")
        if count is not None and count < 1 or after < 0:
            raise UnknownName("a count is at least 1, after at least 0")
        with self._lock:
            self._armed.append(_Armed(name, place, count, after))

    def arm_text(self, text: str) -> None:
        """Arms `NAME[@card|idp|sp|ways][*COUNT]`."""
        match = re.fullmatch(r"([a-z0-9-]+)(?:@([a-z/-]+))?(?:\*([0-9]{1,6}))?", text)
        if match is None:
            raise UnknownName(f"not NAME[@PLACE][*COUNT]: {text!r}")
        name, place, count = match.groups()
        self.arm(name, place or "card", int(count) if count else None)

    def clear(self) -> None:
        """Disarms all faults, and restarts the count of exchanges; switches stay."""
        with self._lock:
            self._armed.clear()
            self._exchanges = 0
            self._cleared.set()
            self._cleared = threading.Event()

    def hold(self) -> None:
        """Waits until all faults are cleared, two minutes at most."""
        self._cleared.wait(120)

    def count_exchange(self) -> None:
        """Counts an HTTP exchange; `clear` restarts the count."""
        with self._lock:
            self._exchanges += 1

    def take(
        self, stage: Stage, place: str = "card", among: frozenset[str] | None = None
    ) -> str | None:
        """The active fault in this stage, or at this point of it, if any; counts it."""
        with self._lock:
            for armed in self._armed:
                if CATALOGUE[armed.name].stage is not stage:
                    continue
                if stage is Stage.TLS and armed.place != place:
                    continue
                if armed.place.partition("/")[0] in WAYS and armed.place not in (place, place.partition("/")[0]):
                    continue
                if among is not None and armed.name not in among:
                    continue
                if armed.after > 0:
                    armed.after -= 1
                    continue
                if armed.count is not None:
                    armed.count -= 1
                    if armed.count == 0:
                        self._armed.remove(armed)
                return armed.name
        return None

    def switch(self, name: str, on: bool = True) -> None:
        """Turns a switch on or off."""
        if name not in SWITCHES:
            raise UnknownName(f"no switch is called {name!r}: {', '.join(SWITCHES)}")
        with self._lock:
            (self._switches.add if on else self._switches.discard)(name)

    def is_on(self, name: str) -> bool:
        """True if a switch is on."""
        return name in self._switches

    def summary(self) -> dict[str, list[dict[str, str | int | None]] | list[str] | int]:
        """The state for the control interface."""
        with self._lock:
            armed = [{"fault": a.name, "at": a.place, "count": a.count} for a in self._armed]
            return {"armed": armed, "switches": sorted(self._switches), "exchanges": self._exchanges}
