"""The identity provider's checks of an AuthnRequest, by error code."""
import base64

from .browser import Page
from .requester import CONTEXT, REFERENCE, Requester
from .rig import SandboxTest

ISSUER = "<saml:Issuer>{}</saml:Issuer>"
OWN = "https://sp.cie-sandbox.invalid/not-a-government-service"


def context(comparison: str, *levels: int) -> str:
    """A RequestedAuthnContext."""
    references = "".join(REFERENCE.format(level) for level in levels)
    return CONTEXT.format(comparison=comparison, references=references)


# The change, and the code in the SAML response.
SAML_ERRORS: tuple[tuple[dict[str, str | None], str], ...] = (
    ({"ForceAuthn": None}, "nr08"),
    ({"ForceAuthn": "false"}, "nr08"),
    ({"Version": None}, "nr09"),
    ({"Version": "1.1"}, "nr09"),
    ({"ID": None}, "nr11"),
    ({"ID": "1 2"}, "nr11"),
    ({"context": None}, "nr12"),
    ({"context": context("exact", 2)}, "nr12"),
    ({"context": context("maximum", 3)}, "nr12"),
    ({"context": context("exact", 4)}, "nr12"),
    ({"context": context("exact", 3, 2)}, "nr12"),
    ({"IssueInstant": None}, "nr13"),
    ({"IssueInstant": "2020-01-01T00:00:00Z"}, "nr13"),
    ({"IssueInstant": "2099-01-01T00:00:00Z"}, "nr13"),
    ({"Destination": None}, "nr14"),
    ({"Destination": "https://localhost/idp/profile/SAML2/POST/SSO"}, "nr14"),
    ({"IsPassive": "true"}, "nr15"),
    ({"IsPassive": "false"}, "nr15"),
    ({"AssertionConsumerServiceURL": "https://elsewhere.invalid/acs"}, "nr16"),
    ({"ProtocolBinding": None}, "nr16"),
    ({"AssertionConsumerServiceIndex": "0"}, "nr16"),
    ({"AssertionConsumerServiceURL": None, "ProtocolBinding": None}, "nr16"),
    ({"policy": None}, "nr17"),
    ({"policy": "<samlp:NameIDPolicy/>"}, "nr17"),
    ({"policy": '<samlp:NameIDPolicy AllowCreate="true" '
      'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"/>'}, "nr17"),
    ({"AttributeConsumingServiceIndex": "7"}, "nr18"),
)


class RequestTest(SandboxTest):
    """Both bindings."""

    def setUp(self) -> None:
        self.requester = Requester(self.rig)
        self.base = self.rig.ready["idp"] + "profile/SAML2/"

    def code_of(self, page: Page) -> str:
        if "SAMLResponse" not in page.fields:
            return page.data.get("code", f"status {page.status} {page.title}")[-4:]
        self.assertEqual(page.fields["RelayState"], "state")
        self.assertEqual(page.action, self.rig.ready["sp"] + "acs")
        text = base64.b64decode(page.fields["SAMLResponse"]).decode()
        return text.partition("ErrorCode ")[2][:4]

    def test_good_ones(self) -> None:
        good: tuple[dict[str, str | None], ...] = (
            {}, {"context": context("minimum", 3)}, {"context": context("minimum", 2)},
            {"context": context("minimum", 1)}, {"AttributeConsumingServiceIndex": "0"},
            {"AssertionConsumerServiceURL": None, "ProtocolBinding": None,
             "AssertionConsumerServiceIndex": "0"})
        for change in good:
            with self.subTest(change):
                page = self.rig.browser().open(self.requester.redirect_url(**change))
                self.assertIn("hand-off", page.links)
                page = self.rig.browser().open(
                    self.base + "POST/SSO", self.requester.post_form(**change))
                self.assertIn("hand-off", page.links)

    def test_saml_errors(self) -> None:
        for change, code in SAML_ERRORS:
            with self.subTest(change):
                page = self.rig.browser().open(self.requester.redirect_url(**change))
                self.assertEqual(self.code_of(page), code)

    def test_saml_error_by_post(self) -> None:
        form = self.requester.post_form(ForceAuthn=None)
        self.assertEqual(self.code_of(self.rig.browser().open(self.base + "POST/SSO", form)), "nr08")

    def test_replayed_request(self) -> None:
        url = self.requester.redirect_url()
        self.assertIn("hand-off", self.rig.browser().open(url).links)
        self.assertEqual(self.code_of(self.rig.browser().open(url)), "nr11")

    def assert_page(self, page: Page, code: str) -> None:
        self.assertEqual((page.status, page.title, self.code_of(page)), (403, "ERRORE", code))

    def test_binding_errors(self) -> None:
        browser, url = self.rig.browser(), self.requester.redirect_url()
        redirect = self.base + "Redirect/SSO"
        for wrong in (
            redirect, url.partition("&SigAlg")[0], url.partition("&Signature")[0],
            url + "&RelayState=again", redirect + "?SAMLRequest=%21&SigAlg=a&Signature=b",
            redirect + "?SAMLRequest=AAAA&SigAlg=a&Signature=AAAA",
        ):
            self.assert_page(browser.open(wrong), "nr04")
        self.assert_page(browser.open(self.base + "POST/SSO", {"x": "y"}), "nr04")
        self.assert_page(browser.open(self.base + "POST/SSO"), "nr06")
        self.assert_page(browser.open(redirect, {"SAMLRequest": "x"}), "nr06")

    def test_deflate_bomb(self) -> None:
        document = b"<a>" + b" " * 40_000_000 + b"</a>"
        url = self.base + "Redirect/SSO?" + self.requester.query(document)
        self.assert_page(self.rig.browser().open(url), "nr04")

    def test_signatures(self) -> None:
        browser = self.rig.browser()
        url = self.requester.redirect_url()
        self.assert_page(browser.open(url.replace("RelayState=state", "RelayState=other")), "nr05")
        self.requester.key = str(self.rig.folder / "state/server.key")
        self.assert_page(browser.open(self.requester.redirect_url()), "nr05")
        self.assert_page(browser.open(self.base + "POST/SSO", self.requester.post_form()), "nr07")
        unsigned = base64.b64encode(self.requester.document("Redirect")).decode()
        self.assert_page(browser.open(self.base + "POST/SSO", {"SAMLRequest": unsigned}), "nr07")

    def test_wrapped_request(self) -> None:
        signed = self.requester.signed(self.requester.document("POST"))
        forged = self.requester.document("Redirect").replace(
            b"</samlp:AuthnRequest>", b"<samlp:Extensions>"
            + signed.partition(b"?>")[2].strip() + b"</samlp:Extensions></samlp:AuthnRequest>")
        form = {"SAMLRequest": base64.b64encode(forged).decode()}
        self.assert_page(self.rig.browser().open(self.base + "POST/SSO", form), "nr07")

    def test_unknown_issuer(self) -> None:
        for issuer in (None, ISSUER.format("https://other.invalid/"), ISSUER.format(OWN + " ")):
            page = self.rig.browser().open(self.requester.redirect_url(issuer=issuer))
            self.assert_page(page, "nr10")

    def test_not_saml(self) -> None:
        for document in (b"<a/>", b"not XML", b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'):
            url = self.base + "Redirect/SSO?" + self.requester.query(document)
            self.assert_page(self.rig.browser().open(url), "nr08")
