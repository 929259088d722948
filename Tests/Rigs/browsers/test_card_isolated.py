"""The module in a separate process (`p11-kit remote`): when that ends, the browser lives."""
import os
import signal
import subprocess
from pathlib import Path

from card import PROGRAMS
from card_test import CardTest, InChromium, InFirefox
from remote import wait
from servers import ADDRESS

PROXY = next(iter(Path("/usr/lib").glob("*/p11-kit-proxy.so")), Path("p11-kit-proxy.so"))
REMOTE = "libcie-pkcs11.so"


class Isolated:
    """The same for each browser."""

    def setUp(self) -> None:
        super().setUp()
        if os.geteuid() == 0:
            # For root p11-kit reads the files of the system only: here they are this test's, in a separate namespace.
            for folder in ("/etc/pkcs11", "/usr/share/p11-kit/modules"):
                subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
                self.addCleanup(subprocess.run, ["umount", folder], check=True)
        self.processes.run(PROGRAMS / "cie-read", "browser", "install", "p11-kit", "--isolated")

    def isolated(self):
        """A browser that loads p11-kit's proxy, logged in."""
        browser = self.browser(self.kind)
        browser.register("--module", PROXY)
        browser.start(ADDRESS)
        browser.log_in()
        self.is_logged_in(browser)
        self.counted(verifications=1)
        return browser

    def remote(self) -> int:
        """The process with the module."""
        found = [number for number in self.processes.find(REMOTE) if "p11-kit" in os.readlink(f"/proc/{number}/exe")]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_module_killed_while_the_browser_is_logged_in(self) -> None:
        browser = self.isolated()
        number = self.remote()
        os.kill(number, signal.SIGSEGV)
        wait(lambda: number not in self.processes.find(REMOTE))
        browser.reload()
        # The person sees now that there is no certificate.
        browser.fails()
        self.picture("module-gone")
        self.assertTrue(browser.is_alive)
        # A new browser has a new module, and the card is free.
        browser.end()
        browser.start(ADDRESS)
        browser.log_in()
        self.is_logged_in(browser, times=2)
        self.counted(verifications=2)


class FirefoxIsolatedTest(InFirefox, Isolated, CardTest):
    """In Firefox."""


class ChromiumIsolatedTest(InChromium, Isolated, CardTest):
    """In Chromium."""


del CardTest
