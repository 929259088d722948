"""The common part of all tests with the card in a browser's window."""
import os
import signal
import tempfile
import unittest
from pathlib import Path

from browser import Browser, Chromium, Firefox
from card import NIS, PIN, PROGRAMS, Card
from processes import Processes
from remote import wait
from screen import Screen
from servers import Nginx, Sandbox

# Longer than any of them takes, on a busy machine.
LIMIT = 300


class TooLong(Exception):
    """A test does not end. It is no TimeoutError, which the code that waits for events expects."""


class CardTest(unittest.TestCase):
    """Each test has a separate screen, card, home folder and servers. Pictures of its end are kept."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "home").mkdir()
        self.processes = Processes(self.folder / "home")
        self.addCleanup(self.processes.end)
        signal.signal(signal.SIGALRM, self._too_long)
        signal.alarm(LIMIT)
        self.addCleanup(signal.alarm, 0)
        self.screen = Screen(self.processes)
        # Without a person to ask, module and program need an authority for the card.
        imported = self.folder / "home/.local/share/cie-read/trust"
        imported.mkdir(parents=True)
        self.processes.run(PROGRAMS / "cie-lab", "anchors", imported)
        self.card = Card(self.processes, self.folder)
        self.card.insert()
        self.server = Nginx(self.processes, self.folder)

    def _too_long(self, *_: object) -> None:
        raise TooLong(f"not ready after {LIMIT} seconds")

    def sandbox(self) -> Sandbox:
        """The login of tools/sandbox."""
        return Sandbox(self.processes, self.folder)

    def browser(self, kind: type[Browser], *authorities: Path, **settings: str) -> Browser:
        """A browser with the module, not started yet. The settings are the module's."""
        browser = kind(self.processes, self.screen, self.folder)
        browser.settings = settings
        browser.prepare(self.server.authority, *authorities)
        self.addCleanup(self._end, browser)
        return browser

    def _end(self, browser: Browser) -> None:
        self.picture(f"end-{browser.name}")
        browser.end()
        log = self._pictures / f"{self._name}-{browser.name}-calls.log"
        log.write_text(browser.calls())
        # The texts that the log must never contain.
        self.assertNotIn(PIN, browser.calls())

    @property
    def _pictures(self) -> Path:
        return Path(os.environ["SCREENSHOTS"])

    @property
    def _name(self) -> str:
        return ".".join(self.id().split(".")[-2:])

    def picture(self, what: str) -> None:
        """Keeps a picture of the screen."""
        self.screen.picture(self._pictures / f"{self._name}-{what}.png")

    def is_logged_in(self, browser: Browser, times: int = 1) -> None:
        """Asserts that the page was loaded so often, each time with the card's certificate."""
        try:
            wait(lambda: len(self.server.welcomed()) == times)
        except TimeoutError:
            pass
        self.assertEqual(len(self.server.welcomed()), times)
        self.assertIn(NIS, self.server.welcomed()[-1])
        browser.page("Logged in")

    def counted(self, verifications: int, signatures: int | None = None) -> None:
        """Asserts the counters of the card."""
        self.assertEqual(self.card.verifications, verifications)
        if signatures is not None:
            self.assertEqual(self.card.signatures, signatures)


class InFirefox:
    """For the tests of one browser."""

    kind = Firefox


class InChromium:
    """For the tests of one browser."""

    kind = Chromium
