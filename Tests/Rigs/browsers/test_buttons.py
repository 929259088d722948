"""The buttons of Examples/Buttons in both browsers: axe-core finds nothing, they are as large as computed, the keyboard opens
the list of providers, and nothing is cut off at 320 pixels."""
import os
import tempfile
import unittest
from pathlib import Path

from page_window import ChromiumWindow, FirefoxWindow
from processes import Processes

PAGE = Path(__file__).resolve().parents[3] / "Examples/Buttons/buttons.html"


class ButtonsTest(unittest.TestCase):
    """The page as it is, from the disk."""

    def judge(self, kind, width):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        processes = Processes(Path(folder.name))
        self.addCleanup(processes.end)
        window = kind(processes, Path(folder.name), width=width)
        self.addCleanup(window.quit)
        window.open(PAGE.as_uri())
        axe = Path(os.environ["AXE"]).read_text()
        for control in ("#entra-con-cie", "#entra-con-spid > summary"):
            height = window.run(f"document.querySelector({control!r}).getBoundingClientRect().height")
            self.assertGreaterEqual(height, 44)
        window.enter("#entra-con-spid > summary")
        window.wait("document.getElementById('entra-con-spid').open")
        window.tab_to("#entra-con-spid li a")
        self.assertEqual(window.judge(axe), [])
        self.assertLessEqual(window.overflow(), 0)
        if kind is ChromiumWindow:
            window.page.command("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
            edge, ground = window.run(
                "(() => { const look = getComputedStyle(document.getElementById('entra-con-cie'));"
                " return look.borderTopColor + '|' + look.backgroundColor })()").split("|")
            self.assertNotEqual(edge, ground)
            self.assertNotIn("0, 0, 0, 0", edge)

    def test_chromium(self):
        self.judge(ChromiumWindow, 900)

    def test_chromium_narrow(self):
        self.judge(ChromiumWindow, 320)

    def test_firefox(self):
        self.judge(FirefoxWindow, 900)
