"""A login from the window of cie-read desk: the site comes first, and the PIN once its receiver is known."""
import json
import unittest

from page_desk import PIN, DeskTest, Mouse, wait
from processes import headless_chromium, trust
from remote import Page
from service import ROOT, sandbox

SERVICES = json.loads((ROOT / "Sources/C/CServicePage/services.json").read_text())


class LoginTest(DeskTest):
    """The program opens Chromium without a screen, as test_chromium does."""

    def begin(self):
        self.place = sandbox(self.processes, self.folder)
        trust(self.folder / ".pki/nssdb", self.place["ca"], environment=self.processes.environment)
        program = self.folder / "bin/chromium"
        program.parent.mkdir()
        program.write_text(headless_chromium())
        program.chmod(0o755)
        self.processes.environment["PATH"] = f"{program.parent}:{self.processes.environment['PATH']}"
        self.card.insert()
        self.browse(self.launch("--trust", self.folder / "anchors", "--environment", self.place["environment"]))
        self.state("card")
        self.hands = Mouse(self.window)
        self.hands.tab("login")

    def enter(self):
        """Opens the sandbox's site, and presses its button there."""
        self.hands.write("#address", self.place["sp"])
        self.hands.press("#window-form button")
        site = Page(wait(lambda: list(self.folder.glob("cie-read-??????")))[0])
        self.addCleanup(site.close)
        site.wait("!!document.getElementById('entra-con-cie')")
        self.assertFalse(self.window.run("document.getElementById('ask').open"))
        self.assertIn("come back here", self.text("#progress"))
        site.run("document.getElementById('entra-con-cie').click()")
        return site

    def test_the_pin_comes_after_the_site(self):
        self.begin()
        site = self.enter()
        told = self.asks()
        self.assertIn(self.place["idp"].removesuffix("/idp/"), told)
        self.assertIn("Accesso al servizio di prova", told)
        self.shoot("login-pin")
        self.assertEqual(self.card.verifications, 0)
        self.hands.write("#ask-pin", PIN)
        self.hands.press("#ask-yes")
        site.wait("!!document.querySelector('[value=accept]')")
        self.window.wait("document.getElementById('cancel').hidden")
        self.assertEqual(self.card.verifications, 1)
        self.assertEqual(self.window.run("document.querySelectorAll('.verdict.error').length"), 0)
        self.assertEqual(self.window.run("document.getElementById('ask-pin').value"), "")

    def test_the_person_leaves(self):
        """Without the PIN the login ends, and its window with it; nothing went to the card."""
        self.begin()
        self.enter()
        self.asks()
        self.window.press("Escape")
        self.answer()
        wait(lambda: not list(self.folder.glob("cie-read-??????")))
        self.assertEqual(self.card.verifications, 0)

    def test_the_site_is_closed(self):
        """With the site the question for the PIN goes."""
        self.begin()
        site = self.enter()
        self.asks()
        site.quit()
        self.window.wait("!document.getElementById('ask').open && document.getElementById('cancel').hidden")
        self.assertEqual(self.card.verifications, 0)

    def test_sites(self):
        """Each has a source; a name alone is no address."""
        self.browse(self.launch("--virtual"))
        self.state("card")
        hands = Mouse(self.window)
        hands.tab("login")
        self.window.wait(f"document.querySelectorAll('#sites button').length === {len(SERVICES)}")
        for service in SERVICES:
            self.assertIn(service["name"], self.text("#sites"))
            self.assertRegex(service["address"], r"^https://[a-z.]+/$")
            self.assertTrue(service["says"] and service["seen"] and all(each.startswith("https://") for each in service["sources"]))
        self.assertFalse(self.window.run("document.getElementById('link').checkVisibility()"))
        hands.press("#other-ways summary")
        self.assertTrue(self.window.run("document.getElementById('link').checkVisibility()"))
        self.window.run("(() => { window.asked = []; const real = fetch; window.fetch = (path, terms) => { asked.push(path); return real(path, terms) } })()")
        for text in ("inps", "http://www.inps.it", ""):
            hands.replace("#address", text)
            hands.press("#window-form button")
            self.assertEqual(self.window.run("document.getElementById('address').ariaInvalid"), "true", text)
            self.assertIn("www.inps.it", self.text("#address-hint"))
        self.assertEqual(self.window.run("asked.filter((path) => path.includes('open-browser')).join()"), "")


if __name__ == "__main__":
    unittest.main()
