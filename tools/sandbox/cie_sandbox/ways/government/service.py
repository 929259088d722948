"""The common part of all endpoints of the government kit."""
import time
import uuid
from collections.abc import Set
from dataclasses import dataclass, field

from flask import request

from ...faults.catalogue import Stage
from ..context import Ways
from ..faults import place
from ..tokens import sign, take_fault
from ..users import User
from .errors import Refused
from .processes import TOKEN_LIFE, Processes

KEY = "government"
FLOWS = ("login", "prolong", "verification", "signing")
METHODS = ("bankid", "sms-otp")
DISABLED = (
    {"code": "nfc", "description": "Su questo terminale la carta si legge con il suo metodo."},
    {"code": "photoid", "description": "Questo terminale non ha fotocamera."})
BANKS = {"sabbia": ("Banca della Sabbia", True), "duna": ("Cassa delle Dune", True), "marea": ("Banca Marea", False)}


@dataclass
class Government:
    """One government service."""

    ways: Ways
    processes: Processes = field(default_factory=Processes)

    @property
    def base(self) -> str:
        """Base URL."""
        return self.ways.base + "government/"

    def fault(self, *names: str) -> str | None:
        """A fault at this point."""
        found = self.ways.faults.take(Stage.BANK, place(), frozenset(names))
        if found is not None:
            self.ways.journal.note("fault", name=found, at=place())
        return found

    def new_token(self, user: User | None, kind: str = "user") -> str:
        """A signed bearer token, which the service itself remembers."""
        now = int(time.time())
        claims = {
            "iss": self.base.rstrip("/"), "aud": "government", "iat": now, "nbf": now, "exp": now + TOKEN_LIFE,
            "jti": str(uuid.uuid4()), "kind": kind, "sub": "anonymous"}
        if user is not None:
            person = user.person
            claims |= {
                "sub": str(uuid.uuid5(uuid.NAMESPACE_URL, self.base + user.user_name)), "given_name": person.name,
                "family_name": person.family_name, "birthdate": person.date_of_birth,
                "fiscal_number": "TINIT-" + person.fiscal_code, "email": user.user_name}
        fault = take_fault(self.ways, place()) if kind == "user" else None
        return self.processes.keep(sign(self.ways, KEY, claims, fault=fault), user, kind)


def arguments(needed: set[str], allowed: Set[str] = frozenset()) -> dict[str, str]:
    """The query's values, each once."""
    values = request.args.to_dict(flat=False)
    wrong = not needed <= set(values) <= needed | allowed or any(
        len(items) != 1 or len(items[0]) > 2048 for items in values.values())
    if wrong or any(not values[name][0] for name in needed):
        raise Refused(400, "bad-parameter")
    return {name: items[0] for name, items in values.items()}


def bearer() -> str:
    """The token of the request."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Refused(401, "no-token")
    return token
