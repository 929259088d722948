"""The whole login, in both bindings and both variants."""
from .card import card_options, completed_url, curl, login2, public_names, to_consent, to_hand_off
from .rig import SandboxTest


class LoginTest(SandboxTest):
    """From the service provider's page to its profile."""

    def log_in(self, query: str, signed: bool) -> None:
        browser = self.rig.browser()
        consent = to_consent(self.rig, browser, query, signed)
        self.assertEqual(consent.status, 200)
        self.assertEqual(set(consent.data), {"name", "familyName", "dateOfBirth", "fiscalNumber"})
        self.assertIn("SANDBOX", consent.text)
        response = browser.submit(consent, choice="accept")
        self.assertIn("SAMLResponse", response.fields)
        profile = browser.submit(response)
        self.assertEqual(profile.url, self.rig.ready["spProfile"])
        self.assertEqual(profile.data["familyName"], "SABBIERA")
        fiscal_code = profile.data["fiscalNumber"].removeprefix("TINIT-")
        self.assertIn(f"{fiscal_code}/", public_names(self.rig.card / "client.pem"))

    def test_redirect_binding_variant_a(self) -> None:
        self.log_in("", False)

    def test_post_binding_variant_a(self) -> None:
        self.log_in("?binding=post", False)

    def test_redirect_binding_variant_b(self) -> None:
        self.log_in("", True)

    def test_post_binding_variant_b(self) -> None:
        self.log_in("?binding=post", True)

    def test_card_call_on_the_browser_port(self) -> None:
        browser = self.rig.browser()
        link = to_hand_off(self.rig, browser)
        answer = login2(self.rig, link, base="idp")
        self.assertRegex(answer.stdout, r"^codice:[0-9]{16}$")
        self.assertEqual(browser.open(completed_url(link, answer.stdout)).status, 200)

    def test_card_call_with_parameters_in_the_query(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        answer = curl(
            self.rig, self.rig.ready["mtls"] + "Authn/SSL/Login2", *card_options(self.rig),
            "--request", "POST", "--url-query", f"{link.name}={link.value}",
            "--url-query", f"authnRequest={link.request}", "--url-query", "generaCodice=1")
        self.assertRegex(answer.stdout, r"^codice:[0-9]{16}$")
