"""Metadata: reading service providers', writing the identity provider's and the sandbox's own."""
import base64
import binascii
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from . import names
from .signature import template
from .xml import element, new_id, parse, q


class MetadataError(ValueError):
    """Not the metadata of one service provider."""


@dataclass(frozen=True)
class ServiceProvider:
    """The identity provider's data about a service provider."""

    entity_id: str
    name: str
    consumers: dict[int, str]
    default_consumer: str
    attribute_sets: frozenset[int]
    certificates: list[Path]
    strict: bool


def _signing_certificates(role: Element) -> list[bytes]:
    found = []
    for descriptor in role.findall(q(names.MD, "KeyDescriptor")):
        if descriptor.get("use", "signing") != "signing":
            continue
        for node in descriptor.iter(q(names.DS, "X509Certificate")):
            der = base64.b64decode("".join((node.text or "").split()))
            found.append(x509.load_der_x509_certificate(der).public_bytes(
                serialization.Encoding.PEM))
    return found


def read_service_provider(data: bytes, folder: Path, strict: bool) -> ServiceProvider:
    """Reads one EntityDescriptor; its certificates become files in `folder`, for xmlsec1.

    A strict provider's requests must follow the CIE profile exactly.
    """
    root = parse(data)
    role = root.find(q(names.MD, "SPSSODescriptor"))
    entity_id = root.get("entityID")
    if root.tag != q(names.MD, "EntityDescriptor") or role is None or not entity_id:
        raise MetadataError("no EntityDescriptor of a service provider")
    if is_government(entity_id):
        raise MetadataError("the sandbox takes no government entity")
    consumers: dict[int, str] = {}
    default = None
    for node in role.findall(q(names.MD, "AssertionConsumerService")):
        if node.get("Binding") != names.POST:
            continue
        location = node.get("Location", "")
        consumers[int(node.get("index", "0"))] = location
        if default is None or node.get("isDefault") in ("true", "1"):
            default = location
    try:
        pems = _signing_certificates(role)
    except (binascii.Error, ValueError) as error:
        raise MetadataError("a signing certificate cannot be read") from error
    if default is None or not pems:
        raise MetadataError("no POST consumer or no signing certificate")
    certificates = []
    for pem in pems:
        path = folder / f"sp-{new_id()}.pem"
        path.write_bytes(pem)
        certificates.append(path)
    sets = role.findall(q(names.MD, "AttributeConsumingService"))
    service = role.find(f".//{q(names.MD, 'ServiceName')}")
    return ServiceProvider(
        entity_id=entity_id, name=(service.text if service is not None else None) or entity_id,
        consumers=consumers, default_consumer=default,
        attribute_sets=frozenset(int(node.get("index", "0")) for node in sets),
        certificates=certificates, strict=strict)


def is_government(entity_id: str) -> bool:
    """True if it could be confused with a real one."""
    host = entity_id.partition("://")[2].partition("/")[0].partition(":")[0].rstrip(".").lower()
    return host == "gov.it" or host.endswith(".gov.it")


def key_descriptor(certificate_pem: bytes) -> Element:
    """A signing key by its certificate."""
    der = x509.load_pem_x509_certificate(certificate_pem).public_bytes(serialization.Encoding.DER)
    return element(
        names.MD, "KeyDescriptor", {"use": "signing"},
        element(names.DS, "KeyInfo", None, element(
            names.DS, "X509Data", None, element(
                names.DS, "X509Certificate", text=base64.b64encode(der).decode()))))


def endpoint(name: str, binding: str, location: str, **more: str) -> Element:
    """The endpoint for messages of one kind."""
    return element(names.MD, name, {"Binding": binding, "Location": location, **more})


def entity(entity_id: str, role: Element, *more: Element) -> tuple[Element, str]:
    """An EntityDescriptor with the organization of the sandbox, unsigned, and its ID."""
    identifier = new_id()
    organization = element(
        names.MD, "Organization", None,
        *(element(names.MD, kind, {"{http://www.w3.org/XML/1998/namespace}lang": "it"}, text=text)
          for kind, text in (
              ("OrganizationName", "CIE SANDBOX"),
              ("OrganizationDisplayName", "SANDBOX – not a government service"),
              ("OrganizationURL", "https://cie-sandbox.invalid/"))))
    root = element(
        names.MD, "EntityDescriptor", {"entityID": entity_id, "ID": identifier},
        template(identifier), role, organization, *more)
    return root, identifier


def identity_provider(entity_id: str, base: str, certificate_pem: bytes) -> tuple[Element, str]:
    """The identity provider's EntityDescriptor, unsigned, and its ID."""
    role = element(
        names.MD, "IDPSSODescriptor",
        {"protocolSupportEnumeration": names.SAMLP, "WantAuthnRequestsSigned": "true"},
        key_descriptor(certificate_pem),
        endpoint("SingleLogoutService", names.REDIRECT, base + "profile/SAML2/Redirect/SLO"),
        element(names.MD, "NameIDFormat", text=names.TRANSIENT),
        endpoint("SingleSignOnService", names.REDIRECT, base + "profile/SAML2/Redirect/SSO"),
        endpoint("SingleSignOnService", names.POST, base + "profile/SAML2/POST/SSO"))
    return entity(entity_id, role)


def service_provider(
    entity_id: str, consumer: str, logout: str, certificate_pem: bytes
) -> tuple[Element, str]:
    """The sandbox's own service provider, unsigned, and its ID."""
    wanted = (element(names.MD, "RequestedAttribute", {"Name": name, "NameFormat": names.BASIC})
              for name in ("name", "familyName", "dateOfBirth", "fiscalNumber"))
    role = element(
        names.MD, "SPSSODescriptor",
        {"protocolSupportEnumeration": names.SAMLP, "AuthnRequestsSigned": "true",
         "WantAssertionsSigned": "true"},
        key_descriptor(certificate_pem),
        endpoint("SingleLogoutService", names.REDIRECT, logout),
        element(names.MD, "NameIDFormat", text=names.TRANSIENT),
        endpoint("AssertionConsumerService", names.POST, consumer, index="0", isDefault="true"),
        element(
            names.MD, "AttributeConsumingService", {"index": "0"},
            element(names.MD, "ServiceName", {"{http://www.w3.org/XML/1998/namespace}lang": "it"},
                    text="Servizio di prova della sandbox"),
            *wanted))
    return entity(entity_id, role)
