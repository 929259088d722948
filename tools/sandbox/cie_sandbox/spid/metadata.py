"""Metadata of the service provider and of the identity providers."""
from xml.etree.ElementTree import Element

from ..saml import names, xml
from ..saml.metadata import MetadataError, endpoint, entity, is_government, key_descriptor
from ..saml.response import SigningKey
from ..saml.signature import fill
from ..saml.xml import element, q
from .names import ATTRIBUTES, SP_ENTITY_ID, IdentityProvider

SPID = "https://spid.gov.it/saml-extensions"
"""A name in the protocol; no content is ever loaded from there."""
_ITALIAN = {"{http://www.w3.org/XML/1998/namespace}lang": "it"}


def service_provider(base: str, certificate_pem: bytes) -> tuple[Element, str]:
    """The service provider, unsigned, and its ID. `base` is the address of all of SPID here."""
    role = element(
        names.MD, "SPSSODescriptor",
        {"protocolSupportEnumeration": names.SAMLP, "AuthnRequestsSigned": "true", "WantAssertionsSigned": "true"},
        key_descriptor(certificate_pem),
        endpoint("SingleLogoutService", names.POST, base + "logout"),
        element(names.MD, "NameIDFormat", text=names.TRANSIENT),
        endpoint("AssertionConsumerService", names.POST, base + "acs", index="0", isDefault="true"),
        element(
            names.MD, "AttributeConsumingService", {"index": "0"},
            element(names.MD, "ServiceName", _ITALIAN, text="Servizio di prova della sandbox"),
            *(element(names.MD, "RequestedAttribute", {"Name": name}) for name in ATTRIBUTES)))
    contact = element(
        names.MD, "ContactPerson", {"contactType": "other"},
        element(
            names.MD, "Extensions", None,
            element(SPID, "IPACode", text="sandbox"), element(SPID, "Public")),
        element(names.MD, "EmailAddress", text="nobody@cie-sandbox.invalid"))
    return entity(SP_ENTITY_ID, role, contact)


def identity_provider(provider: IdentityProvider, base: str, certificate_pem: bytes) -> tuple[Element, str]:
    """One identity provider, unsigned, and its ID."""
    own = f"{base}idp/{provider.identifier}/"
    role = element(
        names.MD, "IDPSSODescriptor",
        {"protocolSupportEnumeration": names.SAMLP, "WantAuthnRequestsSigned": "true"},
        key_descriptor(certificate_pem),
        endpoint("SingleLogoutService", names.REDIRECT, own + "logout"),
        element(names.MD, "NameIDFormat", text=names.TRANSIENT),
        endpoint("SingleSignOnService", names.REDIRECT, own + "redirect"),
        endpoint("SingleSignOnService", names.POST, own + "post"),
        *(element(names.SAML, "Attribute", {"Name": name, "NameFormat": names.BASIC}) for name in ATTRIBUTES))
    return entity(provider.entity_id, role)


def foreign(data: bytes, number: int) -> IdentityProvider:
    """A further identity provider by its metadata. Raises MetadataError."""
    try:
        root = xml.parse(data)
    except xml.NotXML as error:
        raise MetadataError("no metadata") from error
    entity_id = root.get("entityID")
    if root.find(q(names.MD, "IDPSSODescriptor")) is None or not entity_id:
        raise MetadataError("no EntityDescriptor of an identity provider")
    if is_government(entity_id):
        raise MetadataError("the sandbox takes no government entity")
    return IdentityProvider(f"altro{number}", entity_id, f"Altro gestore {number}")


def unsigned(made: tuple[Element, str]) -> bytes:
    """Without the template of the signature."""
    root, _ = made
    for signature in root.findall(q(names.DS, "Signature")):
        root.remove(signature)
    return xml.write(root)


def signed(made: tuple[Element, str], key: SigningKey) -> bytes:
    """With its signature."""
    root, identifier = made
    return fill(xml.write(root), f"{names.MD}:EntityDescriptor", identifier, key.key, key.certificate)
