"""The OpenID provider's faults, each once, as a strict client sees them."""
import jwt

from cie_sandbox.faults import openid

from .relying_party import LEVEL, RETURN
from .rig import header
from .test_oidc import OIDCTest


NAMES = frozenset(
    name for stage, table in openid.MEANINGS.items() if stage not in ("OIDC_DEVICE", "OIDC_POLL") for name in table)


class FaultTest(OIDCTest):
    """Discovery, keys, answers, tokens, userinfo."""

    def test_id_tokens(self) -> None:
        self.assertEqual(self.party.judge(self.party.tokens())["nonce"], self.party.nonce)
        for name in openid.ID_TOKEN:
            with self.subTest(name):
                self.rig.arm(name)
                tokens = self.party.tokens(acr_values=LEVEL.format(2))
                if name == "oidc-id-key-rotated":
                    self.assertEqual(self.party.judge(tokens, 2)["iss"], self.party.issuer)
                    continue
                if name == "oidc-id-critical":
                    self.assertIn("crit", header(tokens["id_token"]))
                    continue
                with self.assertRaises((jwt.PyJWTError, AssertionError, KeyError)):
                    self.party.judge(tokens, 2)

    def test_userinfo(self) -> None:
        tokens = self.party.tokens()
        own = self.party.verified(self.party.opened(self.party.userinfo(tokens).text))
        for name in openid.USERINFO:
            with self.subTest(name):
                self.rig.arm(name)
                page = self.party.userinfo(tokens)
                if page.status != 200:
                    self.assertEqual(page.status, int(name[-3:]))
                elif name == "oidc-userinfo-unsigned":
                    self.assertEqual(self.party.json(page)["sub"], own["sub"])
                elif name == "oidc-userinfo-other-sub":
                    self.assertNotEqual(self.party.verified(self.party.opened(page.text))["sub"], own["sub"])
                else:
                    with self.assertRaises((jwt.PyJWTError, AssertionError)):
                        self.party.verified(self.party.opened(page.text))

    def test_answers(self) -> None:
        for name in openid.AUTHORIZATION:
            with self.subTest(name):
                self.rig.arm(name)
                answer = self.party.answer(self.party.url())
                error = name.removeprefix("oidc-answer-").replace("-", "_")
                if error in openid.AUTHORIZATION_ERRORS:
                    self.assertEqual(answer["error"], error)
                else:
                    good = (
                        answer.get("state") == self.party.state and answer.get("iss") == self.party.issuer
                        and "error" not in answer and len(answer.get("code", "")) < 100)
                    twice = name == "oidc-answer-two-codes"
                    self.assertEqual(good and "code" in answer, twice)
                    if twice:
                        self.assertEqual(self.party.redeem(answer["code"]).status, 400)

    def test_discovery_and_keys(self) -> None:
        own = self.party.discovery()
        for name, path in [
            *((name, ".well-known/openid-configuration") for name in openid.DISCOVERY),
            *((name, "jwks") for name in openid.KEYS),
        ]:
            with self.subTest(name):
                right = self.party.user.open(self.party.issuer + path)
                self.rig.arm(name)
                self.assertNotEqual(self.party.user.open(self.party.issuer + path).text, right.text)
        self.assertEqual(self.party.discovery(), own)

    def test_faults_of_all_ways_act_here_too(self) -> None:
        for place, path in (("oidc/discovery", ".well-known/openid-configuration"), ("oidc/jwks", "jwks")):
            for name, status in (("way-not-json", 200), ("way-503", 503), ("way-redirect-host", 307)):
                with self.subTest(name, place=place):
                    self.rig.arm(name, place)
                    page = self.party.user.open(self.party.issuer + path, follow=False)
                    self.assertEqual(page.status, status)
                    self.assertNotIn("issuer" if place == "oidc/discovery" else "keys", page.text)

    def test_token_answers(self) -> None:
        for name in openid.TOKEN:
            if name in openid.REFRESH:
                continue
            with self.subTest(name):
                code = self.party.answer(self.party.url())["code"]
                self.rig.arm(name)
                page = self.party.user.open(self.party.issuer + "token", {
                    "client_assertion": self.party.assertion(), "grant_type": "authorization_code", "code": code,
                    "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                    "redirect_uri": RETURN, "code_verifier": self.party.verifier}, follow=False)
                error = name.removeprefix("oidc-token-").replace("-", "_")
                if error in openid.TOKEN_ERRORS:
                    self.assertEqual((page.status, self.party.json(page)["error"]), (openid.TOKEN_ERRORS[error], error))
                    continue
                tokens = self.party.json(page)
                good = {"access_token", "id_token"} <= set(tokens) and tokens["token_type"] == "Bearer"
                self.assertFalse(good)

    def test_refresh_answers(self) -> None:
        token = self.party.tokens()["refresh_token"]
        self.rig.arm("oidc-token-no-rotation")
        same = self.party.json(self.party.call("token", grant_type="refresh_token", refresh_token=token))
        self.assertEqual(same["refresh_token"], token)
        token = self.party.tokens()["refresh_token"]
        self.rig.arm("oidc-token-refresh-id-token")
        other = self.party.json(self.party.call("token", grant_type="refresh_token", refresh_token=token))
        with self.assertRaises(jwt.InvalidAudienceError):
            self.party.verified(other["id_token"])

    def test_id_tokens_of_a_refresh(self) -> None:
        for name in openid.REFRESH:
            if name in ("oidc-token-no-rotation", "oidc-token-refresh-id-token"):
                continue
            with self.subTest(name):
                tokens = self.party.tokens(acr_values=LEVEL.format(2))
                first = self.party.judge(tokens, 2)
                self.rig.arm(name)
                new = self.party.json(self.party.call(
                    "token", grant_type="refresh_token", refresh_token=tokens["refresh_token"]))
                second = self.party.verified(new["id_token"])
                changed = [c for c in ("sub", "nonce", "auth_time", "azp", "acr") if first.get(c) != second.get(c)]
                self.assertEqual(len(changed), 0 if name.endswith("-same") else 1)
