"""register: a person who must register a second factor gives an address, and proves it by a code."""
from flask import Response, jsonify

from .chain import Step
from .errors import BAD_PARAMETER, INVALID_CONTACT, PROVIDER_BLOCKED, Refused
from .forms import form, user_name
from .grants import check_code
from .service import Tenant
from .steps import coded, known_client


def introspect(tenant: Tenant) -> Response:
    """The kinds of registration."""
    fields = form({"client_id", "continuation_token"}, set())
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    chain = tenant.chains.find(fields["continuation_token"], Step.REGISTRATION)
    token = tenant.chains.go_on(chain, Step.REGISTRATION)
    return jsonify(continuation_token=token, methods=[{
        "id": "email", "challenge_type": "oob", "challenge_channel": "email", "login_hint": ""}])


def challenge(tenant: Tenant) -> Response:
    """A code to the new address. Addresses at `blocked.invalid` are refused by the provider."""
    fields = form(
        {"client_id", "continuation_token", "challenge_type", "challenge_target"}, {"challenge_channel"})
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    chain = tenant.chains.find(fields["continuation_token"], Step.REGISTRATION, Step.REGISTRATION_CODE)
    if fields["challenge_type"] != "oob" or fields.get("challenge_channel", "email") != "email":
        raise Refused(BAD_PARAMETER)
    try:
        contact = user_name(fields["challenge_target"])
    except Refused:
        raise Refused(INVALID_CONTACT) from None
    if contact.endswith("@blocked.invalid"):
        raise Refused(PROVIDER_BLOCKED)
    if not contact.endswith(".invalid"):
        raise Refused(INVALID_CONTACT)
    chain.contact = contact
    return coded(tenant, chain, Step.REGISTRATION_CODE, contact, "email")


def proceed(tenant: Tenant) -> Response:
    """The code; the returned token is for the token endpoint, by the grant `continuation_token`."""
    fields = form({"client_id", "continuation_token", "grant_type", "oob"}, set())
    known_client(tenant, fields)
    tenant.refuse_on_demand()
    chain = tenant.chains.find(fields["continuation_token"], Step.REGISTRATION_CODE)
    if fields["grant_type"] != "oob":
        raise Refused(BAD_PARAMETER)
    check_code(tenant, chain, fields["oob"])
    return jsonify(continuation_token=tenant.chains.go_on(chain, Step.GRANTED))
