"""The picture of the window in README is what the page shows."""
import subprocess
import unittest

from page_test import ROOT


class PicturesTest(unittest.TestCase):
    """By its words, not by pixels."""

    def test_window(self):
        subprocess.run([ROOT / "tools/make", "pictures", "--check", "window"], check=True)
