"""The page of cie-read serve in a headless Chromium: by keyboard alone, in every language, as for a screen reader."""
import http.server
import re
import threading
import unittest

from page_test import CAN, NIS, PIN, ROOT, PageTest, link, sandbox
from service import IDP, LANGUAGES, LINK


class PageAppearanceTest(PageTest):
    """The content of the page, and its permissions."""

    def test_reading_by_keyboard(self):
        self.open()
        self.state("no-card")
        self.assertEqual(self.page.run("location.href.includes('token')"), False)
        self.card.insert()
        self.state("card")
        self.assertIn("ready", self.page.run("document.title"))
        self.page.enter("#nis")
        self.assertIn(NIS, self.answer())
        self.shoot("nis")
        self.page.tab_to("#verify")
        self.page.press(" ")
        self.page.wait("document.getElementById('answer-data').innerText.includes('enuine')")
        self.answer()
        self.page.tab_to("#can")
        self.page.type(CAN)
        self.page.press("Enter")
        self.page.wait("!!document.querySelector('#answer-data .person')")
        self.assertIn("GELSOMINA", self.answer().upper())
        self.assertEqual(self.page.run("document.getElementById('can').value"), "")
        self.shoot("read")
        self.card.pull()
        self.state("no-card")
        self.assertEqual(self.shown(), "")
        self.page.enter("#nis")
        self.assertIn("card", self.answer().lower())
        self.shoot("no-card")

    def test_every_language(self):
        service = self.open("--virtual", allow="status,nis,verify,read,login")
        self.state("card")
        self.page.click("#nis")
        self.answer()
        texts = set()
        for language in LANGUAGES:
            self.speak(language)
            # The token is still known, and the answer stays.
            self.assertIn(NIS, self.page.run("document.getElementById('answer-data').innerText"))
            texts.add(self.page.run("document.body.innerText"))
            self.assertNotRegex(self.page.run("document.body.innerText"), r"\{|page\.|undefined|null")
            self.shoot(f"language-{language}")
        self.assertEqual(len(texts), len(LANGUAGES))
        self.page.page.command("Emulation.setUserAgentOverride", userAgent="x", acceptLanguage="fr-FR,de;q=0.5")
        self.page.open(f"http://localhost:{service.port}/")
        self.page.wait("document.documentElement.lang === 'fr'")
        self.page.open(f"http://localhost:{service.port}/?lang=sl")
        self.page.wait("document.documentElement.lang === 'sl'")

    def test_token_by_hand(self):
        service = self.start("--page", "--virtual")
        self.browse(f"http://127.0.0.1:{service.port}/")
        self.page.wait("document.activeElement.id === 'token'")
        self.shoot("token")
        self.page.type("0" * 48)
        self.page.press("Enter")
        self.page.wait("document.getElementById('token-hint').textContent")
        self.assertTrue(self.page.run("document.activeElement.id === 'token' && document.getElementById('desk').hidden"))
        self.shoot("token-wrong")
        self.page.type(service.token)
        self.page.press("Enter")
        self.state("card")

    def test_only_what_the_operator_allows(self):
        self.open("--virtual", allow="status,nis")
        self.state("card")
        seen = "[...document.querySelectorAll('button, input, [role=tab]')].filter((each) => each.checkVisibility()).map(({id}) => id).join()"
        self.assertEqual(self.page.run(seen), "tab-data,nis")

    def test_login(self):
        place = sandbox(self.processes, self.folder)
        self.open(
            "--pin-entry", "page", "--environment", place["environment"], environment={"CURL_CA_BUNDLE": place["ca"]})
        self.card.insert()
        self.state("card")
        self.page.tab_to("#tab-data")
        while not self.page.run("document.activeElement.id === 'tab-login'"):
            self.page.press("ArrowRight")
        self.page.enter("#other-ways summary")
        self.page.tab_to("#link")
        self.page.type(link(place, self.folder))
        self.page.press("Enter")
        # A separate step for the PIN; an incomplete one is explained, and not sent.
        self.page.wait("document.activeElement.id === 'ask-pin'")
        self.page.type(PIN[:-1] + "x")
        self.page.press("Enter")
        self.assertIn("8 digits", self.page.run("document.getElementById('ask-pin-hint').textContent"))
        self.page.type(PIN[-1])
        self.shoot("login-typed")
        self.page.press("Enter")
        self.answer()
        self.assertTrue(self.page.run("document.querySelector('#answer-login a').href").startswith("https://"))
        self.assertEqual(self.page.run("document.getElementById('ask-pin').value"), "")
        self.assertNotIn(PIN, self.page.run("document.documentElement.outerHTML + JSON.stringify({...sessionStorage})"))
        self.assertEqual(self.card.verifications, 1)
        self.shoot("login")
        self.page.press("Tab")
        self.assertEqual(self.page.run("document.activeElement.matches('#answer-login a')"), True)

    def test_link_is_judged_before_the_pin(self):
        self.open("--virtual", "--pin-entry", "page", allow="status,login")
        self.state("card")
        self.page.tab_to("#link")
        self.page.type(LINK.replace("nextUrl=" + IDP, "nextUrl=https://example.org"))
        self.page.press("Enter")
        self.page.wait("document.getElementById('link').getAttribute('aria-invalid') === 'true'")
        self.assertIn("example.org", self.page.run("document.getElementById('link-hint').textContent"))
        self.assertEqual(self.page.run("[document.getElementById('ask').open, document.activeElement.id].join()"), "false,link")
        self.page.press("End")
        self.page.type("x")
        self.assertEqual(self.page.run("document.getElementById('link').ariaInvalid + document.getElementById('link-hint').textContent"), "null")

    def test_no_pin_in_the_page_unless_the_operator_says_so(self):
        self.open("--virtual", allow="status,login")
        self.state("card")
        self.page.tab_to("#link")
        self.page.type(LINK)
        self.page.press("Enter")
        self.page.wait("document.getElementById('ask').open")
        self.assertIn(IDP, self.page.run("document.getElementById('ask-what').textContent"))
        self.assertEqual(self.page.run("document.getElementById('ask-pin').checkVisibility()"), False)
        self.assertEqual(self.page.run("document.getElementById('ask-elsewhere').checkVisibility()"), True)
        self.shoot("pin-elsewhere")
        self.page.press("Escape")
        self.page.wait("!document.getElementById('ask').open")
        self.assertEqual(self.page.run("document.activeElement.id"), "link")
        self.assertEqual(self.page.run("document.getElementById('can').checkVisibility()"), False)

    def test_cancel(self):
        self.open()
        self.card.insert(",".join(f"delay=700@{number}" for number in range(2, 9)))
        self.state("card")
        self.page.enter("#nis")
        self.page.wait("!document.getElementById('cancel').hidden")
        self.shoot("working")
        # A second press has no effect while the first is processed.
        self.page.press("Enter")
        self.page.enter("#cancel")
        self.assertIn("Interrupted", self.answer())

    def test_service_goes_and_comes(self):
        service = self.open("--virtual")
        self.state("card")
        service.process.terminate()
        service.process.wait()
        self.state("disconnected")
        self.shoot("disconnected")

    def test_what_a_screen_reader_has(self):
        self.open("--virtual", "--pin-entry", "page")
        self.state("card")
        nodes = self.page.page.command("Accessibility.getFullAXTree")["result"]["nodes"]
        roles = {}
        for node in nodes:
            if not node.get("ignored"):
                name = node.get("name", {}).get("value", "")
                roles.setdefault(node.get("role", {}).get("value"), []).append(name)
        for role in ("textbox", "button", "heading", "tab", "tabpanel", "tablist", "combobox"):
            self.assertTrue(roles.get(role), role)
            self.assertTrue(all(roles[role]), (role, roles[role]))
        self.assertEqual(len(roles["status"]), 1, "the progress is empty, and is heard when it begins")
        self.assertLessEqual({"main"}, set(roles))
        levels = self.page.run("[...document.querySelectorAll('h1, h2')].map((each) => each.tagName).join()")
        self.assertRegex(levels, "^H1(,H2)+$")

    def test_the_browser_says_nothing_itself(self):
        """No rule of a field is the browser's, whose message would be in its language and not the page's."""
        self.open("--virtual")
        self.state("card")
        self.speak("sl")
        rules = "input:is([required], [pattern], [maxlength], [type=url], [type=number])"
        self.assertEqual(self.page.run(f"document.querySelectorAll({rules!r}).length"), 0)
        self.page.tab_to("#can")
        self.page.type("12a")
        self.assertEqual(self.page.run("document.getElementById('can').value"), "12")
        self.page.press("Enter")
        self.assertIn("šest", self.page.run("document.getElementById('can-hint').textContent"))
        self.assertEqual(self.page.run("document.activeElement.id"), "can")

    def test_narrow_dark_and_still(self):
        self.open("--virtual")
        self.state("card")
        self.page.resize(320)
        self.assertLessEqual(self.page.overflow(), 0)
        self.shoot("narrow")
        self.page.scheme("dark")
        # No animation.
        self.assertNotRegex((ROOT / "Sources/C/CServicePage/page/page.css").read_text(), "transition|animation")
        self.shoot("dark")

    def test_size(self):
        """All files of the page are small, its pictures apart: no framework, no build step."""
        files = [file for file in (ROOT / "Sources/C/CServicePage/page").iterdir() if file.name != "drawings.css"]
        pictures = re.findall("<svg.*?</svg>", (ROOT / "Sources/C/CServicePage/page/index.html").read_text(), re.S)
        self.assertLessEqual(sum(file.stat().st_size for file in files) - sum(map(len, pictures)), 80_000)

    def test_contrast(self):
        """WCAG 2.2, 1.4.3: 4.5 for text; 1.4.11: 3 for the surroundings of a control."""
        style = (ROOT / "Sources/C/CServicePage/page/page.css").read_text()
        # Three digits are each said once.
        style = re.sub(r"#([0-9a-f])([0-9a-f])([0-9a-f])\b", r"#\1\1\2\2\3\3", style)
        pairs = re.findall(r"--([a-z-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)", style)
        for place in (1, 2):
            colours = {each[0]: each[place] for each in pairs}
            # A meaning has its two colours where it is named.
            for kind, ink, wash in re.findall(r"^\.(good|warn|bad) \{ --ink: (.+?); --wash: (.+?); \}", style, re.M):
                for name, value in ((kind, ink), (f"{kind}-tint", wash)):
                    found = re.findall(r"#([0-9a-f]{6})", value)
                    colours[name] = found[place - 1] if found else colours[kind]
            levels, kinds = ("ground", "surface", "sunken"), ("good", "warn", "bad")
            washes = ("tint", *(f"{kind}-tint" for kind in kinds))
            for fronts, backs, least in (
                    (("text", "soft", "accent"), (*levels, *washes), 4.5), (("deep",), (*levels, "tint"), 4.5), (kinds, ("surface",), 4.5),
                    (("on-accent",), ("accent", "deep"), 4.5), (("line",), levels, 3), (("surface",), kinds, 3),
                    *(((kind,), (f"{kind}-tint",), 4.5) for kind in kinds)):
                for front in fronts:
                    for back in backs:
                        self.assertGreater(contrast(colours[front], colours[back]), least, (front, back))

    def test_icon(self):
        """A browser that asks for an icon gets it, without the token; else it reports an error."""
        service = self.start("--page", "--virtual")
        answer = service.ask("GET", "/favicon.ico", by="port", headers={"Authorization": "Bearer x"})
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "image/svg+xml; charset=utf-8"))
        self.assertEqual(answer.body, (ROOT / "tools/packaging/debian/cie-read.svg").read_bytes())
        # Chromium asks only if the page may load it.
        self.assertIn("img-src 'self'", service.ask("GET", "/", by="port").headers["Content-Security-Policy"])

    def test_pages_of_other_origins(self):
        """The browser's own permissions for a page of a desk, and for a foreign one."""
        with strangers() as ports:
            listed, other = (f"http://127.0.0.1:{port}" for port in ports)
            service = self.start("--virtual", "--origin", listed)
            self.browse(listed + "/")
            ask = (f"fetch('http://127.0.0.1:{service.port}/v1/nis', {{method: 'POST', body: '{{}}', headers: {{"
                   f"'Content-Type': 'application/json', Authorization: 'Bearer {service.token}'}}}})"
                   ".then((answer) => answer.text()).then((text) => window.got = text, (error) => window.got = 'none')")
            for origin, expected in ((listed, NIS), (other, "none")):
                self.page.page.command("Page.navigate", url=origin + "/")
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
