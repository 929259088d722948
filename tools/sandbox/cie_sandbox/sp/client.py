"""The SAML side of the service provider: pysaml2 makes the requests and judges the responses.

Importing this module loads pysaml2, which takes most of a second; the sandbox does it beside its start.
"""
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.response import StatusError
from saml2.saml import AuthnContextClassRef
from saml2.samlp import RequestedAuthnContext

from ..saml import names
from ..saml.signature import XMLSEC
from .entity import ENTITY_ID
from .response_checks import Expected, Rejected, check, read


class SAMLClient:
    """One pysaml2 client."""

    def __init__(
        self, consumer: str, key: Path, certificate: Path, *idp_metadata: bytes, entity_id: str = ENTITY_ID
    ) -> None:
        self._consumer, self._entity_id = consumer, entity_id
        self._saml = Saml2Client(SPConfig().load({
            "entityid": entity_id,
            "service": {"sp": {
                "endpoints": {"assertion_consumer_service": [(consumer, names.POST)]},
                "authn_requests_signed": True, "want_assertions_signed": True,
                "want_response_signed": True, "allow_unsolicited": False, "force_authn": True}},
            "metadata": {"inline": [data.decode() for data in idp_metadata]},
            "key_file": str(key), "cert_file": str(certificate), "xmlsec_binary": XMLSEC,
            "accepted_time_diff": 60, "allow_unknown_attributes": True}))

    @property
    def issuer(self) -> str:
        """The identity provider's entity ID."""
        return str(next(iter(self._saml.metadata.identity_providers())))

    @property
    def provider_origin(self) -> str:
        """Scheme, host and port of the identity provider."""
        location = urlsplit(self._saml.metadata.service(
            self.issuer, "idpsso_descriptor", "single_sign_on_service", names.REDIRECT)[0]["location"])
        return f"{location.scheme}://{location.netloc}"

    def request(self, binding: str, level: int, comparison: str, relay_state: str) -> tuple[str, Any]:
        """A signed AuthnRequest: its ID, and pysaml2's HTTP arguments for the binding."""
        destination = self._saml.metadata.service(
            self.issuer, "idpsso_descriptor", "single_sign_on_service", binding)[0]["location"]
        is_post = binding == names.POST
        identifier, message = self._saml.create_authn_request(
            destination, nameid_format=names.TRANSIENT, sign=is_post,
            sign_alg=names.RSA_SHA256, digest_alg=names.SHA256,
            requested_authn_context=RequestedAuthnContext(
                comparison=comparison,
                authn_context_class_ref=[AuthnContextClassRef(
                    text=f"https://www.spid.gov.it/SpidL{level}")]))
        arguments = self._saml.apply_binding(
            binding, str(message), destination, relay_state, sign=not is_post,
            sigalg=names.RSA_SHA256)
        return identifier, (destination, str(message), arguments)

    def judge(
        self, response: str, request: str, level: int, issuer: str | None = None
    ) -> tuple[dict[str, str], list[str]]:
        """The attributes and the IDs to remember. Raises `Rejected`."""
        root = read(response)
        check(root, Expected(issuer or self.issuer, self._entity_id, self._consumer, request, level))
        verified = self._verified(response, request)
        attributes = {
            attribute.name: attribute.attribute_value[0].text
            for statement in verified.assertion.attribute_statement
            for attribute in statement.attribute}
        return attributes, [verified.response.id, verified.assertion.id]

    def _verified(self, response: str, request: str) -> Any:
        try:
            verified = self._saml.parse_authn_request_response(
                response, names.POST, outstanding={request: "/"})
        except StatusError as error:
            raise Rejected(_code(str(error))) from None
        except Exception as error:
            # pysaml2 raises many types, plain Exception among them; their names suffice.
            raise Rejected(f"pysaml2-{type(error).__name__}") from None
        if verified is None or verified.assertion is None:
            raise Rejected("pysaml2-refused")
        return verified


def _code(message: str) -> str:
    at = message.find("ErrorCode nr")
    return message[at + 10:at + 14] if at >= 0 else "status"
