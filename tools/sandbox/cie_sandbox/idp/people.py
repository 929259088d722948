"""The person of a login: that of a client certificate, with the data of the personas file."""
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.x509.oid import NameOID, ObjectIdentifier

_FISCAL_CODE = re.compile(r"[A-Z0-9]{16}")
_NO_BIRTH_DATE = "1970-01-01"


class PersonError(ValueError):
    """A certificate or personas file does not name a person."""


@dataclass(frozen=True)
class Person:
    """The four attributes of the CIE profile; the fiscal code without its TINIT- prefix."""

    name: str
    family_name: str
    date_of_birth: str
    fiscal_code: str

    def attributes(self) -> dict[str, str]:
        """As SAML attributes."""
        return {
            "name": self.name, "familyName": self.family_name,
            "dateOfBirth": self.date_of_birth, "fiscalNumber": "TINIT-" + self.fiscal_code}


class People:
    """The personas file: birth dates by fiscal code, the owner of the simulated phone app, and user names."""

    def __init__(self, path: Path) -> None:
        try:
            data = json.loads(path.read_text("utf-8"))
            self._people: dict[str, dict[str, str]] = data["people"]
            self._on_cards: dict[str, str] = data.get("cards", {})
            self.app_owner = self.person(data["app"])
            self.users: dict[str, dict[str, Any]] = data.get("users", {})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PersonError(f"{path}: not a personas file") from error

    def person(self, code: str) -> Person:
        """The person with this fiscal code in the file."""
        entry = self._people[code]
        return Person(entry["name"], entry["familyName"], entry["dateOfBirth"], code)

    def of(self, certificate: x509.Certificate) -> Person:
        """The person in a certificate's subject: common name `FISCALCODE/…`, given name, surname.

        No certificate holds a birth date: it is the one on the card, a day that does not exist, because the other ways in
        need one that does; a person whom the file does not know gets 1970-01-01.
        """
        code = _one(certificate, NameOID.COMMON_NAME).partition("/")[0]
        if _FISCAL_CODE.fullmatch(code) is None:
            raise PersonError("no fiscal code in the common name")
        birth = self._on_cards.get(code, _NO_BIRTH_DATE)
        return Person(
            _one(certificate, NameOID.GIVEN_NAME), _one(certificate, NameOID.SURNAME), birth, code)


def _one(certificate: x509.Certificate, kind: ObjectIdentifier) -> str:
    values = certificate.subject.get_attributes_for_oid(kind)
    if len(values) != 1:
        raise PersonError("a subject attribute is absent or repeated")
    return str(values[0].value)
