"""The federation: chains to the anchor, policies, marks, and each fault once."""
import json
from urllib.parse import quote

import jwt

from cie_sandbox.faults import federation

from .rig import SandboxTest
from .trust_chain import ChainBuilder, Untrusted

NAMES = frozenset(name for table in federation.MEANINGS.values() for name in table)


class FederationTest(SandboxTest):
    """A client that trusts only the anchor."""

    def setUp(self) -> None:
        self.builder = ChainBuilder(self.rig)

    def switch(self, on: bool) -> None:
        self.rig.control("POST", "switch", switch="fed-intermediate", on=str(int(on)))

    def test_a_chain_leads_from_the_provider_to_the_anchor(self) -> None:
        found = self.builder.metadata()
        self.assertEqual(found["token_endpoint"], self.builder.issuer + "token")
        self.assertEqual(found["token_endpoint_auth_methods_supported"], ["private_key_jwt"])
        self.assertEqual(found["op_policy_uri"], "https://cie-sandbox.invalid/policy")
        self.assertEqual(found["contacts"], ["nobody@cie-sandbox.invalid"])
        self.assertEqual(found["display_values_supported"], [])

    def test_a_chain_over_an_intermediate(self) -> None:
        self.switch(True)
        self.addCleanup(self.switch, False)
        self.assertEqual(self.builder.metadata()["issuer"], self.builder.issuer)
        listed = json.loads(self.builder.user.open(self.builder.anchor + "list").text)
        self.assertEqual(listed, [self.builder.anchor + "intermediate/"])
        for name in federation.MEANINGS["FED_PATH"]:
            self.rig.arm(name)
            with self.assertRaisesRegex(Untrusted, "path"):
                self.builder.metadata()

    def test_each_fault_breaks_the_chain(self) -> None:
        for stage, table in federation.MEANINGS.items():
            for name in table:
                if stage == "FED_PATH":
                    continue
                with self.subTest(name):
                    self.rig.arm(name)
                    with self.assertRaises(Untrusted):
                        self.builder.metadata()
        self.assertEqual(self.builder.metadata()["issuer"], self.builder.issuer)

    def test_list_fetch_and_their_errors(self) -> None:
        def asked(path: str) -> tuple[int, object]:
            page = self.builder.user.open(self.builder.anchor + path)
            return page.status, json.loads(page.text)

        self.assertEqual(asked("list"), (200, [self.builder.issuer]))
        self.assertEqual(asked("list?entity_type=openid_provider"), (200, [self.builder.issuer]))
        self.assertEqual(asked("list?entity_type=openid_relying_party"), (200, []))
        for path, status, error in (
            ("fetch", 400, "invalid_request"), ("fetch?sub=https://x.invalid/", 404, "not_found"),
            ("fetch?sub=x&iss=y", 400, "invalid_request"), ("resolve", 400, "invalid_request"),
            ("resolve?sub=x&trust_anchor=y", 404, "not_found"), ("trust_mark_status", 400, "invalid_request"),
        ):
            code, answer = asked(path)
            assert isinstance(answer, dict)
            self.assertEqual((code, answer["error"]), (status, error))

    def test_resolve_gives_metadata_and_chain(self) -> None:
        sub, anchor = quote(self.builder.issuer, safe=""), quote(self.builder.anchor, safe="")
        page = self.builder.user.open(f"{self.builder.anchor}resolve?sub={sub}&trust_anchor={anchor}")
        self.assertEqual(jwt.get_unverified_header(page.text)["typ"], "resolve-response+jwt")
        claims = jwt.decode(
            page.text, jwt.PyJWK(self.builder.anchor_keys[0]).key, ["ES256"], issuer=self.builder.anchor)
        self.assertEqual(claims["metadata"]["openid_provider"]["issuer"], self.builder.issuer)
        self.assertEqual(len(claims["trust_chain"]), 3)

    def test_trust_mark_status(self) -> None:
        mark = self.builder.own(self.builder.issuer)["trust_marks"][0]["id"]
        for sub, active in ((self.builder.issuer, True), ("https://x.invalid/", False)):
            page = self.builder.user.open(self.builder.anchor + "trust_mark_status", {"id": mark, "sub": sub})
            self.assertEqual(json.loads(page.text), {"active": active})
