"""Responses: the right one by xmlsec1's own command, and each wrong one refused by the service provider."""
import base64
import subprocess
import xml.etree.ElementTree as Tree

from .browser import Page
from .card import to_consent
from .rig import SandboxTest

ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"

EXPECTED = (
    ("saml-wrong-signature", "pysaml2-SignatureError"),
    ("saml-wrong-key", "pysaml2-SignatureError"),
    ("saml-unsigned-response", "unsigned"),
    ("saml-unsigned-assertion", "unsigned"),
    ("saml-wrapped", "assertions"),
    ("saml-two-assertions", "assertions"),
    ("saml-expired", "not-on-or-after"),
    ("saml-not-yet", "not-before"),
    ("saml-wrong-audience", "audience"),
    ("saml-wrong-destination", "destination"),
    ("saml-wrong-recipient", "recipient"),
    ("saml-wrong-request", "in-response-to"),
    ("saml-unsolicited", "in-response-to"),
    ("saml-wrong-issuer", "issuer"),
    ("saml-level-1", "level"),
    ("saml-relay-state", "relay-state"),
    ("saml-doctype", "not-xml"),
    ("saml-huge", "too-large"),
)
NAMES = {name for name, _ in EXPECTED} | {"saml-replayed"}


class ResponseTest(SandboxTest):
    """The response from the consent page."""

    def response(self, choice: str = "accept", query: str = "") -> tuple[Page, bytes]:
        self.user = self.rig.browser()
        page = self.user.submit(to_consent(self.rig, self.user, query), choice=choice)
        return page, base64.b64decode(page.fields["SAMLResponse"])

    def xmlsec(self, document: bytes, identifier: str) -> bool:
        result = subprocess.run(
            ["xmlsec1", "--verify", "--pubkey-cert-pem", str(self.rig.folder / "state/idp-saml.pem"),
             "--id-attr:ID", f"{PROTOCOL}:Response", "--id-attr:ID", f"{ASSERTION}:Assertion",
             "--node-id", identifier, "/dev/stdin"], input=document, capture_output=True)
        return result.returncode == 0

    def test_xmlsec1_verifies_both_signatures(self) -> None:
        _, document = self.response()
        root = Tree.fromstring(document)
        assertion = root.find(f"{{{ASSERTION}}}Assertion")
        assert assertion is not None
        for node in (root, assertion):
            identifier = node.get("ID", "")
            self.assertTrue(self.xmlsec(document, identifier))
            changed = document.replace(b">SABBIERA<", b">SABBIERO<")
            self.assertNotEqual(changed, document)
            self.assertFalse(self.xmlsec(changed, identifier))

    def test_shape(self) -> None:
        page, document = self.response()
        root = Tree.fromstring(document)
        issuer = root.find(f"{{{ASSERTION}}}Issuer")
        assert issuer is not None
        self.assertEqual(issuer.attrib, {})
        self.assertTrue((issuer.text or "").startswith("https://idp.cie-sandbox.invalid/"))
        self.assertNotIn(b"gov.it/", document.replace(b"https://www.spid.gov.it/SpidL3", b""))
        self.assertIn(b"SpidL3", document)
        self.assertEqual(root.get("Destination"), page.action)
        names = [a.get("Name") for a in root.iter(f"{{{ASSERTION}}}Attribute")]
        self.assertEqual(names, ["name", "familyName", "dateOfBirth", "fiscalNumber"])

    def test_choices(self) -> None:
        for choice, code in (("deny", "nr22"), ("cancel", "nr25"), ("idle", "nr21")):
            with self.subTest(choice):
                page, document = self.response(choice)
                self.assertIn(f"ErrorCode {code}".encode(), document)
                self.assertNotIn(b"Assertion ", document)
                end = self.user.submit(page)
                self.assertEqual((end.status, end.data["reason"]), (403, code))

    def test_each_fault(self) -> None:
        for name, reason in EXPECTED:
            with self.subTest(name):
                self.rig.arm(name)
                page, _ = self.response()
                end = self.user.submit(page)
                self.assertEqual(end.status, 413 if name == "saml-huge" else 403)
                self.assertEqual(end.data["reason"], reason)
                profile = self.user.open(self.rig.ready["spProfile"])
                self.assertEqual(profile.status, 403)

    def test_replays(self) -> None:
        page, _ = self.response()
        first = self.user.submit(page)
        self.assertEqual(first.status, 200)
        self.assertEqual(self.user.submit(page).data["reason"], "relay-state")
        self.rig.arm("saml-replayed")
        again = self.user.submit(to_consent(self.rig, self.user), choice="accept")
        self.assertEqual(again.fields["SAMLResponse"], page.fields["SAMLResponse"])
        self.assertEqual(self.user.submit(again).data["reason"], "in-response-to")

    def test_another_browser_cannot_bring_it(self) -> None:
        page, _ = self.response()
        self.assertEqual(self.rig.browser().submit(page).data["reason"], "relay-state")

    def test_json(self) -> None:
        page, _ = self.response("deny")
        refused = self.user.open(
            page.action, page.fields, headers={"Accept": "application/json"})
        self.assertIn('"error":"nr22"', refused.text.replace(" ", ""))
        page, _ = self.response()
        self.user.submit(page)
        profile = self.user.open(self.rig.ready["spProfile"] + "?format=json")
        self.assertIn('"authenticated":true', profile.text.replace(" ", ""))
        self.user.open(self.rig.ready["sp"] + "logout")
        self.assertEqual(self.user.open(self.rig.ready["spProfile"]).status, 403)

    def test_consent_form_is_bound(self) -> None:
        user = self.rig.browser()
        consent = to_consent(self.rig, user)
        self.assertEqual(user.submit(consent, choice="accept", token="guess").status, 403)
        self.assertEqual(self.rig.browser().submit(consent, choice="accept").status, 400)
        self.assertEqual(user.submit(consent, choice="other").status, 400)
        self.assertEqual(user.submit(consent, choice="accept").status, 200)
        self.assertEqual(user.submit(consent, choice="accept").status, 400)

    def test_errors_after_the_card(self) -> None:
        for name, status, text in (("error-nr02", 503, "nr02"), ("error-nr03", 500, "nr03")):
            self.rig.arm(name)
            page = to_consent(self.rig, self.rig.browser())
            self.assertEqual((page.status, page.title), (status, "ERRORE"))
            self.assertIn(text, page.text)
        self.rig.arm("error-nr23")
        user = self.rig.browser()
        self.assertEqual(user.submit(to_consent(self.rig, user)).data["reason"], "nr23")
