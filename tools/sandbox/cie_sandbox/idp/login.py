"""The login page. Its contents depend on the requested level and on the User-Agent, or on `?phone`."""
import time

from flask import Blueprint, Response, request

from ..faults import answers
from ..faults.catalogue import Stage
from . import links
from .pages import error_page, own_conversation, page, redirect
from .provider import Provider
from .sessions import Conversation


def blueprint(provider: Provider) -> Blueprint:
    """The login page, the prompt for desktop browsers, and the link targets themselves."""
    routes = Blueprint("login", __name__)

    @routes.get("/idp/login")
    def login() -> Response:
        conversation = own_conversation(provider, request.args.get("execution"))
        if conversation is None:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        fault = provider.faults.take(Stage.LOGIN_PAGE)
        if fault is not None:
            provider.journal.note("fault", name=fault)
            if fault == "login-slow":
                time.sleep(provider.faults.slow_seconds)
            if fault == "login-error-page":
                return error_page(None, 200, "Errore simulato.")
            answer = answers.for_login_page(fault, f"{provider.base}login?execution={conversation.key}")
            if answer is not None:
                return answer
        return _page(provider, conversation)

    @routes.get("/idp/x509-prompt.jsp")
    def prompt() -> Response:
        conversation = own_conversation(provider, request.args.get("conversation"))
        if conversation is None:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        card = f"{provider.card_base}Authn/X509?conversation={conversation.key}"
        return page(
            "prompt.html", card=card, phone=links.hybrid(provider, conversation),
            as_phone=f"{provider.base}login?execution={conversation.key}&phone")

    @routes.get("/idp/errorcode.jsp")
    def error_code() -> Response:
        # Only back to our own prompt, because the address comes from the request.
        link = request.args.get("link", "")
        again = link if link.startswith(f"{provider.base}x509-prompt.jsp?conversation=") else None
        return error_page(None, 200, "Nessun certificato presentato.", again)

    @routes.get("/OpenApp")
    @routes.get("/")
    def open_app() -> Response:
        # A browser that loads the link itself has no app for it.
        return page("open-app.html", link=_as_written())

    @routes.get("/idp/erroreQr.jsp")
    def scan() -> Response:
        return page("open-app.html", link=_as_written())

    return routes


def _as_written() -> str:
    """The request's address without werkzeug's changes."""
    query = request.query_string.decode("ascii", "replace")
    return f"{request.host_url[:-1]}{request.path}" + (f"?{query}" if query else "")


def _page(provider: Provider, conversation: Conversation) -> Response:
    agent = request.headers.get("User-Agent", "")
    iphone = "iPhone" in agent or "iPad" in agent
    level = conversation.request.level
    if level < 3:
        link = links.hand_off(provider, conversation, level)
        return page("login.html", link=link, label="Entra con l'app", conversation=conversation.key)
    if not iphone and "Android" not in agent and "phone" not in request.args:
        return redirect(f"{provider.base}x509-prompt.jsp?conversation={conversation.key}")
    fault = provider.faults.take(Stage.LINK)
    if fault is not None:
        provider.journal.note("fault", name=fault)
    link = links.open_app(provider, conversation, iphone, fault)
    if provider.faults.is_on("script-link") and fault is None:
        values = links.parts(provider, conversation, None)
        start = link.partition("nextUrl=")[0]
        return page("login-script.html", start=start, values=values, iphone=iphone)
    return page(
        "login.html", link=link, label="Entra con lettura carta CIE", conversation=conversation.key)
