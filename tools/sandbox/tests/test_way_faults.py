"""Faults that all other sign-in methods share, and faulty tokens of each kind."""
import json

import jwt

from .rig import SandboxTest, header
from .ways import Native, curl

STATUSES = (400, 401, 403, 404, 405, 409, 429, 500, 503, 504)
TOKENS = {
    "token-alg-none", "token-hs256", "token-other-key", "token-unknown-kid", "token-header-jwk", "token-header-jku",
    "token-header-x5u", "token-tampered", "token-garbage", "token-wrong-issuer", "token-wrong-audience",
    "token-expired", "token-not-yet", "token-no-expiry", "token-no-subject"}
NAMES = {f"way-{status}" for status in STATUSES} | TOKENS | {
    "token-wrong-nonce", "token-crit", "way-not-json", "way-not-utf8", "way-html", "way-content-type", "way-empty",
    "way-array", "way-deep", "way-no-members", "way-wrong-types", "way-repeated-member", "way-huge", "way-endless",
    "way-truncated", "way-slow", "way-held", "way-drip", "way-redirect-loop", "way-redirect-host", "way-redirect-http"}


class AnswerTest(SandboxTest):
    """One answer of one method, with each fault."""

    def setUp(self) -> None:
        self.url = Native(self.rig).authority + "v2.0/.well-known/openid-configuration"

    def test_statuses(self) -> None:
        for status in STATUSES:
            self.rig.arm(f"way-{status}")
            reply = curl(self.rig, self.url)
            self.assertEqual((reply.status, reply.json), (status, {"error": "server-fault"}))
            self.assertEqual("retry-after" in reply.headers, status == 429)

    def test_bodies(self) -> None:
        good = curl(self.rig, self.url)
        for name, body in (
            ("way-not-json", b'{"half": '), ("way-empty", b""), ("way-array", b"[]"), ("way-no-members", b"{}"),
        ):
            self.rig.arm(name)
            reply = curl(self.rig, self.url)
            self.assertEqual((reply.status, reply.body, reply.headers["content-type"]), (200, body, "application/json"))
        self.rig.arm("way-html")
        self.assertIn(b"<title>", curl(self.rig, self.url).body)
        self.rig.arm("way-content-type")
        typed = curl(self.rig, self.url)
        self.assertEqual((typed.body, typed.headers["content-type"]), (good.body, "text/html; charset=utf-8"))
        self.rig.arm("way-not-utf8")
        with self.assertRaises(UnicodeDecodeError):
            curl(self.rig, self.url).body.decode()
        self.rig.arm("way-deep")
        with self.assertRaises(RecursionError):
            json.loads(curl(self.rig, self.url).body)
        self.rig.arm("way-wrong-types")
        self.assertEqual(curl(self.rig, self.url).json["issuer"], 7)
        self.rig.arm("way-repeated-member")
        self.assertEqual(curl(self.rig, self.url).body.count(b'"issuer"'), 2)

    def test_sizes_and_times(self) -> None:
        self.rig.arm("way-huge")
        self.assertGreater(len(curl(self.rig, self.url).body), 8_000_000)
        for name, status in (("way-truncated", 18), ("way-drip", 28)):
            self.rig.arm(name)
            self.assertEqual(curl(self.rig, self.url, seconds=1).curl, status, name)
        self.rig.arm("way-endless")
        endless = curl(self.rig, self.url, seconds=1)
        self.assertEqual((endless.curl, len(endless.body) > 1_000_000), (28, True))
        self.rig.arm("way-slow")
        self.assertEqual(curl(self.rig, self.url, seconds=0.3).curl, 28)

    def test_redirects(self) -> None:
        for name, start in (
            ("way-redirect-loop", self.url), ("way-redirect-host", "https://elsewhere."),
            ("way-redirect-http", self.url.replace("https:", "http:")),
        ):
            self.rig.arm(name)
            reply = curl(self.rig, self.url)
            self.assertEqual(reply.status, 307)
            self.assertTrue(reply.headers["location"].startswith(start))

    def test_a_fault_keeps_to_its_place(self) -> None:
        for place, hit in (("tenant", True), ("tenant/configuration", True), ("tenant/keys", False), ("oidc", False)):
            self.rig.arm("way-500", place)
            self.assertEqual(curl(self.rig, self.url).status == 500, hit)
            self.rig.clear()

    def test_a_fault_spares_the_control_interface(self) -> None:
        self.rig.arm("way-500")
        for path in ("sandbox/fault", ""):
            self.assertEqual(curl(self.rig, self.rig.ready["ways"] + path).status, 200)
        hook = self.rig.ready["waysControl"] + "claims-hook"
        self.assertEqual(curl(self.rig, hook, form={"url": ""}).status, 200)
        self.assertEqual(curl(self.rig, self.url).status, 500)


class TokenTest(SandboxTest):
    """PyJWT refuses each."""

    def test_wrong_tokens(self) -> None:
        client = Native(self.rig)
        for name in sorted(TOKENS):
            self.rig.arm(name)
            reply = client.by_password("password")
            self.assertEqual(reply.status, 200)
            # An unknown kid is a KeyError of the test's own look-up.
            with self.assertRaises((jwt.PyJWTError, KeyError), msg=name):
                client.judged(reply)
        # Some releases of PyJWT accept a token that they must reject (RFC 7515 §4.1.11).
        self.rig.arm("token-crit")
        self.assertEqual(header(client.by_password("password").json["id_token"])["crit"], ["urn:example:unknown"])
        self.rig.arm("token-wrong-nonce")
        self.assertEqual(client.judged(client.by_password("password"))["nonce"], "the-nonce-of-another-login")
