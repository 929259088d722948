"""The SAML side of the SPID service provider: pysaml2 makes the requests and judges the responses.

Importing this module loads pysaml2.
"""
import base64

from saml2.saml import AttributeValueBase, AuthnContextClassRef
from saml2.samlp import RequestedAuthnContext

from ..saml import names
from ..sp.client import SAMLClient

_type_of = AttributeValueBase.get_type


def _known_type(value: AttributeValueBase) -> str:
    """The xsi:type of a value; dates pass as text, since pysaml2 7.0 refuses every response with an xs:date."""
    kind = str(_type_of(value))
    return kind.replace(":date", ":string") if kind.endswith(":date") else kind


AttributeValueBase.get_type = _known_type


class SPIDClient(SAMLClient):
    """The client of the CIE service provider, with SPID's requests."""

    def spid_request(self, entity_id: str, level: int) -> tuple[str, str, str]:
        """A signed AuthnRequest for HTTP-POST: its ID, its receiver, and its base64."""
        destination = self._location(entity_id, names.POST)
        identifier, message = self._made(destination, level)
        signed = self._saml.sign(
            message, mid=identifier, sign_prepare=False, sign_alg=names.RSA_SHA256, digest_alg=names.SHA256)
        return identifier, destination, base64.b64encode(str(signed).encode()).decode()

    def spid_redirect(self, entity_id: str, level: int, relay_state: str) -> tuple[str, str]:
        """The request for HTTP-Redirect: its ID and the whole address."""
        destination = self._location(entity_id, names.REDIRECT)
        identifier, message = self._made(destination, level)
        arguments = self._saml.apply_binding(
            names.REDIRECT, str(message), destination, relay_state, sign=True, sigalg=names.RSA_SHA256)
        return identifier, dict(arguments["headers"])["Location"]

    def _location(self, entity_id: str, binding: str) -> str:
        return str(self._saml.metadata.service(
            entity_id, "idpsso_descriptor", "single_sign_on_service", binding)[0]["location"])

    def _made(self, destination: str, level: int) -> tuple[str, object]:
        identifier, message = self._saml.create_authn_request(
            destination, nameid_format=names.TRANSIENT, sign=False, attribute_consuming_service_index="0",
            requested_authn_context=RequestedAuthnContext(
                comparison="minimum",
                authn_context_class_ref=[AuthnContextClassRef(text=f"https://www.spid.gov.it/SpidL{level}")]))
        message.issuer.format, message.issuer.name_qualifier = names.ENTITY, self._entity_id
        message.name_id_policy.allow_create = None
        # Level 1 may reuse a session of the provider; the others must ask again.
        message.force_authn = "true" if level > 1 else None
        message.provider_name = None
        return identifier, message
