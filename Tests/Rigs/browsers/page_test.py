"""A page of cie-read serve in a headless Chromium, for its tests."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tests/Rigs/serving"))
from page_window import ChromiumWindow  # noqa: E402
from service import CAN, NIS, PIN, ServiceTest, link, sandbox  # noqa: E402, F401

SHOTS = Path(os.environ.get("SCREENSHOTS", "/tmp"))


class PageTest(ServiceTest):
    """A service with a port and a page, and a browser on it."""

    def browse(self, address, *words):
        """Opens an address in a separate browser."""
        self.page = ChromiumWindow(self.processes, self.folder, words=words)
        self.addCleanup(self.page.quit)
        self.page.open(address)

    def open(self, *words, **more):
        """Starts the service and opens its page with the token in the address."""
        service = self.start("--page", *words, **more)
        self.browse(f"http://127.0.0.1:{service.port}/#token={service.token}")
        return service

    def shoot(self, name):
        """Takes a picture of the whole page."""
        self.page.shoot(SHOTS / f"page-{name}.png")

    def state(self, name):
        """Waits for a state of reader and card."""
        self.page.wait(f"document.getElementById('card').dataset.state === '{name}'")

    def answer(self):
        """Waits for the end of the request, and returns the shown text; the focus is there."""
        self.page.wait("document.activeElement.matches('.answer') && document.getElementById('cancel').hidden")
        return self.page.run("document.activeElement.innerText")

    def shown(self):
        """The parts of the last answer that are in the page at all."""
        return self.page.run(
            "[...document.querySelectorAll('.answer, #progress')].map((each) => each.textContent).join('')")

    def speak(self, language):
        """Chooses a language."""
        self.page.speak(language)

    def leave(self, service):
        if service.process.poll() is None:
            super().leave(service)
