"""The window of `cie-read desk`: Chromium, without a screen."""
import os
import shutil
import signal
import unittest

from desk import Desk
from service import ServiceTest, wait
from remote import Page

# Chromium without a screen, as a person's own otherwise.
WRAPPER = f"""exec {shutil.which('chromium')} --headless=new --remote-debugging-port=0 {'--no-sandbox' if os.geteuid() == 0 else ''} "$@"
"""


class WindowTest(ServiceTest):
    """The window itself: Chromium, without a screen."""

    def begin(self, wrapper):
        """Starts the program with this browser."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "chromium").write_text(f"#!/bin/sh\n{wrapper}\n")
        (folder / "chromium").chmod(0o755)
        desk = Desk(
            self.processes, self.folder, "--virtual", "--pin-entry", "page",
            environment={"DISPLAY": ":9", "PATH": f"{folder}:/usr/bin:/bin"})
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        return desk

    def open(self):
        """Starts the program, until the page has exchanged its ticket, and listens."""
        desk = self.begin(WRAPPER)
        wait(lambda: desk.process.poll() is not None or self.listens(desk))
        self.assertIsNone(desk.process.poll(), desk.errors.read_text())
        return desk

    def listens(self, desk):
        """True if the page shows the card, of which only the events speak."""
        if not desk.path.exists() or not self.profiles():
            return False
        page = Page(self.profiles()[0])
        try:
            return page.run("document.body.innerText.includes('virtual gemalto')")
        finally:
            page.close()

    def browsers(self):
        """The processes of the browser."""
        return self.processes.find("--user-data-dir=")

    def profiles(self):
        return list(self.folder.glob("cie-read-??????"))

    def test_no_secret_is_in_an_argument_list(self):
        self.open()
        self.assertTrue(self.browsers())
        for words in ("ticket=", "token="):
            self.assertEqual(self.processes.find(words), [])

    def test_it_ends_with_its_window(self):
        desk = self.open()
        Page(self.profiles()[0]).quit()
        self.assertEqual(desk.process.wait(60), 0, desk.errors.read_text())
        wait(lambda: not self.profiles())

    def test_a_browser_that_is_killed(self):
        desk = self.open()
        for number in self.browsers():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertEqual(desk.process.wait(60), 1)
        self.assertIn("--address", desk.errors.read_text())
        wait(lambda: not self.profiles())

    def test_a_browser_that_does_not_start(self):
        desk = self.begin("exit 3")
        self.assertEqual(desk.process.wait(60), 1)
        self.assertIn("browser-failed", desk.errors.read_text())

    def test_the_window_ends_with_it(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            desk = self.open()
            desk.process.send_signal(number)
            self.assertEqual(desk.process.wait(60), 143 if number == signal.SIGTERM else -9)
            wait(lambda: not self.browsers() and not self.profiles())


if __name__ == "__main__":
    unittest.main()
