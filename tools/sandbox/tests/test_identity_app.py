"""The identity app as published: polling, outcomes, encrypted data. openssl is the judge of signature and cipher."""
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import jwt

from .rig import SandboxTest
from .ways import Reply, curl, entry, post_json

CUT = {"sip-wrong-signature", "sip-empty-signature", "sip-odd-digits", "sip-no-digits", "sip-bad-key"}
NAMES = CUT | {
    "sip-timeout-1", "sip-timeout-0", "sip-timeout-negative", "sip-timeout-huge", "sip-uuid-path", "sip-uuid-url",
    "sip-no-action", "sip-short-iv", "sip-other-secret", "sip-not-json", "sip-other-key", "sip-changed-by-stranger"}


def signature_fits(sealed: dict[str, str]) -> bool:
    """Checks whether openssl accepts the signature over the hexadecimal digits, by the key of the answer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "key").write_text(sealed["publicKey"])
        (folder / "signature").write_bytes(bytes.fromhex(sealed["signature"]))
        return subprocess.run(
            ["openssl", "dgst", "-sha256", "-verify", folder / "key", "-signature", folder / "signature"],
            input=sealed["encryptedData"].encode(), capture_output=True).returncode == 0


def opened(sealed: dict[str, str], secret: str) -> bytes:
    """openssl's decryption."""
    return subprocess.run(
        ["openssl", "enc", "-d", "-aes-256-ctr", "-K", secret.encode().hex(), "-iv", sealed["iv"]],
        input=bytes.fromhex(sealed["encryptedData"]), capture_output=True, check=True).stdout


class AppTest(SandboxTest):
    """One application for all tests."""

    def setUp(self) -> None:
        self.entry = entry(self.rig, "identity-app", "serviceInsecure")
        self.base: str = self.entry["base"] + "scopeRequest/"
        folder = Path(self.rig.ready["serviceInsecure"]).parent
        self.secret = (folder / self.entry["secretFile"]).read_text()

    def ask(self, level: str = "proofOfIdentity", **change: Any) -> Reply:
        """The first request."""
        return post_json(self.rig, self.base + "appToApp/verifyPartner", {
            "appId": self.entry["appId"], "mobileId": self.entry["mobileId"], "verificationLevel": level,
            "civicConnect": {"type": "ios", "version": "1.0.0"}, **change})

    def poll(self, asked: Reply) -> Reply:
        """The second, again and again."""
        return curl(self.rig, self.base + asked.json["uuid"])

    def tap(self, asked: Reply, outcome: str = "approve") -> None:
        """The person's action."""
        self.assertEqual(curl(self.rig, self.rig.ready["waysControl"] + "identity-app", form={
            "request": asked.json["scopeRequestString"], "outcome": outcome}).status, 200)

    def fetch(self, token: str) -> Reply:
        """The last."""
        return post_json(self.rig, self.base + "appToApp/connectXCtr", {"jwtToken": token})

    def data(self, level: str = "proofOfIdentity") -> Reply:
        """All three."""
        asked = self.ask(level)
        self.tap(asked)
        return self.fetch(self.poll(asked).json["authResponse"])


class FlowTest(AppTest):
    """Ask, poll, fetch."""

    def test_to_the_letter(self) -> None:
        asked = self.ask()
        self.assertEqual(asked.status, 200)
        self.assertEqual(set(asked.json), {"scopeRequestString", "uuid", "isTest", "status", "timeout"})
        self.assertIs(asked.json["isTest"], True)
        waiting = self.poll(asked)
        self.assertEqual((waiting.status, waiting.json["statusCode"]), (202, 202))
        self.assertNotIn("authResponse", waiting.json)
        self.tap(asked)
        answered = self.poll(asked)
        self.assertEqual(set(answered.json), {"statusCode", "message", "authResponse", "action", "type"})
        self.assertEqual((answered.json["action"], answered.json["type"]), ("data-received", "code"))
        sealed = self.fetch(answered.json["authResponse"])
        self.assertEqual(set(sealed.json), {"encryptedData", "iv", "publicKey", "signature"})
        self.assertRegex(sealed.json["encryptedData"] + sealed.json["iv"] + sealed.json["signature"], "^[0-9a-f]+$")
        self.assertTrue(signature_fits(sealed.json))
        found = json.loads(opened(sealed.json, self.secret))
        self.assertEqual(set(found), {"userId", "data"})
        for item in found["data"]:
            self.assertEqual(set(item), {"label", "value", "isValid", "isOwner"})
        values = {item["label"]: item["value"] for item in found["data"]}
        self.assertEqual(values["documents.genericId.familyName"], "ESEMPIO")
        self.assertEqual(values["contact.personal.phoneNumber"], 390000000042)
        again = self.fetch(answered.json["authResponse"])
        self.assertEqual((again.status, again.json["statusCode"]), (409, 409))

    def test_levels(self) -> None:
        seen = {}
        for level in ("civicBasic", "Anonymous_Login", "proofOfResidence", "proofOfIdentity", "proofOfAge"):
            found = json.loads(opened(self.data(level).json, self.secret))
            seen[level] = {item["label"].rpartition(".")[2] for item in found["data"]}
        self.assertEqual(seen["Anonymous_Login"], set())
        self.assertEqual(seen["civicBasic"], {"email", "phoneNumber"})
        self.assertIn("town", seen["proofOfResidence"])
        self.assertIn("image", seen["proofOfIdentity"])
        self.assertEqual(seen["proofOfAge"], {"email", "phoneNumber", "isAdult"})

    def test_outcomes(self) -> None:
        for outcome, action, kind in (
            ("dispatched", "data-dispatched", "code"), ("browser", "data-received", "browser"),
            ("cancel", "user-cancelled", "code"), ("upgrade", "mobile-upgrade", "code"),
            ("verify-error", "verify-error", "code"), ("unknown", "data-teleported", "code"),
        ):
            asked = self.ask()
            self.tap(asked, outcome)
            answered = self.poll(asked)
            self.assertEqual((answered.json["action"], answered.json["type"]), (action, kind))
            fetched = self.fetch(answered.json["authResponse"])
            self.assertEqual(fetched.status, 200 if outcome == "dispatched" else 401)
        self.tap(asked, "pending")
        self.assertEqual(self.poll(asked).status, 202)

    def test_by_hand(self) -> None:
        for outcome, action in (("approve", "data-received"), ("cancel", "user-cancelled")):
            asked, browser = self.ask(), self.rig.browser()
            shown = browser.open(f"{self.entry['base']}app?%24scoperequest={asked.json['scopeRequestString']}")
            self.assertIn("proofOfIdentity", shown.text)
            browser.submit(shown, outcome=outcome)
            # A decision is final.
            browser.submit(shown, outcome="approve")
            self.assertEqual(self.poll(asked).json["action"], action)
        self.assertEqual(self.rig.browser().open(self.entry["base"] + "app").status, 401)

    def test_a_stopped_request_is_cancelled(self) -> None:
        asked = self.ask()
        self.assertEqual(curl(self.rig, self.base + asked.json["uuid"], "-X", "DELETE").status, 204)
        self.assertEqual(self.poll(asked).json["action"], "user-cancelled")

    def test_registration_gives_identifiers_and_a_secret_of_its_own(self) -> None:
        url = self.rig.ready["waysControl"] + "identity-app/client"
        made = curl(self.rig, url, form={"name": "kiosk"}).json
        secret = Path(made["secretFile"])
        self.assertEqual(secret.stat().st_mode & 0o777, 0o600)
        self.assertNotEqual(secret.read_text(), self.secret)
        self.assertEqual(self.ask(appId=made["appId"], mobileId=made["mobileId"]).status, 200)
        self.assertEqual(curl(self.rig, url, form={"name": "../x"}).status, 400)


