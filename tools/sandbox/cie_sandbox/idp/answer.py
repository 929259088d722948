"""The answer: a signed response in a form that posts itself to the service provider."""
import base64

from flask import Response, request

from ..faults.catalogue import Stage
from ..saml.errors import CODES, ErrorCode
from ..saml.response import Plan, build
from ..saml.response_faults import build_faulty
from .pages import page
from .provider import COOKIE, ENTITY_ID, Provider
from .sessions import Conversation, Phase


def success(provider: Provider, conversation: Conversation) -> Response:
    """Attributes of the person who logged in. The conversation ends."""
    assert conversation.person is not None
    plan = _plan(conversation, CODES[1])
    plan.attributes = conversation.person.attributes()
    return _finish(provider, conversation, plan)


def failure(provider: Provider, conversation: Conversation, number: int) -> Response:
    """One of the codes nr21 to nr25. The conversation ends."""
    return _finish(provider, conversation, _plan(conversation, CODES[number]))


def saml_error(
    provider: Provider, code: ErrorCode, audience: str, consumer: str, request_id: str | None,
    relay_state: str | None,
) -> Response:
    """An error before there was a conversation."""
    plan = Plan(ENTITY_ID, audience, consumer, request_id, code)
    return _form(consumer, build(plan, provider.key), relay_state)


def _plan(conversation: Conversation, code: ErrorCode) -> Plan:
    return Plan(
        ENTITY_ID, conversation.provider.entity_id, conversation.request.consumer,
        conversation.request.identifier, code, level=conversation.request.level)


def _finish(provider: Provider, conversation: Conversation, plan: Plan) -> Response:
    conversation.phase = Phase.DONE
    fault = provider.faults.take(Stage.SAML)
    relay_state = conversation.relay_state
    session = provider.sessions.session(request.cookies.get(COOKIE))
    last = session.last_response if session is not None else None
    if fault == "saml-replayed" and last is not None:
        document = last
    elif fault is not None:
        document = build_faulty(plan, provider.key, provider.stranger, fault)
    else:
        document = build(plan, provider.key)
    if fault == "saml-relay-state":
        relay_state = "another-relay-state"
    if session is not None:
        session.last_response = document
    provider.journal.note(
        "answered", code=plan.code.name, fault=fault, login=provider.journal.tag(conversation.token))
    return _form(plan.consumer, document, relay_state)


def _form(consumer: str, document: bytes, relay_state: str | None) -> Response:
    return page(
        "post.html", action=consumer, relay_state=relay_state,
        response=base64.b64encode(document).decode())
