"""The work of a person that the window keeps: a file that cannot be read costs nothing, signed files are saved or asked for."""
import json
import unittest

from page_desk import CAN, PIN, DeskTest, Mouse, wait
from service import NIS, PROGRAMS
from test_page_desk import PDF

# The services number of the persona nxp.
OTHER_NIS = "100200300412"


class KeptTest(DeskTest):
    """In Chromium, whose DevTools protocol drops folders and answers questions of the browser."""

    def begin(self, *words, insert=None):
        self.card.insert(**(insert or {}))
        self.browse(self.launch("--trust", self.folder / "anchors", *words))
        self.state("card")
        # The panel has its height then.
        self.window.wait("!!document.getElementById('chip').textContent")
        self.hands = Mouse(self.window)
        self.downloads = self.folder / "Downloads"
        self.downloads.mkdir()

    def files(self, *names):
        made = []
        for name in names:
            made.append(self.folder / name)
            made[-1].parent.mkdir(parents=True, exist_ok=True)
            made[-1].write_text(f"text of {name}")
        return made

    def drop(self, *paths):
        """Drops files and folders on the place for them."""
        box = json.loads(self.window.run("JSON.stringify(document.getElementById('drop').getBoundingClientRect())"))
        data = {"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.window.page.command("Input.dispatchDragEvent", type=kind, x=box["x"] + 20, y=box["y"] + 20, data=data)

    def rows(self, count):
        self.window.wait(f"document.querySelectorAll('#files > li').length === {count}")

    def sign(self):
        self.hands.press("#sign")
        self.asks()
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")

    def is_there(self):
        """True while the window has not ended."""
        return self.window.run("!document.getElementById('work').hidden && document.getElementById('card').dataset.state === 'card'")

    def test_folder_is_dropped(self):
        self.begin()
        self.hands.tab("documents")
        (one,) = self.files("one.txt")
        self.files("papers/two.txt", "papers/deep/three.txt", "papers/.hidden")
        self.drop(one, self.folder / "papers")
        self.rows(3)
        told = self.text("#files")
        for name in ("one.txt", "two.txt", "three.txt"):
            self.assertIn(name, told)
        self.window.wait("document.getElementById('progress').textContent === 'Files added: 3'")
        self.assertTrue(self.is_there())

    def test_file_that_cannot_be_read(self):
        self.begin()
        self.hands.tab("documents")
        good, gone = self.files("good.txt", "gone.txt")
        self.window.choose(good)
        self.rows(1)
        # Deleted between the choice and the reading.
        self.window.run("window.slice = Blob.prototype.slice; Blob.prototype.slice = function (...range) {"
                        " return this.name === 'gone.txt' ? { arrayBuffer: () => Promise.reject(new DOMException('', 'NotFoundError')) }"
                        " : slice.apply(this, range) }")
        self.window.choose(gone)
        self.window.wait("document.getElementById('answer-documents').innerText.includes('gone.txt cannot be read')")
        self.rows(1)
        self.assertTrue(self.is_there())
        self.sign()
        self.window.wait("document.querySelectorAll('#files .verdict.good').length === 1")

    def test_signed_files_are_saved(self):
        self.begin()
        self.hands.tab("documents")
        self.window.choose(*self.files("one.txt", "two.txt", "three.txt"))
        self.rows(3)
        self.sign()
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 3")
        self.assertEqual(self.text("#files .unsaved"), "Not saved yet")
        # The browser asks before they are lost, and the person stays.
        self.window.run("setTimeout(() => location.reload())")
        wait(lambda: "result" in self.window.page.command("Page.handleJavaScriptDialog", accept=False))
        self.assertTrue(self.is_there())
        self.hands.press("#save-all")
        wait(lambda: sorted(path.name for path in self.downloads.iterdir()) == ["one.txt.p7m", "three.txt.p7m", "two.txt.p7m"])
        self.window.wait("[...document.querySelectorAll('#files .unsaved')].every(({ textContent }) => textContent.startsWith('Saved in'))")
        self.assertFalse(self.window.run("dispatchEvent(new Event('beforeunload', { cancelable: true })) === false"))
        self.assertFalse(self.window.run("document.getElementById('save-all').checkVisibility()"))

    def test_progress(self):
        """Of several files the one that is being signed is named, and the step of the card; both go with the end."""
        self.begin(insert={"fault": ",".join(f"delay=100@{number}" for number in range(1, 200))})
        self.hands.tab("documents")
        self.window.choose(*self.files("one.txt", "two.txt", "three.txt"))
        self.rows(3)
        self.window.run("(() => { window.seen = []; const step = document.getElementById('step'), bar = document.getElementById('bytes');"
                        " new MutationObserver(() => seen.push([step.textContent, bar.hidden, bar.value, bar.max].join()))"
                        ".observe(step, { childList: true }) })()")
        self.sign()
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 3 && document.getElementById('cancel').hidden")
        seen = json.loads(self.window.run("JSON.stringify(seen)"))
        self.assertTrue(any(each.startswith("Verifying the PIN,true") for each in seen), seen)
        self.assertIn("Signing with the card: 2 of 3,false,1,3", seen)
        self.assertEqual(self.text("#step"), "")
        self.assertFalse(self.window.run("document.getElementById('bytes').checkVisibility()"))

    def test_signed_again(self):
        """Of a file that was signed twice the newer one is saved, and nothing is left unsaved."""
        self.begin()
        self.hands.tab("documents")
        self.window.choose(*self.files("one.txt"))
        self.rows(1)
        self.window.run("(() => { window.asked = []; const real = fetch; window.fetch = (path, terms) => { asked.push(path); return real(path, terms) } })()")
        for count in (1, 2):
            self.sign()
            wait(lambda: self.card.signatures == count)
            self.window.wait("document.querySelectorAll('#files .unsaved').length === 1 && document.getElementById('cancel').hidden")
            if count == 1:
                self.hands.press("#files [type=checkbox]")
        self.hands.press("#files .result button")
        self.window.wait("!document.querySelector('#files .unsaved')")
        self.assertEqual(self.window.run("asked.filter((path) => /files\\/\\d+\\/save$/.test(path)).join()"), "/v1/files/3/save")
        self.assertTrue(self.window.run("dispatchEvent(new Event('beforeunload', { cancelable: true }))"))

    def test_two_files_of_one_name(self):
        """Their signed files have different names."""
        self.begin()
        self.hands.tab("documents")
        self.window.choose(*self.files("one/a.txt", "two/a.txt"))
        self.rows(2)
        self.sign()
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 2")
        names = self.window.run("[...document.querySelectorAll('#files .verdict')].map(({ innerText }) => innerText.trim()).join()")
        self.assertEqual(names, "Signed: a.txt.p7m,Signed: a-2.txt.p7m")

    def test_time_of_the_check(self):
        """The printed sheet has the time at which the card was read, also in another language."""
        self.begin()
        self.hands.write("#can", CAN)
        self.hands.press("#read-form .work")
        self.answer()
        self.window.run("(() => { const Real = Date; window.Date = class extends Real { constructor(...given) { super(...(given.length ? given : [0])) } } })()")
        self.window.speak("it")
        self.window.wait("document.querySelector('#answer-data .sheet').textContent.startsWith('Controllato')")
        self.assertNotIn("1970", self.window.run("document.querySelector('#answer-data .sheet').textContent"))

    def test_beside_the_original(self):
        pdf = self.folder / "contract.pdf"
        pdf.write_bytes(PDF.read_bytes())
        self.begin(pdf)
        self.rows(1)
        self.sign()
        self.window.wait("document.querySelectorAll('#files .verdict.good').length === 1")
        self.assertIn(f"Saved in {self.folder}", self.text("#files"))
        self.assertTrue(self.folder.joinpath("contract-signed.pdf").exists())

    def test_chip_alone_is_not_the_holder(self):
        """A card whose data were changed: its chip is genuine, and no green word stands under it."""
        self.begin(insert={"fault": "tampered-group=1"})
        self.hands.press("#verify")
        told = self.answer()
        self.assertIn("The chip is genuine", told)
        self.assertIn("were not checked", told)
        self.assertEqual(self.window.run("document.querySelectorAll('.verdict.good').length"), 0)
        self.hands.press("#nis")
        self.assertIn("The number is genuine", self.answer())
        self.assertEqual(self.window.run("document.querySelectorAll('.verdict.good').length"), 0)
        self.hands.write("#can", CAN)
        self.hands.press("#read-form .work")
        self.assertIn("False", self.answer())

    def test_two_cards(self):
        """Of two readers with a card the first is taken, and the person can take the other one."""
        self.begin()
        self.processes.start(PROGRAMS / "cie-lab", "virtual-reader", "--port", "35964", "--persona", "nxp")
        self.window.wait("document.querySelectorAll('#reader option').length === 2")
        self.hands.press("#nis")
        self.assertIn("100200300401", self.answer())
        self.window.run("(() => { const choice = document.getElementById('reader'); choice.value = 'Virtual PCD 00 01';"
                        " choice.dispatchEvent(new Event('change')) })()")
        self.window.wait("document.getElementById('place').textContent === 'Virtual PCD 00 01'")
        # The data of the other card are gone.
        self.assertEqual(self.window.run("document.getElementById('answer-data').textContent"), "")
        self.hands.press("#nis")
        self.assertIn(OTHER_NIS, self.answer())
        self.card.pull()
        self.window.wait("!document.getElementById('choice').checkVisibility()")
        self.hands.press("#nis")
        self.assertIn(OTHER_NIS, self.answer())

    def test_new_pin_is_not_typed_again(self):
        self.begin()
        self.hands.tab("pin")
        for field, text in (("old", "11112222"), ("new", "8642 0975"), ("again", "86420975")):
            self.hands.write(f"#change-{field}", text)
        self.hands.press("#change-form .work")
        self.window.wait("document.activeElement.id === 'change-old' && document.activeElement.ariaInvalid === 'true'")
        self.assertIn("wrong", self.text("#change-old-hint"))
        self.assertEqual(self.window.run("[...document.querySelectorAll('#change-form .code')].map(({value}) => value).join()"), ",86420975,86420975")
        self.hands.write("#change-old", PIN)
        self.hands.replace("#change-new", "86420974")
        # The field that no longer repeats it says so, and is marked.
        self.assertIn("differ", self.text("#change-again-hint"))
        self.assertEqual(self.window.run("document.getElementById('change-again').getAttribute('aria-invalid')"), "true")
        self.hands.replace("#change-again", "86420974")
        self.assertEqual(self.window.run("document.querySelectorAll('[aria-invalid]').length"), 0)
        self.hands.press("#change-form .work")
        self.assertIn("changed", self.answer())

    def test_wrong_pin_at_signing(self):
        """The step stays, with the error at its field, and ends with the right PIN; a wrong CAN stays in its field, too."""
        self.begin()
        self.hands.write("#can", "000000")
        self.hands.press("#read-form .work")
        self.window.wait("document.activeElement.id === 'can' && document.activeElement.ariaInvalid === 'true'")
        self.assertEqual(self.window.run("document.getElementById('can').value"), "000000")
        self.hands.tab("documents")
        self.window.choose(*self.files("a.txt"))
        self.rows(1)
        self.hands.press("#sign")
        self.asks()
        for wrong, told in (("11112222", "2 tries"), ("11112223", "one try")):
            self.hands.write("#ask-pin", wrong)
            self.hands.press("#ask-yes")
            if told == "one try":
                self.window.wait("document.getElementById('ask-last').checkVisibility()")
                self.assertIn("is wrong", self.text("#ask-what"))
                self.hands.press("#ask-yes")
                self.assertTrue(self.window.run("document.getElementById('ask-sure').ariaInvalid") and self.text("#ask-sure-hint"))
                for part in ("sure", "yes"):
                    self.hands.press(f"#ask-{part}")
            self.window.wait("document.activeElement.id === 'ask-pin' && document.activeElement.ariaInvalid === 'true'")
            self.assertIn(told, self.text("#ask-pin-hint"))
        self.assertEqual((self.card.verifications, self.card.tries), (2, 1))
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        self.window.wait("document.querySelectorAll('#files .unsaved').length === 1")
        self.assertEqual((self.card.verifications, self.card.tries), (3, 3))

    def test_false_card_is_named_as_long_as_it_is_there(self):
        """The badge stays when the data are hidden, and in the strip of a narrow window."""
        self.begin(insert={"fault": "tampered-group=1"})
        self.hands.write("#can", CAN)
        self.hands.press("#read-form .work")
        self.answer()
        self.assertEqual(self.text("#state"), "False card")
        self.hands.press("#answer-data .buttons button:last-child")
        self.window.wait("!document.getElementById('answer-data').textContent")
        self.assertEqual(self.text("#state"), "False card")
        self.hands.tab("documents")
        self.assertIn("Do not enter a PIN", self.text("#card"))
        self.card.pull()
        self.state("no-card")
        self.card.insert()
        self.window.wait("document.getElementById('state').textContent === 'The CIE is ready.'")

    def test_certificate(self):
        """The last day is in the panel of the card, and leaves with it, as the number of the card does."""
        self.begin()
        self.window.wait(f"['number', 'chip', 'puk'].map((id) => document.getElementById(id).textContent).join() === '{NIS},CIE 3.0 (Gemalto),10 tries left'")
        self.hands.press("#cert")
        self.asks()
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        told = self.answer()
        for part in ("31 December 2045", "GELSOMINA PROVA", "1 January 2024", "Test CIE", "PRVGSM80X99Z999G", "Serial number"):
            self.assertIn(part, told)
        self.assertIn("31 December 2045", self.text("#certificate"))
        self.window.page.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.hands.press("#answer-data .buttons button")
        wait(lambda: b"BEGIN CERTIFICATE" in b"".join(file.read_bytes() for file in self.downloads.glob("CIE GELSOMINA PROVA.pem")))
        self.assertIn("Handed to the browser", self.text("#progress"))
        self.card.pull()
        self.window.wait("!['answer-data', 'certificate', 'number'].some((id) => document.getElementById(id).textContent)")


if __name__ == "__main__":
    unittest.main()
