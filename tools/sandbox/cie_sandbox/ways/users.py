"""People with a user name: their data come from the personas file, their passwords from the state folder."""
import hmac
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from ..idp.people import People, Person, PersonError
from .keys import write_private


@dataclass(frozen=True)
class User:
    """A user name with a password of this install; `role` names its purpose in one word."""

    role: str
    user_name: str
    password: str
    person: Person
    phone: str = ""
    attributes: dict[str, object] = field(default_factory=dict)
    """The additions of the personas file; native sign-in returns them as claims."""

    def has_password(self, text: str) -> bool:
        """Compares in constant time."""
        return hmac.compare_digest(self.password.encode(), text.encode())


class Users:
    """All users of one install. Passwords are made at the first start: no two installs share one."""

    def __init__(self, people: People, file: Path) -> None:
        self.file = file
        kept = _passwords(file)
        users: list[User] = []
        for role, entry in people.users.items():
            try:
                users.append(User(
                    role, entry["userName"], kept.get(role) or secrets.token_urlsafe(12),
                    people.person(entry["person"]), entry.get("phone", ""), entry.get("attributes", {})))
            except (KeyError, TypeError, AttributeError) as error:
                raise PersonError(f"the personas file has a user that is not one: {role!r}") from error
        self._by_name = {user.user_name.lower(): user for user in users}
        if len(self._by_name) != len(users):
            raise PersonError("the personas file has a user name twice")
        self.by_role = {user.role: user for user in users}
        write_private(file, (json.dumps({
            user.role: {"userName": user.user_name, "password": user.password} for user in users
        }, indent=2) + "\n").encode())

    def named(self, user_name: str) -> User | None:
        """The user of a name, in any case of letters."""
        return self._by_name.get(user_name.lower())


def _passwords(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    try:
        data = json.loads(file.read_text("utf-8"))
        return {str(role): str(entry["password"]) for role, entry in data.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PersonError(f"{file}: not a file of users") from error
