"""The OpenID provider: the whole login, and each error once."""
import json
import re
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from authlib.jose import JsonWebEncryption

from .card import to_consent
from .relying_party import LEVEL, RETURN, RelyingParty
from .rig import SandboxTest


class OIDCTest(SandboxTest):
    """A test with a relying party of its own, for the users of this install."""

    def setUp(self) -> None:
        self.party = RelyingParty(self.rig)

    def users(self, role: str = "password") -> dict[str, str]:
        users = json.loads(Path(self.rig.ready["users"]).read_text())
        return {"user": users[role]["userName"], "password": users[role]["password"]}

    def mailed_code(self) -> str:
        newest = max(Path(self.rig.ready["mailbox"]).glob("*.txt"))
        found = re.search(r"^Code: (\d+)$", newest.read_text(), re.MULTILINE)
        assert found is not None
        return found[1]


class LoginTest(OIDCTest):
    """What goes well."""

    def test_discovery_names_what_the_profile_demands(self) -> None:
        answer = self.party.discovery()
        self.assertEqual(answer["issuer"], self.party.issuer)
        for name, value in answer.items():
            if name.endswith(("_endpoint", "_uri")):
                self.assertTrue(value.startswith(self.party.issuer), name)
        self.assertEqual(answer["code_challenge_methods_supported"], ["S256"])
        self.assertEqual(answer["subject_types_supported"], ["pairwise"])
        self.assertTrue(answer["authorization_response_iss_parameter_supported"])

    def test_the_key_of_the_client_is_private(self) -> None:
        key = Path(self.rig.ready["service"]).with_name("client.jwk")
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)

    def test_login_by_the_pages_with_password_code_and_consent(self) -> None:
        party = self.party
        page = party.user.open(party.url(party.sign(party.request_object(acr_values=LEVEL.format(2)))))
        page = party.user.submit(page, **{**self.users(), "password": "wrong"})
        self.assertEqual((page.status, page.data["reason"]), (403, "Nome utente o password errati."))
        page = party.user.submit(page, **self.users())
        self.assertEqual(page.title, "Codice (sandbox)")
        page = party.user.submit(page, code=self.mailed_code())
        self.assertEqual(page.data["familyName"], "PROVA")
        end = party.user.open(
            self.party.issuer + "visit/consent", {**page.fields, "choice": "accept"}, follow=False)
        self.assertTrue(end.headers["location"].startswith(RETURN + "?"))
        answer = party.parse(end.headers["location"])
        self.assertEqual((answer["state"], answer["iss"]), (party.state, party.issuer))
        tokens = party.json(party.redeem(answer["code"]))
        claims = party.judge(tokens, 2)
        self.assertEqual(claims["family_name"], "PROVA")
        self.assertEqual(claims["https://attributes.eid.gov.it/fiscal_number"], "TINIT-PRVGSM80X99Z999G")
        again = party.user.open(self.party.issuer + "visit/consent", {**page.fields, "choice": "accept"})
        self.assertEqual(again.status, 400)

    def test_level_3_with_the_card(self) -> None:
        party, user = self.party, self.rig.browser()
        page = user.open(party.url(party.sign(party.request_object(acr_values=LEVEL.format(3)))))
        card = urlsplit(page.links["card"])
        self.assertTrue(page.links["card"].startswith(self.rig.ready["spLogin"]))
        back = parse_qs(card.query)["next"][0]
        self.assertEqual(user.open(back).status, 403)
        page = user.submit(user.submit(to_consent(self.rig, user, "?" + card.query), choice="accept"))
        self.assertEqual((page.url, page.data["familyName"]), (back, "SABBIERA"))
        self.assertEqual(self.rig.browser().open(back).status, 400)
        end = user.open(party.issuer + "visit/consent", {**page.fields, "choice": "accept"}, follow=False)
        claims = party.judge(party.json(party.redeem(party.parse(end.headers["location"])["code"])), 3)
        self.assertEqual(claims["family_name"], "SABBIERA")
        self.assertNotIn("email", claims)

    def test_the_card_login_goes_on_at_no_other_address(self) -> None:
        for address in ("https://evil.invalid/oidc/", self.rig.ready["ways"] + "spid/", "//evil.invalid/"):
            page = self.party.user.open(f"{self.rig.ready['spLogin']}?" + urlencode({"next": address}))
            self.assertEqual((page.status, page.data["reason"]), (403, "bad-request"))

    def test_a_login_with_the_card_from_before_does_not_count(self) -> None:
        party, user = self.party, self.rig.browser()
        user.submit(user.submit(to_consent(self.rig, user), choice="accept"))
        page = user.open(party.url(party.sign(party.request_object(acr_values=LEVEL.format(3)))))
        back = parse_qs(urlsplit(page.links["card"]).query)["next"][0]
        self.assertEqual(user.open(back).status, 403)

    def test_a_visit_belongs_to_its_browser(self) -> None:
        page, other = self.party.user.open(self.party.url()), self.rig.browser()
        self.assertEqual(other.submit(page, **self.users()).status, 400)
        other.open(self.party.url())
        self.assertEqual(other.submit(page, **self.users()).status, 400)
        self.assertEqual(self.party.user.submit(page, **{**self.users(), "token": "guess"}).status, 400)

    def test_form_post(self) -> None:
        party = self.party
        page = party.user.open(party.url(party.sign(party.request_object(response_mode="form_post"))))
        page = party.user.submit(party.user.submit(page, **self.users()), choice="accept")
        self.assertEqual(page.action, RETURN)
        self.assertEqual(page.fields["state"], party.state)
        self.assertIn("id_token", party.json(party.redeem(page.fields["code"])))

    def test_request_by_post_and_request_object_with_other_algorithms(self) -> None:
        for algorithm in ("RS512", "PS256"):
            url = self.party.url(self.party.sign(self.party.request_object(), algorithm))
            page = self.party.user.open(self.party.issuer + "authorize", self.party.parse(url))
            self.assertEqual(page.title, "Entra con OpenID (sandbox)")

    def test_userinfo_says_the_same_as_the_id_token_signed_and_encrypted(self) -> None:
        tokens = self.party.tokens()
        bearer = {"Authorization": "Bearer " + tokens["access_token"]}
        page = self.party.user.open(self.party.issuer + "userinfo", headers=bearer)
        self.assertEqual(page.headers["content-type"], "application/jwt")
        claims = self.party.verified(page.text)
        own = self.party.judge(tokens)
        for name in ("sub", "given_name", "family_name", "birthdate", "email"):
            self.assertEqual(claims[name], own[name])
        self.rig.control("POST", "switch", switch="userinfo-encrypted", on="1")
        self.addCleanup(self.rig.control, "POST", "switch", switch="userinfo-encrypted", on="0")
        page = self.party.user.open(self.party.issuer + "userinfo", {}, headers=bearer)
        inner = JsonWebEncryption().deserialize_compact(page.text.encode(), self.party.jwk)["payload"].decode()
        self.assertEqual(self.party.verified(inner)["sub"], own["sub"])
        self.assertEqual(self.party.user.open(self.party.issuer + "userinfo").status, 401)

    def test_access_token_is_a_jwt_of_its_type(self) -> None:
        text = self.party.tokens()["access_token"]
        self.assertEqual(jwt.get_unverified_header(text)["typ"], "at+jwt")
        self.assertEqual(self.party.verified(text, self.party.issuer)["client_id"], self.party.client_id)

    def test_refresh_rotates_and_a_used_token_ends_all(self) -> None:
        first = self.party.tokens()
        page = self.party.call("token", grant_type="refresh_token", refresh_token=first["refresh_token"])
        second = self.party.json(page)
        self.assertNotIn("id_token", second)
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        again = self.party.call("token", grant_type="refresh_token", refresh_token=first["refresh_token"])
        self.assertEqual((again.status, self.party.json(again)["error"]), (400, "invalid_grant"))
        last = self.party.call("token", grant_type="refresh_token", refresh_token=second["refresh_token"])
        self.assertEqual(self.party.json(last)["error"], "invalid_grant")

    def test_no_refresh_token_without_offline_access(self) -> None:
        self.assertNotIn("refresh_token", self.party.tokens(scope="openid profile"))

    def test_revocation_and_introspection(self) -> None:
        def active(token: str) -> bool:
            answer = self.party.json(self.party.call("introspect", token=token))
            self.assertEqual(list(answer), ["active"])
            return bool(answer["active"])

        tokens = self.party.tokens()
        access, refresh = tokens["access_token"], tokens["refresh_token"]
        self.assertEqual((active(access), active(refresh), active("x")), (True, True, False))
        self.assertEqual(self.party.call("revoke", token=access).status, 200)
        self.assertEqual((active(access), active(refresh)), (False, True))
        self.party.call("revoke", token=refresh)
        self.assertFalse(active(refresh))
        other = self.party.tokens()
        self.party.call("revoke", token=other["refresh_token"])
        self.assertFalse(active(other["access_token"]))


class RefusalTest(OIDCTest):
    """What the provider itself refuses."""

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
                plain = {name: "" for name, value in change.items() if name in (
                    "response_type", "code_challenge", "code_challenge_method")}
                plain = {**plain, **({"scope": ""} if "scope" in change else {})}
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
        ):
            with self.subTest(name):
                self.assertEqual(self.error(url), error)
        plain = party.url(good).partition("&request=")[0] + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F"
        self.assertEqual(self.error(plain), "invalid_request")

    def test_a_bad_return_address_is_a_page(self) -> None:
        party = self.party
        for address in (
            "http://localhost:5000/", "https://127.0.0.1:5000/", "http://127.0.0.1/x", "http://127.0.0.2:5000/",
            "http://127.0.0.1:5000@evil.invalid/", "http://127.0.0.1:5000/#x", "http://127.0.0.1:5000/?a=b",
            "http://evil.invalid:5000/", "http://127.0.0.1:99999/", "cie:/return",
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
