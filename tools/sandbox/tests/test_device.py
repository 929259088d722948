"""The device authorization grant (RFC 8628): approval by page and control interface, and each error once."""
import json
import time
from pathlib import Path

from cie_sandbox.faults import openid

from .browser import Page
from .relying_party import DEVICE_GRANT
from .test_oidc import OIDCTest


NAMES = frozenset(openid.DEVICE) | frozenset(openid.DEVICE_POLL)


class DeviceTest(OIDCTest):
    """A device that shows a code and polls."""

    def start(self, **form: str) -> dict[str, str]:
        page = self.party.call("device_authorization", **{"scope": "openid identity offline_access", **form})
        self.assertEqual(page.status, 200, page.text)
        answer: dict[str, str] = self.party.json(page)
        return answer

    def poll(self, device: dict[str, str]) -> Page:
        return self.party.call("token", grant_type=DEVICE_GRANT, device_code=device["device_code"])

    def error(self, device: dict[str, str]) -> str:
        page = self.poll(device)
        self.assertEqual(page.status, 400)
        return str(self.party.json(page)["error"])

    def decide(self, device: dict[str, str], outcome: str) -> None:
        page = self.party.user.open(
            self.rig.ready["ways"] + "sandbox/device", {"user_code": device["user_code"], "outcome": outcome})
        self.assertEqual(page.status, 200, page.text)

    def test_pending_then_tokens_signed_by_published_keys(self) -> None:
        device = self.start()
        self.assertTrue(device["verification_uri"].startswith(self.party.issuer))
        self.assertEqual(self.error(device), "authorization_pending")
        self.decide(device, "approve")
        tokens = self.party.json(self.poll(device))
        claims = self.party.verified(tokens["id_token"])
        self.assertEqual(claims["https://attributes.eid.gov.it/fiscal_number"], "TINIT-PRVGSM80X99Z999G")
        self.assertIn("refresh_token", tokens)
        self.assertEqual(self.error(device), "invalid_grant")

    def test_by_the_page(self) -> None:
        device = self.start(acr_values="https://www.spid.gov.it/SpidL1")
        other = self.rig.browser()
        page = other.open(str(device["verification_uri_complete"]))
        self.assertEqual(page.fields["user_code"], device["user_code"])
        page = other.submit(page, user_code=str(device["user_code"]).replace("-", " ").lower())
        page = other.submit(page, **self.users())
        page = other.submit(page, choice="accept")
        self.assertIn("Accesso consentito", page.text)
        self.assertIn("id_token", self.party.json(self.poll(device)))
        page = other.open(str(device["verification_uri"]))
        self.assertEqual(other.submit(page, user_code="AAAA-AAAA").status, 404)

    def test_denied_and_expired(self) -> None:
        for outcome, error in (("deny", "access_denied"), ("expire", "expired_token")):
            device = self.start()
            self.decide(device, outcome)
            self.assertEqual(self.error(device), error)

    def test_a_device_that_asks_too_often_is_told_to_slow_down(self) -> None:
        device = self.start()
        self.assertEqual(self.error(device), "authorization_pending")
        self.assertEqual(self.error(device), "slow_down")
        time.sleep(1.1)
        self.assertEqual(self.error(device), "slow_down")

    def test_refusals(self) -> None:
        page = self.party.call("device_authorization", scope="everything")
        self.assertEqual((page.status, self.party.json(page)["error"]), (400, "invalid_scope"))
        page = self.party.user.open(
            self.party.issuer + "device_authorization", {"client_id": self.party.client_id, "scope": "identity"})
        self.assertEqual((page.status, self.party.json(page)["error"]), (401, "invalid_client"))
        self.assertEqual(self.error({"device_code": "nonsense"}), "invalid_grant")

    def test_each_fault(self) -> None:
        for name in openid.DEVICE:
            with self.subTest(name):
                self.rig.arm(name)
                page = self.party.call("device_authorization", scope="identity")
                answer = self.party.json(page)
                good = (
                    str(answer.get("verification_uri", "")).startswith(self.party.issuer)
                    and answer.get("interval") == 1)
                self.assertFalse(good)
        device = self.start()
        self.decide(device, "approve")
        for name in openid.DEVICE_POLL:
            self.rig.arm(name)
            self.assertIn(self.error(device), (
                "slow_down", "authorization_pending", "access_denied", "expired_token"))
        self.assertEqual(self.poll(device).status, 200)

    def test_the_service_description_names_the_method(self) -> None:
        methods = json.loads(Path(self.rig.ready["service"]).read_text())["methods"]
        entry = next(e for e in methods if e["method"] == "identity-app")
        self.assertEqual((entry["issuer"], entry["scope"]), (self.party.issuer, "identity"))
