"""The OpenID provider: the whole login."""
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

from .card import to_consent
from .relying_party import LEVEL, RETURN, RelyingParty
from .rig import SandboxTest


class OIDCTest(SandboxTest):
    """A test with a separate relying party, for the users of this install."""

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
    """Successful flows."""

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

    def switch(self, name: str) -> None:
        self.rig.control("POST", "switch", switch=name, on="1")
        self.addCleanup(self.rig.control, "POST", "switch", switch=name, on="0")

    def test_userinfo_says_the_same_as_the_id_token_signed_and_encrypted(self) -> None:
        tokens = self.party.tokens()
        page = self.party.userinfo(tokens)
        self.assertEqual(page.headers["content-type"].lower().partition(";")[0], "application/jose")
        header = jwt.get_unverified_header(page.text)
        self.assertEqual((header["alg"], header["enc"], header["cty"]), ("RSA-OAEP-256", "A256CBC-HS512", "JWT"))
        claims = self.party.verified(self.party.opened(page.text))
        own = self.party.judge(tokens)
        for name in ("sub", "given_name", "family_name", "birthdate", "email"):
            self.assertEqual(claims[name], own[name])
        self.assertEqual(self.party.user.open(self.party.issuer + "userinfo").status, 401)

    def test_userinfo_in_other_forms(self) -> None:
        tokens = self.party.tokens()
        own = self.party.judge(tokens)["sub"]
        self.switch("oidc-oaep-sha1")
        page = self.party.userinfo(tokens)
        self.assertEqual(jwt.get_unverified_header(page.text)["alg"], "RSA-OAEP")
        self.assertEqual(self.party.verified(self.party.opened(page.text))["sub"], own)
        self.switch("userinfo-jwt")
        page = self.party.userinfo(tokens)
        self.assertEqual(page.headers["content-type"], "application/jwt")
        self.assertEqual(self.party.verified(page.text)["sub"], own)
        self.switch("userinfo-json")
        self.assertEqual(self.party.json(self.party.userinfo(tokens))["sub"], own)

    def test_id_tokens_that_are_encrypted(self) -> None:
        self.switch("id-token-encrypted")
        tokens = self.party.tokens()
        tokens["id_token"] = self.party.opened(tokens["id_token"])
        self.assertEqual(self.party.judge(tokens)["nonce"], self.party.nonce)

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
