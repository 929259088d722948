"""A page of cie-read serve in a headless Chromium, for its tests."""
import base64
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/serving"))
from remote import Page  # noqa: E402
from service import CAN, NIS, PIN, ServiceTest, link, sandbox  # noqa: E402, F401

SHOTS = Path(os.environ.get("SCREENSHOTS", "/tmp"))
KEYS = {"Tab": 9, "Enter": 13, " ": 32}


class PageTest(ServiceTest):
    """A service with a port and a page, and a browser on it."""

    def browse(self, address, *words):
        """Opens an address in a separate browser."""
        profile = self.folder / "profile"
        self.processes.start(
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
            "--no-first-run", "--window-size=900,1000", *words, "about:blank")
        self.page = Page(profile)
        self.addCleanup(self.page.quit)
        self.page.command("Page.enable")
        self.page.command("Page.navigate", url=address)
        self.page.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def open(self, *words, path="/", **more):
        """Starts the service and opens its page with the token in the address."""
        service = self.start("--page", *words, **more)
        self.browse(f"http://127.0.0.1:{service.port}{path}#token={service.token}")
        return service

    def shoot(self, name):
        """Takes a picture of the whole page."""
        data = self.page.command("Page.captureScreenshot", captureBeyondViewport=True)["result"]["data"]
        (SHOTS / f"page-{name}.png").write_bytes(base64.b64decode(data))

    def press(self, key, shift=False):
        """Presses a key."""
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.page.command(
                "Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                windowsVirtualKeyCode=KEYS[key], modifiers=8 if shift else 0, **({"text": text} if text and kind == "keyDown" else {}))

    def tab_to(self, selector):
        """Presses the tabulator until the element has the focus, which must be visible there."""
        for _ in range(40):
            if self.page.run(f"document.activeElement.matches({selector!r})"):
                shown = "getComputedStyle(document.activeElement).outlineStyle"
                self.assertEqual(self.page.run(shown), "solid", selector)
                return
            self.press("Tab")
        self.fail(f"the keyboard does not reach {selector}")

    def type(self, text):
        """Types a text at the focus."""
        self.page.command("Input.insertText", text=text)

    def state(self, name):
        """Waits for a state of reader and card."""
        self.page.wait(f"document.getElementById('state').dataset.state === '{name}'")

    def answer(self):
        """Waits for the end of the request, and returns the shown text; the focus is there."""
        self.page.wait("document.activeElement.id === 'answer'")
        return self.page.run("document.getElementById('answer').innerText")

    def shown(self):
        """The parts of the last answer that are in the page at all."""
        return self.page.run("document.getElementById('answer').textContent + document.getElementById('progress').textContent")

    def leave(self, service):
        if service.process.poll() is None:
            super().leave(service)
