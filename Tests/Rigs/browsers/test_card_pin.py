"""The kinds of PIN in Firefox and Chromium: wrong, not a PIN, and with the last try left."""
from card import PIN, PROGRAMS
from card_test import CardTest, InChromium, InFirefox
from servers import ADDRESS

WRONG = "00000000"
# As typed into the wrong window.
WORDS = "https://localhost/"


class Pin:
    """The same for each browser."""

    def test_wrong_pin_costs_one_try_and_is_asked_for_again(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.enter_pin(WRONG)
        browser.asks_for_pin()
        self.picture("again")
        self.counted(verifications=1)
        self.assertEqual(self.card.tries, 2)
        # An invalid PIN is not sent to the card.
        browser.enter_pin(WORDS)
        browser.asks_for_pin()
        self.counted(verifications=1)
        browser.log_in()
        self.is_logged_in(browser)
        self.counted(verifications=2, signatures=1)
        self.assertEqual(self.card.tries, 3)

    def test_last_try_is_never_spent(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.enter_pin(WRONG)
        browser.enter_pin(WRONG)
        browser.enter_pin(PIN)
        browser.fails()
        self.counted(verifications=2, signatures=0)
        self.assertEqual(self.card.tries, 1)
        self.assertIn("CKR_PIN_LOCKED", browser.calls())
        self.picture("refused")
        # The remedy in README.
        self.assertEqual(self.verify_pin().returncode, 8)
        self.assertEqual(self.card.tries, 1)
        self.assertEqual(self.verify_pin("--allow-last-try").returncode, 0)
        self.assertEqual(self.card.tries, 3)
        browser.try_again()
        browser.log_in()
        self.is_logged_in(browser)

    def verify_pin(self, *words: str):
        """`cie-read pin verify` with the right PIN."""
        return self.processes.run(PROGRAMS / "cie-read", "pin", "verify", *words, input=PIN, check=False)


class FirefoxPinTest(InFirefox, Pin, CardTest):
    """In Firefox."""


class ChromiumPinTest(InChromium, Pin, CardTest):
    """In Chromium."""


del CardTest