class ErrorTest(AppTest):
    """Refusals, and each fault once."""

    def test_refusals(self) -> None:
        for reply, status in (
            (self.ask(appId="unknown"), 401), (self.ask(mobileId="another"), 401), (self.ask("everything"), 400),
            (self.ask(more="x"), 400), (curl(self.rig, self.base + "no-such-request"), 401),
            (self.fetch("no.token.here"), 401), (self.fetch(jwt.encode({"codeToken": "x"}, "secret", "HS256")), 401),
            (post_json(self.rig, self.base + "appToApp/connectXCtr", ["x"]), 400),
            (curl(self.rig, self.base + "appToApp/connectXCtr", "-H", "Content-Type: application/json", "-d",
                  '{"jwtToken": ' + "[" * 100_000), 400),
        ):
            self.assertEqual((reply.status, reply.json["statusCode"]), (status, status))
            self.assertTrue(reply.json["message"])
        texts = {self.ask(appId="unknown").json["message"], self.ask(mobileId="another").json["message"]}
        self.assertEqual(len(texts), 2)
        self.assertEqual(curl(self.rig, self.base + "appToApp/verifyPartner/x", "-X", "PUT").status, 404)
        self.assertEqual(curl(self.rig, self.base + "appToApp/verifyPartner", "-X", "PUT").status, 405)

    def test_time_outs(self) -> None:
        for name, seconds in (
            ("sip-timeout-1", 1), ("sip-timeout-0", 0), ("sip-timeout-negative", -1), ("sip-timeout-huge", 2**63),
        ):
            self.rig.arm(name)
            asked = self.ask()
            self.assertEqual(asked.json["timeout"], seconds)
            if seconds == 1:
                time.sleep(1.1)
            over = self.poll(asked)
            self.assertEqual((over.status, over.json["statusCode"]), (202, 202) if seconds > 1 else (504, 504))

    def test_identifiers(self) -> None:
        for name, start in (("sip-uuid-path", "../"), ("sip-uuid-url", "https://elsewhere.")):
            self.rig.arm(name)
            self.assertTrue(self.ask().json["uuid"].startswith(start))
        asked = self.ask()
        self.tap(asked)
        self.rig.arm("sip-no-action")
        self.assertNotIn("action", self.poll(asked).json)

    def test_signatures(self) -> None:
        for name in CUT:
            self.rig.arm(name)
            self.assertFalse(signature_fits(self.data().json), name)

    def test_ciphers(self) -> None:
        self.rig.arm("sip-short-iv")
        self.assertEqual(len(self.data().json["iv"]), 8)
        self.rig.arm("sip-not-json")
        self.assertEqual(opened(self.data().json, self.secret), b"these are no data")
        self.rig.arm("sip-other-secret")
        sealed = self.data().json
        self.assertTrue(signature_fits(sealed))
        self.assertNotIn(b"userId", opened(sealed, self.secret))

    def test_the_weakness_of_the_published_protocol(self) -> None:
        # The key that verifies the signature is in the answer: another signer's signature over changed data verifies,
        # too.
        own = self.data().json["publicKey"]
        for name in ("sip-other-key", "sip-changed-by-stranger"):
            self.rig.arm(name)
            sealed = self.data().json
            self.assertNotEqual(sealed["publicKey"], own)
            self.assertTrue(signature_fits(sealed))
            self.assertEqual(b'"userId"' in opened(sealed, self.secret), True)
