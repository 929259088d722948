"""The login page by User-Agent and switch, the phone app, metadata, logout, and the banner on every page."""
import re
import subprocess
from urllib.parse import parse_qs, urlencode, urlsplit

from .card import Link, completed_url, login2, to_consent, to_hand_off, to_login_page
from .rig import SandboxTest

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 14_0_1 like Mac OS X) AppleWebKit/605.1.15 test"
DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) test"
LINKS = (
    ("link-foreign-next", r"nextUrl=https://elsewhere\.cie-sandbox\.invalid/"),
    ("link-foreign-path", r"/idp/Authn/X509/\.\./\.\./collect&"),
    ("link-lookalike-host", r"^https://localhost\.cie-sandbox\.invalid:"),
    ("link-user-info", r"^https://user@localhost:"),
    ("link-repeated-key", r"value=e1s1&value=e9s9&"),
    ("link-injected", r"value=e1s1%26generaCodice%3D0%26login%3D1&"),
    ("link-named-codice", r"&name=codice&"),
    ("link-missing-value", r"name=conversation&authnRequestString="),
    ("link-http", r"^http://localhost:"),
)
PAGES = (
    ("login-500", 500), ("login-empty", 200), ("login-error-page", 200), ("login-huge", 200),
    ("login-endless", 200), ("login-slow", 200), ("login-redirect-loop", 302),
    ("login-redirect-host", 302), ("login-redirect-http", 302))
NAMES = {name for name, _ in LINKS} | {name for name, _ in PAGES}


