"""The log never holds personal data or secrets."""
import re
from urllib.parse import parse_qs, urlsplit

from .card import completed_url, login2, signed_url, to_consent, to_hand_off, to_login_page
from .rig import SandboxTest


class PrivacyTest(SandboxTest):
    """Runs all flows, then reads the log."""

    def test_log(self) -> None:
        secrets = {"SABBIERA", "PROVA", "ESEMPIO", "STELLA", "1970-01-01", "1982-03-13"}
        for query in ("", "?binding=post"):
            for signed in (False, True):
                browser = self.rig.browser()
                link = to_hand_off(self.rig, browser, query)
                if signed:
                    url = signed_url(self.rig, browser, link)
                else:
                    url = completed_url(link, login2(self.rig, link).stdout)
                consent = browser.open(url)
                response = browser.submit(consent, choice="accept")
                profile = browser.submit(response)
                browser.open(url)
                browser.submit(response)
                secrets |= {link.request, *consent.data.values(), *profile.data.values()}
                secrets |= {consent.fields["token"], *response.fields.values()}
                secrets |= {value for value, _ in browser.cookies.values()}
                for visited in browser.history:
                    for key, values in parse_qs(urlsplit(visited).query).items():
                        secrets |= set(values) if key not in ("binding", "login") else set()
        for name in ("saml-wrong-signature", "saml-wrong-key", "error-nr03", "refuse-expired"):
            self.rig.arm(name)
            browser = self.rig.browser()
            link = to_hand_off(self.rig, browser)
            answer = login2(self.rig, link).stdout
            if answer:
                page = browser.open(completed_url(link, answer))
                if page.status == 200:
                    browser.submit(browser.submit(page, choice="accept"))
        phone = to_login_page(self.rig, self.rig.browser(), "?level=2").links["hand-off"]
        back = self.rig.control("POST", "app", url=phone)["returnUrl"]
        secrets |= {phone, str(back), *parse_qs(urlsplit(phone).query)["opId"]}
        self.rig.browser().open(self.rig.ready["idp"] + "consent?" + "secretQueryValue=1")
        self.rig.browser().open(self.rig.ready["idp"] + "secretPathValue")
        secrets |= {"secretQueryValue", "secretPathValue"}
        to_consent(self.rig, self.rig.browser())
        log = self.rig.log.read_text()
        for secret in secrets - {"3", "2", "1", "e1s1", "state"}:
            self.assertNotIn(secret, log)
        self.assertIsNone(re.search(r"[0-9]{16}|[A-Z]{6}[0-9]{2}[A-Z]|TINIT|https?:|<|Traceback", log))
        self.assertGreater(log.count("codice-issued"), 4)
        self.assertGreater(log.count("logged-in"), 3)
