"""Native sign-in: the published requests and answers, by curl; every error; every fault."""
import re
import time
import uuid

import jwt

from . import ways
from .rig import SandboxTest
from .ways import Native, Reply, code_for, user

ERROR = {"error", "error_description", "error_codes", "error_uri", "timestamp", "trace_id", "correlation_id"}
NAMES = {
    "native-redirect", "native-code-wrong", "native-token-stale", "native-token-dead", "native-unknown-challenge",
    "native-escapes", "native-code-length-0", "native-code-length-huge", "native-interval-negative",
    "native-expires-negative", "native-expires-huge", "native-token-type", "native-refresh-expired",
    "native-issuer-host", "native-keys-host", "native-keys-http", "native-keys-none"}
ON_DEMAND = {
    "native-password-too-weak": "password_too_weak", "native-password-too-short": "password_too_short",
    "native-password-too-long": "password_too_long", "native-password-is-invalid": "password_is_invalid",
    "native-password-recently-used": "password_recently_used", "native-password-banned": "password_banned",
    "native-attribute-refused": "attribute_validation_failed", "native-invalid-contact": None,
    "native-provider-blocked": "provider_blocked_by_rep", "native-introspect-required": "introspect_required",
    "native-registration-required": "registration_required", "native-reset-required": None,
    "native-chain-expired": None, "native-unknown-error": "sub_of_it"}
NAMES |= set(ON_DEMAND)


