"""One card and several programs: two browsers at once, and cie-read beside a browser."""
import json

from browser import Chromium, Firefox
from card import NIS, PIN, PROGRAMS
from card_test import CardTest, InChromium, InFirefox
from remote import wait
from servers import ADDRESS


class TwoBrowsersTest(CardTest):
    """Firefox and Chromium with the same card at the same time."""

    def test_both_log_in(self) -> None:
        browsers = [self.browser(kind) for kind in (Firefox, Chromium)]
        for browser in browsers:
            browser.start(ADDRESS)
        for browser in browsers:
            browser.asks_for_pin()
        self.picture("both-ask")
        # The last signer holds the card for ten seconds more; the other waits for it.
        for times, browser in enumerate(browsers, 1):
            browser.log_in()
            self.is_logged_in(browser, times)
        self.counted(verifications=2, signatures=2)

    def test_the_second_is_told_while_the_first_holds_the_card(self) -> None:
        first = self.browser(Firefox, CIE_PKCS11_IDLE="120,120")
        second = self.browser(Chromium)
        for browser in (first, second):
            browser.start(ADDRESS)
            browser.asks_for_pin()
        first.log_in()
        self.is_logged_in(first)
        second.enter_pin()
        second.fails()
        self.picture("second-told")
        self.counted(verifications=1)
        # The first has not noticed; and after its end the card is free.
        first.reload()
        self.is_logged_in(first, times=2)
        first.end()
        second.try_again()
        second.log_in()
        self.is_logged_in(second, times=3)
        self.counted(verifications=2, signatures=3)


class Beside:
    """cie-read beside each browser."""

    def test_cie_read_is_told_that_a_browser_holds_the_card(self) -> None:
        browser = self.browser(self.kind, CIE_PKCS11_IDLE="120,120")
        self.first_page(browser)
        for words in (["nis"], ["pin", "verify"], self.login_words()):
            status, answer = self.cie_read(*words)
            self.assertEqual((status, answer["error"]["name"]), (9, "sharing-violation"), answer)
        browser.reload()
        self.is_logged_in(browser, times=2)
        self.counted(verifications=1)

    def test_cie_read_gets_the_card_that_a_browser_has_let_go(self) -> None:
        browser = self.browser(self.kind, CIE_PKCS11_IDLE="60,1")
        self.first_page(browser)
        status, answer = self.cie_read("nis")
        self.assertEqual((status, answer["servicesNumber"]), (0, NIS))
        status, answer = self.cie_read(*self.login_words())
        self.assertEqual(status, 0, answer)
        self.counted(verifications=2)
        # The browser asks again, and signs again. Firefox may remember the choice of certificate.
        browser.reload()
        browser.enter_pin()
        if wait(lambda: "page" if len(self.server.welcomed()) == 2 else browser.is_choosing and "dialog") == "dialog":
            browser.choose_certificate()
        self.is_logged_in(browser, times=2)
        self.counted(verifications=3)

    def first_page(self, browser) -> None:
        """The browser is logged in."""
        browser.start(ADDRESS)
        browser.log_in()
        self.is_logged_in(browser)

    def login_words(self) -> list[str]:
        """`cie-read login` to the sandbox."""
        if not hasattr(self, "_ready"):
            self._ready = self.sandbox().ready
        return ["login", "--sp-url", self._ready["sp"], "--environment", self._ready["environment"], "--consent", "yes"]

    def cie_read(self, *words: str) -> tuple[int, dict]:
        """The program with the card in the reader, and with the PIN if it is needed."""
        ended = self.processes.run(PROGRAMS / "cie-read", *words, "--json", input=PIN + "\n", check=False)
        return ended.returncode, json.loads(ended.stdout)


class FirefoxBesideTest(InFirefox, Beside, CardTest):
    """Beside Firefox."""


class ChromiumBesideTest(InChromium, Beside, CardTest):
    """Beside Chromium."""


del CardTest
