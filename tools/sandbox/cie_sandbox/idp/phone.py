"""The CieID app, simulated: it takes a hand-off link and returns the browser's next address.

The real app's protocol with its server is not public. Here the operation's identifier in the link (`opId`) is
enough; the person is the one whom the personas file names as the app's owner.
"""
import re
from urllib.parse import parse_qs, quote, urlsplit

from flask import Blueprint, Response, jsonify, request

from . import links
from .completion import accept
from .pages import error_page, own_conversation, page, redirect
from .provider import Provider
from .sessions import Conversation, Phase

OUTCOMES = {
    "cancel": "Operazione_annullata_dall'utente",
    "expired": "Carta_non_valida:_certificato_scaduto",
    "invalid": "Operazione_non_valida",
    "empty": "",
}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}")


def blueprint(provider: Provider) -> Blueprint:
    """Hand-off links, the app behind them, and its answer."""
    routes = Blueprint("phone", __name__)

    @routes.get("/idp/login/livello1")
    @routes.get("/idp/login/livello2")
    @routes.get("/idp/login/app")
    def opened() -> Response:
        conversation = provider.sessions.by_operation(request.args.get("opId"))
        if conversation is None:
            return error_page(None, 400, "Operazione sconosciuta o scaduta.")
        return page("phone.html", url=request.url, name=conversation.provider.name)

    @routes.post("/idp/login/app")
    def tapped() -> Response:
        target = _answer(provider, request.form.get("url", ""), request.form.get("outcome", ""))
        if target is None:
            return error_page(None, 400, "Operazione sconosciuta o scaduta.")
        return redirect(target, 303)

    @routes.post("/sandbox/app")
    def asked() -> Response:
        target = _answer(provider, request.form.get("url", ""), request.form.get("outcome", "approve"))
        if target is None:
            return Response("unknown link or outcome\n", 400, content_type="text/plain")
        return jsonify(returnUrl=target)

    @routes.get("/idp/login/livello1mobile")
    @routes.get("/idp/login/livello2mobile")
    def returned() -> Response:
        conversation = own_conversation(provider, request.args.get("value"))
        if conversation is None or conversation.phase is not Phase.STARTED:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        if conversation.approved is None:
            return error_page(None, 403, "Operazione non approvata.")
        return accept(provider, conversation, conversation.approved)

    @routes.get("/cieiderror")
    def failed() -> Response:
        message = request.args.get("cieid_error_message", "").replace("_", " ")
        return error_page(None, 200, message or "Errore sconosciuto")

    return routes


def _answer(provider: Provider, url: str, outcome: str) -> str | None:
    # The form for apps: CIEID:// before the link, the caller's scheme in sourceApp.
    url = re.sub(r"^CIEID://", "", url, flags=re.IGNORECASE).replace("/&sourceApp=", "&sourceApp=")
    parts = urlsplit(url)
    values = parse_qs(parts.query or parts.path.partition("/")[2], keep_blank_values=True)
    first = {key: items[0] for key, items in values.items()}
    conversation = provider.sessions.by_operation(first.get("opId", "").lstrip("_"))
    conversation = conversation or provider.sessions.by_token(first.get("authnRequestString"))
    if conversation is None:
        return None
    if outcome in OUTCOMES:
        message = quote(OUTCOMES[outcome], safe="':")
        target = f"{provider.origin}/cieiderror?cieid_error_message={message}"
    elif outcome == "approve":
        target = _approve(provider, conversation)
    else:
        return None
    scheme = first.get("sourceApp", "")
    return f"{scheme}://{target}" if _SCHEME.fullmatch(scheme) else target


def _approve(provider: Provider, conversation: Conversation) -> str:
    person = provider.people.app_owner
    level = conversation.request.level
    if level == 3:
        return links.completed(provider, conversation, provider.codici.issue(conversation, person))
    conversation.approved = person
    return links.returned(provider, conversation, level)
