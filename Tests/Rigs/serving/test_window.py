"""The window of `cie-read desk`: Chromium without a screen, and the default browser."""
import os
import re
import shutil
import signal
import unittest
from pathlib import Path

from desk import Desk
from service import PATIENCE, ROOT, ServiceTest, wait
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

    def test_the_task_bar_knows_it(self):
        """The class of the window is the one that the desktop file names."""
        self.open()
        entry = (ROOT / "tools/packaging/debian/cie-read-desk.desktop").read_text()
        self.assertTrue(self.processes.find("--class=" + re.search("(?m)^StartupWMClass=(.+)$", entry)[1]))

    def test_it_ends_with_its_window(self):
        desk = self.open()
        Page(self.profiles()[0]).quit()
        self.assertEqual(desk.process.wait(PATIENCE), 0, desk.errors.read_text())
        wait(lambda: not self.profiles())

    def test_a_browser_that_is_killed(self):
        desk = self.open()
        for number in self.browsers():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.assertEqual(desk.process.wait(PATIENCE), 1)
        self.assertIn("--address", desk.errors.read_text())
        wait(lambda: not self.profiles())

    def test_a_browser_that_does_not_start(self):
        desk = self.begin("exit 3")
        self.assertEqual(desk.process.wait(PATIENCE), 1)
        self.assertIn("browser-failed", desk.errors.read_text())

    def test_the_window_ends_with_it(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            desk = self.open()
            desk.process.send_signal(number)
            self.assertEqual(desk.process.wait(PATIENCE), 143 if number == signal.SIGTERM else -9)
            wait(lambda: not self.browsers() and not self.profiles())


class DefaultBrowserTest(ServiceTest):
    """The desktop's default browser, where no other one takes a profile."""

    def test_the_default_browser_gets_the_address_in_a_file(self):
        """In no argument, and where a browser of snap, which would not see a profile, can read it."""
        for name, place in (("run", "run"), ("snap", "")):
            with self.subTest(name):
                programs = self.folder / f"programs-{name}"
                for folder in (programs, self.folder / "run", self.folder / name):
                    folder.mkdir(exist_ok=True)
                seen = self.folder / f"seen-{name}"
                for program, script in (
                        ("firefox", "exec /snap/bin/firefox"), ("xdg-open", f'/bin/cp -p "$1" {seen}.html; echo "$1" > {seen}')):
                    (programs / program).write_text(f"#!/bin/sh\n{script}\n")
                    (programs / program).chmod(0o755)
                desk = Desk(
                    self.processes, self.folder, "--virtual", output=f"{name}.out", environment={
                        "DISPLAY": ":9", "PATH": str(programs), "XDG_RUNTIME_DIR": str(self.folder / "run")})
                wait(lambda: desk.process.poll() is not None or seen.exists() and seen.read_text().endswith("\n"))
                self.assertTrue(seen.exists(), desk.errors.read_text())
                page = Path(seen.read_text().strip())
                self.assertEqual((page.parent, page.stat().st_mode & 0o7777), (self.folder / place, 0o600))
                desk.port, ticket = re.search(
                    r"url=http://127\.0\.0\.1:(\d+)/#ticket=([0-9A-F]{64})\"", Path(f"{seen}.html").read_text()).groups()
                self.assertEqual(self.processes.find(ticket), [])
                # A link leads there from a file, which is another site; nothing but the page is to be had that way.
                link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
                desk.port, desk.token = int(desk.port), ""
                self.assertEqual(desk.ask("GET", "/", by="port", headers=link).status, 200)
                self.assertEqual(desk.ask("GET", "/", by="port", headers={**link, "Sec-Fetch-Dest": "iframe"}).status, 403)
                self.assertEqual(desk.exchange(ticket, **link).status, 403)
                self.assertTrue(page.exists())
                self.assertEqual(desk.exchange(ticket).status, 200)
                wait(lambda: not page.exists())
                self.assertEqual(desk.process.wait(PATIENCE), 0)

    def test_a_default_browser_that_does_not_start(self):
        (self.folder / "xdg-open").write_text("#!/bin/sh\nexit 3\n")
        (self.folder / "xdg-open").chmod(0o755)
        desk = Desk(self.processes, self.folder, environment={"DISPLAY": ":9", "PATH": str(self.folder)})
        self.assertEqual(desk.process.wait(PATIENCE), 1)
        self.assertIn("browser", desk.errors.read_text())
        self.assertEqual(list(self.folder.glob("CIE-*")), [])


if __name__ == "__main__":
    unittest.main()
