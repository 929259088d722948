"""SPID: the published services, the whole login by either binding, each error and each fault once."""
import base64
import json
import subprocess
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from cie_sandbox.faults import spid

from .browser import Browser, Page
from .rig import SandboxTest
from .test_oidc import OIDCTest

RETURN = "http://127.0.0.1:51235/random-path"
FIELDS = (
    "codiceFiscale", "codiceIdentificativo", "cognome", "dataNascita", "dataScadenzaIdentita", "documentoIdentita",
    "emailAddress", "emailPec", "indirizzoDomicilio", "indirizzoSedeLegale", "luogoNascita", "nome",
    "numeroTelefono", "partitaIva", "provinciaNascita", "ragioneSociale", "sesso")
IDENTIFIERS = ["posteid", "timid", "namirialid", "infocertid", "sielteid", "spiditalia", "arubaid"]
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
JSON = {"Accept": "application/json"}
NAMES = frozenset(name for table in spid.MEANINGS.values() for name in table)


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
    """What goes well."""

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
    """Errors 19 to 25, and what neither side takes."""

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
            f"entityId={entity}&returnUrl=http://127.0.0.1:x/", f"entityId={entity}&more=1",
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


class FaultTest(SPIDTest):
    """Each fault once."""

    def test_responses(self) -> None:
        for name, reason in (
            ("spid-nr19", "nr19"), ("spid-nr20", "nr20"), ("spid-nr23", "nr23"),
            ("spid-no-attributes", "pysaml2-SignatureError"), ("spid-no-fiscal-number", "attributes"),
            ("spid-other-provider", "issuer"), ("saml-wrong-signature", "pysaml2-SignatureError"),
            ("saml-wrong-key", "pysaml2-SignatureError"), ("saml-unsigned-assertion", "unsigned"),
            ("saml-wrapped", "assertions"), ("saml-expired", "not-on-or-after"), ("saml-level-1", None),
            ("saml-wrong-audience", "audience"), ("saml-unsolicited", "in-response-to"), ("saml-nr22", "nr22"),
        ):
            with self.subTest(name):
                self.rig.arm(name)
                page = self.to_response(2 if reason is None else 1)
                self.assertEqual(self.reason(page), reason or "level")

    def test_list_and_request(self) -> None:
        own = self.json("list-providers")
        for name in spid.MEANINGS["SPID_LIST"]:
            self.rig.arm(name)
            self.assertNotEqual(self.json("list-providers"), own)
        self.assertEqual(self.json("list-providers"), own)
        for name in spid.MEANINGS["SPID_REQUEST"]:
            with self.subTest(name):
                self.rig.arm(name)
                answer = self.asked()
                try:
                    document = base64.b64decode(answer["xmlAuthRequest"], validate=True)
                    issuer = b"spid-sp.cie-sandbox.invalid" in document
                except ValueError:
                    issuer = False
                self.assertFalse(issuer and answer["destinationUrl"].startswith(self.base))

    def test_every_status_at_every_step(self) -> None:
        for name in spid.MEANINGS["SPID_STATUS"]:
            status = int(name[-3:])
            self.rig.arm(name, "spid/list-providers")
            self.assertEqual(self.user.open(self.base + "list-providers").status, status)
        for place in ("auth-spid", "idp-post", "spid-visit/password", "acs", "user"):
            with self.subTest(place):
                self.rig.arm("spid-502", f"spid/{place}")
                self.assertEqual(self.steps(self.rig.browser()), 502)
                self.assertEqual(self.steps(self.rig.browser()), 200)

    def steps(self, user: Browser) -> int:
        """The status of the step that failed, or of the last one."""
        entity = quote(f"https://{IDENTIFIERS[0]}.cie-sandbox.invalid/not-an-identity-provider", safe="")
        page = user.open(f"{self.base}auth-spid?level=1&entityId={entity}")
        if page.status != 200:
            return page.status
        answer = json.loads(page.text)
        page = user.open(answer["destinationUrl"], {"SAMLRequest": answer["xmlAuthRequest"]})
        for form in (self.users(), {"choice": "accept"}, {}):
            if page.status != 200:
                return page.status
            page = user.submit(page, **form)
        return page.status

    def test_the_way_back_and_the_data(self) -> None:
        for name in spid.MEANINGS["SPID_RETURN"]:
            self.rig.arm(name)
            page = self.to_response(returnUrl=RETURN)
            target = self.user.open(page.action, page.fields, follow=False).headers["location"]
            code = parse_qs(urlsplit(target).query).get("code", [""])[0]
            self.assertFalse(target.startswith(RETURN) and len(code) > 30)
        for name in spid.MEANINGS["SPID_USER"]:
            self.rig.arm(name)
            page = self.to_response()
            end = self.user.open(page.action, page.fields, follow=False).headers["location"]
            data = json.loads(self.user.open(end, headers=JSON).text)
            good = sorted(data) == sorted(FIELDS) and all(
                isinstance(value, str) and "\x1b" not in value for value in data.values())
            self.assertFalse(good and data["dataNascita"].endswith("Z"))

    def test_a_log_without_names(self) -> None:
        self.user.submit(self.to_response(2))
        log = Path(self.rig.log).read_text()
        for word in ("PROVA", "GELSOMINA", "PRVGSM", "example.invalid", self.users()["password"]):
            self.assertNotIn(word, log)
