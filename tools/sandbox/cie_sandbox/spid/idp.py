"""The identity provider's side: a request by either binding, the pages of a visit, and a response by form."""
import base64
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from flask import Blueprint, Response, request

from ..faults.catalogue import Stage
from ..idp.pages import error_page, page
from ..saml import authn_request, bindings, names, xml
from ..saml.authn_request import AuthnRequest
from ..saml.errors import Refused
from ..saml.response import Plan, build
from ..saml.response_faults import build_faulty
from ..saml.signature import SignatureError
from ..visits.pages import VisitPages
from ..visits.people import UserDirectory
from ..visits.visit import Outcome, Visit
from . import metadata
from .context import Spid
from .names import ATTRIBUTES, PROVIDERS, SP_ENTITY_ID, SPID_CODES, IdentityProvider

_CODES = {
    Outcome.ACCEPTED: 1, Outcome.TOO_MANY_TRIES: 19, Outcome.LEVEL_UNAVAILABLE: 20, Outcome.IDLE: 21,
    Outcome.DENIED: 22, Outcome.BLOCKED: 23, Outcome.CANCELLED: 25}
Message = bindings.RedirectMessage | bindings.PostMessage


def add(routes: Blueprint, spid: Spid) -> None:
    """All providers' endpoints, and the pages that they share."""
    pages = VisitPages(
        "spid", "/spid/idp", "sandbox_spid_idp", UserDirectory(spid.ways), spid.ways.journal, with_card=False)
    routes.register_blueprint(pages.blueprint())

    @routes.route("/spid/idp/<identifier>/redirect", methods=["GET", "POST"])
    def idp_redirect(identifier: str) -> Response:
        return _sso(spid, pages, identifier, 5, "GET", lambda: bindings.from_query(request.query_string))

    @routes.route("/spid/idp/<identifier>/post", methods=["GET", "POST"])
    def idp_post(identifier: str) -> Response:
        return _sso(
            spid, pages, identifier, 7, "POST", lambda: bindings.from_form(request.form.to_dict(flat=False)))

    @routes.get("/spid/idp/<identifier>/logout")
    def idp_logout(identifier: str) -> Response:
        return page("logout.html")

    @routes.get("/spid/idp/<identifier>/metadata")
    def idp_metadata(identifier: str) -> Response:
        provider = PROVIDERS.get(identifier)
        if provider is None:
            return error_page(None, 404, "Gestore sconosciuto.")
        made = metadata.identity_provider(provider, spid.base, spid.idp_key.certificate.read_bytes())
        return Response(metadata.signed(made, spid.idp_key), content_type="application/samlmetadata+xml")


def _sso(
    spid: Spid, pages: VisitPages, identifier: str, wrong_signature: int, method: str,
    receive: Callable[[], Message],
) -> Response:
    provider = PROVIDERS.get(identifier)
    if provider is None:
        return error_page(None, 404, "Gestore sconosciuto.")
    try:
        if request.method != method:
            raise Refused(6)
        return _take(spid, pages, provider, wrong_signature, receive)
    except bindings.BindingError:
        return _page(spid, 4)
    except Refused as refusal:
        return _page(spid, refusal.code.number)


def _page(spid: Spid, number: int) -> Response:
    code = SPID_CODES[number]
    spid.ways.journal.note("spid-request-refused", code=code.name)
    return error_page(code, code.http_status or 403)


def _take(
    spid: Spid, pages: VisitPages, provider: IdentityProvider, wrong_signature: int,
    receive: Callable[[], Message],
) -> Response:
    message = receive()
    try:
        root = xml.parse(message.document)
    except xml.NotXML:
        raise Refused(8) from None
    issuer = root.find(xml.q(names.SAML, "Issuer"))
    if root.tag != xml.q(names.SAMLP, "AuthnRequest"):
        raise Refused(8)
    sender = spid.service_provider
    if issuer is None or issuer.text != SP_ENTITY_ID or issuer.get("Format") != names.ENTITY:
        raise Refused(10)
    try:
        message.verify(root, sender.certificates)
    except SignatureError:
        raise Refused(wrong_signature) from None
    try:
        location = f"{spid.base}idp/{provider.identifier}/{request.path.rpartition('/')[2]}"
        asked = authn_request.check(root, sender, location, lambda name: not spid.first_time("idp " + name))
        if asked.level > 1 and root.get("ForceAuthn") not in ("true", "1"):
            raise Refused(8)
    except Refused as refusal:
        if refusal.code.status is None:
            raise
        plan = Plan(
            provider.entity_id, sender.entity_id, authn_request.consumer_for_errors(root, sender), _identifier(root),
            refusal.code)
        return _form(plan.consumer, build(plan, spid.idp_key), message.relay_state)
    return pages.begin(Visit(
        f"Entra con SPID – {provider.name}", sender.name, asked.level, list(ATTRIBUTES),
        lambda visit, outcome: _answer(spid, provider, asked, message.relay_state, visit, outcome)))


def _identifier(root: Element) -> str | None:
    found = root.get("ID", "")
    return found if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}", found) else None


def _answer(
    spid: Spid, provider: IdentityProvider, asked: AuthnRequest, relay_state: str | None, visit: Visit,
    outcome: Outcome,
) -> Response:
    plan = Plan(
        provider.entity_id, SP_ENTITY_ID, asked.consumer, asked.identifier, SPID_CODES[_CODES[outcome]],
        level=asked.level, dates=("dateOfBirth", "expirationDate"))
    if outcome is Outcome.ACCEPTED and visit.citizen is not None:
        plan.attributes = {name: visit.citizen.attributes[name] for name in ATTRIBUTES}
    own = spid.ways.faults.take(Stage.SPID_RESPONSE)
    match own:
        case "spid-nr19" | "spid-nr20" | "spid-nr23":
            plan.code = SPID_CODES[int(own[-2:])]
        case "spid-no-attributes":
            plan.attributes = {}
        case "spid-no-fiscal-number":
            plan.attributes.pop("fiscalNumber", None)
        case "spid-other-provider":
            plan.issuer = next(p.entity_id for p in PROVIDERS.values() if p is not provider)
    fault = spid.ways.faults.take(Stage.SAML)
    if fault is None:
        document = build(plan, spid.idp_key)
    else:
        document = build_faulty(plan, spid.idp_key, spid.stranger, fault)
    spid.ways.journal.note("spid-answered", code=plan.code.name, fault=own or fault)
    if fault == "saml-relay-state":
        relay_state = "another-relay-state"
    return _form(plan.consumer, document, relay_state)


def _form(consumer: str, document: bytes, relay_state: str | None) -> Response:
    return page(
        "post.html", action=consumer, relay_state=relay_state, response=base64.b64encode(document).decode())
