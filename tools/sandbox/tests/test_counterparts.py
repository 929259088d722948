"""Independent programs against the sandbox: authlib's client, pysaml2's two sides."""
import base64
import json
import secrets
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebToken
from authlib.oauth2.rfc7523 import PrivateKeyJWT, private_key_jwt_sign
from authlib.oidc.core import CodeIDToken
from saml2 import BINDING_HTTP_POST
from saml2.authn_context import AuthnBroker, authn_context_class_ref
from saml2.client import Saml2Client
from saml2.config import IdPConfig, SPConfig
from saml2.saml import NAMEID_FORMAT_TRANSIENT, AuthnContextClassRef, NameID
from saml2.samlp import RequestedAuthnContext
from saml2.server import Server

from .relying_party import LEVEL, RETURN
from .rig import Rig, SandboxTest
from .test_oidc import OIDCTest
from .test_spid import FIELDS, JSON, PROTOCOL

SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"


class _Assertion(PrivateKeyJWT):  # type: ignore[misc]
    """authlib's, with the kid that the profile requires and a life shorter than its usual hour."""

    def sign(self, auth: Any, token_endpoint: str) -> Any:
        return private_key_jwt_sign(
            auth.client_secret, auth.client_id, token_endpoint, header={"kid": self.headers["kid"]}, expires_in=60)


class AuthlibClientTest(OIDCTest):
    """authlib's own relying party."""

    def session(self, **more: Any) -> OAuth2Session:
        session = OAuth2Session(
            self.party.client_id, self.party.jwk, scope="openid profile offline_access", redirect_uri=RETURN,
            token_endpoint_auth_method="private_key_jwt", code_challenge_method="S256", **more)
        session.verify, session.trust_env = self.rig.ready["ca"], False
        session.register_client_auth_method(_Assertion(self.party.issuer + "token", headers={"kid": self.party.kid}))
        return session

    def test_login_refresh_and_revocation(self) -> None:
        discovery = self.party.discovery()
        session = self.session(token_endpoint=discovery["token_endpoint"])
        verifier = secrets.token_urlsafe(48)
        self.party.verifier = verifier
        url, state = session.create_authorization_url(
            discovery["authorization_endpoint"], state=self.party.state, code_verifier=verifier,
            request=self.party.sign(self.party.request_object(scope="openid profile offline_access")))
        self.assertEqual(state, self.party.state)
        page = self.party.user.open(url)
        page = self.party.user.submit(page, **self.users())
        end = self.party.user.open(
            self.party.issuer + "visit/consent", {**page.fields, "choice": "accept"}, follow=False)
        token = session.fetch_token(
            authorization_response=end.headers["location"], code_verifier=verifier, state=state)
        keys = session.get(discovery["jwks_uri"], withhold_token=True).json()
        claims = JsonWebToken(["RS256"]).decode(
            token["id_token"], keys, claims_cls=CodeIDToken,
            claims_options={"iss": {"essential": True, "value": discovery["issuer"]},
                            "aud": {"essential": True, "value": self.party.client_id}},
            claims_params={"nonce": self.party.nonce, "client_id": self.party.client_id,
                           "access_token": token["access_token"]})
        claims.validate()
        self.assertEqual((claims["family_name"], claims["acr"]), ("PROVA", LEVEL.format(1)))
        fresh = session.refresh_token(discovery["token_endpoint"], refresh_token=token["refresh_token"])
        self.assertNotEqual(fresh["refresh_token"], token["refresh_token"])
        answer = session.get(discovery["userinfo_endpoint"])
        self.assertEqual(JsonWebToken(["RS256"]).decode(self.party.opened(answer.text), keys)["sub"], claims["sub"])


