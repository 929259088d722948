"""Single sign-on: an AuthnRequest arrives by either binding and starts a conversation."""
from collections.abc import Callable

from flask import Blueprint, Response, request

from ..saml import authn_request, bindings, xml
from ..saml.errors import Refused
from ..saml.signature import SignatureError
from .answer import saml_error
from .pages import error_page, redirect, set_session_cookie
from .provider import COOKIE, Provider

METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"]
Message = bindings.RedirectMessage | bindings.PostMessage


def blueprint(provider: Provider) -> Blueprint:
    """The two endpoints."""
    routes = Blueprint("sso", __name__)

    @routes.route("/idp/profile/SAML2/Redirect/SSO", methods=METHODS)
    def redirect_sso() -> Response:
        return _guarded(provider, _redirect_message, 5, "Redirect")

    @routes.route("/idp/profile/SAML2/POST/SSO", methods=METHODS)
    def post_sso() -> Response:
        return _guarded(provider, _post_message, 7, "POST")

    def _redirect_message() -> Message:
        if request.method != "GET":
            raise Refused(6)
        return bindings.from_query(request.query_string)

    def _post_message() -> Message:
        if request.method != "POST":
            raise Refused(6)
        return bindings.from_form(request.form.to_dict(flat=False))

    return routes


def _guarded(
    provider: Provider, receive: Callable[[], Message], wrong_signature: int, binding: str
) -> Response:
    try:
        try:
            message = receive()
        except bindings.BindingError:
            raise Refused(4) from None
        return _take(provider, message, wrong_signature, binding)
    except Refused as refusal:
        provider.journal.note("request-refused", code=refusal.code.name)
        return error_page(refusal.code, refusal.code.http_status or 403)


def _take(provider: Provider, message: Message, wrong_signature: int, binding: str) -> Response:
    try:
        root = xml.parse(message.document)
    except xml.NotXML:
        raise Refused(8) from None
    if root.tag != xml.q("urn:oasis:names:tc:SAML:2.0:protocol", "AuthnRequest"):
        raise Refused(8)
    sender = provider.service_providers.get(authn_request.issuer(root) or "")
    if sender is None:
        raise Refused(10)
    try:
        message.verify(root, sender.certificates)
    except SignatureError:
        raise Refused(wrong_signature) from None
    # From here on the request is known to be the service provider's, which gets the answer.
    location = f"{provider.base}profile/SAML2/{binding}/SSO"
    try:
        checked = authn_request.check(root, sender, location, provider.sessions.request_seen)
    except Refused as refusal:
        if refusal.code.status is None:
            raise
        provider.journal.note("request-refused", code=refusal.code.name)
        consumer = authn_request.consumer_for_errors(root, sender)
        return saml_error(
            provider, refusal.code, sender.entity_id, consumer, root.get("ID"), message.relay_state)
    session, conversation = provider.sessions.start(
        request.cookies.get(COOKIE), sender, checked, message.relay_state,
        provider.faults.is_on("odd-token"))
    provider.journal.note(
        "login-started", level=checked.level, login=provider.journal.tag(conversation.token))
    response = redirect(f"{provider.base}login?execution={conversation.key}")
    set_session_cookie(response, session.cookie)
    return response
