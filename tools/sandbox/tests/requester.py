"""AuthnRequests, right and wrong, signed by openssl and xmlsec1 with the service provider's key."""
import base64
import datetime
import secrets
import subprocess
import zlib
from urllib.parse import quote

from .rig import Rig

TEMPLATE = """<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" {attributes}>{issuer}{signature}{policy}{context}\
</samlp:AuthnRequest>"""
SIGNATURE = """<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>\
<CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>\
<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>\
<Reference URI="#{identifier}"><Transforms>\
<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>\
<Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></Transforms>\
<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue/></Reference>\
</SignedInfo><SignatureValue/></Signature>"""
CONTEXT = """<samlp:RequestedAuthnContext Comparison="{comparison}">{references}\
</samlp:RequestedAuthnContext>"""
REFERENCE = "<saml:AuthnContextClassRef>https://www.spid.gov.it/SpidL{}</saml:AuthnContextClassRef>"
ALGORITHM = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"


class Requester:
    """Makes requests as the sandbox's service provider; each call may change one thing."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self._name = secrets.token_hex(8)
        self._count = 0
        self.key = str(rig.folder / "state/sp-saml.key")

    def document(self, binding: str, **change: str | None) -> bytes:
        """An unsigned request; a change names an attribute (None: absent), or issuer, policy, context."""
        self._count += 1
        now = datetime.datetime.utcnow()
        attributes: dict[str, str | None] = {
            "ID": f"_{self._name}-{self._count}", "Version": "2.0",
            "IssueInstant": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "Destination": f"{self.rig.ready['idp']}profile/SAML2/{binding}/SSO",
            "ForceAuthn": "true", "AssertionConsumerServiceURL": self.rig.ready["sp"] + "acs",
            "ProtocolBinding": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"}
        parts: dict[str, str | None] = {
            "issuer": "<saml:Issuer>https://sp.cie-sandbox.invalid/not-a-government-service"
            "</saml:Issuer>",
            "policy": '<samlp:NameIDPolicy '
            'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"/>',
            "context": CONTEXT.format(comparison="exact", references=REFERENCE.format(3))}
        for name, value in change.items():
            (parts if name in parts else attributes)[name] = value
        text = " ".join(f'{k}="{v}"' for k, v in attributes.items() if v is not None)
        signature = SIGNATURE.format(identifier=attributes["ID"]) if binding == "POST" else ""
        return TEMPLATE.format(
            attributes=text, signature=signature,
            **{name: value or "" for name, value in parts.items()}).encode()

    def query(self, document: bytes) -> str:
        """The signed query of the redirect binding."""
        deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = deflater.compress(document) + deflater.flush()
        query = "&".join((
            "SAMLRequest=" + quote(base64.b64encode(packed), safe=""), "RelayState=state",
            "SigAlg=" + quote(ALGORITHM, safe="")))
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=query.encode(),
            capture_output=True, check=True).stdout
        return query + "&Signature=" + quote(base64.b64encode(signature), safe="")

    def signed(self, document: bytes) -> bytes:
        """The document with its XML signature filled in."""
        return subprocess.run(
            ["xmlsec1", "--sign", "--privkey-pem", self.key, "--id-attr:ID",
             "urn:oasis:names:tc:SAML:2.0:protocol:AuthnRequest", "/dev/stdin"],
            input=document, capture_output=True, check=True).stdout

    def redirect_url(self, **change: str | None) -> str:
        """A whole URL of the redirect binding."""
        return f"{self.rig.ready['idp']}profile/SAML2/Redirect/SSO?" + self.query(
            self.document("Redirect", **change))

    def post_form(self, **change: str | None) -> dict[str, str]:
        """The form of the POST binding."""
        document = self.signed(self.document("POST", **change))
        return {"SAMLRequest": base64.b64encode(document).decode(), "RelayState": "state"}
