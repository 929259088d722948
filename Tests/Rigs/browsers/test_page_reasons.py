"""Reasons in the window: in the chosen language, and as soon as the file can be judged."""
import subprocess
import unittest

from page_desk import MouseTest
from test_page_desk import SIGNED


class ReasonTest(MouseTest):
    def reasons(self, place):
        """The reasons in the list of checks, which need not be open."""
        return self.window.run(f"[...document.querySelectorAll('{place} .reason')].map(({{ textContent }}) => textContent).join('|')")

    def test_card_in_another_language(self):
        self.begin("--fault", "tampered-group=1", "--trust", self.folder / "anchors")
        self.read()
        self.assertIn("the hash differs", self.reasons("#answer-data"))
        self.window.speak("it")
        self.window.wait("document.getElementById('state').textContent === 'Carta falsa'")
        self.assertIn("Alcuni dati nel chip non sono quelli firmati", self.answer())
        told = self.reasons("#answer-data")
        self.assertIn("l'impronta è diversa", told)
        self.assertNotIn("the hash differs", told)

    def test_file_in_another_language(self):
        self.begin()
        self.give(1, [SIGNED.parent / "altered.pdf"])
        self.window.wait("!!document.querySelector('#files .reason')")
        english = self.reasons("#files")
        self.window.speak("it")
        self.window.wait("document.getElementById('files').innerText.includes('NON VALIDA')")
        self.assertIn("Il documento non è quello firmato, o è stato modificato dopo la firma", self.text("#files"))
        self.assertFalse(set(english.split("|")) & set(self.reasons("#files").split("|")))

    def test_locked_file_is_judged_when_it_is_open(self):
        locked = self.folder / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "apri", "owner", "256", "--", SIGNED, locked], check=True)
        self.begin()
        self.give(1, [locked])
        self.hands.press("#check")
        self.window.wait("!!document.querySelector('#files .verdict')")
        self.hands.write("#files .secret", "apri")
        self.hands.press("#files form button")
        self.window.wait("document.getElementById('files').innerText.includes('Signature')")


if __name__ == "__main__":
    unittest.main()
