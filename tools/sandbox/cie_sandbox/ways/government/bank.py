"""The bank's own pages: user name, password, and back with a code."""
import secrets
from urllib.parse import urlencode

from flask import Response, request

from ..faults import ELSEWHERE
from ..rules import page, redirect
from .errors import Refused
from .processes import Ticket
from .service import BANKS, Government

RETURN_FAULTS = (
    "bank-return-host", "bank-code-repeated", "bank-no-code", "bank-code-of-another", "bank-code-odd", "bank-denies")


def show(government: Government, bank: str) -> Response:
    """The form."""
    key = request.args.get("ticket", "")
    _ticket(government, bank, key)
    return page("bank.html", bank=BANKS[bank][0], ticket=key, wrong=False)


def submit(government: Government, bank: str) -> Response:
    """The person's answer. Three wrong passwords return the person without a code."""
    key = request.form.get("ticket", "")
    ticket = _ticket(government, bank, key)
    if request.form.get("choice") == "cancel":
        return _back(government, key, ticket, {"error": "access_denied"})
    user = government.ways.users.named(request.form.get("username", ""))
    if user is None or user.role == "blocked" or not user.has_password(request.form.get("password", "")):
        ticket.tries -= 1
        if ticket.tries <= 0:
            return _back(government, key, ticket, {"error": "access_denied"})
        return page("bank.html", 403, bank=BANKS[bank][0], ticket=key, wrong=True)
    process = ticket.process
    process.at_bank, process.bank, process.code = user, bank, secrets.token_urlsafe(24)
    return _back(government, key, ticket, {"code": process.code})


def _ticket(government: Government, bank: str, key: str) -> Ticket:
    ticket = government.processes.ticket(key)
    if ticket is None or ticket.bank != bank:
        raise Refused(404, "unknown-visit")
    return ticket


def _back(government: Government, key: str, ticket: Ticket, values: dict[str, str]) -> Response:
    if not government.processes.leave(key):
        raise Refused(404, "unknown-visit")
    pairs, target = list(values.items()), ticket.return_url
    match government.fault(*RETURN_FAULTS):
        case "bank-return-host":
            target = ELSEWHERE + "returned"
        case "bank-code-repeated":
            pairs = [*pairs, ("code", "another-code")]
        case "bank-no-code":
            pairs = [("other", "nothing")]
        case "bank-code-of-another":
            pairs = [("code", secrets.token_urlsafe(24))]
        case "bank-code-odd":
            pairs = [("code", "../../token?processId=x")]
        case "bank-denies":
            pairs = [("error", "access_denied")]
    if ticket.state:
        pairs = [*pairs, ("state", ticket.state)]
    return redirect(f"{target}{'&' if '?' in target else '?'}{urlencode(pairs)}")
