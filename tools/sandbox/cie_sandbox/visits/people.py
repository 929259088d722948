"""The users of this install, for the pages of a visit."""
from urllib.parse import urlencode

from flask import request

from ..sp.app import COOKIE
from ..ways.context import Ways
from ..ways.users import User
from ..visits.visit import Citizen

_GENDERS = {True: "F", False: "M"}


class UserDirectory:
    """Passwords and the mailbox."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def check(self, user: str, password: str) -> Citizen | None:
        """The citizen, if the password is right."""
        found = self._ways.users.named(user)
        return citizen(found) if found is not None and found.has_password(password) else None

    def send_code(self, citizen: Citizen, code: str, origin: str) -> None:
        """Puts a message with the code into the mailbox."""
        self._ways.mailbox.deliver(citizen.email, f"Codice ({origin})", code)

    def card_start(self, back: str) -> str:
        """The page for the login with the card, which returns to this address."""
        return f"{self._ways.sp_base}login?{urlencode({'level': 3, 'next': back})}"

    def by_card(self, since: float) -> Citizen | None:
        """The person logged in with the card since then by the request's cookies. Cookies do not know ports."""
        session = self._ways.sp_sessions.session(request.cookies.get(COOKIE))
        if session is None or session.attributes is None or session.level < 3 or session.started < since:
            return None
        return Citizen("", "", session.attributes)

    def named(self, user: str) -> Citizen | None:
        """The citizen of a user name, without a password: for the control interface."""
        found = self._ways.users.named(user) if user else self._ways.users.by_role.get("password")
        return citizen(found) if found is not None else None


def citizen(user: User) -> Citizen:
    """All attributes of a user. Data missing in the personas file are invented, equal each time."""
    person = user.person
    code = person.fiscal_code
    female = person.name.endswith("A")
    attributes = {
        **person.attributes(), "spidCode": f"SAND{code[:10]}", "gender": _GENDERS[female], "email": user.user_name,
        "mobilePhone": user.phone or "+390000000000", "placeOfBirth": "Z999", "countyOfBirth": "XX",
        "address": "Via della Sabbia 1, 00000 Sabbiera (XX)", "digitalAddress": f"pec-{user.user_name}",
        "idCard": f"cartaIdentita {code[:2]}00000ZZ ministeroInternoSandbox 2020-01-01 2030-01-01",
        "expirationDate": "2030-01-01", "companyName": "Sabbia di prova S.r.l.",
        "registeredOffice": "Via della Sabbia 2, 00000 Sabbiera (XX)", "ivaCode": "VATIT-00000000000"}
    return Citizen(user.user_name, user.user_name, attributes, user.role == "blocked")
