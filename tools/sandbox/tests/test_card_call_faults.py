"""Each fault of the card call's answer, and the codice's rules."""
import subprocess

from .browser import Browser
from .card import Link, completed_url, login2, signed_url, to_hand_off
from .rig import SandboxTest

# Fault, curl's exit status, the output's pattern (body, then status, then redirect target).
WRITE_OUT = ("--write-out", "|%{http_code}|%{redirect_url}")
EXPECTED = (
    ("http-403", 0, r"forbidden\|403\|"),
    ("http-500", 0, r"error\|500\|"),
    ("empty", 0, r"\|200\|"),
    ("15-digits", 0, r"codice:[0-9]{15}\|200\|"),
    ("17-digits", 0, r"codice:[0-9]{17}\|200\|"),
    ("letters", 0, r"codice:[0-9]{10}[A-F]{6}\|200\|"),
    ("no-prefix", 0, r"[0-9]{16}\|200\|"),
    ("extra-text", 0, r"codice:[0-9]{16} ok\|200\|"),
    ("markup", 0, r"<html>.*codice:[0-9]{16}.*\|200\|"),
    ("other-digits", 0, r"codice:[\u0660-\u0669]{16}\|200\|"),
    ("huge-body", 0, r"codice:[0-9]{16} {8388608}\|200\|"),
    ("endless-body", 28, r"codice:[0-9]{16} {65536,}\|200\|"),
    ("truncated", 18, r"codice:[0-9]{5}\|200\|"),
    ("slow", 0, r"codice:[0-9]{16}\|200\|"),
    ("slow-body", 28, r"cod?i?\|200\|"),
    ("redirect-once", 0, r"\|307\|https://localhost:[0-9]+/idp/Authn/SSL/Login2\?again=1"),
    ("redirect-loop", 0, r"\|307\|https://localhost:[0-9]+/idp/Authn/SSL/Login2"),
    ("redirect-host", 0, r"\|307\|https://elsewhere\.cie-sandbox\.invalid/.*"),
    ("redirect-http", 0, r"\|307\|http://localhost:.*"),
    ("redirect-file", 0, r"\|307\|file:///.*"),
)
NAMES = {name for name, _, _ in EXPECTED} | {"codice-unknown", "codice-expired"}