class PySAML2ProviderTest(SandboxTest):
    """pysaml2's own identity provider in place of the sandbox's, with its key."""

    def setUp(self) -> None:
        self.base = self.rig.ready["ways"] + "spid/"
        self.user = self.rig.browser()
        self.entity = "https://timid.cie-sandbox.invalid/not-an-identity-provider"
        self.server = self.provider(self.rig)

    def provider(self, rig: Rig) -> Server:
        state = Path(rig.folder) / "state"
        return Server(config=IdPConfig().load({
            "entityid": self.entity, "xmlsec_binary": "/usr/bin/xmlsec1",
            "key_file": str(state / "idp-saml.key"), "cert_file": str(state / "idp-saml.pem"),
            "metadata": {"inline": [self.user.open(self.base + "metadata").text]},
            "service": {"idp": {
                "endpoints": {"single_sign_on_service": [(f"{self.base}idp/timid/post", BINDING_HTTP_POST)]},
                "want_authn_requests_signed": True, "sign_response": True, "sign_assertion": True,
                "policy": {"default": {
                    "lifetime": {"minutes": 3}, "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:basic"}},
                "name_id_format": [NAMEID_FORMAT_TRANSIENT]}}}))

    def answered(self, level: int, reached: int) -> str:
        """The location after pysaml2's answer."""
        asked = json.loads(self.user.open(
            self.base + "auth-spid?" + urlencode({"entityId": self.entity, "level": level})).text)
        parsed = self.server.parse_authn_request(asked["xmlAuthRequest"], BINDING_HTTP_POST)
        request = parsed.message
        broker = AuthnBroker()
        broker.add(authn_context_class_ref(LEVEL.format(reached)), "", reached)
        response = self.server.create_authn_response(
            {"familyName": ["PROVA"], "fiscalNumber": ["TINIT-PRVGSM80X99Z999G"]},
            request.id, request.assertion_consumer_service_url, request.issuer.text,
            name_id=NameID(format=NAMEID_FORMAT_TRANSIENT, text=secrets.token_hex(16), name_qualifier=self.entity),
            authn={"class_ref": LEVEL.format(reached), "authn_auth": self.entity},
            sign_response=True, sign_assertion=True, sign_alg=RSA_SHA256, digest_alg=SHA256)
        page = self.user.open(
            urlsplit(request.assertion_consumer_service_url).geturl(),
            {"SAMLResponse": base64.b64encode(str(response).encode()).decode()}, headers=JSON, follow=False)
        return page.headers.get("location") or str(json.loads(page.text)["error"])

    def test_the_request_is_taken_and_its_answer_too(self) -> None:
        data = json.loads(self.user.open(self.answered(1, 1), headers=JSON).text)
        self.assertEqual((data["cognome"], data["codiceFiscale"]), ("PROVA", "PRVGSM80X99Z999G"))
        self.assertLessEqual(set(data), set(FIELDS))

    def test_a_lower_level_than_asked_is_refused(self) -> None:
        self.assertEqual(self.answered(2, 1), "level")


class PySAML2ClientTest(SandboxTest):
    """pysaml2's own service provider, with the key of the sandbox's."""

    def test_a_request_of_level_2_must_ask_anew(self) -> None:
        base, user, state = self.rig.ready["ways"] + "spid/", self.rig.browser(), Path(self.rig.folder) / "state"
        client = Saml2Client(config=SPConfig().load({
            "entityid": "https://spid-sp.cie-sandbox.invalid/not-a-government-service",
            "xmlsec_binary": "/usr/bin/xmlsec1", "key_file": str(state / "sp-saml.key"),
            "cert_file": str(state / "sp-saml.pem"),
            "metadata": {"inline": [user.open(base + "idp/arubaid/metadata").text]},
            "service": {"sp": {"endpoints": {"assertion_consumer_service": [(base + "acs", BINDING_HTTP_POST)]}}}}))
        for level, forced, expected in ((2, "false", "ErrorCode nr08"), (2, "true", ""), (1, "false", "")):
            _, request = client.create_authn_request(
                f"{base}idp/arubaid/post", nameid_format=NAMEID_FORMAT_TRANSIENT, sign=True, force_authn=forced,
                sign_alg=RSA_SHA256, digest_alg=SHA256, requested_authn_context=RequestedAuthnContext(
                    comparison="minimum", authn_context_class_ref=[AuthnContextClassRef(text=LEVEL.format(level))]))
            page = user.open(
                f"{base}idp/arubaid/post", {"SAMLRequest": base64.b64encode(str(request).encode()).decode()})
            if not expected:
                self.assertIn("Aruba ID", page.title)
                continue
            response = Tree.fromstring(base64.b64decode(page.fields["SAMLResponse"]))
            self.assertEqual(response.findtext(f".//{{{PROTOCOL}}}StatusMessage"), expected)
