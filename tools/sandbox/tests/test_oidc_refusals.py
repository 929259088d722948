"""The OpenID provider's own refusals, each once."""
import secrets
import time
from typing import Any

import jwt

from .relying_party import LEVEL, RETURN
from .test_oidc import OIDCTest


class RefusalTest(OIDCTest):
    """The provider's own refusals."""

    def error(self, url: str) -> str:
        page = self.party.user.open(url, follow=False)
        self.assertEqual(page.status, 303, page.text)
        answer = self.party.parse(page.headers["location"])
        self.assertEqual(answer["iss"], self.party.issuer)
        return answer["error"]

    def test_authorization_errors(self) -> None:
        party = self.party
        now = int(time.time())
        for change, error in (
            ({"response_type": "token"}, "unsupported_response_type"),
            ({"scope": "profile"}, "invalid_scope"),
            ({"scope": "openid everything"}, "invalid_scope"),
            ({"state": "short"}, "invalid_request"),
            ({"nonce": "short"}, "invalid_request"),
            ({"nonce": None}, "invalid_request"),
            ({"code_challenge_method": "plain"}, "invalid_request"),
            ({"code_challenge": None}, "invalid_request"),
            ({"prompt": "none"}, "login_required"),
            ({"prompt": "maybe"}, "invalid_request"),
            ({"acr_values": "urn:unknown"}, "invalid_request"),
            ({"acr_values": None}, "invalid_request"),
            ({"response_mode": "fragment"}, "invalid_request"),
            ({"exp": now - 120}, "invalid_request_object"),
            ({"exp": now + 7200}, "invalid_request_object"),
            ({"exp": None}, "invalid_request_object"),
            ({"iat": now + 600}, "invalid_request_object"),
            ({"aud": "https://elsewhere.invalid/"}, "invalid_request_object"),
            ({"iss": "https://elsewhere.invalid/"}, "invalid_request_object"),
        ):
            with self.subTest(change):
                claims = party.request_object(**change)
                plain = {name: value or "" for name, value in change.items() if name in (
                    "response_type", "code_challenge", "code_challenge_method", "scope")}
                self.assertEqual(self.error(party.url(party.sign(claims), **plain)), error)
        good = party.sign(party.request_object())
        unsigned = jwt.encode(party.request_object(), None, "none")
        for name, url, error in (
            ("unsigned", party.url(unsigned), "invalid_request_object"),
            ("hs256", party.url(jwt.encode(party.request_object(), "x" * 32, "HS256", {"kid": party.kid})),
             "invalid_request_object"),
            ("kid", party.url(party.sign(party.request_object(), kid="x")), "invalid_request_object"),
            ("request_uri", party.url(good, request_uri="https://x.invalid/"), "request_uri_not_supported"),
            ("registration", party.url(good, registration="{}"), "registration_not_supported"),
            ("mismatch", party.url(good, state="x" * 32), "invalid_request"),
            *((name, party.url(good, **{name: ""}), "invalid_request") for name in (
                "client_id", "response_type", "scope", "code_challenge", "code_challenge_method")),
            ("no openid", party.url(good, scope="profile"), "invalid_scope"),
            ("more", party.url(good, scope="openid identity"), "invalid_scope"),
        ):
            with self.subTest(name):
                self.assertEqual(self.error(url), error)
        plain = party.url(good).partition("&request=")[0] + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fsigned-in"
        self.assertEqual(self.error(plain), "invalid_request")

    def test_a_bad_return_address_is_a_page(self) -> None:
        party = self.party
        for address in (
            "https://127.0.0.1:5000/", "http://127.0.0.1/x", "http://127.0.0.2:5000/signed-in", "cie:/return",
            *(f"http://127.0.0.1:5000{end}" for end in ("", "@evil.invalid/", "/", "/other", "/signed-in/", "/signed-in?a")),
            "HTTP://127.0.0.1:5000/signed-in", "http://127.0.0.1:05000/signed-in", "http://127.0.0.1:0/signed-in",
            "http://localhost:5000/signed-in", "http://[::1]:5000/signed-in", "invalid.cie-sandbox.client:/signed-in/",
        ):
            with self.subTest(address):
                page = party.user.open(party.url(party.sign(party.request_object(redirect_uri=address))), follow=False)
                self.assertEqual((page.status, page.title), (400, "ERRORE"))
        for url in (party.url(client_id="https://nobody.invalid/"), party.url() + "&scope=openid"):
            self.assertEqual(party.user.open(url, follow=False).status, 400)

    def test_what_the_person_does(self) -> None:
        for outcome in ("deny", "cancel", "idle"):
            answer = self.party.answer(self.party.url(), outcome=outcome)
            self.assertEqual((answer["error"], answer["state"]), ("access_denied", self.party.state))
        page = self.party.user.open(self.party.url())
        page = self.party.user.open(
            self.party.issuer + "visit/password", {**page.fields, **self.users("blocked")}, follow=False)
        self.assertEqual(self.party.parse(page.headers["location"])["error"], "access_denied")
        page = self.party.user.open(self.party.url())
        for _ in range(3):
            page = self.party.user.open(
                self.party.issuer + "visit/password", {**page.fields, "user": "x", "password": "x"}, follow=False)
        self.assertEqual(self.party.parse(page.headers["location"])["error"], "access_denied")
        page = self.party.user.open(self.party.url(self.party.sign(
            self.party.request_object(acr_values=LEVEL.format(3)))))
        page = self.party.user.open(
            self.party.issuer + "visit/password", {**page.fields, **self.users()}, follow=False)
        self.assertEqual(self.party.parse(page.headers["location"])["error"], "access_denied")

    def test_token_errors(self) -> None:
        party = self.party

        def refused(code: str, **change: Any) -> tuple[int, str]:
            page = party.redeem(code, **change)
            return page.status, party.json(page)["error"]

        def code() -> str:
            return party.answer(party.url())["code"]

        wrong = secrets.token_urlsafe(48)
        self.assertEqual(refused(code(), code_verifier=wrong), (400, "invalid_grant"))
        self.assertEqual(refused(code(), code_verifier=""), (400, "invalid_request"))
        self.assertEqual(refused(code(), redirect_uri=RETURN + "x"), (400, "invalid_grant"))
        self.assertEqual(refused("nonsense"), (400, "invalid_grant"))
        self.assertEqual(refused(code(), grant_type="password"), (400, "unsupported_grant_type"))
        assertion = party.assertion()
        used = code()
        self.assertEqual(party.redeem(used, client_assertion=assertion).status, 200)
        self.assertEqual(refused(code(), client_assertion=assertion), (401, "invalid_client"))
        now = int(time.time())
        for change in (
            {"aud": "https://elsewhere.invalid/"}, {"sub": "x"}, {"iss": "x"}, {"exp": now - 120},
            {"exp": now + 7200}, {"jti": None}, {"iat": None}, {"exp": None}, {"iat": now + 600},
        ):
            with self.subTest(change):
                self.assertEqual(
                    refused(code(), client_assertion=party.assertion(**change)), (401, "invalid_client"))
        self.assertEqual(refused(code(), client_assertion="", client_assertion_type=""), (401, "invalid_client"))
        unsigned = jwt.encode({"iss": party.client_id}, None, "none")
        self.assertEqual(refused(code(), client_assertion=unsigned), (401, "invalid_client"))

    def test_a_code_twice_ends_what_came_of_it(self) -> None:
        code = self.party.answer(self.party.url())["code"]
        tokens = self.party.json(self.party.redeem(code))
        again = self.party.redeem(code)
        self.assertEqual(self.party.json(again)["error"], "invalid_grant")
        bearer = {"Authorization": "Bearer " + tokens["access_token"]}
        self.assertEqual(self.party.user.open(self.party.issuer + "userinfo", headers=bearer).status, 401)
