"""`cie-read login --browser` with the installed Chromium."""
import unittest

from cases import WindowCases
from processes import headless_chromium
from remote import Page
from rig import WindowRig


class ChromiumTest(WindowCases, WindowRig):
    """Without a screen, with a second controller."""

    browser = "chromium"
    executable = "/usr/lib/chromium/chromium"
    page = Page

    def wrapper_text(self) -> str:
        return headless_chromium()


if __name__ == "__main__":
    unittest.main()
