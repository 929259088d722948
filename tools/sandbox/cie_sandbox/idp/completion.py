"""The completed URL, the consent page, and the answer to it."""
import hmac
import re

from flask import Blueprint, Response, request

from ..faults.catalogue import Stage
from ..saml.errors import CODES
from ..saml.response import FRIENDLY
from . import answer
from .pages import error_page, own_conversation, page, redirect, single
from .people import Person
from .provider import Provider
from .sessions import Conversation, Phase

_CHOICES = {"deny": 22, "cancel": 25, "idle": 21}
_SHOWN = {"consent-unlisted": 0, "consent-partial": 1}


def accept(provider: Provider, conversation: Conversation, person: Person) -> Response:
    """The person is known: continues to the consent page, by a redirect that leaves the secret URL behind."""
    fault = provider.faults.take(Stage.COMPLETION)
    if fault is not None:
        provider.journal.note("fault", name=fault)
    match fault:
        case "error-nr02" | "error-nr03":
            conversation.phase = Phase.DONE
            code = CODES[int(fault[-2:])]
            return error_page(code, code.http_status or 500)
        case "error-nr23":
            return answer.failure(provider, conversation, 23)
    conversation.authenticate(person)
    conversation.consent_fault = fault
    provider.journal.note(
        "authenticated", login=provider.journal.tag(conversation.token),
        person=provider.journal.tag(person.fiscal_code))
    if fault == "consent-skipped":
        return answer.success(provider, conversation)
    return redirect(f"{provider.base}consent?conversation={conversation.key}", 303)


def blueprint(provider: Provider) -> Blueprint:
    """The completed URL of variant A, and consent."""
    routes = Blueprint("completion", __name__)

    @routes.get("/idp/Authn/X509")
    def completed() -> Response:
        values = single(request.args.to_dict(flat=False), {"conversation", "login", "codice"})
        conversation = own_conversation(provider, values["conversation"] if values else None)
        if values is None or conversation is None or conversation.phase is not Phase.STARTED:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        person = None
        if values["login"] == "1" and re.fullmatch("[0-9]{16}", values["codice"], re.ASCII):
            person = provider.codici.redeem(values["codice"], conversation)
        if person is None:
            provider.journal.note("codice-refused", login=provider.journal.tag(conversation.token))
            conversation.phase = Phase.DONE
            return error_page(None, 403, "Codice non valido, scaduto o già usato.")
        return accept(provider, conversation, person)

    @routes.get("/idp/consent")
    def consent() -> Response:
        conversation = own_conversation(provider, request.args.get("conversation"))
        if conversation is None or conversation.phase is not Phase.AUTHENTICATED:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        assert conversation.person is not None
        attributes = [
            (name, FRIENDLY[name], value) for name, value in conversation.person.attributes().items()]
        shown = _SHOWN.get(conversation.consent_fault or "", len(attributes))
        return page("consent.html", conversation=conversation, attributes=attributes[:shown])

    @routes.post("/idp/consent/refusal")
    def refuse() -> Response:
        conversation = own_conversation(provider, request.form.get("conversation"))
        if conversation is None or conversation.phase is not Phase.AUTHENTICATED:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        return answer.failure(provider, conversation, _CHOICES["deny"])

    @routes.post("/idp/consent")
    def decide() -> Response:
        form = single(request.form.to_dict(flat=False), {"conversation", "token", "choice"})
        conversation = own_conversation(provider, form["conversation"] if form else None)
        if form is None or conversation is None:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        if not hmac.compare_digest(form["token"].encode(), conversation.form_token.encode()):
            return error_page(None, 403, "Modulo non valido.")
        with conversation.lock:
            if conversation.phase is not Phase.AUTHENTICATED:
                return error_page(None, 400, "Sessione sconosciuta o scaduta.")
            if form["choice"] == "accept":
                return answer.success(provider, conversation)
            if form["choice"] in _CHOICES:
                return answer.failure(provider, conversation, _CHOICES[form["choice"]])
        return error_page(None, 400, "Scelta sconosciuta.")

    return routes