class CardCallFaultTest(SandboxTest):
    """The answer of Login2."""

    def test_each_fault(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        for name, status, pattern in EXPECTED:
            with self.subTest(name):
                self.rig.arm(name)
                limit = "2.5" if name == "slow-body" else "1" if name == "endless-body" else "10"
                result = login2(self.rig, link, *WRITE_OUT, "--max-time", limit)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertRegex(result.stdout, f"^{pattern}$")

    def test_redirect_once_leads_to_a_codice(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        self.rig.arm("redirect-once", count=2)
        self.assertRegex(login2(self.rig, link, "--location").stdout, "^codice:[0-9]{16}$")

    def test_redirect_loop_never_ends(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        self.rig.arm("redirect-loop", count=6)
        result = login2(self.rig, link, "--location", "--max-redirs", "5")
        self.assertEqual(result.returncode, 47)

    def test_counted_fault_ends(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        self.rig.arm("empty", count=2)
        answers = [login2(self.rig, link).stdout[:7] for _ in range(3)]
        self.assertEqual(answers, ["", "", "codice:"])


class CodiceTest(SandboxTest):
    """One use, one conversation, one minute, one browser."""

    def start(self) -> tuple[Browser, Link, str]:
        browser = self.rig.browser()
        link = to_hand_off(self.rig, browser)
        return browser, link, completed_url(link, login2(self.rig, link).stdout)

    def test_once_only(self) -> None:
        browser, _, url = self.start()
        self.assertIn("Consenso", browser.open(url).title)
        again = browser.open(url)
        self.assertEqual((again.status, again.title), (400, "ERRORE"))

    def test_another_browser(self) -> None:
        own, _, url = self.start()
        self.assertEqual(self.rig.browser().open(url).status, 400)
        other, _, _ = self.start()
        refused = other.open(url)
        self.assertEqual((refused.status, refused.title), (403, "ERRORE"))
        # It was tried, so it is used up for its own browser too.
        self.assertEqual(own.open(url).status, 403)

    def test_faults_of_the_codice(self) -> None:
        for name in ("codice-unknown", "codice-expired"):
            with self.subTest(name):
                self.rig.arm(name)
                browser, _, url = self.start()
                self.assertEqual(browser.open(url).status, 403)

    def test_a_newer_one_replaces_it(self) -> None:
        browser, link, url = self.start()
        newer = completed_url(link, login2(self.rig, link).stdout)
        self.assertNotEqual(url, newer)
        self.assertEqual(browser.open(url).status, 403)

    def test_parameters_to_the_letter(self) -> None:
        for change in ("&extra=1", "&login=1", "&codice=0123456789012345"):
            with self.subTest(change):
                browser, _, url = self.start()
                self.assertEqual(browser.open(url + change).status, 400)
        browser, _, url = self.start()
        self.assertEqual(browser.open(url.replace("login=1", "login=0")).status, 403)

    def test_what_login2_refuses(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        wrong = (
            Link("", link.name, "e9s9", link.request), Link("", "conversazione", link.value, link.request),
            Link("", link.value, link.name, link.request), Link("", link.name, link.value, "unknown"))
        for item in wrong:
            with self.subTest(item):
                self.assertEqual(login2(self.rig, item).stdout, "bad request")
        self.assertEqual(login2(self.rig, link, "--data", "generaCodice=1").stdout, "bad request")
        self.assertEqual(login2(self.rig, link, "--data", "more=1").stdout, "bad request")

    def test_lenient_switch(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        reversed_pair = Link("", link.value, link.name, link.request)
        self.rig.control("POST", "switch", switch="lenient", on="1")
        try:
            self.assertRegex(login2(self.rig, reversed_pair).stdout, "^codice:")
        finally:
            self.rig.control("POST", "switch", switch="lenient", on="0")
        self.assertEqual(login2(self.rig, reversed_pair).stdout, "bad request")


class ChallengeTest(SandboxTest):
    """Variant B."""

    def test_wrong_signature(self) -> None:
        browser = self.rig.browser()
        link = to_hand_off(self.rig, browser)
        refused = browser.open(signed_url(self.rig, browser, link, tamper=True))
        self.assertEqual((refused.status, refused.title), (403, "ERRORE"))

    def test_once_only_and_in_the_same_browser(self) -> None:
        browser = self.rig.browser()
        link = to_hand_off(self.rig, browser)
        url = signed_url(self.rig, browser, link)
        self.assertEqual(self.rig.browser().open(url).status, 400)
        self.assertIn("Consenso", browser.open(url).title)
        self.assertEqual(browser.open(url).status, 400)

    def test_lower_case_signature(self) -> None:
        browser = self.rig.browser()
        link = to_hand_off(self.rig, browser)
        url = signed_url(self.rig, browser, link)
        head, _, tail = url.partition("challenge=")
        signature, _, rest = tail.partition("&")
        self.assertEqual(browser.open(f"{head}challenge={signature.lower()}&{rest}").status, 403)

    def test_refused_certificates(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        url = self.rig.ready["idp"] + "Authn/X509TLS13First"
        for name, status in (("client-expired.pem", 403), ("../state/server.pem", 400)):
            der = subprocess.run(
                ["openssl", "x509", "-in", str(self.rig.card / name), "-outform", "DER"],
                capture_output=True, check=True).stdout
            page = self.rig.browser().open(url, {"cert": der.hex(), "authnRequest": link.request})
            self.assertEqual(page.status, status)
        bad = self.rig.browser().open(url, {"cert": "00", "authnRequest": link.request})
        self.assertEqual(bad.status, 400)
