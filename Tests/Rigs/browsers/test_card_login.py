"""A login with the card in Firefox and Chromium: at a server that wants the certificate, at the identity provider."""
import sys

from card_test import CardTest, InChromium, InFirefox
from servers import ADDRESS


class Login:
    """The same for each browser."""

    def test_server_with_client_certificate(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.asks_for_pin()
        self.picture("pin")
        browser.enter_pin()
        browser.asks_for_certificate()
        self.picture("certificate")
        browser.choose_certificate()
        self.is_logged_in(browser)
        self.counted(verifications=1, signatures=1)
        first = self.card.commands
        # While the card is held, the next page takes a signature and no question.
        browser.reload()
        self.is_logged_in(browser, times=2)
        self.counted(verifications=1, signatures=2)
        self.tell(f"{first} commands for the first page, {self.card.commands - first} for the next")

    def test_identity_provider(self) -> None:
        sandbox = self.sandbox()
        browser = self.browser(self.kind, sandbox.authority)
        browser.start(sandbox.ready["sp"])
        browser.press_first_button("Servizio di prova")
        browser.press_first_button("Entra con CIE")
        browser.log_in()
        browser.page("Consenso")
        self.picture("consent")
        browser.press_first_button("Consenso")
        browser.page("Profilo")
        self.assertIn("authenticated", sandbox.journal())
        self.counted(verifications=1)
        self.tell(f"{self.card.commands} commands")

    @staticmethod
    def tell(what: str) -> None:
        """Puts it beside the name of the test."""
        print(what, end=" ... ", file=sys.stderr, flush=True)


class FirefoxLoginTest(InFirefox, Login, CardTest):
    """In Firefox."""


class ChromiumLoginTest(InChromium, Login, CardTest):
    """In Chromium."""


del CardTest