class NativeTest(SandboxTest):
    """One client for all tests of a class."""

    def setUp(self) -> None:
        self.client = Native(self.rig)

    def refused(self, reply: Reply, word: str, number: int, suberror: str | None = None) -> None:
        """An error in the published form."""
        self.assertEqual(reply.error, (word, [number], suberror))
        self.assertLessEqual(ERROR, set(reply.json))
        self.assertIn(f"AADSTS{number}: ", reply.json["error_description"])
        self.assertRegex(reply.json["timestamp"], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$")
        for name in ("trace_id", "correlation_id"):
            uuid.UUID(reply.json[name])


class SignInTest(NativeTest):
    """Code, password, both, second factor, registration, refresh."""

    def test_code(self) -> None:
        name = user(self.rig, "code")["userName"]
        begun = self.client.initiate(name)
        self.assertEqual((begun.status, set(begun.json)), (200, {"continuation_token"}))
        self.assertEqual(begun.headers["content-type"], "application/json")
        sent = self.client.challenge(begun.json["continuation_token"])
        self.assertEqual(set(sent.json), {
            "challenge_type", "binding_method", "challenge_channel", "challenge_target_label", "code_length",
            "interval", "continuation_token"})
        self.assertEqual(
            (sent.json["challenge_type"], sent.json["challenge_channel"], sent.json["code_length"]),
            ("oob", "email", 8))
        self.assertNotIn(name, sent.body.decode())
        code = code_for(self.rig, name)
        self.assertEqual(len(code), 8)
        token = sent.json["continuation_token"]
        wrong = self.client.token("oob", continuation_token=token, oob="0")
        self.refused(wrong, "invalid_grant", 50181, "invalid_oob_value")
        good = self.client.token("oob", continuation_token=token, oob=code, client_info="true", nonce="of-this-login")
        self.assertEqual(set(good.json), {
            "token_type", "scope", "expires_in", "access_token", "id_token", "refresh_token", "client_info"})
        said = self.client.judged(good)
        self.assertEqual((said["given_name"], said["nonce"]), ("STELLA", "of-this-login"))
        self.assertEqual((said["loyaltyNumber"], said["interests"]), ("SANDBOX-0042", ["mare", "libri"]))
        self.assertEqual(jwt.get_unverified_header(good.json["access_token"])["typ"], "at+jwt")
        again = self.client.token("oob", continuation_token=token, oob=code)
        self.refused(again, "expired_token", 552003)

    def test_a_code_sent_again_replaces_the_first(self) -> None:
        name = user(self.rig, "code")["userName"]
        first = self.client.challenged("code")
        old = code_for(self.rig, name)
        early = self.client.challenge(first.json["continuation_token"])
        self.refused(early, "too_many_requests", 50196)
        self.assertEqual((early.status, early.headers["retry-after"]), (429, "1"))
        time.sleep(first.json["interval"] + 0.1)
        second = self.client.challenge(first.json["continuation_token"])
        token, new = second.json["continuation_token"], code_for(self.rig, name)
        self.assertNotEqual(token, first.json["continuation_token"])
        used = self.client.token("oob", continuation_token=first.json["continuation_token"], oob=new)
        self.refused(used, "expired_token", 552003)
        if old != new:
            self.assertEqual(self.client.token("oob", continuation_token=token, oob=old).status, 400)
        self.assertEqual(self.client.token("oob", continuation_token=token, oob=new).status, 200)

    def test_password(self) -> None:
        asked = self.client.challenged("password")
        self.assertEqual(set(asked.json), {"challenge_type", "continuation_token"})
        self.assertEqual(asked.json["challenge_type"], "password")
        token = asked.json["continuation_token"]
        wrong = self.client.token("password", continuation_token=token, password="wrong")
        self.refused(wrong, "invalid_grant", 50126)
        right = user(self.rig, "password")["password"]
        good = self.client.token("password", continuation_token=token, password=right, scope="openid")
        self.assertEqual(set(good.json), {"token_type", "scope", "expires_in", "access_token", "id_token"})
        self.assertNotIn("given_name", self.client.judged(good))

    def test_three_wrong_passwords_end_it(self) -> None:
        token = self.client.challenged("password").json["continuation_token"]
        for _ in range(3):
            wrong = self.client.token("password", continuation_token=token, password="wrong")
            self.refused(wrong, "invalid_grant", 50126)
        right = user(self.rig, "password")["password"]
        late = self.client.token("password", continuation_token=token, password=right)
        self.refused(late, "expired_token", 552003)

    def test_both(self) -> None:
        self.assertEqual(self.client.by_password("both").status, 200)
        sent = self.client.challenged("both", "oob redirect").json
        self.assertEqual(sent["challenge_type"], "oob")
        code = code_for(self.rig, user(self.rig, "both")["userName"])
        good = self.client.token("oob", continuation_token=sent["continuation_token"], oob=code)
        self.assertEqual(self.client.judged(good)["given_name"], "NORBERTO")

    def test_second_factor(self) -> None:
        needed = self.client.by_password("mfa", capabilities="mfa_required registration_required")
        self.refused(needed, "invalid_grant", 50076, "mfa_required")
        token = needed.json["continuation_token"]
        self.refused(self.client.challenge(token, id="x"), "invalid_request", 550021, "introspect_required")
        shown = self.client.call("oauth2/v2.0/introspect", continuation_token=token)
        (method,) = shown.json["methods"]
        self.assertEqual(set(method), {"id", "challenge_type", "challenge_channel", "login_hint"})
        sent = self.client.challenge(shown.json["continuation_token"], id=method["id"])
        self.assertEqual((sent.json["challenge_channel"], sent.json["challenge_target_label"][-2:]), ("sms", "42"))
        token = sent.json["continuation_token"]
        wrong = self.client.token("mfa_oob", continuation_token=token, oob="1")
        self.refused(wrong, "invalid_grant", 50181, "invalid_oob_value")
        good = self.client.token("mfa_oob", continuation_token=token, oob=code_for(self.rig, "+390000000042"))
        self.assertEqual(self.client.judged(good)["given_name"], "ITALO")

    def test_registration_of_a_strong_method(self) -> None:
        needed = self.client.by_password("register", capabilities="registration_required")
        self.refused(needed, "invalid_grant", 50079, "registration_required")
        shown = self.client.call("register/v1.0/introspect", continuation_token=needed.json["continuation_token"])
        step = {"continuation_token": shown.json["continuation_token"], "challenge_type": "oob"}
        for contact in ("no address", "somebody@example.com"):
            bad = self.client.call("register/v1.0/challenge", challenge_target=contact, **step)
            self.refused(bad, "invalid_request", 901001)
        blocked = self.client.call("register/v1.0/challenge", challenge_target="a@blocked.invalid", **step)
        self.refused(blocked, "access_denied", 550024, "provider_blocked_by_rep")
        sent = self.client.call("register/v1.0/challenge", challenge_target="new@example.invalid", **step)
        done = self.client.call(
            "register/v1.0/continue", continuation_token=sent.json["continuation_token"], grant_type="oob",
            oob=code_for(self.rig, "new@example.invalid"))
        good = self.client.token("continuation_token", continuation_token=done.json["continuation_token"])
        self.assertEqual(self.client.judged(good)["given_name"], "UGO")

    def test_a_refresh_token_is_good_once(self) -> None:
        first = self.client.by_password("password").json["refresh_token"]
        narrow = self.client.call("oauth2/v2.0/token", grant_type="refresh_token", refresh_token=first)
        self.assertEqual(self.client.judged(narrow)["given_name"], "GELSOMINA")
        second = narrow.json["refresh_token"]
        for used in (first, second):
            # The first is repeated: all tokens of its grant are invalid.
            late = self.client.token("refresh_token", refresh_token=used)
            self.refused(late, "invalid_grant", 700082)

    def test_whoever_needs_a_browser_is_told_so(self) -> None:
        for role, types in (("browser", ways.NATIVE), ("code", "password redirect"), ("password", "oob redirect")):
            told = self.client.initiate(user(self.rig, role)["userName"], types)
            self.assertEqual((told.status, told.json["challenge_type"]), (200, "redirect"))
            self.assertIn("redirect_reason", told.json)
        for role in ("mfa", "register"):
            self.assertEqual(self.client.by_password(role).json["challenge_type"], "redirect")


class ErrorTest(NativeTest):
    """Every error of the table that a request can cause."""

    def test_users(self) -> None:
        self.refused(self.client.initiate("nobody@example.invalid"), "user_not_found", 50034)
        self.refused(self.client.by_password("reset"), "invalid_grant", 50142)
        self.refused(self.client.by_password("blocked"), "invalid_grant", 50053)
        token = self.client.challenged("code").json["continuation_token"]
        none = self.client.token("password", continuation_token=token, password="any")
        self.refused(none, "invalid_request", 500222)

    def test_parameters(self) -> None:
        name = user(self.rig, "code")["userName"]
        for bad in (
            self.client.initiate("no address"), self.client.initiate(""),
            self.client.initiate(name, "oob redirect pigeon"), self.client.initiate(name, more="x"),
            self.client.call("oauth2/v2.0/initiate", username=name),
            self.client.initiate(name, "-d"), self.client.call("oauth2/v2.0/introspect", continuation_token="a" * 5000),
            self.client.call(
                "oauth2/v2.0/initiate", "-d", f"username={name}", username=name, challenge_type="oob redirect"),
        ):
            self.refused(bad, "invalid_request", 90100)
            self.assertEqual(bad.json["inner_errors"][0]["error"], "invalid_parameter")
        self.refused(self.client.initiate(name, "oob"), "unsupported_challenge_type", 901007)
        other = ways.curl(self.rig, self.client.authority + "oauth2/v2.0/initiate", form={
            "client_id": str(uuid.uuid4()), "username": name, "challenge_type": "oob redirect"})
        self.refused(other, "unauthorized_client", 700016)

    def test_grants_and_scopes(self) -> None:
        self.refused(self.client.token("carrier_pigeon"), "unsupported_grant_type", 70003)
        token = self.client.challenged("password").json["continuation_token"]
        for scope in ("", "profile", "openid everything"):
            bad = self.client.token("password", continuation_token=token, password="x", scope=scope)
            self.refused(bad, "invalid_scope", 70011)
        self.refused(self.client.token("oob", continuation_token=token, oob="1"), "expired_token", 552003)
        fresh = self.client.token("refresh_token", refresh_token="unknown")
        self.refused(fresh, "invalid_grant", 700082)

    def test_the_correlation_identifier_comes_back(self) -> None:
        own = str(uuid.uuid4())
        bad = self.client.call("oauth2/v2.0/introspect", "-H", f"client-request-id: {own}", continuation_token="x")
        self.assertEqual(bad.json["correlation_id"], own)
        strange = self.client.call("oauth2/v2.0/introspect", "-H", "client-request-id: x", continuation_token="x")
        uuid.UUID(strange.json["correlation_id"])

    def test_get_is_not_a_way(self) -> None:
        self.assertEqual(ways.curl(self.rig, self.client.authority + "oauth2/v2.0/token").status, 405)


class FaultTest(NativeTest):
    """Each fault of native sign-in, once."""

    def test_errors_on_demand(self) -> None:
        for name, suberror in ON_DEMAND.items():
            self.rig.arm(name)
            self.assertEqual(self.client.initiate("a@example.invalid").json.get("suberror"), suberror, name)

    def test_redirect_and_wrong_code(self) -> None:
        self.rig.arm("native-redirect")
        told = self.client.initiate(user(self.rig, "code")["userName"])
        self.assertEqual(told.json["challenge_type"], "redirect")
        token = self.client.challenged("code").json["continuation_token"]
        code = code_for(self.rig, user(self.rig, "code")["userName"])
        self.rig.arm("native-code-wrong")
        self.refused(
            self.client.token("oob", continuation_token=token, oob=code), "invalid_grant", 50181, "invalid_oob_value")
        self.assertEqual(self.client.token("oob", continuation_token=token, oob=code).status, 200)

    def test_challenges(self) -> None:
        wrong = {
            "native-token-dead": ("continuation_token", r"^a-token-that"),
            "native-unknown-challenge": ("challenge_type", "carrier"), "native-escapes": (
                "challenge_target_label", "\u001b"), "native-code-length-0": ("code_length", "^0$"),
            "native-code-length-huge": ("code_length", "^9223372036854775808$"),
            "native-interval-negative": ("interval", "^-1$")}
        for name, (member, pattern) in wrong.items():
            self.rig.arm(name)
            self.assertTrue(re.search(pattern, str(self.client.challenged("code").json[member])), name)
        begun = self.client.initiate(user(self.rig, "code")["userName"]).json["continuation_token"]
        self.rig.arm("native-token-stale")
        self.assertEqual(self.client.challenge(begun).json["continuation_token"], begun)

    def test_tokens(self) -> None:
        wrong = {
            "native-expires-negative": ("expires_in", -1), "native-expires-huge": ("expires_in", 2**63),
            "native-token-type": ("token_type", "mac")}
        for name, (member, value) in wrong.items():
            self.rig.arm(name)
            self.assertEqual(self.client.by_password("password").json[member], value)
        token = self.client.by_password("password").json["refresh_token"]
        self.rig.arm("native-refresh-expired")
        self.refused(self.client.token("refresh_token", refresh_token=token), "invalid_grant", 700082)

    def test_discovery(self) -> None:
        url = self.client.authority + "v2.0/.well-known/openid-configuration"
        for name, member, start in (
            ("native-issuer-host", "issuer", "https://elsewhere."), ("native-keys-host", "jwks_uri", "https://elsewhere."),
            ("native-keys-http", "jwks_uri", "http://localhost"),
        ):
            self.rig.arm(name)
            self.assertTrue(ways.curl(self.rig, url).json[member].startswith(start))
        self.rig.arm("native-keys-none")
        self.assertEqual(ways.curl(self.rig, self.client.authority + "discovery/v2.0/keys").json, {"keys": []})
