"""Another card, another file, another state: the window says nothing any more that was true of the one before."""
import subprocess
import unittest

from page_desk import PIN, Mouse, MouseTest, paper, wait
from service import PROGRAMS
from test_page_truth import SAMPLES

PUK_FAILURES = 10


class ExchangedTest(MouseTest):
    def lay(self, fault=None, name="card"):
        """A card on the reader, in the place of the one before."""
        self.card.insert(fault)
        self.state(name)

    def begin_with_reader(self, fault=None):
        self.card.insert(fault)
        self.browse(self.launch("--trust", self.folder / "anchors"))
        self.state("card")
        self.hands = Mouse(self.window)

    def pull(self):
        self.card.pull()
        self.state("no-card")

    def change(self, old):
        self.hands.tab("pin")
        for field, code in (("old", old), ("new", "86420975"), ("again", "86420975")):
            self.hands.replace(f"#change-{field}", code)
        self.hands.press("#change-form .work")

    def refuse(self, codes):
        """Another program uses up tries."""
        for code in codes:
            found = subprocess.run([PROGRAMS / "cie-read", "pin", "verify", "--allow-last-try", "--trust", self.folder / "anchors", "--pin-fd", "0"],
                                   input=code.encode(), capture_output=True)
            self.assertIn(found.returncode, (7, 8), found.stderr)

    def test_findings_are_of_the_card_that_lies_there(self):
        self.begin_with_reader()
        self.hands.tab("help")
        self.hands.press("#doctor")
        self.assertIn("NIS", self.answer())
        self.pull()
        self.window.wait("document.getElementById('answer-help').textContent === ''")
        self.lay("wrong-authentication-signature")
        self.hands.press("#doctor")
        self.assertIn("do not trust this card", self.answer())
        self.pull()
        self.lay()
        self.window.wait("document.getElementById('answer-help').textContent === ''")

    def test_changed_pin_is_that_of_its_card(self):
        self.begin_with_reader()
        self.change(PIN)
        self.assertIn("changed", self.answer())
        self.pull()
        self.window.wait("document.getElementById('answer-pin').textContent === ''")
        self.change(PIN)
        self.assertIn("no card", self.answer())
        self.lay()
        self.window.wait("document.getElementById('answer-pin').textContent === ''")

    def test_tries_that_another_program_used(self):
        self.begin_with_reader()
        self.window.wait("document.getElementById('tries').textContent")
        self.refuse(["11112222"])
        self.hands.tab("pin")
        wait(lambda: "2 tries" in self.text("#tries"))
        self.refuse(["11112222"])
        self.window.run("dispatchEvent(new Event('focus'))")
        wait(lambda: "1 try" in self.text("#tries"))
        self.refuse(["11112222"])
        self.hands.tab("help")
        self.hands.press("#doctor")
        self.answer()
        self.window.wait("document.getElementById('state').textContent === 'The PIN is blocked.'")

    def test_puk_is_blocked(self):
        """There is no way to it any more."""
        self.begin_with_reader()
        self.refuse(["11112222"] * 3)
        words = [PROGRAMS / "cie-read", "pin", "unblock", "--allow-last-try", "--trust", self.folder / "anchors", "--puk-fd", "0", "--new-pin-fd", "0"]
        for _ in range(PUK_FAILURES):
            subprocess.run(words, input=b"11112222\n86420975\n", capture_output=True)
        self.hands.tab("pin")
        self.window.wait("document.getElementById('hint').textContent.includes('The PUK is blocked')")
        self.assertIn("new card", self.text("#panel-pin"))
        self.assertFalse(self.window.run("[...document.querySelectorAll('#panel-pin form')].some((form) => form.checkVisibility())"))
        self.give(1, self.letters(1))
        self.hands.press("#sign")
        self.assertIn("new card", self.answer())
        self.assertFalse(self.window.run("!!document.querySelector('#answer-documents button')"))

    def test_cause_of_a_card_whose_data_are_right(self):
        """The chip failed as it was laid down; the data alone would be genuine."""
        self.begin("--fault", "wrong-authentication-signature@1", "--trust", self.folder / "anchors")
        self.window.wait("document.getElementById('state').textContent === 'False card'")
        self.assertRegex(self.read(), "(?s)do not trust this card.*The chip")

    def test_nothing_is_removed_while_it_is_signed(self):
        self.begin("--fault", "delay=100")
        self.give(3, self.letters(3))
        self.hands.press("#sign")
        self.enter()
        self.window.wait("!document.getElementById('cancel').hidden")
        self.hands.press("#files > li:first-child button")
        self.hands.press("#remove-all")
        self.assertEqual(self.window.run("document.querySelectorAll('#files > li').length"), 3)
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 3")
        # Removed later, nothing is counted any more.
        self.assertIn("3 of 3", self.text("#progress"))
        self.hands.press("#remove-all")
        self.window.wait("document.getElementById('ask').open")
        self.hands.press("#ask-yes")
        self.window.wait("!document.querySelector('#files li')")
        self.assertEqual(self.window.run("document.getElementById('progress').textContent"), "")

    def test_file_that_changes_or_goes(self):
        first, second = self.letters(2)
        self.begin(first, second)
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.hands.tab("documents")
        first.write_text("another letter")
        second.unlink()
        self.hands.press("#sign")
        told = self.asks()
        self.assertIn("14 byte", told)
        self.assertNotIn("1.txt", told)
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        self.window.wait("document.getElementById('progress').textContent.includes('1 of 1')")

    def test_visible_signature_is_promised_where_it_is_made(self):
        page = self.folder / "a.pdf"
        page.write_bytes(paper(1))
        self.begin()
        self.give(1, [page])
        self.hands.press("#options summary")
        self.hands.press("#mark")
        self.hands.press("#sign")
        self.assertIn("Visible signature in the PDF: ", self.asks())
        self.hands.press("#ask-no")
        self.window.run("(() => { const format = document.getElementById('format'); format.value = 'cades';"
                        " format.dispatchEvent(new Event('change', { bubbles: true })) })()")
        self.hands.press("#sign")
        self.assertNotIn("Visible signature", self.asks())

    def test_signature_beside_another_document(self):
        right, wrong = self.folder / "letter.txt", self.folder / "other"
        wrong.mkdir()
        signature = self.signature("letter.txt.p7s")
        letter = (SAMPLES / "letter.txt").read_bytes()
        right.write_bytes(letter)
        (wrong / "letter.txt").write_bytes(letter + b"!")
        self.begin("--trust", self.folder / "anchors")
        says = "document.querySelector('#files > li').innerText.includes('{}')".format
        self.give(1, [signature])
        self.give(2, [right])
        self.window.wait(says("has not been changed"))
        self.hands.press("#files > li:last-child button")
        self.window.wait(says("add letter.txt"))
        self.give(2, [wrong / "letter.txt"])
        self.window.wait(says("FALSE"))
        self.give(3, [right])
        self.window.wait(says("several files of the name letter.txt"))
        self.idle()
        self.hands.press("#files > li:nth-child(2) button")
        self.window.wait(says("has not been changed"))


if __name__ == "__main__":
    unittest.main()
