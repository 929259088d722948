"""The clients' input: forms with each field once, and all of it checked."""
import re

from flask import request

from ..users import User
from .errors import BAD_PARAMETER, BLOCKED, INVALID_SCOPE, Refused

CHALLENGE_TYPES = frozenset({"oob", "password", "redirect"})
CAPABILITIES = frozenset({"mfa_required", "registration_required"})
SCOPES = frozenset({"openid", "profile", "email", "offline_access"})
_USER_NAME = re.compile(r"[^\s@]{1,64}@[^\s@]{1,190}")


def form(needed: set[str], allowed: set[str]) -> dict[str, str]:
    """The fields; a missing, repeated, unknown or very long one is refused."""
    fields = request.form.to_dict(flat=False)
    wrong = (
        request.mimetype != "application/x-www-form-urlencoded" or request.args
        or not needed <= set(fields) or not set(fields) <= needed | allowed
        or any(len(values) != 1 or len(values[0]) > 4096 for values in fields.values()))
    if wrong:
        raise Refused(BAD_PARAMETER)
    first = {name: values[0] for name, values in fields.items()}
    if any(not first[name] for name in needed):
        raise Refused(BAD_PARAMETER)
    return first


def words(text: str, known: frozenset[str]) -> frozenset[str]:
    """A list separated by spaces."""
    found = frozenset(text.split())
    if not found <= known:
        raise Refused(BAD_PARAMETER)
    return found


def scopes(text: str) -> list[str]:
    """The scopes, `openid` among them."""
    found = text.split()
    if "openid" not in found or not set(found) <= SCOPES:
        raise Refused(INVALID_SCOPE)
    return sorted(set(found))


def user_name(text: str) -> str:
    """An e-mail address, by its form."""
    if _USER_NAME.fullmatch(text) is None:
        raise Refused(BAD_PARAMETER)
    return text


def not_blocked(user: User) -> None:
    """A blocked account gets no further than its password."""
    if user.role == "blocked":
        raise Refused(BLOCKED)


def label(contact: str) -> str:
    """An address with most of it left out, as a hint for its owner: `s***o@e***.invalid`."""
    name, at, host = contact.partition("@")
    if not at:
        return "*" * (len(contact) - 2) + contact[-2:]
    return f"{name[:1]}***{name[-1:]}@{host[:1]}***.{host.rpartition('.')[2]}"
