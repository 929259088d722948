"""The page of cie-read serve in a headless Chromium: by keyboard alone, in every language, as a screen reader has it."""
import base64
import http.server
import json
import os
import re
import sys
import threading
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/serving"))
from remote import Page, wait  # noqa: E402
from service import CAN, NIS, PIN, ServiceTest, link, sandbox  # noqa: E402

SHOTS = Path(os.environ.get("SCREENSHOTS", "/tmp"))
KEYS = {"Tab": 9, "Enter": 13, " ": 32}


class PageTest(ServiceTest):
    """A service with a port and a page, and a browser before it."""

    def browse(self, address, *words):
        """Opens an address in a browser of its own."""
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
        """Moves on with the tabulator until something has the focus, which must show there."""
        for _ in range(40):
            if self.page.run(f"document.activeElement.matches({selector!r})"):
                shown = "getComputedStyle(document.activeElement).outlineStyle"
                self.assertEqual(self.page.run(shown), "solid", selector)
                return
            self.press("Tab")
        self.fail(f"the keyboard does not reach {selector}")

    def type(self, text):
        """Types a text where the focus is."""
        self.page.command("Input.insertText", text=text)

    def state(self, name):
        """Waits for a state of reader and card."""
        self.page.wait(f"document.getElementById('state').dataset.state === '{name}'")

    def answer(self):
        """Waits for the end of what was asked, and gives what is shown; the focus is there."""
        self.page.wait("document.activeElement.id === 'answer'")
        return self.page.run("document.getElementById('answer').innerText")

    def test_reading_by_keyboard(self):
        self.open()
        self.state("no-card")
        self.assertEqual(self.page.run("location.href.includes('token')"), False)
        self.card.insert()
        self.state("card")
        self.tab_to("button[data-function=nis]")
        self.press("Enter")
        self.assertIn(NIS, self.answer())
        self.shoot("nis")
        self.press("Tab")
        self.tab_to("button[data-function=verify]")
        self.press(" ")
        self.page.wait("document.getElementById('answer').innerText.includes('enuine')")
        self.answer()
        self.press("Tab")
        self.tab_to("#can")
        self.type(CAN)
        self.press("Enter")
        self.page.wait("!!document.querySelector('#answer dl')")
        self.assertIn("GELSOMINA", self.answer().upper())
        self.assertEqual(self.page.run("document.getElementById('can').value"), "")
        self.shoot("read")
        self.card.pull()
        self.state("no-card")
        # It can still be read, until the next card comes.
        self.assertIn("GELSOMINA", self.page.run("document.getElementById('answer').innerText"))
        self.card.insert()
        self.state("card")
        self.assertEqual(self.page.run("document.getElementById('answer').innerText"), "")
        self.card.pull()
        self.state("no-card")
        self.tab_to("button[data-function=nis]")
        self.press("Enter")
        self.assertIn("card", self.answer().lower())
        self.shoot("no-card")

    def test_every_language(self):
        service = self.open("--virtual", allow="status,nis,verify,read,login")
        texts = set()
        for language in ("it", "de", "fr", "sl", "en"):
            self.page.run(f"document.querySelector('nav a[lang={language}]').click()")
            self.page.wait(f"document.documentElement.lang === '{language}'")
            # The token is known still.
            self.state("card")
            self.page.run("document.querySelector('button[data-function=nis]').click()")
            self.page.wait("!!document.querySelector('#answer dl')")
            texts.add(self.page.run("document.body.innerText"))
            self.assertNotIn("{", self.page.run("document.body.innerText"))
            self.shoot(f"language-{language}")
        self.assertEqual(len(texts), 5)
        self.page.command("Emulation.setUserAgentOverride", userAgent="x", acceptLanguage="fr-FR,de;q=0.5")
        self.page.command("Page.navigate", url=f"http://localhost:{service.port}/")
        self.page.wait("document.documentElement.lang === 'fr'")

    def test_token_by_hand(self):
        service = self.start("--page", "--virtual")
        self.browse(f"http://127.0.0.1:{service.port}/")
        self.page.wait("document.activeElement.id === 'token'")
        self.shoot("token")
        self.type("0" * 48)
        self.press("Enter")
        self.page.wait("document.getElementById('token-problem').textContent")
        self.assertTrue(self.page.run("document.activeElement.id === 'token' && document.getElementById('desk').hidden"))
        self.shoot("token-wrong")
        self.type(service.token)
        self.press("Enter")
        self.state("card")

    def test_login(self):
        place = sandbox(self.processes, self.folder)
        self.open(
            "--pin-entry", "page", "--environment", place["environment"], environment={"CURL_CA_BUNDLE": place["ca"]})
        self.card.insert()
        self.state("card")
        self.tab_to("#link")
        self.type(link(place, self.folder))
        self.press("Tab")
        self.assertEqual(self.page.run("document.activeElement.type"), "password")
        self.type(PIN)
        self.shoot("login-typed")
        self.press("Enter")
        self.answer()
        self.assertTrue(self.page.run("document.querySelector('#answer a').href").startswith("https://"))
        self.assertEqual(self.page.run("document.getElementById('pin').value"), "")
        self.assertNotIn(PIN, self.page.run("document.documentElement.outerHTML + JSON.stringify({...sessionStorage})"))
        self.assertEqual(self.card.verifications, 1)
        self.shoot("login")
        self.press("Tab")
        self.assertEqual(self.page.run("document.activeElement.matches('#answer a')"), True)

    def test_no_pin_in_the_page_unless_the_operator_says_so(self):
        self.open("--virtual", allow="status,login")
        self.state("card")
        self.assertEqual(self.page.run("document.getElementById('pin').checkVisibility()"), False)
        self.assertEqual(self.page.run("document.getElementById('pin-elsewhere').checkVisibility()"), True)
        self.assertEqual(self.page.run("document.getElementById('reading').checkVisibility()"), False)
        self.shoot("pin-elsewhere")

    def test_cancel(self):
        self.open()
        self.card.insert(",".join(f"delay=700@{number}" for number in range(2, 9)))
        self.state("card")
        self.tab_to("button[data-function=nis]")
        self.press("Enter")
        self.page.wait("!document.getElementById('cancel').hidden")
        self.shoot("working")
        # A second press does nothing while the first is worked on.
        self.press("Enter")
        self.tab_to("#cancel")
        self.press("Enter")
        self.assertIn("Interrupted", self.answer())

    def test_service_goes_and_comes(self):
        service = self.open("--virtual")
        self.state("card")
        service.process.terminate()
        service.process.wait()
        self.state("disconnected")
        self.shoot("disconnected")

    def leave(self, service):
        if service.process.poll() is None:
            super().leave(service)

    def test_what_a_screen_reader_has(self):
        self.open("--virtual", "--pin-entry", "page")
        self.state("card")
        nodes = self.page.command("Accessibility.getFullAXTree")["result"]["nodes"]
        roles = {}
        for node in nodes:
            if not node.get("ignored"):
                name = node.get("name", {}).get("value", "")
                roles.setdefault(node.get("role", {}).get("value"), []).append(name)
        for role in ("textbox", "button", "heading", "region", "link"):
            self.assertTrue(roles.get(role), role)
            self.assertTrue(all(roles[role]), (role, roles[role]))
        self.assertEqual(len(roles["status"]), 2)
        self.assertLessEqual({"main", "navigation"}, set(roles))
        levels = self.page.run("[...document.querySelectorAll('h1, h2')].map((each) => each.tagName).join()")
        self.assertRegex(levels, "^H1(,H2)+$")

    def test_narrow_dark_and_still(self):
        self.open("--virtual")
        self.state("card")
        self.page.command("Emulation.setDeviceMetricsOverride", width=320, height=900, deviceScaleFactor=1, mobile=False)
        self.assertTrue(self.page.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        self.shoot("narrow")
        self.page.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark"}])
        # Nothing ever moves.
        self.assertNotRegex((ROOT / "Sources/CServicePage/page/page.css").read_text(), "transition|animation")
        self.shoot("dark")

    def test_contrast(self):
        """WCAG 2.2, 1.4.3: 4.5 for text; 1.4.11: 3 for what surrounds a control."""
        style = (ROOT / "Sources/CServicePage/page/page.css").read_text()
        schemes = re.findall(r":root \{(.*?)\}", style, re.S)
        self.assertEqual(len(schemes), 2)
        for scheme in schemes:
            colours = dict(re.findall(r"--([a-z-]+): #([0-9a-f]{6})", scheme))
            for front, backs, least in (("text", ("ground", "panel"), 4.5), ("accent", ("ground", "panel"), 4.5),
                                        ("on-accent", ("accent",), 4.5), ("good", ("panel",), 4.5), ("bad", ("panel",), 4.5),
                                        ("line", ("ground", "panel"), 3)):
                for back in backs:
                    self.assertGreater(contrast(colours[front], colours[back]), least, (front, back))

    def test_pages_of_other_origins(self):
        """What the browser itself lets a page of a desk do, and one of somebody else."""
        with strangers() as ports:
            listed, other = (f"http://127.0.0.1:{port}" for port in ports)
            service = self.start("--virtual", "--origin", listed)
            self.browse(listed + "/")
            ask = (f"fetch('http://127.0.0.1:{service.port}/v1/nis', {{method: 'POST', body: '{{}}', headers: {{"
                   f"'Content-Type': 'application/json', Authorization: 'Bearer {service.token}'}}}})"
                   ".then((answer) => answer.text()).then((text) => window.got = text, (error) => window.got = 'none')")
            for origin, expected in ((listed, NIS), (other, "none")):
                self.page.command("Page.navigate", url=origin + "/")
                self.page.wait(f"location.origin === '{origin}' && document.readyState === 'complete'")
                self.page.run(f"void ({ask})")
                self.assertIn(expected, self.page.wait("window.got"))


def contrast(one, other):
    """The contrast of two colours (WCAG 2.2, relative luminance)."""
    def luminance(colour):
        parts = [int(colour[place:place + 2], 16) / 255 for place in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class Quiet(http.server.BaseHTTPRequestHandler):
    """An empty page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>x</title>")

    def log_message(self, *_):
        pass


class strangers:
    """Two servers of pages; their ports."""

    def __enter__(self):
        self.servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) for _ in range(2)]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return [server.server_port for server in self.servers]

    def __exit__(self, *_):
        for server in self.servers:
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    unittest.main()
