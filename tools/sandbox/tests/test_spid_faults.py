"""SPID's faults, each once, and its log."""
import base64
import json
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from cie_sandbox.faults import spid

from .browser import Browser
from .test_spid import FIELDS, IDENTIFIERS, JSON, RETURN, SPIDTest

NAMES = frozenset(name for table in spid.MEANINGS.values() for name in table)


class FaultTest(SPIDTest):
    """Each fault once."""

    def test_responses(self) -> None:
        for name, reason in (
            ("spid-nr19", "nr19"), ("spid-nr20", "nr20"), ("spid-nr23", "nr23"),
            ("spid-no-attributes", "pysaml2-SignatureError"), ("spid-no-fiscal-number", "attributes"),
            ("spid-other-provider", "issuer"), ("saml-wrong-signature", "pysaml2-SignatureError"),
            ("saml-wrong-key", "pysaml2-SignatureError"), ("saml-unsigned-assertion", "unsigned"),
            ("saml-wrapped", "assertions"), ("saml-expired", "not-on-or-after"), ("saml-level-1", None),
            ("saml-wrong-audience", "audience"), ("saml-unsolicited", "in-response-to"), ("saml-nr22", "nr22"),
        ):
            with self.subTest(name):
                self.rig.arm(name)
                page = self.to_response(2 if reason is None else 1)
                self.assertEqual(self.reason(page), reason or "level")

    def test_list_and_request(self) -> None:
        own = self.json("list-providers")
        for name in spid.MEANINGS["SPID_LIST"]:
            self.rig.arm(name)
            self.assertNotEqual(self.json("list-providers"), own)
        self.assertEqual(self.json("list-providers"), own)
        for name in spid.MEANINGS["SPID_REQUEST"]:
            with self.subTest(name):
                self.rig.arm(name)
                answer = self.asked()
                try:
                    document = base64.b64decode(answer["xmlAuthRequest"], validate=True)
                    issuer = b"spid-sp.cie-sandbox.invalid" in document
                except ValueError:
                    issuer = False
                self.assertFalse(issuer and answer["destinationUrl"].startswith(self.base))

    def test_every_status_at_every_step(self) -> None:
        for name in spid.MEANINGS["SPID_STATUS"]:
            status = int(name[-3:])
            self.rig.arm(name, "spid/list-providers")
            self.assertEqual(self.user.open(self.base + "list-providers").status, status)
        for place in ("auth-spid", "idp-post", "spid-visit/password", "acs", "user"):
            with self.subTest(place):
                self.rig.arm("spid-502", f"spid/{place}")
                self.assertEqual(self.steps(self.rig.browser()), 502)
                self.assertEqual(self.steps(self.rig.browser()), 200)

    def steps(self, user: Browser) -> int:
        """The status of the step that failed, or of the last one."""
        entity = quote(f"https://{IDENTIFIERS[0]}.cie-sandbox.invalid/not-an-identity-provider", safe="")
        page = user.open(f"{self.base}auth-spid?level=1&entityId={entity}")
        if page.status != 200:
            return page.status
        answer = json.loads(page.text)
        page = user.open(answer["destinationUrl"], {"SAMLRequest": answer["xmlAuthRequest"]})
        for form in (self.users(), {"choice": "accept"}, {}):
            if page.status != 200:
                return page.status
            page = user.submit(page, **form)
        return page.status

    def test_the_way_back_and_the_data(self) -> None:
        for name in spid.MEANINGS["SPID_RETURN"]:
            self.rig.arm(name)
            page = self.to_response(returnUrl=RETURN)
            target = self.user.open(page.action, page.fields, follow=False).headers["location"]
            code = parse_qs(urlsplit(target).query).get("code", [""])[0]
            self.assertFalse(target.startswith(RETURN) and len(code) > 30)
        for name in spid.MEANINGS["SPID_USER"]:
            self.rig.arm(name)
            page = self.to_response()
            end = self.user.open(page.action, page.fields, follow=False).headers["location"]
            data = json.loads(self.user.open(end, headers=JSON).text)
            good = sorted(data) == sorted(FIELDS) and all(
                isinstance(value, str) and "\x1b" not in value for value in data.values())
            self.assertFalse(good and data["dataNascita"].endswith("Z"))

    def test_a_log_without_names(self) -> None:
        self.user.submit(self.to_response(2))
        log = Path(self.rig.log).read_text()
        for word in ("PROVA", "GELSOMINA", "PRVGSM", "example.invalid", self.users()["password"]):
            self.assertNotIn(word, log)
