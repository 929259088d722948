"""The service provider's own checks of a response, beside pysaml2's.

They check the structure before any signature is verified, so that the verified data can only be the read data; and they
require elements that pysaml2 checks only if they are present.
"""
import base64
import binascii
import datetime
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from ..saml import names
from ..saml.xml import NotXML, now, parse, q, read_instant

MAXIMUM = 256 * 1024
_SLACK = datetime.timedelta(seconds=60)
_AGE = datetime.timedelta(minutes=3)


class Rejected(Exception):
    """A response is refused, for a named reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Expected:
    """The required contents of the response."""

    issuer: str
    audience: str
    consumer: str
    request: str
    level: int


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise Rejected(reason)


def read(text: str) -> Element:
    """The response's root: size, base64, no document type, one signed root with at most one assertion."""
    _require(len(text) <= MAXIMUM, "too-large")
    try:
        root = parse(base64.b64decode("".join(text.split()), validate=True))
    except (binascii.Error, ValueError, NotXML):
        raise Rejected("not-xml") from None
    _require(root.tag == q(names.SAMLP, "Response"), "not-a-response")
    identifiers = [e.get("ID") for e in root.iter() if e.get("ID") is not None]
    _require(len(identifiers) == len(set(identifiers)), "repeated-id")
    assertions = list(root.iter(q(names.SAML, "Assertion")))
    _require(len(assertions) <= 1, "assertions")
    _require(not list(root.iter(q(names.SAML, "EncryptedAssertion"))), "assertions")
    _require(all(a in list(root) for a in assertions), "assertions")
    signed = [root, *assertions]
    _require(
        len(list(root.iter(q(names.DS, "Signature")))) <= len(signed), "signature-shape")
    for node in signed:
        _check_signature_of(node)
    return root


def _check_signature_of(node: Element) -> None:
    own = node.findall(q(names.DS, "Signature"))
    _require(len(own) == 1, "unsigned")
    references = list(own[0].iter(q(names.DS, "Reference")))
    _require(len(references) == 1, "signature-shape")
    _require(references[0].get("URI") == "#" + node.get("ID", ""), "signature-shape")
    _require(own[0].find(q(names.DS, "Object")) is None, "signature-shape")


def check(root: Element, expected: Expected) -> None:
    """The response's own attributes, and the assertion if there is one."""
    _require(root.get("Version") == "2.0", "version")
    _require(root.get("Destination") == expected.consumer, "destination")
    _require(root.get("InResponseTo") == expected.request, "in-response-to")
    _check_issued(root)
    issuer = root.find(q(names.SAML, "Issuer"))
    _require(issuer is not None and issuer.text == expected.issuer, "issuer")
    _require(issuer is not None and issuer.get("Format", names.ENTITY) == names.ENTITY, "issuer")
    assertion = root.find(q(names.SAML, "Assertion"))
    success = root.find(f"{q(names.SAMLP, 'Status')}/{q(names.SAMLP, 'StatusCode')}")
    is_success = success is not None and success.get("Value") == names.STATUS + "Success"
    _require(is_success == (assertion is not None), "status")
    if assertion is not None:
        _check_assertion(assertion, expected)


def _check_issued(node: Element) -> None:
    try:
        issued = read_instant(node.get("IssueInstant", ""))
    except ValueError:
        raise Rejected("issue-instant") from None
    _require(-_SLACK <= now() - issued <= _AGE + _SLACK, "issue-instant")


def _check_assertion(assertion: Element, expected: Expected) -> None:
    _require(assertion.get("Version") == "2.0", "version")
    _check_issued(assertion)
    issuer = assertion.find(q(names.SAML, "Issuer"))
    _require(issuer is not None and issuer.text == expected.issuer, "issuer")
    # Optional in SAML, required by the profiles of SPID and CIE; spid-sp-test checks both.
    _require(issuer is not None and issuer.get("Format") == names.ENTITY, "issuer")
    name = assertion.find(f"{q(names.SAML, 'Subject')}/{q(names.SAML, 'NameID')}")
    _require(name is not None and name.get("Format") == names.TRANSIENT, "name-id")
    _require(name is not None and bool((name.text or "").strip() and name.get("NameQualifier")), "name-id")
    confirmations = list(assertion.iter(q(names.SAML, "SubjectConfirmation")))
    _require(len(confirmations) == 1 and confirmations[0].get("Method") == names.BEARER, "confirmation")
    data = confirmations[0].find(q(names.SAML, "SubjectConfirmationData"))
    _require(data is not None, "confirmation")
    assert data is not None
    _require(data.get("Recipient") == expected.consumer, "recipient")
    _require(data.get("InResponseTo") == expected.request, "in-response-to")
    _check_end(data)
    conditions = assertion.findall(q(names.SAML, "Conditions"))
    _require(len(conditions) == 1, "conditions")
    _check_end(conditions[0])
    try:
        _require(read_instant(conditions[0].get("NotBefore", "")) - _SLACK <= now(), "not-before")
    except ValueError:
        raise Rejected("not-before") from None
    audiences = [node.text for node in assertion.iter(q(names.SAML, "Audience"))]
    _require(audiences == [expected.audience], "audience")
    classes = [node.text or "" for node in assertion.iter(q(names.SAML, "AuthnContextClassRef"))]
    _require(len(classes) == 1 and names.LEVELS.get(classes[0], 0) >= expected.level, "level")


def _check_end(node: Element) -> None:
    try:
        _require(now() < read_instant(node.get("NotOnOrAfter", "")) + _SLACK, "not-on-or-after")
    except ValueError:
        raise Rejected("not-on-or-after") from None
