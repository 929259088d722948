"""Faulty answers of the identity provider and the service; and the instructions on the pages."""
import base64
import shlex
import subprocess
import xml.etree.ElementTree as Tree
from html import unescape
from urllib.parse import urlsplit

from .browser import Page
from .card import to_consent, to_login_page
from .rig import SandboxTest

PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
CODES = ("08", "09", "11", "12", "13", "14", "15", "16", "17", "18", "21", "22", "23", "25")
NAMES = {f"saml-nr{code}" for code in CODES} | {
    "saml-responder", "saml-garbage", "saml-encrypted", "saml-other-receiver", "consent-unlisted",
    "consent-partial", "consent-button", "consent-skipped", "sp-welcomes-all", "sp-still-button", "sp-no-cookie", "sp-hand-off",
    "sp-hand-off-link"}
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) test"


class AnswerTest(SandboxTest):
    """One fault each."""

    def answer(self, *faults: str) -> Page:
        for fault in faults:
            self.rig.arm(fault)
        self.user = self.rig.browser()
        page = to_consent(self.rig, self.user)
        return page if "SAMLResponse" in page.fields else self.user.submit(page, choice="accept")

    def document(self, page: Page) -> Tree.Element:
        return Tree.fromstring(base64.b64decode(page.fields["SAMLResponse"]))

    def test_status(self) -> None:
        for code in CODES:
            with self.subTest(code):
                page = self.answer(f"saml-nr{code}")
                message = self.document(page).find(f".//{{{PROTOCOL}}}StatusMessage")
                assert message is not None
                self.assertEqual(message.text, f"ErrorCode nr{code}")
                end = self.user.submit(page)
                self.assertEqual((end.status, end.data["reason"]), (403, f"nr{code}"))
        page = self.answer("saml-responder")
        self.assertNotIn(b"nr", base64.b64decode(page.fields["SAMLResponse"]).split(b"Status>")[1])
        self.assertEqual(self.user.submit(page).data["reason"], "status")

    def test_documents(self) -> None:
        page = self.answer("saml-garbage")
        self.assertEqual(self.user.submit(page).data["reason"], "not-xml")
        page = self.answer("saml-encrypted")
        self.assertIsNotNone(self.document(page).find(f"{{{ASSERTION}}}EncryptedAssertion"))
        self.assertEqual(self.user.submit(page).status, 403)

    def test_other_receiver(self) -> None:
        page = self.answer("saml-other-receiver")
        self.assertEqual(page.action, "https://elsewhere.cie-sandbox.invalid/")
        self.assertEqual(self.document(page).get("Destination"), page.action)

    def test_consent(self) -> None:
        self.rig.arm("consent-unlisted")
        page = to_consent(self.rig, self.rig.browser())
        self.assertNotIn("<dd", page.text)
        self.assertIn("Acconsento", page.text)
        self.rig.arm("consent-partial")
        user = self.rig.browser()
        page = to_consent(self.rig, user)
        self.assertEqual(page.text.count("<dd"), 1)
        answer = self.document(user.submit(page, choice="accept"))
        self.assertEqual(len(list(answer.iter(f"{{{ASSERTION}}}Attribute"))), 4)
        self.rig.arm("consent-button")
        page = to_consent(self.rig, self.rig.browser())
        self.assertTrue(page.action.endswith("/idp/consent/refusal"))
        self.assertIn('value="accept" formaction="/idp/consent"', page.text)
        page = self.answer("consent-skipped")
        self.assertEqual(self.user.submit(page).data["fiscalNumber"][:6], "TINIT-")

    def test_service(self) -> None:
        end = self.user_at("sp-welcomes-all", "saml-nr25")
        self.assertIn("Benvenuto", end.text)
        end = self.user_at("sp-still-button")
        self.assertIn("entra-con-cie", end.links)
        end = self.user_at("sp-no-cookie")
        self.assertIn("Benvenuto", end.text)
        self.assertEqual(self.user.cookies["sandbox_sp"][0], "")

    def user_at(self, *faults: str) -> Page:
        page = self.answer(*faults)
        return self.user.submit(page)

    def test_links_of_others(self) -> None:
        self.rig.arm("sp-hand-off")
        page = self.rig.browser().open(self.rig.ready["spLogin"], follow=False)
        self.assertIn("/OpenApp?nextUrl=", page.headers["location"])
        self.rig.arm("sp-hand-off-link")
        home = self.rig.browser().open(self.rig.ready["sp"])
        self.assertIn("/OpenApp?nextUrl=", home.links["entra-con-cie"])


class TeachingTest(SandboxTest):
    """The pages explain the next step, with commands that can be pasted."""

    def command(self, page: Page) -> list[str]:
        text = unescape(page.text.split("<pre>")[1].split("</pre>")[0])
        words = shlex.split(text)
        self.assertEqual(words[:2], ["cie-read", "login"])
        self.assertIn(self.rig.ready["environment"], words)
        return words

    def test_home(self) -> None:
        words = self.command(self.rig.browser().open(self.rig.ready["sp"]))
        self.assertEqual(words[2:4], ["--sp-url", self.rig.ready["sp"]])

    def test_phone(self) -> None:
        page = to_login_page(self.rig, self.rig.browser())
        self.assertEqual(self.command(page)[2], unescape(page.links["hand-off"]))

    def test_computer(self) -> None:
        browser = self.rig.browser(DESKTOP)
        prompt = to_login_page(self.rig, browser)
        self.assertNotIn("OpenApp", prompt.text)
        for words in ("Prosegui con computer", "Prosegui con smartphone"):
            self.assertIn(words, prompt.text)
        page = browser.open(prompt.links["as-phone"])
        link = page.links["hand-off"]
        self.assertEqual(urlsplit(link).path, "/OpenApp")
        # A person who opens the link in the browser gets an explanation.
        self.assertEqual(self.command(browser.open(link))[2], link)

    def test_quotes(self) -> None:
        url = self.rig.ready["idp"].replace("/idp/", "/OpenApp?a=$(id)'`id`\"")
        result = subprocess.run(
            ["curl", "--silent", "--cacert", self.rig.ready["ca"], url], capture_output=True, text=True)
        text = unescape(result.stdout.split("<pre>")[1].split("</pre>")[0])
        self.assertEqual(len(shlex.split(text)), 6)
