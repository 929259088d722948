"""All that a person does in the window of cie-read desk, in Chromium and Firefox, by mouse and by keyboard alone."""
import subprocess
import unittest

from page_desk import CAN, PIN, ChromiumWindow, DeskTest, FirefoxWindow, Keyboard, Mouse, wait
from service import ROOT

PDF = ROOT / "Tests/CIEReadTests/SignedFiles/unsigned.pdf"
SIGNED = PDF.with_name("signed.pdf")


class Tasks:
    """The tasks, for each browser and way."""

    kind, way = ChromiumWindow, Mouse

    def begin(self, *words):
        """A card on the reader, and the window in front of the person."""
        self.card.insert()
        self.browse(self.launch("--trust", self.folder / "anchors", *words), self.kind)
        self.state("card")
        self.window.wait("document.getElementById('tries').textContent")
        self.hands = self.way(self.window)

    def test_my_card(self):
        self.begin()
        self.assertEqual(self.window.run("location.hash"), "")
        self.hands.press("#verify")
        self.assertIn("The chip is genuine", self.answer())
        self.hands.press("#answer-data summary")
        self.assertIn("The chip", self.text("#answer-data"))
        self.hands.write("#can", CAN[:3])
        self.hands.press("#read-form .work")
        self.assertIn("six digits", self.text("#can-hint"))
        self.hands.write("#can", CAN[3:])
        self.hands.press("#read-form .work")
        self.window.wait("document.querySelector('#answer-data canvas')?.width > 100")
        told = self.answer()
        for part in ("GELSOMINA", "30 February 1980", "1 March 2034"):
            self.assertIn(part, told)
        self.shoot(f"my-card-{self.id().split('.')[-2]}")
        self.card.pull()
        self.state("no-card")
        self.window.wait("document.getElementById('answer-data').textContent === ''")

    def test_pin(self):
        self.begin()
        self.hands.tab("pin")
        self.assertIn("receipt", self.text("#panel-pin"))
        # Hidden, but no password, which the browser would offer to keep.
        codes = "[...document.querySelectorAll('.code:not(#can)')]"
        self.assertEqual(self.window.run(f"[...new Set({codes}.map((each) => each.type + getComputedStyle(each).webkitTextSecurity))].join()"), "textdisc")
        self.hands.write("#change-old", PIN)
        self.hands.write("#change-new", "12345678")
        self.assertIn("in a row", self.text("#change-new-hint"))
        self.hands.press("#change-form .work")
        self.assertEqual(self.window.run("document.activeElement.id"), "change-new")
        self.hands.replace("#change-new", "86420975")
        self.hands.write("#change-again", "86420976")
        self.hands.press("#change-form .work")
        self.assertIn("differ", self.text("#change-again-hint"))
        self.assertEqual(self.card.verifications, 0)
        self.hands.replace("#change-again", "86420975")
        self.hands.press("#change-form .work")
        self.assertIn("changed", self.answer())
        self.assertEqual(self.window.run("[...document.querySelectorAll('.code')].map(({value}) => value).join('')"), "")
        self.assertEqual(self.card.tries, 3)

    def test_last_try(self):
        self.begin()
        self.hands.tab("pin")
        for left in ("2", "1"):
            self.change("11112222")
            self.window.wait("document.activeElement.id === 'change-old'")
            self.assertIn("wrong", self.text("#change-old-hint"))
            wait(lambda: left in self.text("#tries"))
        self.assertEqual((self.card.verifications, self.card.tries), (2, 1))
        self.change(PIN)
        self.window.wait("document.getElementById('ask-last').checkVisibility()")
        self.assertIn("blocked", self.text("#ask"))
        self.shoot(f"last-try-{self.id().split('.')[-2]}")
        # Without agreement there is no way on.
        self.hands.press("#ask-yes")
        self.assertTrue(self.window.run("document.getElementById('ask').open"))
        self.window.press("Escape")
        self.window.wait("!document.getElementById('ask').open")
        self.assertEqual((self.card.verifications, self.card.tries), (2, 1))
        self.hands.press("#change-form .work")
        self.window.wait("document.getElementById('ask-last').checkVisibility()")
        self.hands.press("#ask-sure")
        self.hands.press("#ask-yes")
        self.assertIn("changed", self.answer())
        # VERIFY, and CHANGE REFERENCE DATA, which compares again.
        self.assertEqual((self.card.verifications, self.card.tries), (4, 3))

    def change(self, old):
        """Asks for a change of the PIN."""
        self.hands.write("#change-old", old)
        self.hands.replace("#change-new", "86420975")
        self.hands.replace("#change-again", "86420975")
        self.hands.press("#change-form .work")

    def test_documents(self):
        self.begin()
        self.hands.tab("documents")
        file = self.folder / "Lettera più lunga.txt"
        file.write_text("x" * 70_000)
        pdf = self.folder / "contract.pdf"
        pdf.write_bytes(PDF.read_bytes())
        self.window.choose(pdf, file)
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.hands.press("#options summary")
        self.hands.press("#mark")
        self.assertEqual(self.window.run("document.querySelectorAll('#places [aria-label]').length"), 9)
        self.hands.write("#reason", "Approved")
        self.hands.press("#sign")
        told = self.asks()
        for part in ("contract.pdf", "Lettera più lunga.txt", "70 kB", "art. 61", "SHA-256", "Files to sign: 2"):
            self.assertIn(part, told)
        self.shoot(f"statement-{self.id().split('.')[-2]}")
        before = self.card.verifications
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        self.window.wait("document.querySelectorAll('#files .verdict.good').length === 2")
        self.assertEqual((self.card.verifications, self.card.signatures), (before + 1, 2))
        self.assertIn("contract-signed.pdf", self.text("#files"))
        self.assertIn("Lettera più lunga.txt.p7m", self.text("#files"))
        self.shoot(f"signed-{self.id().split('.')[-2]}")

    def test_check(self):
        self.begin(ROOT / "Tests/CIEReadTests/SignedFiles/altered.pdf", PDF)
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.assertTrue(self.window.run("document.getElementById('panel-documents').checkVisibility()"))
        self.hands.press("#check")
        self.window.wait("document.querySelectorAll('#files .verdict').length === 2")
        # The next step of a keyboard, and of a screen reader, is in the list.
        self.assertEqual(self.window.run("document.activeElement.id"), "files")
        self.assertIn("FALSE", self.text("#files > li:first-child"))
        self.assertIn("no signature", self.text("#files > li:last-child"))
        self.hands.press("#files > li:last-child button")
        self.window.wait("document.querySelectorAll('#files > li').length === 1")
        self.shoot(f"checked-{self.id().split('.')[-2]}")

    def test_check_at_once(self):
        self.begin("--check", SIGNED)
        self.window.wait("document.querySelectorAll('#files .verdict').length === 1")
        self.assertIn("signed.pdf", self.text("#files"))

    def test_password(self):
        locked = self.folder / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "apri", "owner", "256", "--", PDF, locked], check=True)
        self.begin(locked)
        self.window.wait("!!document.querySelector('#files .secret')")
        self.assertIn("needs a password", self.text("#files"))
        for password in ("x", "apri"):
            self.hands.write("#files .secret", password)
            self.hands.press("#files form button")
            if password == "x":
                self.window.wait("document.getElementById('files').innerText.includes('another password')")
                self.assertEqual(self.window.run("document.activeElement.className + document.activeElement.value"), "secret")
        self.window.wait("document.getElementById('files').innerText.includes('pages: 1')")
        self.assertEqual(self.window.run("document.activeElement.type"), "checkbox")

    def test_help(self):
        (self.folder / ".pki/nssdb").mkdir(parents=True)
        self.begin()
        self.hands.tab("help")
        self.hands.press("#doctor")
        self.assertIn("to look at", self.answer())
        self.assertGreater(self.window.run("document.querySelectorAll('.findings li').length"), 4)
        self.shoot(f"help-{self.id().split('.')[-2]}")
        # Each repair by the program has a button.
        self.assertIn("Chromium does not know", self.text(".findings li:has(button)"))
        self.hands.press(".findings button")
        self.window.wait("document.getElementById('answer-help').innerText.includes('Chromium can use the card.')")
        self.assertIn("Restart it", self.answer())
        self.assertEqual(self.window.run("document.querySelectorAll('.findings button').length"), 0)


class ChromiumMouseTest(Tasks, DeskTest):
    pass


class ChromiumKeyboardTest(Tasks, DeskTest):
    way = Keyboard


class FirefoxMouseTest(Tasks, DeskTest):
    kind = FirefoxWindow


class FirefoxKeyboardTest(Tasks, DeskTest):
    kind, way = FirefoxWindow, Keyboard


if __name__ == "__main__":
    unittest.main()
