"""The window of cie-read desk, for its tests, in a headless browser: by the mouse, and by the keyboard alone."""
import subprocess

from page_test import CAN, PIN, ROOT, SHOTS, ServiceTest  # noqa: F401
from page_window import ChromiumWindow, FirefoxWindow
from remote import wait
from service import PROGRAMS

ROWS = ["data", "pin", "login", "documents", "help"]


def paper(pages, more=""):
    """A PDF with pages of the size A4, each with a text, and more in its language."""
    texts = [f"BT /F 24 Tf 72 {760 - 30 * page} Td (Page {page + 1}) Tj ET{more}" for page in range(pages)]
    font = "<</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>"
    kids = " ".join(f"{3 + 2 * page} 0 R" for page in range(pages))
    objects = ["<</Type /Catalog /Pages 2 0 R>>", f"<</Type /Pages /Count {pages} /Kids [{kids}]>>"]
    for page, text in enumerate(texts):
        objects += [f"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources {font} /Contents {4 + 2 * page} 0 R>>",
                    f"<</Length {len(text)}>>\nstream\n{text}\nendstream"]
    file, places = "%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n{each}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n\r\n" for place in places)
    return (f"{file}xref\n0 {len(objects) + 1}\n0000000000 65535 f\r\n{rows}trailer\n<</Root 1 0 R /Size {len(objects) + 1}>>\n"
            f"startxref\n{len(file)}\n%%EOF\n").encode()


class Mouse:
    """The actions of a person who points."""

    def __init__(self, window):
        self.window = window

    def press(self, selector):
        self.window.click(selector)

    def tab(self, name):
        self.window.click(f"#tab-{name}")

    def reach(self, selector):
        """Goes to a field."""
        self.window.click(selector)

    def write(self, selector, text):
        """Types behind what a field has."""
        self.reach(selector)
        self.window.type(text)

    def replace(self, selector, text):
        """Types in the place of what a field has."""
        self.reach(selector)
        self.window.run("document.activeElement.select()")
        self.window.type(text)


class Keyboard(Mouse):
    """The actions of a person without a mouse."""

    def press(self, selector):
        self.window.tab_to(selector)
        self.window.press(" " if self.window.run(f"document.querySelector({selector!r}).type === 'checkbox'") else "Enter")

    def tab(self, name):
        self.window.tab_to("[role=tab][aria-selected=true]")
        for _ in ROWS:
            if self.window.run(f"document.activeElement.id === 'tab-{name}'"):
                return
            self.window.press("ArrowRight")
        raise AssertionError(f"no tab {name}")

    def reach(self, selector):
        self.window.tab_to(selector)


class DeskTest(ServiceTest):
    """The program and its page; the card is in a virtual reader."""

    def launch(self, *words, language="en"):
        """Starts the program without its window; the address, which works once."""
        self.program = self.processes.start(
            PROGRAMS / "cie-read", "desk", "--address", "--pin-entry", "page", "--language", language, *words,
            stdout=subprocess.PIPE, text=True)
        address = self.program.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/#ticket=\S+$")
        self.addCleanup(self.program.stdout.close)
        return address

    def browse(self, address, kind=ChromiumWindow, **more):
        """Opens the page in a browser."""
        more.setdefault("language", "en")
        self.window = kind(self.processes, self.folder, **more)
        self.addCleanup(self.window.quit)
        self.window.open(address)
        return self.window

    def state(self, name):
        """Waits for a state of reader and card."""
        self.window.wait(f"document.getElementById('card').dataset.state === '{name}'")

    def answer(self):
        """Waits for the end of the request, and returns the shown text; the focus is there."""
        self.window.wait("document.activeElement.matches('.answer') && document.getElementById('cancel').hidden"
                         " && !document.activeElement.hasAttribute('aria-busy')")
        return self.window.run("document.activeElement.innerText")

    def idle(self):
        """Waits until no request is under way: files that were added are checked."""
        self.window.wait("document.getElementById('cancel').hidden")

    def text(self, selector):
        """The visible text of a part."""
        return self.window.run(f"document.querySelector({selector!r}).innerText")

    def asks(self):
        """Waits for the step before the PIN; its text."""
        self.window.wait("document.getElementById('ask').open && document.getElementById('ask-code').checkVisibility()")
        return self.text("#ask")

    def shoot(self, name):
        """Takes a picture of the whole page."""
        self.window.shoot(SHOTS / f"{name}.png")


class MouseTest(DeskTest):
    """A window in the hands of a person who points, with what such a person does most."""

    def begin(self, *words, **more):
        self.browse(self.launch("--virtual", *words, **more))
        self.state("card")
        self.hands = Mouse(self.window)

    def read(self):
        """Reads the card; what the window says of it."""
        self.hands.write("#can", CAN)
        self.hands.press("#read-form .work")
        return self.answer()

    def give(self, count, paths):
        self.hands.tab("documents")
        self.window.choose(*paths)
        self.window.wait(f"document.querySelectorAll('#files > li').length === {count}")

    def letters(self, count):
        for number in range(count):
            (self.folder / f"{number}.txt").write_text(f"letter {number}")
        return [self.folder / f"{number}.txt" for number in range(count)]

    def enter(self):
        """The step before the PIN."""
        self.asks()
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")

    def sign(self, count):
        self.hands.press("#sign")
        self.enter()
        self.window.wait(f"document.querySelectorAll('#files .unsaved').length === {count}")

    def signature(self, name, *options):
        """A signature of letter.txt by somebody without an issuer."""
        key, own, letter = (self.folder / each for each in ("key.pem", "own.pem", name))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", own, "-subj", "/CN=MARIA PROVA"],
                       check=True, capture_output=True)
        subprocess.run(["openssl", "cms", "-sign", "-cades", "-binary", "-in", ROOT / "Tests/CIEReadTests/SignedFiles/letter.txt",
                        "-signer", own, "-inkey", key, "-outform", "DER", "-out", letter, *options], check=True, capture_output=True)
        return letter


__all__ = ["CAN", "PIN", "SHOTS", "ChromiumWindow", "DeskTest", "FirefoxWindow", "Keyboard", "Mouse", "MouseTest", "ROWS", "wait"]