class LoginPageTest(SandboxTest):
    """The contents of the login page."""

    def switch(self, name: str) -> None:
        self.rig.control("POST", "switch", switch=name, on="1")
        self.addCleanup(self.rig.control, "POST", "switch", switch=name, on="0")

    def test_android(self) -> None:
        url = to_login_page(self.rig, self.rig.browser()).links["hand-off"]
        parts = urlsplit(url)
        self.assertEqual((parts.scheme, parts.path), ("https", "/OpenApp"))
        self.assertTrue(self.rig.ready["idp"].startswith(f"https://{parts.netloc}/"))
        self.assertEqual(
            list(parse_qs(parts.query)),
            ["nextUrl", "name", "value", "authnRequestString", "OpText", "imgUrl"])
        self.assertIn(f"?nextUrl={self.rig.ready['idp']}Authn/X509&name=conversation&value=e1s1&", url)

    def test_iphone(self) -> None:
        url = to_login_page(self.rig, self.rig.browser(IPHONE)).links["hand-off"]
        self.assertRegex(url, r"^https://ios\.localhost:[0-9]+/\?nextUrl=")
        self.switch("slash-link")
        browser = self.rig.browser(IPHONE)
        url = to_login_page(self.rig, browser).links["hand-off"]
        self.assertRegex(url, r"^https://ios\.localhost:[0-9]+/nextUrl=")
        link = Link.of(url)
        done = browser.open(completed_url(link, login2(self.rig, link).stdout))
        self.assertIn("Consenso", done.title)

    def test_desktop(self) -> None:
        browser = self.rig.browser(DESKTOP)
        prompt = to_login_page(self.rig, browser)
        self.assertIn("/idp/x509-prompt.jsp?conversation=e1s1", prompt.url)
        self.assertIn("opType=login", prompt.links["phone"])
        browser.context.load_cert_chain(self.rig.card / "client.pem", self.rig.card / "client.key")
        self.assertIn("Consenso", browser.open(prompt.links["card"]).title)

    def test_desktop_without_a_card(self) -> None:
        browser = self.rig.browser(DESKTOP)
        prompt = to_login_page(self.rig, browser)
        refused = browser.open(prompt.links["card"])
        self.assertIn("ERRORE", refused.title)
        self.assertIn("/idp/errorcode.jsp?err=No_client_certificate&link=", refused.url)
        browser.context.load_cert_chain(self.rig.card / "client.pem", self.rig.card / "client.key")
        again = browser.open(refused.links["again"])
        consent = browser.open(again.links["card"])
        profile = browser.submit(browser.submit(consent, choice="accept"))
        self.assertEqual(profile.data["familyName"], "SABBIERA")

    def test_error_leads_to_the_own_prompt_alone(self) -> None:
        page = self.rig.browser().open(
            self.rig.ready["idp"] + "errorcode.jsp?err=No_client_certificate&link=https%3A%2F%2Felsewhere.invalid%2F")
        self.assertEqual(page.links, {})

    def test_card_port_without_a_card(self) -> None:
        # The card call itself, of a client that offers TLS 1.2 at most, still fails in the handshake.
        result = subprocess.run(
            ["curl", "--silent", "--cacert", self.rig.ready["ca"], "--tls-max", "1.2", "--data", "x=y",
             self.rig.ready["mtls"] + "Authn/SSL/Login2"], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)

    def test_script(self) -> None:
        self.switch("script-link")
        text = to_login_page(self.rig, self.rig.browser()).text
        self.assertNotIn('href="https://localhost', text)
        values = dict(re.findall(r'var ([abcdf]) = "(.*?)";', text))
        self.assertEqual((values["a"], values["b"], len(values)), ("conversation", "e1s1", 5))
        link = Link("", values["a"], values["b"], values["c"].replace("\\u003d", "="))
        self.assertRegex(login2(self.rig, link).stdout, "^codice:")
        self.assertIn("apriIosUL()", to_login_page(self.rig, self.rig.browser(IPHONE)).text)

    def test_odd_token(self) -> None:
        self.switch("odd-token")
        link = to_hand_off(self.rig, self.rig.browser())
        self.assertTrue(link.request.endswith("+/=%&è+"))
        self.assertRegex(login2(self.rig, link).stdout, "^codice:")

    def test_link_faults(self) -> None:
        for name, pattern in LINKS:
            with self.subTest(name):
                self.rig.arm(name)
                page = to_login_page(self.rig, self.rig.browser())
                self.assertRegex(page.links["hand-off"], pattern)

    def test_page_faults(self) -> None:
        for name, status in PAGES:
            with self.subTest(name):
                browser = self.rig.browser()
                start = browser.open(self.rig.ready["spLogin"], follow=False)
                login = browser.open(start.headers["location"], follow=False).headers["location"]
                self.rig.arm(name)
                cookies = "; ".join(f"{k}={v}" for k, (v, _) in browser.cookies.items())
                # The large ones are read by curl, which stops after two seconds.
                result = subprocess.run(
                    ["curl", "--silent", "--cacert", self.rig.ready["ca"], "--max-time", "2",
                     "--limit-rate", "8M", "--cookie", cookies, "--user-agent", "Android",
                     "--output", "/dev/null", "--write-out",
                     "%{http_code} %{size_download} %{redirect_url}", login],
                    capture_output=True, text=True)
                code, size, target = result.stdout.split(" ", 2)
                self.assertEqual(int(code), status)
                self.assertEqual(int(size) > 1_000_000, name in ("login-huge", "login-endless"))
                self.assertEqual(int(size) == 0, name == "login-empty" or status == 302)
                self.assertEqual(result.returncode == 28, name in ("login-huge", "login-endless"))
                if name == "login-redirect-host":
                    self.assertIn("elsewhere.cie-sandbox.invalid", target)
                if name == "login-redirect-http":
                    self.assertTrue(target.startswith("http:"))
                if name == "login-redirect-loop":
                    self.assertEqual(target, login)

    def test_banner_everywhere(self) -> None:
        idp, sp = self.rig.ready["idp"], self.rig.ready["sp"]
        origin = idp.removesuffix("idp/")
        for url in (
            idp, sp, origin + "OpenApp", idp + "nowhere", idp + "login", idp + "consent",
            idp + "profile/SAML2/Redirect/SLO", idp + "profile/SAML2/Redirect/SSO", sp + "profile",
            sp + "nowhere", origin + "cieiderror?cieid_error_message=x", idp + "errorcode.jsp",
        ):
            with self.subTest(url):
                page = self.rig.browser().open(url)
                self.assertIn("SANDBOX &ndash; not a government service", page.text)
                self.assertEqual(page.headers["x-sandbox"], "not a government service")

    def test_logout(self) -> None:
        browser = self.rig.browser()
        to_consent(self.rig, browser)
        page = browser.open(self.rig.ready["idp"] + "profile/SAML2/Redirect/SLO")
        self.assertIn("Logout effettuato con successo", page.text)
        again = browser.open(self.rig.ready["idp"] + "consent?conversation=e1s1")
        self.assertEqual(again.status, 400)

    def test_metadata(self) -> None:
        for key, certificate in (("idpMetadata", "idp-saml.pem"), ("spMetadata", "sp-saml.pem")):
            text = self.rig.browser().open(self.rig.ready[key]).text
            self.assertNotIn("gov.it", text)
            result = subprocess.run(
                ["xmlsec1", "--verify", "--pubkey-cert-pem",
                 str(self.rig.folder / "state" / certificate), "--id-attr:ID",
                 "urn:oasis:names:tc:SAML:2.0:metadata:EntityDescriptor", "/dev/stdin"],
                input=text.encode(), capture_output=True)
            self.assertEqual(result.returncode, 0, result.stderr)


