"""Responses that a service provider must refuse."""
import copy
import datetime

from . import names
from .errors import CODES, RESPONDER, ErrorCode
from .response import Plan, SigningKey, build
from .xml import new_id, now, parse, q, write

_ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/"
_TWO_MINUTES = datetime.timedelta(minutes=2)
_HUGE = 4 * 1024 * 1024
_XENC = "http://www.w3.org/2001/04/xmlenc#"


def build_faulty(plan: Plan, key: SigningKey, stranger: SigningKey, fault: str) -> bytes:
    """The document of a plan with one fault of the catalogue's stage SAML."""
    _change(plan, fault)
    document = build(plan, stranger if fault == "saml-wrong-key" else key)
    match fault:
        case "saml-wrong-signature":
            return document.replace(b"TINIT-", b"TINIT-X", 1).replace(b"ErrorCode ", b"ErrorCode  ", 1)
        case "saml-doctype":
            head, rest = document.split(b"\n", 1)
            return head + b'\n<!DOCTYPE a [<!ENTITY e "x">]>\n' + rest
        case "saml-wrapped":
            return _wrap(document)
        case "saml-garbage":
            return b"<Response"
        case "saml-encrypted":
            return _seal(document)
        case _:
            return document


def _change(plan: Plan, fault: str) -> None:
    match fault:
        case "saml-unsigned-response":
            plan.sign_response = False
        case "saml-unsigned-assertion":
            plan.sign_assertion = False
        case "saml-two-assertions":
            plan.second_assertion = True
        case "saml-expired":
            plan.not_before = now() - 5 * _TWO_MINUTES
            plan.not_on_or_after = now() - _TWO_MINUTES
        case "saml-not-yet":
            plan.not_before = now() + _TWO_MINUTES
        case "saml-wrong-audience":
            plan.audience = _ELSEWHERE
        case "saml-wrong-destination":
            plan.destination = _ELSEWHERE
        case "saml-wrong-recipient":
            plan.recipient = _ELSEWHERE
        case "saml-wrong-request":
            plan.request = new_id()
        case "saml-unsolicited":
            plan.request = None
        case "saml-wrong-issuer":
            plan.issuer = _ELSEWHERE
        case "saml-level-1":
            plan.level = 1
        case "saml-huge":
            plan.padding = _HUGE
        case "saml-other-receiver":
            plan.consumer = plan.destination = plan.recipient = _ELSEWHERE
        case "saml-responder":
            plan.code = ErrorCode(0, "", None, RESPONDER)
        case _ if fault.startswith("saml-nr"):
            plan.code = CODES[int(fault[-2:])]


def _wrap(document: bytes) -> bytes:
    """A forged response and assertion take the signed ones' place; those hide where verifiers do not look.

    The signed response stays whole below the forged root, so that a verifier that looks up the ID alone
    finds a good signature (saml-sec-consider; Somorovsky et al., "On Breaking SAML", 2012).
    """
    signed = parse(document)
    forged = copy.deepcopy(signed)
    forged.set("ID", new_id())
    for parent in forged.iter():
        for child in list(parent):
            if child.tag == q(names.DS, "Signature"):
                parent.remove(child)
    assertion = forged.find(q(names.SAML, "Assertion"))
    if assertion is None:
        return document
    assertion.set("ID", new_id())
    for value in assertion.iter(q(names.SAML, "AttributeValue")):
        value.text = "FORGED"
    signature = signed.find(q(names.DS, "Signature"))
    if signature is not None:
        wrapper = copy.deepcopy(signature)
        holder = wrapper.makeelement(q(names.DS, "Object"), {})
        holder.append(signed)
        wrapper.append(holder)
        forged.insert(1, wrapper)
    return write(forged)


def _seal(document: bytes) -> bytes:
    """An EncryptedAssertion in place of the assertion; its key is discarded."""
    root = parse(document)
    for child in list(root):
        if child.tag == q(names.SAML, "Assertion"):
            sealed = root.makeelement(q(names.SAML, "EncryptedAssertion"), {})
            sealed.append(root.makeelement(q(_XENC, "EncryptedData"), {}))
            root.remove(child)
            root.append(sealed)
    return write(root)
