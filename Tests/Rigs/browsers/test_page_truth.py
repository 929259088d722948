"""The window says no more than is true: of saved files, of a card that is not proved, of a signer without a known issuer."""
import subprocess
import unittest

from page_desk import PIN, MouseTest
from page_test import PageTest
from remote import wait
from test_page_desk import PDF

SAMPLES = PDF.parent


class TruthTest(MouseTest):
    def test_many_files_are_saved(self):
        """One press writes them all; "Saved" stands only where a file is, and a file that is not written is asked for at the end."""
        self.begin("--trust", self.folder / "anchors")
        self.give(21, self.letters(21))
        self.sign(21)
        self.assertEqual(self.text("#progress"), "Signed: 21 of 21")
        downloads = self.folder / "Downloads"
        # The folder cannot be written to.
        downloads.symlink_to("/proc/self")
        self.hands.press("#files .result button")
        self.window.wait("document.querySelectorAll('#files .verdict.error').length === 1")
        self.assertNotIn("Saved in", self.text("#files"))
        self.assertFalse(self.window.run("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))
        downloads.unlink()
        downloads.mkdir()
        self.hands.press("#save-all")
        self.window.wait("!document.querySelector('#files .unsaved, #files .error')")
        self.assertEqual(len(list(downloads.glob("*.p7m"))), 21)
        said = self.window.run("[...document.querySelectorAll('#files .result .hint')].map(({ textContent }) => textContent).join('\\n')").split("\n")
        self.assertIn("TEST. Signed: 0.txt.p7m", self.text("#files"))
        self.assertEqual(said, [f"Saved in {downloads}/{number}.txt.p7m" for number in range(21)])
        self.assertTrue(self.window.run("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))
        # The next person's files begin with an empty list.
        self.hands.press("#remove-all")
        self.window.wait("!document.querySelector('#files > li')")

    def test_unsaved_is_removed_after_a_question(self):
        self.begin("--trust", self.folder / "anchors")
        self.give(3, self.letters(3))
        self.sign(3)
        remove = "#files > li:nth-child(2) .file button"
        self.hands.press(remove)
        self.window.wait("document.getElementById('ask').open")
        self.assertIn("Signed, but not saved yet: 1.txt.p7m.", self.text("#ask"))
        self.hands.press("#ask-no")
        self.assertEqual(self.window.run("document.querySelectorAll('#files > li').length"), 3)
        self.hands.press(remove)
        self.window.wait("document.getElementById('ask').open")
        self.hands.press("#ask-yes")
        self.window.wait("document.querySelectorAll('#files > li').length === 2")
        self.assertEqual(self.window.run("document.activeElement.id"), "file-3")

    def test_card_that_is_not_proved(self):
        """No green, no mark of success; the advice is for a window."""
        self.begin("--trust-only", SAMPLES / "issuers.pem", language="it")
        self.read()
        self.assertEqual(self.window.run("document.getElementById('card').className"), "warn")
        self.assertEqual(self.text("#state"), "Carta non verificata")
        self.hands.press("#cert")
        self.enter()
        told = self.answer()
        self.assertIn("La mia carta", told)
        self.assertNotIn("CSCA mancanti", told)

    def test_no_code_goes_to_a_false_card(self):
        self.begin("--fault", "tampered-group=1", "--trust", self.folder / "anchors")
        # With the cause in sight, and what is missing.
        self.assertRegex(self.read(), "(?s)Data in the chip are not those that were signed.*are missing")
        self.assertEqual(self.text("#state"), "False card")
        self.hands.press("#cert")
        self.assertIn("Do not enter a PIN with this card", self.answer())
        self.hands.tab("pin")
        self.assertIn("Do not enter a PIN with this card", self.text("#panel-pin"))
        self.assertFalse(self.window.run("[...document.querySelectorAll('#panel-pin form')].some((form) => form.checkVisibility())"))
        self.hands.tab("documents")
        self.give(1, self.letters(1))
        self.hands.press("#sign")
        self.assertIn("Do not enter a PIN with this card", self.answer())
        self.assertFalse(self.window.run("document.getElementById('ask').open || !!document.querySelector('#work .good')"))

    def test_copied_chip(self):
        """Nothing of what the State has signed is missing."""
        self.begin("--fault", "wrong-chip-authentication-key", "--trust", self.folder / "anchors")
        told = self.read()
        self.assertIn("The chip is not the original one", told)
        self.assertNotIn("are missing", told)
        self.assertEqual(self.text("#state"), "False card")

    def test_whose_program_it_is(self):
        """The footer says that it is not the State's, with the way to version, licence, and five lines on privacy for this person."""
        self.begin(language="it")
        self.assertIn("Programma non ufficiale", self.text("footer"))
        self.hands.press("#to-about")
        self.assertEqual(self.window.run("document.activeElement.id"), "about")
        told = self.text("#about")
        self.assertRegex(told, r"cie-read [0-9]+\.[0-9]+\.[0-9]+\..*BSD.*Non è un programma ufficiale dello Stato italiano")
        self.assertEqual(self.window.run("document.querySelectorAll('#privacy li').length"), 5)
        self.assertIn("Il tuo PIN va solo alla carta", told)
        self.assertNotIn("salvo diversa decisione", told)

    def test_key_that_would_load_the_page_again(self):
        """F5 and Ctrl+R would lose the token, and with it the list."""
        self.begin()
        for key, isKept in (("key: 'F5'", False), ("key: 'r', ctrlKey: true", False), ("key: 'F6'", True), ("key: 'r'", True)):
            self.assertEqual(self.window.run(f"dispatchEvent(new KeyboardEvent('keydown', {{ {key}, cancelable: true }}))"), isKept, key)

    def test_locked_file_keeps_its_signature(self):
        """One that was unlocked and signed keeps its row when another file is added, in another language, too."""
        locked = self.folder / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "apri", "owner", "256", "--", PDF, locked], check=True)
        self.begin("--trust", self.folder / "anchors")
        self.give(1, [locked])
        self.hands.write("#files .secret", "apri")
        self.hands.press("#files form button")
        self.window.wait("document.getElementById('files').innerText.includes('pages: 1')")
        self.sign(1)
        self.hands.press("#files .result > div:last-child button")
        self.window.wait("!!document.querySelector('#files .result > div:last-child .verdict')")
        self.give(2, self.letters(1))
        self.idle()
        self.window.speak("it")
        self.window.wait("document.getElementById('files').innerText.includes('Firmato')")
        told = self.text("#files > li:first-child")
        self.assertIn("locked-signed.pdf", told)
        self.assertIn("GELSOMINA PROVA", told)

    def test_certificate_is_not_called_valid(self):
        self.begin("--trust", self.folder / "anchors")
        self.hands.press("#cert")
        self.enter()
        self.assertIn("TEST. Not expired: until 31 December 2045.", self.answer())
        self.assertFalse(self.window.run("!!document.querySelector('#answer-data .good')"))

    def test_signed_files_are_checked_at_once(self):
        """One that is added is judged without a press; a signature alone asks for its document; one that was signed here has its button."""
        letter = self.signature("letter.txt.p7s")
        self.begin("--trust", self.folder / "anchors")
        self.give(1, [letter])
        self.window.wait("!!document.querySelector('#files .verdict')")
        self.assertIn("letter.txt.p7s has the signature alone.", self.text("#files"))
        self.assertIn("add letter.txt, too", self.text("#files"))
        self.assertNotIn("has not been changed", self.text("#files"))
        self.give(2, [SAMPLES / "letter.txt"])
        self.window.wait("!document.getElementById('files').innerText.includes('add letter.txt')")
        self.idle()
        self.hands.press("#check")
        self.window.wait("document.getElementById('files').innerText.includes('The signature of this file is in letter.txt.p7s')")
        self.sign(1)
        self.hands.press("#files > li:last-child .result > div:last-child button")
        self.window.wait("!!document.querySelector('#files > li:last-child .result > div:last-child .verdict')")
        self.assertIn("GELSOMINA PROVA", self.text("#files > li:last-child"))

    def test_signer_without_a_known_issuer(self):
        damaged = self.folder / "damaged.pdf"
        damaged.write_bytes(PDF.read_bytes()[:-40])
        letter = self.signature("own.p7m", "-nodetach")
        self.begin()
        self.give(4, [SAMPLES / "signed.pdf", letter, SAMPLES / "drawn-later.pdf", damaged])
        results = "[...document.querySelectorAll('#files .result')].filter(({ innerText }) => innerText).length"
        self.idle()
        self.assertEqual(self.window.run(results), 3)
        # The selection is that of files to sign.
        self.window.run("document.querySelectorAll('#files > li input:checked').forEach((each) => each.click())")
        self.hands.press("#check")
        self.window.wait(f"{results} === 4")
        signed, forged, later, unread = (self.text(f"#files > li:nth-child({number})") for number in range(1, 5))
        self.assertIn("anybody could have written the name", signed)
        self.assertIn("What was signed has not been changed since", signed)
        self.assertIn("What was signed has not been changed since", forged)
        self.assertIn("trusted lists", signed)
        self.assertIn("“MARIA PROVA”, with a certificate that the signer made alone", forged)
        self.assertNotIn("trusted lists", forged)
        self.assertEqual(self.window.run("document.querySelectorAll('#files [data-word=get-lists]').length"), 2)
        self.assertIn("Content was added", self.text("#files > li:nth-child(3) .verdict"))
        self.assertNotIn("Content was added", signed)
        self.assertIn("anybody", later)
        self.assertIn("damaged.pdf is damaged, or a part of it is missing", unread)
        self.assertNotIn("be signed", unread)

    def test_lists_that_do_not_come(self):
        """The window names the hosts before it asks them, and keeps its findings."""
        self.begin()
        self.hands.tab("help")
        self.hands.press("#doctor")
        self.answer()
        row = "li:has(.hint):has(button)"
        self.assertIn("ec.europa.eu", self.text(f".findings {row}"))
        self.window.run("(() => { const real = fetch; window.fetch = (path, terms) => path.endsWith('update-lists')"
                        " ? Promise.resolve(new Response(JSON.stringify({ ok: false, error: { what: 'No network.', name: 'x' } }), { status: 502 }))"
                        " : real(path, terms) })()")
        count = self.window.run("document.querySelectorAll('.findings li').length")
        self.hands.press(f".findings {row} button")
        self.assertIn("No network.", self.answer())
        self.assertEqual(self.window.run("document.querySelectorAll('.findings li').length"), count)

    def test_drop_on_another_tab(self):
        """Files are taken wherever they fall, also those whose names are not Unicode; the fault of a field goes with the next step."""
        self.begin()
        self.hands.tab("login")
        self.hands.press("#other-ways summary")
        self.hands.write("#link", "https://example.org/")
        self.hands.press("#login-form .work")
        self.window.wait("document.getElementById('link').ariaInvalid === 'true'")
        self.hands.tab("data")
        self.assertEqual(self.window.run("document.querySelectorAll('[aria-invalid]').length + document.getElementById('link-hint').textContent"), "0")
        # The constructor of a file would repair its name.
        self.window.run("(() => { const file = Object.defineProperty(new File(['x'], ''), 'name', { value: 'a\\ud800.txt' });"
                        " const drop = new DragEvent('drop', { bubbles: true, cancelable: true });"
                        " Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items: [], files: [file] } });"
                        " document.getElementById('can').dispatchEvent(drop) })()")
        self.window.wait("document.querySelectorAll('#files > li').length === 1")
        self.assertEqual(self.window.run("document.getElementById('panel-documents').hidden"), False)
        self.assertIn("a\ufffd.txt", self.text("#files"))

    def test_words_are_whole_in_a_narrow_window(self):
        self.begin(language="it")
        self.give(1, self.letters(1))
        self.window.resize(320)
        for tab in ("data", "documents"):
            self.hands.tab(tab)
            lines = self.window.run(
                "[...document.querySelectorAll('dt, h2, [role=tab] span, #state')].filter((e) => e.checkVisibility() && e.textContent).filter((e) => {"
                " const node = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode(); const range = document.createRange();"
                " return [...node.data.matchAll(/[^\\s-]+/g)].some(({ index, 0: word }) => { range.setStart(node, index);"
                " range.setEnd(node, index + word.length); return range.getClientRects().length > 1 }) }).map((e) => e.textContent).join('|')")
            self.assertEqual(lines, "", tab)
            self.assertLessEqual(self.window.overflow(), 0)

    def test_browser_that_is_missing(self):
        (self.folder / ".pki/nssdb").mkdir(parents=True)
        self.begin()
        self.hands.tab("login")
        self.window.wait("document.getElementById('no-firefox').textContent.includes('Not found')")
        self.hands.press("#use-firefox")
        self.assertIn("Not found", self.answer())
        self.hands.press("#use-chromium")
        self.assertIn("is now set up", self.answer())
        checked = "document.getElementById('use-{}').getAttribute('aria-checked')"
        self.window.wait(checked.format("chromium") + " === 'true'")
        self.assertEqual(self.window.run(checked.format("firefox")), "false")


class HandedTest(PageTest):
    """The page of a service, in another program's browser, which alone knows the end of a download."""

    def test_download(self):
        letter = self.folder / "letter.txt"
        letter.write_text("A letter.")
        self.open("--virtual", "--pin-entry", "page")
        self.state("card")
        self.page.page.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder / "taken"))
        self.page.click("#tab-documents")
        self.page.choose(letter)
        self.page.wait("document.querySelectorAll('#files > li').length === 1")
        self.page.click("#sign")
        self.page.wait("document.getElementById('ask').open")
        self.page.click("#ask-pin")
        self.page.type(PIN)
        self.page.click("#ask-yes")
        self.page.wait("document.querySelectorAll('#files .unsaved').length === 1")
        self.page.click("#files .result button")
        self.page.wait("document.getElementById('files').innerText.includes('Handed to the browser')")
        self.assertNotIn("Saved", self.page.run("document.getElementById('files').innerText"))
        wait(lambda: (self.folder / "taken/letter.txt.p7m").exists())


if __name__ == "__main__":
    unittest.main()