class PhoneTest(SandboxTest):
    """The simulated app."""

    def tap(self, url: str, outcome: str = "approve") -> str:
        return str(self.rig.control("POST", "app", url=url, outcome=outcome)["returnUrl"])

    def test_levels_1_and_2(self) -> None:
        for level in (1, 2):
            browser = self.rig.browser()
            link = to_login_page(self.rig, browser, f"?level={level}").links["hand-off"]
            self.assertIn(f"/idp/login/livello{level}?", link)
            self.assertIn(f"&level={level}&", link)
            early = browser.open(f"{self.rig.ready['idp']}login/livello{level}mobile?value=e1s1")
            self.assertEqual(early.status, 403)
            back = self.tap(link)
            self.assertEqual(self.rig.browser().open(back).status, 400)
            profile = browser.submit(browser.submit(browser.open(back), choice="accept"))
            self.assertEqual(profile.data["level"], str(level))
            self.assertEqual(profile.data["familyName"], "ESEMPIO")

    def test_scheme_and_errors(self) -> None:
        link = to_login_page(self.rig, self.rig.browser(), "?level=2").links["hand-off"]
        back = self.tap(f"CIEID://{link}&sourceApp=kiosk")
        self.assertTrue(back.startswith("kiosk://https://localhost:"))
        error = self.tap(f"{link}/&sourceApp=kiosk", "cancel")
        self.assertRegex(
            error, r"^kiosk://https://.*/cieiderror\?cieid_error_message=Operazione_annullata_dall'utente$")
        shown = self.rig.browser().open(self.tap(link, "expired"))
        self.assertIn("Carta non valida: certificato scaduto", shown.text)
        self.assertIn("Errore sconosciuto", self.rig.browser().open(self.tap(link, "empty")).text)

    def test_level_3_by_phone(self) -> None:
        browser = self.rig.browser()
        link = to_login_page(self.rig, browser).links["hand-off"]
        self.assertIn("Consenso", browser.open(self.tap(link)).title)

    def test_by_hand(self) -> None:
        self.rig.control("POST", "switch", switch="universal-link", on="1")
        self.addCleanup(self.rig.control, "POST", "switch", switch="universal-link", on="0")
        browser = self.rig.browser()
        page = to_login_page(self.rig, browser, "?level=2")
        self.assertIn("/idp/login/app?", page.links["hand-off"])
        app = browser.open(page.links["hand-off"])
        self.assertIn("Consenso", browser.submit(app, outcome="approve").title)

    def test_unknown_link(self) -> None:
        page = self.rig.browser().open(
            self.rig.ready["control"] + "app", {"url": "https://localhost/?" + urlencode({"opId": "x"})})
        self.assertEqual(page.status, 400)
