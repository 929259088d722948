"""An AuthnRequest and the checks of the CIE profile, each with its error code."""
import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from . import names
from .errors import Refused
from .metadata import ServiceProvider
from .xml import now, q, read_instant

_CLOCK = datetime.timedelta(minutes=3)
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True)
class AuthnRequest:
    """The data of a request that passed every check."""

    identifier: str
    consumer: str
    level: int


def issuer(root: Element) -> str | None:
    """The text of the Issuer, exactly as received; None if the root is no AuthnRequest."""
    node = root.find(q(names.SAML, "Issuer"))
    return node.text if node is not None else None


def consumer_for_errors(root: Element, provider: ServiceProvider) -> str:
    """The receiver of a SAML error: the requested consumer if it is registered, else the default one."""
    try:
        return _consumer(root, provider)
    except Refused:
        return provider.default_consumer


def check(
    root: Element, provider: ServiceProvider, destination: str, seen: Callable[[str], bool]
) -> AuthnRequest:
    """Checks a request with a valid signature. `seen` returns true if an ID came before, and keeps it."""
    if root.get("Version") != "2.0":
        raise Refused(9)
    identifier = root.get("ID", "")
    if _ID.fullmatch(identifier) is None or seen(identifier):
        raise Refused(11)
    _check_profile(root, provider.strict)
    level = _level(root, provider.strict)
    _check_instant(root.get("IssueInstant", ""))
    if root.get("Destination") != destination:
        raise Refused(14)
    passive = root.get("IsPassive")
    if passive in ("true", "1") or (passive is not None and provider.strict):
        raise Refused(15)
    consumer = _consumer(root, provider)
    _check_name_policy(root, provider.strict)
    _check_attribute_set(root, provider)
    return AuthnRequest(identifier, consumer, level)


def _check_profile(root: Element, strict: bool) -> None:
    if not strict:
        return
    if root.get("ForceAuthn") not in ("true", "1") or root.find(q(names.SAMLP, "Scoping")) is not None:
        raise Refused(8)
    sender = root.find(q(names.SAML, "Issuer"))
    if sender is not None and sender.get("Format", names.ENTITY) != names.ENTITY:
        raise Refused(10)


def _level(root: Element, strict: bool) -> int:
    contexts = root.findall(q(names.SAMLP, "RequestedAuthnContext"))
    if not contexts and not strict:
        return 3
    if len(contexts) != 1:
        raise Refused(12)
    references = contexts[0].findall(q(names.SAML, "AuthnContextClassRef"))
    level = names.LEVELS.get((references[0].text or "").strip()) if len(references) == 1 else None
    comparison = contexts[0].get("Comparison", "exact")
    allowed = ("exact", "minimum") if level == 3 or not strict else ("minimum",)
    if level is None or comparison not in allowed:
        raise Refused(12)
    return level


def _check_instant(text: str) -> None:
    try:
        moment = read_instant(text)
    except ValueError:
        raise Refused(13) from None
    if abs(moment - now()) > _CLOCK:
        raise Refused(13)


def _consumer(root: Element, provider: ServiceProvider) -> str:
    url = root.get("AssertionConsumerServiceURL")
    binding = root.get("ProtocolBinding")
    index = root.get("AssertionConsumerServiceIndex")
    if index is not None:
        found = provider.consumers.get(int(index)) if re.fullmatch("[0-9]{1,5}", index) else None
        if found is None or url is not None or binding is not None:
            raise Refused(16)
        return found
    if url is None and binding is None and not provider.strict:
        return provider.default_consumer
    if url is None or url not in provider.consumers.values():
        raise Refused(16)
    if binding != names.POST and (binding is not None or provider.strict):
        raise Refused(16)
    return url


def _check_name_policy(root: Element, strict: bool) -> None:
    policy = root.find(q(names.SAMLP, "NameIDPolicy"))
    if policy is None and not strict:
        return
    if policy is None or policy.get("Format") != names.TRANSIENT:
        raise Refused(17)
    if strict and policy.get("AllowCreate") is not None:
        raise Refused(17)


def _check_attribute_set(root: Element, provider: ServiceProvider) -> None:
    index = root.get("AttributeConsumingServiceIndex")
    if index is None:
        return
    if re.fullmatch("[0-9]{1,5}", index) is None or int(index) not in provider.attribute_sets:
        raise Refused(18)
