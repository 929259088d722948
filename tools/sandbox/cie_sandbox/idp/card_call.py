"""The card call of variant A: mutual TLS, one POST, one `codice`."""
import re
import time
from urllib.parse import quote

from cryptography import x509
from flask import Blueprint, Response, request

from ..faults import answers
from ..faults.catalogue import Stage
from . import links
from .pages import error_page, own_conversation, redirect
from .people import Person, PersonError
from .provider import Provider
from .sessions import Conversation

_PATH = "/idp/Authn/SSL/Login2"


def login2(provider: Provider) -> Blueprint:
    """The call itself."""
    routes = Blueprint("login2", __name__)

    @routes.post(_PATH)
    def call() -> Response:
        fault = provider.faults.take(Stage.CARD_CALL)
        if fault is not None:
            provider.journal.note("fault", name=fault)
            answer = misbehave(provider, fault)
            if answer is not None:
                return answer
        person = _person(provider)
        if person is None:
            return answers.text("no client certificate", 403)
        conversation = _conversation(provider)
        if conversation is None:
            return answers.text("bad request", 400)
        codice = _issue(provider, conversation, person)
        return answers.text(f"codice:{codice}")

    return routes


def direct(provider: Provider) -> Blueprint:
    """The login of a desktop browser that has the card's certificate itself."""
    routes = Blueprint("direct", __name__)

    @routes.get("/idp/Authn/X509")
    def present() -> Response:
        conversation = own_conversation(provider, request.args.get("conversation"))
        if conversation is None:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        person = _person(provider)
        if person is None:
            prompt = quote(f"{provider.base}x509-prompt.jsp?conversation={conversation.key}", safe="")
            return redirect(f"{provider.base}errorcode.jsp?err=No_client_certificate&link={prompt}")
        codice = provider.codici.issue(conversation, person)
        return redirect(links.completed(provider, conversation, codice))

    return routes


def misbehave(provider: Provider, fault: str) -> Response | None:
    """The answer of a fault of the card call, if it replaces the right one."""
    if fault == "slow":
        time.sleep(provider.faults.slow_seconds)
        return None
    own_url = f"https://{request.host}{request.path}"
    return answers.for_card_call(fault, "0123456789012345", own_url, "again" in request.args)


def _person(provider: Provider) -> Person | None:
    der = request.environ.get("sandbox.client_certificate")
    if not der or request.environ.get("sandbox.tls_version") != "TLSv1.2":
        return None
    try:
        return provider.people.of(x509.load_der_x509_certificate(der))
    except (PersonError, ValueError):
        provider.journal.note("certificate-without-person")
        return None


def _parameters() -> dict[str, str] | None:
    # A servlet reads parameters from query and body; a repeated one is an error here.
    found: dict[str, str] = {}
    for key, values in [*request.args.lists(), *request.form.lists()]:
        if key in found or len(values) != 1:
            return None
        found[key] = values[0]
    return found


def _conversation(provider: Provider) -> Conversation | None:
    parameters = _parameters()
    if parameters is None or parameters.pop("generaCodice", None) != "1":
        return None
    conversation = provider.sessions.by_token(parameters.pop("authnRequest", None))
    if conversation is None:
        return None
    parameters.pop("again", None)
    pair = parameters == {"conversation": conversation.key}
    lenient = provider.faults.is_on("lenient") and (
        not parameters or parameters == {conversation.key: "conversation"})
    return conversation if pair or lenient else None


def _issue(provider: Provider, conversation: Conversation, person: Person) -> str:
    fault = provider.faults.take(Stage.CODICE)
    codice = provider.codici.issue(conversation, person, 61 if fault == "codice-expired" else 0)
    if fault == "codice-unknown":
        codice = re.sub(r"\d", lambda digit: str(9 - int(digit[0])), codice)
    provider.journal.note(
        "codice-issued", fault=fault, login=provider.journal.tag(conversation.token),
        person=provider.journal.tag(person.fiscal_code))
    return codice
