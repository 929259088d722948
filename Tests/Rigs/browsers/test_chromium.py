"""`cie-read login --browser` with the installed Chromium."""
import os
import shutil
import unittest

from cases import WindowCases
from remote import Page
from rig import WindowRig


class ChromiumTest(WindowCases, WindowRig):
    """Without a screen, with a second controller, and for root in containers, where its own sandbox does not
    start."""

    browser = "chromium"
    executable = "/usr/lib/chromium/chromium"
    page = Page

    def wrapper_text(self) -> str:
        return f"""#!/bin/sh
exec {shutil.which('chromium')} --headless=new --remote-debugging-port=0 \\
  {'--no-sandbox' if os.geteuid() == 0 else ''} "$@"
"""


if __name__ == "__main__":
    unittest.main()
