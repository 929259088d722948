"""The window of the pinentry of each desktop: a PIN, an error of typing, and a refusal."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from card import PIN, PROGRAMS
from processes import PATIENCE, Processes
from remote import wait
from screen import Screen

TITLE = "^CIE$"
SHOTS = Path(os.environ.get("SCREENSHOTS", "/tmp"))


class Tasks:
    """A PIN with a slip, and a refusal; each test has a separate screen."""

    program, before = "", []

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.processes = Processes(self.folder)
        self.addCleanup(self.processes.end)
        self.screen = Screen(self.processes)
        self.addCleanup(self.screen.end)
        # As Debian's alternatives would.
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pinentry").symlink_to(f"/usr/bin/{self.program}")

    def begin(self):
        """Starts a command that needs the PIN."""
        path = f"{self.folder}/bin:{self.processes.environment['PATH']}"
        self.command = self.processes.start(
            *self.before, PROGRAMS / "cie-read", "cert", "--virtual", "--pinentry", "--json",
            environment={"PATH": path}, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.command.stdout.close)

    def ended(self):
        """The answer of the command."""
        output, _ = self.command.communicate(timeout=PATIENCE)
        # The services of a bus write there, too.
        return json.loads(next(line for line in output.splitlines() if line.startswith("{")))

    def window(self, before=None):
        """Waits for the window of the program, another one than before: its number may be the same."""
        def find():
            number = self.screen.find(TITLE)
            found = number and (number, self.processes.run("xdotool", "getwindowpid", number, check=False).stdout)
            return found if found != before else None
        return wait(find)

    def test_pin(self):
        self.begin()
        first = self.window()
        self.screen.fill(first[0], PIN[:7])
        self.screen.press(first[0], "Return")
        # Another window says what was wrong.
        number, _ = self.window(first)
        self.screen.fill(number, PIN)
        self.screen.picture(SHOTS / f"{self.program}.png")
        self.screen.press(number, "Return")
        answer = self.ended()
        self.assertTrue(answer["ok"], answer)
        self.assertIn("GELSOMINA", answer["subject"])

    def test_no(self):
        self.begin()
        number, _ = self.window()
        self.screen.drawn(number)
        self.screen.press(number, "Escape")
        self.assertEqual(self.ended()["error"]["name"], "entry-declined")


class QtTest(Tasks, unittest.TestCase):
    program = "pinentry-qt"


class GTKTest(Tasks, unittest.TestCase):
    program = "pinentry-gtk-2"


class GNOMETest(Tasks, unittest.TestCase):
    """Its window is that of GNOME's prompter, which the bus starts."""

    program, before = "pinentry-gnome3", ["dbus-run-session", "--"]


if __name__ == "__main__":
    unittest.main()
