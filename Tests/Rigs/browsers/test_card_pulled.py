"""The card leaves the reader of a browser at the worst moments, and comes back."""
from card_test import CardTest, InChromium, InFirefox
from servers import ADDRESS


class Pulled:
    """Tests for each browser. Each time it fails, lives, and logs in with the card that is put back."""

    def test_between_pin_and_signature(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.enter_pin()
        browser.asks_for_certificate()
        self.card.pull()
        browser.choose_certificate()
        # Both ask again: their login has ended with the card's removal.
        browser.enter_pin()
        self.fails_and_recovers(browser)

    def test_put_back_between_pin_and_signature(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.enter_pin()
        browser.asks_for_certificate()
        self.card.pull()
        self.card.insert()
        browser.choose_certificate()
        browser.enter_pin()
        self.is_logged_in(browser)
        self.counted(verifications=1, signatures=1)

    def test_in_the_signature(self) -> None:
        # The first is the chip's own proof.
        self.leaves_at("88:2")

    def test_in_the_verification_of_the_pin(self) -> None:
        self.leaves_at("20:1")

    def test_before_the_pin_is_typed(self) -> None:
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.asks_for_pin()
        self.card.pull()
        browser.enter_pin()
        self.fails_and_recovers(browser)

    def leaves_at(self, command: str) -> None:
        """The card leaves at this command."""
        self.card.pull()
        self.card.insert(f"card-removed@{command}")
        browser = self.browser(self.kind)
        browser.start(ADDRESS)
        browser.enter_pin()
        if command.startswith("88"):
            browser.choose_certificate()
        self.fails_and_recovers(browser)

    def fails_and_recovers(self, browser) -> None:
        """A page reports it, and afterwards all works as before."""
        browser.fails()
        self.picture("failed")
        self.assertFalse(self.card.is_inserted)
        self.assertTrue(browser.is_alive)
        self.assertEqual(self.server.welcomed(), [])
        self.card.insert()
        browser.try_again()
        browser.log_in()
        self.is_logged_in(browser)
        self.counted(verifications=1)


class FirefoxPulledTest(InFirefox, Pulled, CardTest):
    """In Firefox."""


class ChromiumPulledTest(InChromium, Pulled, CardTest):
    """In Chromium."""


del CardTest
