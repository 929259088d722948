"""The window of `cie-read desk`: Chromium, without a screen."""
import os
import shutil
import signal
import subprocess
import unittest

from service import Service, ServiceTest, wait
from test_desk import Desk

# Chromium without a screen, as a person's own otherwise.
WRAPPER = f"""#!/bin/sh
exec {shutil.which('chromium')} --headless=new {'--no-sandbox' if os.geteuid() == 0 else ''} "$@"
"""


class WindowTest(ServiceTest):
    """The window itself: Chromium, without a screen."""

    def open(self):
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / "chromium").write_text(WRAPPER)
        (folder / "chromium").chmod(0o755)
        desk = Desk(
            self.processes, self.folder, "--virtual", "--pin-entry", "page",
            environment={"DISPLAY": ":9", "PATH": f"{folder}:/usr/bin:/bin"})
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        wait(lambda: desk.process.poll() is not None or desk.path.exists())
        # The page has exchanged its ticket, and listens.
        desk.by_socket = lambda: Service.ask(desk, "GET", "/v1/status", by="socket")
        wait(lambda: desk.process.poll() is not None or self.listeners(desk) > 0)
        self.assertIsNone(desk.process.poll(), desk.errors.read_text())
        return desk

    def listeners(self, desk):
        """The connections of the browser to the port that stay."""
        lines = subprocess.run(["ss", "-tnpH", "state", "established"], capture_output=True, text=True).stdout
        return len([line for line in lines.splitlines() if f"pid={desk.process.pid}," in line])

    def browsers(self):
        """The processes of the browser."""
        return self.processes.find("--user-data-dir=")

    def profiles(self):
        return list(self.folder.glob("cie-read-??????"))

    def test_no_secret_is_in_an_argument_list(self):
        self.open()
        self.assertTrue(self.browsers())
        for words in ("ticket", "token"):
            self.assertEqual(self.processes.find(words), [])

    def test_it_ends_with_its_window(self):
        desk = self.open()
        for number in self.browsers():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertEqual(desk.process.wait(60), 0)
        wait(lambda: not self.profiles())

    def test_the_window_ends_with_it(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            desk = self.open() if number == signal.SIGTERM else self.reopen()
            desk.process.send_signal(number)
            self.assertEqual(desk.process.wait(60), 143 if number == signal.SIGTERM else -9)
            wait(lambda: not self.browsers() and not self.profiles())

    def reopen(self):
        shutil.rmtree(self.folder / "bin")
        return self.open()


if __name__ == "__main__":
    unittest.main()
