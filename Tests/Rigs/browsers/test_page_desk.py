"""All that a person does in the window of cie-read desk, in Chromium and Firefox, by mouse and by keyboard alone."""
import re
import subprocess
import unittest

from card import value
from page_desk import CAN, PIN, ChromiumWindow, DeskTest, FirefoxWindow, Keyboard, Mouse, paper, wait
from service import ROOT

PUK = value("puk")
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

    def test_blocked(self):
        """The PUK is asked for beside the picture of the letter that has it."""
        self.begin()
        self.hands.tab("pin")
        for left in (2, 1):
            self.change("11112222")
            wait(lambda: f"{left} tr" in self.text("#tries"))
        self.change("11112222")
        self.window.wait("document.getElementById('ask-last').checkVisibility()")
        self.hands.press("#ask-sure")
        self.hands.press("#ask-yes")
        self.window.wait("document.getElementById('state').textContent === 'The PIN is blocked.'")
        self.assertTrue(self.window.run("document.querySelector('#unblock-form #letter').checkVisibility()"))
        for field, code in (("old", PUK), ("new", "86420975"), ("again", "86420975")):
            self.hands.write(f"#unblock-{field}", code)
        self.hands.press("#unblock-form .work")
        self.assertIn("The PIN is unblocked", self.answer())
        self.window.wait("document.querySelector('#change-form #letter')?.checkVisibility()")
        self.assertEqual(self.card.tries, 3)
        self.assertEqual(self.window.run("[...document.querySelectorAll('#panel-pin input')].map(({ value }) => value).join('')"
                                         " + document.getElementById('unblock').open"), "false")

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

    def test_mark(self):
        """The person sees the page, and places the mark by its name, by arrow keys and by the mouse."""
        pdf = self.folder / "contract.pdf"
        pdf.write_bytes(paper(3))
        self.begin(pdf, PDF)
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.assertEqual(self.window.run("document.getElementById('shown').options.length"), 2)
        self.hands.press("#files > li:last-child input")
        self.assertEqual(self.window.run("document.getElementById('shown').options.length"), 1)
        self.hands.press("#options summary")
        # The page is seen without a mark, too.
        picture = "document.getElementById('picture')"
        self.window.wait(f"{picture}.height === 1400")
        self.assertEqual(self.window.run("document.getElementById('page').placeholder + ['spot', 'at', 'spot-how']"
                                         ".some((id) => document.getElementById(id).checkVisibility())"), "1false")
        self.assertEqual(self.text("#spot-says"), "")
        # A press on the page places no mark that is not there.
        self.window.click("#paper")
        self.assertEqual(self.window.run("document.getElementById('at').value"), "bottom-right")
        self.hands.press("#mark")
        ink = (f"(() => {{ const c = {picture}; const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
               " let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] < 128 && d[i + 3]) n += 1; return n })()")
        self.window.wait("document.getElementById('spot-says').textContent.includes('127 mm from the left edge and 13 mm from the bottom')")
        self.window.wait(f"{ink} > 500")
        self.assertEqual(self.window.run("document.getElementById('page').placeholder"), "3")
        self.assertEqual(self.window.run("document.getElementById('shown').selectedOptions[0].text"), "contract.pdf")
        self.shoot(f"mark-{self.id().split('.')[-2]}")
        # Another place by its name, and from there by keys.
        self.window.run("(() => { const at = document.getElementById('at'); at.value = 'top-left'; at.dispatchEvent(new Event('change')) })()")
        self.assertIn("13 mm from the left edge and 263 mm", self.text("#spot-says"))
        self.window.tab_to("#spot")
        self.window.press("ArrowRight")
        self.window.press("ArrowDown")
        self.window.press("ArrowDown", shift=True)
        self.assertIn("16 mm from the left edge and 259 mm", self.text("#spot-says"))
        self.assertEqual(self.window.run("document.getElementById('at').value"), "free")
        # The mark is seen where it will be.
        shares = self.window.run(
            "(() => { const [page, mark] = ['paper', 'spot'].map((id) => document.getElementById(id).getBoundingClientRect());"
            " return [mark.left - page.left, page.bottom - mark.bottom, mark.width, mark.height]"
            ".map((length, index) => Math.round(100 * length / (index % 2 ? page.height : page.width))).join() })()")
        self.assertEqual(shares, "8,87,34,7")
        # Somewhat below the middle of the page.
        if self.way is Mouse:
            self.window.click("#paper", down=.6)
            self.assertRegex(self.text("#spot-says"), "(69|70) mm from the left edge and 10[789] mm")
        # A page that is not there is said before anything is signed.
        choose = "(() => {{ const page = document.getElementById('page'); page.value = '{}'; page.dispatchEvent(new Event('change')) }})()"
        self.window.run(choose.format(7))
        self.window.wait("document.getElementById('spot-says').textContent.includes('no page 7')")
        self.hands.press("#sign")
        self.assertEqual(self.window.run("document.activeElement.id + document.getElementById('ask').open"), "pagefalse")
        self.window.run(choose.format(3))
        self.window.wait("document.getElementById('spot-says').textContent.includes('from the left')")
        # The buttons go a page back or on.
        self.hands.press("#back")
        self.assertEqual(self.window.run("document.getElementById('page').value"), "2")
        self.hands.press("#sign")
        self.asks()
        self.assertIn("Visible signature", self.text("#ask-what"))
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        self.window.wait("document.querySelectorAll('#files .verdict.good').length === 1")
        # The next document is another one.
        self.assertFalse(self.window.run("document.getElementById('mark').checked"))
        # Signed, it is no longer one of those to sign.
        self.assertFalse(self.window.run("document.getElementById('preview').checkVisibility()"))
        signed = (self.folder / "contract-signed.pdf").read_bytes()
        box = [198, 307, 398, 367] if self.way is Mouse else [46, 735, 246, 795]
        found = [float(number) for number in re.search(rb"/Rect \[([0-9. ]+)\]", signed)[1].split()]
        self.assertLessEqual(max(abs(one - other) for one, other in zip(found, box)), 2)
        self.assertIn(b"/P 5 0 R", signed)

    def test_check(self):
        self.begin(ROOT / "Tests/CIEReadTests/SignedFiles/altered.pdf", PDF)
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.assertTrue(self.window.run("document.getElementById('panel-documents').checkVisibility()"))
        self.idle()
        self.assertEqual(self.window.run("document.querySelectorAll('#files .verdict').length"), 1)
        self.hands.press("#check")
        self.window.wait("document.querySelectorAll('#files .verdict').length === 2")
        # The next step of a keyboard, and of a screen reader, is in the list.
        self.assertEqual(self.window.run("document.activeElement.id"), "files")
        self.assertRegex(self.text("#files > li:first-child"), "FALSE[^|]*The document is not the one that was signed, or it was changed")
        self.assertFalse(self.window.run("document.querySelector('#files > li:first-child input').checked"))
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
        self.hands.press("#check")
        self.window.wait("!!document.querySelector('#files .verdict')")
        for password in ("x", "apri"):
            self.hands.write("#files .secret", password)
            self.hands.press("#files form button")
            if password == "x":
                self.window.wait("document.getElementById('files').innerText.includes('another password')")
                self.assertEqual(self.window.run("document.activeElement.className + document.activeElement.value"), "secret")
        self.window.wait("document.getElementById('files').innerText.includes('pages: 1')")
        self.assertFalse(self.window.run("!!document.querySelector('#files .verdict')"))
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
        self.assertEqual(self.window.run("document.querySelectorAll('.findings button').length"), 1)


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
