"""SPID: the published services, the whole login by either binding, each error once."""
import base64
import json
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from .browser import Page
from .rig import Rig, SandboxTest
from .test_oidc import OIDCTest

RETURN = "http://127.0.0.1:51235/signed-in"
FIELDS = (
    "codiceFiscale", "codiceIdentificativo", "cognome", "dataNascita", "dataScadenzaIdentita", "documentoIdentita",
    "emailAddress", "emailPec", "indirizzoDomicilio", "indirizzoSedeLegale", "luogoNascita", "nome",
    "numeroTelefono", "partitaIva", "provinciaNascita", "ragioneSociale", "sesso")
IDENTIFIERS = ["posteid", "timid", "namirialid", "infocertid", "sielteid", "spiditalia", "arubaid"]
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
JSON = {"Accept": "application/json"}
OTHER = (
    f'<EntityDescriptor xmlns="{METADATA}" entityID="{{entity}}">'
    f'<IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL}">'
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" '
    'Location="https://idp.example.invalid/post"/></IDPSSODescriptor></EntityDescriptor>')


class SPIDTest(SandboxTest):
    """A browser, and the services."""

    users, mailed_code = OIDCTest.users, OIDCTest.mailed_code

    def setUp(self) -> None:
        self.base = self.rig.ready["ways"] + "spid/"
        self.user = self.rig.browser("Mozilla/5.0 (X11; Linux) test")

    def providers(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.json("list-providers")["identityProviders"]
        return found

    def json(self, path: str) -> Any:
        page = self.user.open(self.base + path, headers=JSON)
        self.assertEqual(page.status, 200, page.text)
        return json.loads(page.text)

    def asked(self, level: int = 1, **more: str) -> dict[str, str]:
        entity = f"https://{IDENTIFIERS[0]}.cie-sandbox.invalid/not-an-identity-provider"
        answer: dict[str, str] = self.json("auth-spid?" + urlencode({"entityId": entity, "level": level, **more}))
        return answer

    def to_login(self, level: int = 1, **more: str) -> Page:
        answer = self.asked(level, **more)
        return self.user.open(answer["destinationUrl"], {"SAMLRequest": answer["xmlAuthRequest"]})

    def to_response(self, level: int = 1, role: str = "password", **more: str) -> Page:
        page = self.user.submit(self.to_login(level, **more), **self.users(role))
        if level == 2:
            page = self.user.submit(page, code=self.mailed_code())
        return self.user.submit(page, choice="accept")

    def reason(self, page: Page) -> str:
        return str(json.loads(self.user.open(page.action, page.fields, headers=JSON).text)["error"])


class LoginTest(SPIDTest):
    """Successful flows."""

    def test_the_list_has_the_published_shape_and_names(self) -> None:
        answer = self.json("list-providers")
        self.assertEqual(set(answer), {"identityProviders", "extraInfo"})
        self.assertEqual([p["identifier"] for p in answer["identityProviders"]], IDENTIFIERS)
        for provider in answer["identityProviders"]:
            self.assertEqual(set(provider), {"entityId", "identifier", "name"})
            self.assertTrue(urlsplit(provider["entityId"]).hostname.endswith(".invalid"))
            self.assertIn("sandbox", provider["name"])
        for info in answer["extraInfo"]:
            self.assertEqual(set(info), {"title", "url"})

    def test_auth_spid_has_the_published_shape_and_a_signed_request(self) -> None:
        for level in (1, 2, 3):
            answer = self.asked(level)
            self.assertEqual(set(answer), {"xmlAuthRequest", "destinationUrl"})
            document = base64.b64decode(answer["xmlAuthRequest"])
            root = Tree.fromstring(document)
            self.assertEqual(root.get("Destination"), answer["destinationUrl"])
            self.assertEqual(root.get("ForceAuthn"), None if level == 1 else "true")
            self.assertIn(f"SpidL{level}<".encode(), document)
            self.assertTrue(self.verifies(document, f"{PROTOCOL}:AuthnRequest", "sp-saml.pem"))

    def verifies(self, document: bytes, kind: str, certificate: str) -> bool:
        return subprocess.run(
            ["xmlsec1", "--verify", "--pubkey-cert-pem", str(self.rig.folder / "state" / certificate),
             "--id-attr:ID", kind, "--node-id", Tree.fromstring(document).get("ID", ""), "/dev/stdin"],
            input=document, capture_output=True).returncode == 0

    def test_login_ends_with_the_seventeen_fields(self) -> None:
        for level in (1, 2):
            page = self.to_response(level)
            self.assertTrue(self.verifies(
                base64.b64decode(page.fields["SAMLResponse"]), f"{PROTOCOL}:Response", "idp-saml.pem"))
            end = self.user.open(page.action, page.fields, headers=JSON, follow=False)
            self.assertEqual(end.status, 303)
            data = json.loads(self.user.open(end.headers["location"], headers=JSON).text)
            self.assertEqual(sorted(data), sorted(FIELDS))
            self.assertEqual(data["codiceFiscale"], "PRVGSM80X99Z999G")
            self.assertEqual(data["dataNascita"], "1980-01-11T00:00:00.000Z")
            again = self.user.open(end.headers["location"], headers=JSON)
            self.assertEqual((again.status, json.loads(again.text)["error"]), (404, "unknown-code"))

    def test_login_in_the_browser_by_either_binding_and_every_provider(self) -> None:
        for number, provider in enumerate(self.providers()):
            binding = ("post", "redirect")[number % 2]
            page = self.user.open(self.base + "login?" + urlencode(
                {"entityId": provider["entityId"], "level": 1, "binding": binding}))
            if binding == "post":
                page = self.user.submit(page)
            self.assertIn(provider["name"], page.title)
            page = self.user.submit(self.user.submit(page, **self.users()), choice="accept")
            end = self.user.submit(page)
            self.assertEqual((end.title, end.data["cognome"]), ("Accesso eseguito (sandbox)", "PROVA"))

    def test_the_browser_comes_back_to_loopback_with_a_code_for_the_client(self) -> None:
        page = self.to_response(returnUrl=RETURN)
        end = self.user.open(page.action, page.fields, follow=False)
        self.assertTrue(end.headers["location"].startswith(RETURN + "?code="))
        code = parse_qs(urlsplit(end.headers["location"]).query)["code"][0]
        client = self.rig.browser()
        data = json.loads(client.open(f"{self.base}user?code={code}", headers=JSON).text)
        self.assertEqual(data["nome"], "GELSOMINA")
        page = self.to_login(returnUrl=RETURN)
        page = self.user.open(self.base + "idp/visit/password", {**page.fields, "choice": "cancel"})
        end = self.user.open(page.action, page.fields, follow=False)
        self.assertEqual(end.headers["location"], RETURN + "?error=nr25")

    def test_metadata_is_signed(self) -> None:
        for path, certificate in (("metadata", "sp-saml.pem"), ("idp/posteid/metadata", "idp-saml.pem")):
            document = self.user.open(self.base + path).text.encode()
            self.assertTrue(self.verifies(document, f"{METADATA}:EntityDescriptor", certificate))
            self.assertNotIn(b"gov.it/saml-extensions/", document)


class RefusalTest(SPIDTest):
    """Errors 19 to 25, and input that neither side accepts."""

    def test_spid_errors(self) -> None:
        def password(page: Page, **form: str) -> Page:
            return self.user.open(self.base + "idp/visit/password", {**page.fields, **form})

        page = self.to_login()
        for _ in range(3):
            page = password(page, user="x", password="x")
        self.assertEqual(self.reason(page), "nr19")
        self.assertEqual(self.reason(password(self.to_login(3), **self.users())), "nr20")
        self.assertEqual(self.reason(password(self.to_login(), choice="idle")), "nr21")
        self.assertEqual(self.reason(password(self.to_login(), **self.users("blocked"))), "nr23")
        self.assertEqual(self.reason(password(self.to_login(), choice="cancel")), "nr25")
        page = self.user.submit(self.to_login(), **self.users())
        self.assertEqual(self.reason(self.user.submit(page, choice="deny")), "nr22")
        page = self.user.submit(self.to_login(2), **self.users())
        for _ in range(3):
            page = self.user.open(self.base + "idp/visit/code", {**page.fields, "code": "x"})
        self.assertEqual(self.reason(page), "nr19")

    def test_requests_that_the_provider_refuses(self) -> None:
        answer = self.asked()
        document = base64.b64decode(answer["xmlAuthRequest"])

        def send(data: bytes, url: str = answer["destinationUrl"]) -> str:
            page = self.user.open(url, {"SAMLRequest": base64.b64encode(data).decode()})
            if "SAMLResponse" in page.fields:
                root = Tree.fromstring(base64.b64decode(page.fields["SAMLResponse"]))
                return str(root.findtext(f".//{{{PROTOCOL}}}StatusMessage"))
            return page.data.get("code", "")

        other = answer["destinationUrl"].replace("posteid", "arubaid")
        self.assertEqual(send(document, other), "ErrorCode nr14")
        self.assertEqual(send(document.replace(b"SpidL1", b"SpidL2")), "ErrorCode nr07")
        self.assertEqual(send(document.replace(b"spid-sp.cie", b"other.cie")), "ErrorCode nr10")
        self.assertEqual(send(b"<a/>"), "ErrorCode nr08")
        self.assertEqual(self.user.open(answer["destinationUrl"]).data["code"], "ErrorCode nr06")
        self.assertEqual(self.user.open(answer["destinationUrl"], {"x": "y"}).data["code"], "ErrorCode nr04")
        self.assertEqual(send(document), "ErrorCode nr11")
        fresh = base64.b64decode(self.asked()["xmlAuthRequest"])
        self.assertEqual(send(fresh), "")
        self.assertEqual(send(fresh), "ErrorCode nr11")
        redirect = self.user.open(self.base + "login?" + urlencode(
            {"entityId": self.providers()[0]["entityId"], "binding": "redirect"}), follow=False).headers["location"]
        self.assertEqual(
            self.user.open(redirect.replace("RelayState=", "RelayState=x")).data["code"], "ErrorCode nr05")
        self.assertEqual(self.user.open(self.base + "idp/nobody/metadata").status, 404)

    def test_services_refuse_what_they_do_not_know(self) -> None:
        entity = quote(self.providers()[0]["entityId"], safe="")
        for query in (
            "", "entityId=https://x.invalid/", f"entityId={entity}&level=4", f"entityId={entity}&entityId={entity}",
            f"entityId={entity}&returnUrl=http://evil.invalid:80/", f"entityId={entity}&returnUrl=https://127.0.0.1:1/",
            f"entityId={entity}&returnUrl=http://127.0.0.1/", f"entityId={entity}&returnUrl=http://a@127.0.0.1:1/",
            f"entityId={entity}&returnUrl=http://127.0.0.1:x/", f"entityId={entity}&returnUrl=http://127.0.0.1:1/other",
            f"entityId={entity}&more=1",
        ):
            with self.subTest(query):
                self.assertEqual(self.user.open(f"{self.base}auth-spid?{query}").status, 400)
                self.assertEqual(self.user.open(f"{self.base}login?{query}").status, 400)
        self.assertEqual(self.user.open(self.base + "acs", {"SAMLResponse": "x"}).status, 403)
        self.assertEqual(self.user.open(self.base + "acs", {}).status, 400)

    def test_a_response_counts_once(self) -> None:
        page = self.to_response()
        self.assertEqual(self.user.submit(page).status, 200)
        self.assertEqual(self.reason(page), "in-response-to")

    def test_what_saml_leaves_open_and_spid_does_not(self) -> None:
        for pattern, replacement, reason in (
            (rb'(<saml:Assertion[^>]* Version=")2.0', rb"\g<1>1.1", "version"),
            (rb"(<saml:NameID[^>]*>)[^<]*", rb"\g<1>", "name-id"),
            (rb'(<saml:NameID[^>]*) NameQualifier="[^"]*"', rb"\g<1>", "name-id"),
            (rb'<saml:Issuer Format="[^"]*"', rb"<saml:Issuer", "issuer"),
        ):
            with self.subTest(pattern):
                page = self.to_response()
                good = base64.b64decode(page.fields["SAMLResponse"])
                changed = re.sub(pattern, replacement, good)
                self.assertNotEqual(changed, good)
                page.fields["SAMLResponse"] = base64.b64encode(changed).decode()
                self.assertEqual(self.reason(page), reason)


class OptionTest(unittest.TestCase):
    """A further identity provider."""

    def test_it_is_listed_and_asked(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "idp.xml"
            for entity, listed in (("https://idp.example.invalid/", 8), ("https://idp.gov.it/", 0)):
                file.write_text(OTHER.format(entity=entity))
                if not listed:
                    with self.assertRaisesRegex(RuntimeError, "no government entity"):
                        Rig("--spid-idp-metadata", str(file)).remove()
                    continue
                rig = Rig("--spid-idp-metadata", str(file))
                self.addCleanup(rig.remove)
                base, user = rig.ready["ways"] + "spid/", rig.browser()
                answer = json.loads(user.open(base + "list-providers").text)["identityProviders"]
                self.assertEqual((len(answer), answer[-1]["entityId"]), (listed, entity))
                asked = json.loads(user.open(f"{base}auth-spid?entityId={quote(entity, safe='')}").text)
                self.assertEqual(asked["destinationUrl"], "https://idp.example.invalid/post")
