"""Falsehoods stay: in the panel, before a code, and beside the findings of the doctor."""
import subprocess
import unittest

from page_desk import PIN, MouseTest, paper
from service import PROGRAMS


class FalseTest(MouseTest):
    def test_weaker_proofs_do_not_undo_it(self):
        """The chip and the number of a copied card are proved; the card stays false, and gets no PIN."""
        self.begin("--fault", "wrong-chip-authentication-key", "--trust", self.folder / "anchors")
        self.read()
        self.hands.press("#answer-data .buttons button:last-child")
        for proof in ("verify", "nis"):
            self.hands.press(f"#{proof}")
            self.assertIn("do not trust this card", self.answer())
            self.assertEqual(self.text("#state"), "False card", proof)
        self.give(1, self.letters(1))
        self.hands.press("#sign")
        self.assertIn("Do not enter a PIN with this card", self.answer())
        self.assertFalse(self.window.run("document.getElementById('ask').open"))

    def test_doctor_does_not_say_that_it_works(self):
        self.begin("--fault", "tampered-group=1", "--trust", self.folder / "anchors")
        self.read()
        self.hands.tab("help")
        self.hands.press("#doctor")
        told = self.answer()
        self.assertIn("False: do not trust this card.", told)
        self.assertNotIn("works", told.split("Card:")[0])
        # The report leaves the findings.
        self.hands.press("#report")
        self.window.wait("document.getElementById('progress').textContent.startsWith('Handed')")
        self.assertIn("False: do not trust this card.", self.text("#answer-help"))
        # Findings go with the tab, because they may not hold any more when the person comes back.
        self.hands.tab("pin")
        self.hands.tab("help")
        self.assertEqual(self.text("#answer-help"), "")

    def test_chip_that_fails_when_it_is_laid_down(self):
        self.begin("--fault", "wrong-authentication-signature", "--trust", self.folder / "anchors")
        self.window.wait("document.getElementById('state').textContent === 'False card'")
        self.hands.press("#cert")
        self.assertIn("Do not enter a PIN with this card", self.answer())

    def test_changed_data_are_not_to_be_relied_on(self):
        self.begin("--fault", "tampered-group=11", "--trust", self.folder / "anchors")
        told = self.read()
        self.assertIn("Do not rely on these data.", told)
        self.assertNotIn("are missing", told)

    def test_signer_whose_certificate_is_damaged(self):
        """Nothing comforts before the sentence that the signer is not known."""
        letter = self.signature("own.p7m", "-nodetach", "-nocerts")
        self.begin()
        self.give(1, [letter])
        self.window.wait("!!document.querySelector('#files .verdict')")
        self.assertIn("Who signed cannot be told", self.text("#files .verdict"))

    def test_words_of_a_signature_are_of_this_one(self):
        """The dialog names the reason and the place, and the next signature has neither."""
        self.begin("--trust", self.folder / "anchors")
        self.give(2, self.letters(2))
        self.hands.press("#options summary")
        self.hands.write("#reason", "Approved")
        self.hands.write("#location", "Borgo Inventato")
        self.hands.press("#sign")
        told = self.asks()
        for each in ("Reason: Approved", "Place of signing: Borgo Inventato"):
            self.assertIn(each, told)
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 2")
        self.assertEqual(self.window.run("document.getElementById('reason').value + document.getElementById('location').value"), "")
        # All are removed after one question, and none after "no".
        for answer, left in (("no", 2), ("yes", 0)):
            self.hands.press("#remove-all")
            self.window.wait("document.getElementById('ask').open")
            self.assertIn("0.txt.p7m, 1.txt.p7m", self.text("#ask"))
            self.hands.press(f"#ask-{answer}")
            self.window.wait(f"!document.getElementById('ask').open && document.querySelectorAll('#files > li').length === {left}")

    def test_page_of_an_earlier_file(self):
        """Page and place end with the files; the dialog names them; without a mark no page is missing."""
        for name, pages in (("two.pdf", 2), ("one.pdf", 1)):
            (self.folder / name).write_bytes(paper(pages))
        self.begin()
        self.give(1, [self.folder / "two.pdf"])
        for place in ("#options summary", "#mark"):
            self.hands.press(place)
        choose = "(() => {{ const e = document.getElementById('{}'); e.value = '{}'; e.dispatchEvent(new Event('change')) }})()"
        self.window.run(choose.format("page", 2))
        self.window.run(choose.format("at", "top-left"))
        self.window.wait("document.getElementById('spot-says').textContent.includes('from the left')")
        self.hands.press("#sign")
        self.assertIn("Visible signature in the PDF: top left, Page 2", self.asks())
        self.hands.press("#ask-no")
        self.hands.press("#mark")
        self.give(2, [self.folder / "one.pdf"])
        self.hands.press("#files > li:first-child input")
        self.window.wait("document.getElementById('shown').options.length === 1")
        self.assertNotIn("cannot be signed", self.text("#spot-says"))
        self.hands.press("#remove-all")
        self.window.wait("!document.querySelector('#files > li')")
        self.assertEqual(self.window.run("['page', 'at'].map((id) => document.getElementById(id).value).join()"), ",bottom-right")

    def test_signature_waits_for_its_document(self):
        """A signature that the program made apart is judged again as its document comes; files to check are not selected to be signed."""
        letter = self.letters(1)[0]
        subprocess.run([PROGRAMS / "cie-read", "sign", "--virtual", "--format", "cades", "--detached", "--in", letter, "--pin-fd", "0"],
                       check=True, capture_output=True, input=PIN.encode())
        self.begin()
        # The first check is still under way as the document comes.
        self.window.run("(() => { const real = fetch; window.fetch = async (path, terms) => { const answer = await real(path, terms);"
                        " if (path.endsWith('check-files')) await new Promise((settle) => { setTimeout(settle, 3000) });"
                        " return answer } })()")
        self.give(1, [f"{letter}.p7s"])
        self.give(2, [letter])
        self.window.wait("document.getElementById('files').innerText.includes('add 0.txt, too')")
        self.window.wait("!document.getElementById('files').innerText.includes('add 0.txt, too')")
        self.assertEqual(self.window.run("[...document.querySelectorAll('#files > li input')].map(({ checked }) => checked).join()"), "false,true")

    def test_codes_are_not_kept_behind_another_tab(self):
        self.begin()
        self.hands.tab("pin")
        self.hands.write("#change-old", PIN)
        self.hands.tab("data")
        self.hands.tab("pin")
        self.assertEqual(self.window.run("document.getElementById('change-old').value"), "")

    def test_address_with_a_blank(self):
        self.begin()
        self.hands.tab("login")
        self.hands.write("#address", "www.inps it")
        self.hands.press("#window-form button")
        self.assertIn("Enter an https address", self.text("#address-hint"))


if __name__ == "__main__":
    unittest.main()
