"""The response: an assertion with the four attributes, or a status with an error code; always signed."""
import datetime
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from . import names
from .errors import ErrorCode
from .signature import fill, template
from .xml import element, instant, new_id, now, q, write

LIFE = datetime.timedelta(minutes=5)
_CLASS = "https://www.spid.gov.it/SpidL"
FRIENDLY = {
    "name": "Nome", "familyName": "Cognome", "dateOfBirth": "Data di Nascita",
    "fiscalNumber": "Codice Fiscale"}


@dataclass
class Plan:
    """The contents of a response. Faults change a plan, or the document made of it."""

    issuer: str
    audience: str
    consumer: str
    request: str | None
    code: ErrorCode
    attributes: dict[str, str] = field(default_factory=dict)
    dates: tuple[str, ...] = ()
    """Attributes of type xs:date; all others are xs:string."""
    level: int = 3
    destination: str | None = None
    recipient: str | None = None
    not_before: datetime.datetime = field(default_factory=now)
    not_on_or_after: datetime.datetime = field(default_factory=lambda: now() + LIFE)
    sign_response: bool = True
    sign_assertion: bool = True
    second_assertion: bool = False
    padding: int = 0
    response_id: str = field(default_factory=new_id)
    assertion_id: str = field(default_factory=new_id)


@dataclass(frozen=True)
class SigningKey:
    """Key and certificate files for xmlsec1."""

    key: Path
    certificate: Path


def build(plan: Plan, key: SigningKey) -> bytes:
    """The signed document: the assertion's signature first, the response's around it."""
    document = write(_response(plan))
    if plan.code.number == 1 and plan.sign_assertion:
        document = fill(
            document, f"{names.SAML}:Assertion", plan.assertion_id, key.key, key.certificate)
    if plan.sign_response:
        document = fill(
            document, f"{names.SAMLP}:Response", plan.response_id, key.key, key.certificate)
    return document


def _without_none(attributes: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if value is not None}


def _response(plan: Plan) -> Element:
    status = element(names.SAMLP, "StatusCode", {"Value": names.STATUS + (plan.code.status or "")})
    if plan.code.substatus:
        status.append(element(
            names.SAMLP, "StatusCode", {"Value": names.STATUS + plan.code.substatus}))
    message = element(names.SAMLP, "StatusMessage", text=plan.code.message)
    success = plan.code.number == 1
    root = element(
        names.SAMLP, "Response",
        _without_none({
            "ID": plan.response_id, "Version": "2.0", "IssueInstant": instant(now()),
            "Destination": plan.destination or plan.consumer, "InResponseTo": plan.request}),
        element(names.SAML, "Issuer", text=plan.issuer),
        template(plan.response_id) if plan.sign_response else None,
        element(names.SAMLP, "Status", None, status, None if success else message),
        _assertion(plan, plan.assertion_id, plan.sign_assertion) if success else None,
        _assertion(plan, new_id(), False) if success and plan.second_assertion else None)
    return root


def _assertion(plan: Plan, identifier: str, signed: bool) -> Element:
    # Attributes name xs:string by a prefix in a value, which the tree writer does not see.
    root = element(
        names.SAML, "Assertion",
        {"ID": identifier, "Version": "2.0", "IssueInstant": instant(now()), "xmlns:xs": names.XS},
        element(names.SAML, "Issuer", {"Format": names.ENTITY}, text=plan.issuer),
        template(identifier) if signed else None,
        _subject(plan),
        element(
            names.SAML, "Conditions",
            {"NotBefore": instant(plan.not_before), "NotOnOrAfter": instant(plan.not_on_or_after)},
            element(names.SAML, "AudienceRestriction", None,
                    element(names.SAML, "Audience", text=plan.audience))),
        element(
            names.SAML, "AuthnStatement",
            {"AuthnInstant": instant(now()), "SessionIndex": new_id()},
            element(names.SAML, "AuthnContext", None, element(
                names.SAML, "AuthnContextClassRef", text=f"{_CLASS}{plan.level}"))),
        element(names.SAML, "AttributeStatement", None, *_attributes(plan)))
    return root


def _subject(plan: Plan) -> Element:
    data = _without_none({
        "InResponseTo": plan.request, "NotOnOrAfter": instant(plan.not_on_or_after),
        "Recipient": plan.recipient or plan.consumer})
    return element(
        names.SAML, "Subject", None,
        element(names.SAML, "NameID",
                {"Format": names.TRANSIENT, "NameQualifier": plan.issuer}, text=new_id()),
        element(names.SAML, "SubjectConfirmation", {"Method": names.BEARER},
                element(names.SAML, "SubjectConfirmationData", data)))


def _attributes(plan: Plan) -> list[Element]:
    values = dict(plan.attributes)
    if plan.padding:
        values["padding"] = "x" * plan.padding
    return [
        element(
            names.SAML, "Attribute",
            {"Name": name, "NameFormat": names.BASIC, "FriendlyName": FRIENDLY.get(name, name)},
            element(
                names.SAML, "AttributeValue",
                {q(names.XSI, "type"): "xs:date" if name in plan.dates else "xs:string"}, text=value))
        for name, value in values.items()]
