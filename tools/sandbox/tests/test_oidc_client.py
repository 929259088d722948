"""Clients given to the provider at its start, and the lenient checks for them."""
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from authlib.jose import JsonWebKey

from .relying_party import RelyingParty
from .rig import Rig

ADDRESS = "https://localhost:5555/back"


class OtherClientTest(unittest.TestCase):
    """A second client."""

    rig: Rig

    @classmethod
    def setUpClass(cls) -> None:
        cls.key = JsonWebKey.generate_key("EC", "P-256", is_private=True)
        cls.public = {**cls.key.as_dict(), "kid": "one"}
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "client.json"
            file.write_text(json.dumps(cls.description()))
            cls.rig = Rig("--oidc-client", str(file))
        cls.addClassCleanup(cls.rig.remove)

    @classmethod
    def description(cls, **change: Any) -> dict[str, Any]:
        return {
            "clientId": "https://other.example.invalid/", "name": "Altro", "redirectUris": [ADDRESS],
            "keys": {"keys": [cls.public]}, **change}

    def party(self) -> RelyingParty:
        party = RelyingParty(self.rig)
        party.client_id, party.kid, party.algorithm = "https://other.example.invalid/", "one", "ES256"
        party.key = self.key.get_private_key()
        return party

    def test_it_logs_in_with_its_own_key_and_address(self) -> None:
        party = self.party()
        answer = party.answer(party.url(party.sign(party.request_object(redirect_uri=ADDRESS))))
        tokens = party.json(party.redeem(answer["code"], redirect_uri=ADDRESS))
        own = RelyingParty(self.rig)
        self.assertNotEqual(party.judge(tokens)["sub"], own.judge(own.tokens())["sub"])
        page = party.user.open(party.url(party.sign(party.request_object(redirect_uri=ADDRESS + "x"))))
        self.assertEqual(page.status, 400)

    def test_one_client_cannot_redeem_the_code_of_another(self) -> None:
        party, own = self.party(), RelyingParty(self.rig)
        code = own.answer(own.url())["code"]
        party.verifier = own.verifier
        self.assertEqual(party.json(party.redeem(code))["error"], "invalid_grant")
        self.assertEqual(own.redeem(code).status, 200)

    def test_lenient_checks(self) -> None:
        party = self.party()
        request = party.request_object(redirect_uri=ADDRESS, iat=None, exp=None, state="s" * 16, nonce="n" * 16)
        self.assertEqual(party.answer(party.url(party.sign(request)))["error"], "invalid_request_object")
        self.rig.control("POST", "switch", switch="oidc-lenient", on="1")
        self.addCleanup(self.rig.control, "POST", "switch", switch="oidc-lenient", on="0")
        self.assertIn("code", party.answer(party.url(party.sign(request))))
        request["state"] = "short"
        self.assertEqual(party.answer(party.url(party.sign(request)))["error"], "invalid_request")

    def test_what_is_no_client(self) -> None:
        octets = {"kty": "oct", "k": "AAAA", "kid": "x"}
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "client.json"
            for change in (
                {"redirectUris": ["https://evil.invalid/"]}, {"keys": {"keys": []}}, {"keys": {"keys": [octets]}},
                {"keys": {"keys": [{**self.public, "kid": ""}]}}, {"redirectUris": 7},
            ):
                with self.subTest(change):
                    file.write_text(json.dumps(self.description(**change)))
                    with self.assertRaisesRegex(RuntimeError, "not the description of a client"):
                        Rig("--oidc-client", str(file), like=self.rig).remove()
