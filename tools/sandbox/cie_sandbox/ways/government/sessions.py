"""Tokens: the first for a verified process, then prolonged, refreshed, ended; and those of a service's entrance."""
import re

from flask import Response, jsonify, request

from .errors import Refused, button, template
from .service import Government, arguments, bearer

_OFFER = re.compile(r"[A-Za-z0-9-]{1,64}")
KNOWN_OFFER = "sandbox-offer"
_ENDED = template(
    "Sessione da rinnovare", "Serve una nuova verifica.", button("Verifica", "prolong"), button("Esci", "logout"))


def first(government: Government) -> Response:
    """One token a verified process."""
    process = government.processes.find(arguments({"processId"})["processId"])
    if process.user is None:
        raise Refused(403, "process-not-verified")
    if process.token_given:
        raise Refused(409, "token-was-given")
    process.token_given = True
    government.ways.journal.note(
        "signed-in", way="government", person=government.ways.journal.tag(process.user.user_name))
    return jsonify(token=government.new_token(process.user))


def prolong(government: Government) -> Response:
    """A new token for the same person, verified again by a process of the flow `prolong`."""
    token = bearer()
    session = government.processes.session(token, "user")
    process = government.processes.find(arguments({"processId"})["processId"])
    if process.flow != "prolong" or process.user is None:
        raise Refused(403, "process-not-verified")
    if process.user is not session.user:
        raise Refused(409, "another-person")
    government.processes.end(token)
    return jsonify(token=government.new_token(process.user))


def refresh(government: Government, kind: str) -> Response:
    """A new token for an old one, which ends; 401 without one."""
    token = bearer()
    if government.fault("bank-refresh-401"):
        raise Refused(401, "unknown-token")
    session = government.processes.session(token, kind)
    if government.fault("bank-refresh-template"):
        return jsonify(template=_ENDED)
    government.processes.end(token)
    return jsonify(token=government.new_token(session.user, kind))


def logout(government: Government) -> Response:
    """Ends a token; the header `mobile_uid` names the device."""
    token = bearer()
    if not request.headers.get("mobile_uid"):
        raise Refused(400, "no-mobile-uid")
    government.processes.end(token)
    return jsonify({})


def temporary(government: Government) -> Response:
    """A token for an unidentified person."""
    return jsonify(token=government.new_token(None, "temporary"))


def entrance(government: Government, offer: str) -> Response:
    """A service's own token, by the identifier of an offer."""
    if _OFFER.fullmatch(offer) is None or offer != KNOWN_OFFER:
        raise Refused(404, "unknown-offer")
    return jsonify(token=government.new_token(None, "service"))
