"""The government kit: one process from the methods to the token, by bank and by message; every refusal and fault."""
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .government import PHONE, RETURN, GovernmentTest
from .ways import claims, code_for, curl, post_json, user

NAMES = {
    "bank-process-swapped", "bank-no-methods", "bank-unknown-method", "bank-all-disabled", "bank-methods-template",
    "bank-skip-methods", "bank-list-empty", "bank-list-repeated", "bank-list-closed", "bank-foreign-host",
    "bank-http", "bank-lookalike-host", "bank-url-script", "bank-return-host", "bank-code-repeated", "bank-no-code",
    "bank-code-of-another", "bank-code-odd", "bank-denies", "bank-verify-fails", "bank-verify-hostile",
    "bank-code-wrong", "bank-refresh-401", "bank-refresh-template"}


class FlowTest(GovernmentTest):
    """Successful flows."""

    def test_a_login_by_bank(self) -> None:
        shown = self.get("v3/auth/login/methods").json
        self.assertEqual(set(shown), {
            "title", "processId", "authMethods", "disabledMethods", "button", "skipAuthMethods"})
        self.assertEqual(shown["authMethods"], ["bankid", "sms-otp"])
        for disabled in shown["disabledMethods"]:
            self.assertEqual(set(disabled), {"code", "description"})
        process = shown["processId"]
        chosen = self.get("v3/auth/login/methods", processId=process, selectedMethod="bankid").json
        self.assertEqual((chosen["processId"], chosen["skipAuthMethods"]), (process, False))
        banks = self.get("v1/auth/banks").json["banks"]
        self.assertEqual([bank["workable"] for bank in banks], [True, True, False])
        self.assertEqual(set(banks[0]), {"id", "name", "logoUrl", "workable"})
        address = self.address(process, returnUrl=RETURN).json
        self.assertEqual(set(address), {"authUrl", "token", "fld"})
        self.assertEqual(urlsplit(address["authUrl"]).netloc, self.entry["hosts"][0])
        self.assertEqual(set(address["fld"]), {"version", "config"})
        browser = self.rig.browser()
        form = browser.open(address["authUrl"])
        self.assertIn("SANDBOX", form.text)
        who = user(self.rig, "password")
        back = browser.open(
            address["authUrl"].partition("?")[0], follow=False, form={
                "ticket": form.fields["ticket"], "username": who["userName"], "password": who["password"],
                "choice": "accept"})
        self.assertTrue(back.headers["location"].startswith(RETURN + "?code="))
        self.refused(self.get("v3/auth/token", processId=process), 403, "process-not-verified")
        code = parse_qs(urlsplit(back.headers["location"]).query)["code"][0]
        done = self.verify(process, code).json
        self.assertEqual((done["processCode"], done["template"]["data"]["mainButton"]["action"]), (1, "getToken"))
        self.assertEqual(set(done["template"]), {"type", "isClosable", "data"})
        again = self.get("v3/auth/login/methods", processId=process).json
        self.assertIs(again["skipAuthMethods"], True)
        token = self.get("v3/auth/token", processId=process).json["token"]
        said = claims(self.rig, token, self.base + "keys", "government", self.base.rstrip("/"))
        self.assertEqual((said["given_name"], said["kind"]), ("GELSOMINA", "user"))
        self.refused(self.get("v3/auth/token", processId=process), 409, "token-was-given")

    def test_a_login_by_text_message(self) -> None:
        process = self.process()
        screen = self.get("v1/auth/otp/screen", processId=process).json
        self.assertEqual((screen["codeLength"], screen["contact"][-2:]), (6, "42"))
        path = self.base + f"v1/auth/sms-otp/{screen['requestId']}/verify?processId={process}"
        wrong = post_json(self.rig, path, {"otp": "x"}).json
        self.assertEqual((wrong["processCode"], wrong["template"]["data"]["mainButton"]["action"]), (3, "repeat"))
        done = post_json(self.rig, path, {"otp": code_for(self.rig, PHONE)}).json
        self.assertEqual(done["processCode"], 1)
        self.assertEqual(self.get("v3/auth/token", processId=process).status, 200)

    def test_three_wrong_codes_end_the_process(self) -> None:
        process = self.process()
        screen = self.get("v1/auth/otp/screen", processId=process).json
        path = self.base + f"v1/auth/sms-otp/{screen['requestId']}/verify?processId={process}"
        codes = [post_json(self.rig, path, {"otp": "x"}).json["processCode"] for _ in range(3)]
        self.assertEqual(codes, [3, 3, 4])
        # A new code does not reset the tries.
        again = self.get("v1/auth/otp/screen", processId=process).json
        path = path.replace(screen["requestId"], again["requestId"])
        self.assertEqual(post_json(self.rig, path, {"otp": code_for(self.rig, PHONE)}).json["processCode"], 4)

    def test_tokens(self) -> None:
        token = self.token()
        self.assertEqual(self.get("v1/auth/methods", token).json["authMethods"], ["bankId", "nfc", "photoId"])
        fresh = self.post("v2/auth/token/refresh", token).json["token"]
        self.refused(self.post("v2/auth/token/refresh", token), 401, "unknown-token")
        process = self.verified("prolong", fresh)
        longer = self.get("v1/auth/prolong/", fresh, processId=process).json["token"]
        self.refused(self.get("v1/auth/methods", fresh), 401, "unknown-token")
        uid = ("-H", "mobile_uid: this-terminal")
        for _ in range(2):
            # Twice, because a logout is repeated when the network is back.
            self.assertEqual(self.post("v2/auth/token/logout", longer, *uid).status, 200)
        self.refused(self.get("v1/auth/methods", longer), 401, "unknown-token")
        self.refused(self.post("v2/auth/token/logout", "never", *uid), 401, "unknown-token")

    def test_temporary_token_and_entrance_of_a_service(self) -> None:
        temporary = self.get("v1/auth/temporary/token").json["token"]
        self.refused(self.get("v1/auth/methods", temporary), 401, "unknown-token")
        offer = "v1/auth/acquirer/branch/offer/"
        token = self.get(offer + "sandbox-offer/token").json["token"]
        fresh = self.post(offer + "token/refresh", token).json["token"]
        self.refused(self.post("v2/auth/token/refresh", fresh), 401, "unknown-token")
        self.assertEqual(self.post(offer + "token/logout", fresh, "-H", "mobile_uid: x").status, 200)
        self.refused(self.post(offer + "token/refresh", fresh), 401, "unknown-token")
        self.refused(self.get(offer + "another/token"), 404, "unknown-offer")

    def test_the_older_address_of_the_bank(self) -> None:
        old = self.get("v2/auth/bankid/auth-url", self.token(), bankId="duna").json
        self.assertIn("/bank/duna/authorize", old["authUrl"])
        self.assertIn("processId", old)


class RefusalTest(GovernmentTest):
    """Refusals."""

    def test_methods(self) -> None:
        self.refused(self.get("v3/auth/holiday/methods"), 404, "unknown-flow")
        self.refused(self.get("v3/auth/prolong/methods"), 401, "no-token")
        self.refused(self.get("v3/auth/prolong/methods", "x"), 401, "unknown-token")
        self.refused(self.get("v3/auth/login/methods", selectedMethod="telepathy"), 400, "unknown-method")
        self.refused(self.get("v3/auth/login/methods", processId="x"), 404, "unknown-process")
        self.refused(self.get("v3/auth/login/methods", more="x"), 400, "bad-parameter")
        self.refused(self.get("v3/auth/login/methods?processId=a&processId=b"), 400, "bad-parameter")
        process = self.process()
        other = self.get("v3/auth/signing/methods", self.token(), processId=process)
        self.refused(other, 409, "process-of-another-flow")

    def test_return_addresses(self) -> None:
        for bad in (
            "https://example.invalid/", "http://127.0.0.1/", "http://localhost.example.invalid:1/",
            "http://127.0.0.1:1@example.invalid/", "http://somebody@127.0.0.1:1/",
            "http://127.0.0.1:1/#x", "http://127.0.0.1:70000/",
            "https://127.0.0.1:1/", "javascript:alert(1)", "http://127.0.0.1:1/\r\nX: y",
            # Another path than the registered one, in any encoding (RFC 8252 §8.4).
            "http://127.0.0.1:1/other", "http://127.0.0.1:1/signed-in/", "http://[::1]:1/signed-in",
        ):
            self.refused(self.address(self.process(), returnUrl=bad), 400, "return-address-not-registered")
        plain = self.address(self.process()).json["authUrl"]
        self.assertEqual(curl(self.rig, plain).status, 200)

    def test_banks(self) -> None:
        process = self.process()
        self.refused(self.address(process, "unknown"), 404, "unknown-bank")
        self.refused(self.get(
            "v3/auth/photoid/auth-url", bankId="duna", processId=process), 404, "unknown-method")
        self.refused(self.get("v2/auth/bankid/auth-url", bankId="duna"), 401, "no-token")
        closed = self.address(process, "marea").json
        self.assertEqual(closed["template"]["data"]["mainButton"]["action"], "authMethods")
        self.assertNotIn("authUrl", closed)

    def test_the_bank_itself(self) -> None:
        process = self.process()
        wrong = self.at_bank(process, password="wrong")
        self.assertEqual((wrong.status, b"errati" in wrong.body), (403, True))
        self.assertEqual(self.at_bank(process, "blocked").status, 403)
        url = self.address(process, returnUrl=RETURN).json["authUrl"]
        self.refused(curl(self.rig, url.replace("/sabbia/", "/duna/")), 404, "unknown-visit")
        form = {"ticket": parse_qs(urlsplit(url).query)["ticket"][0], "username": "x", "password": "y"}
        page = url.partition("?")[0]
        statuses = [curl(self.rig, page, form=form).status for _ in range(3)]
        self.assertEqual(statuses, [403, 403, 303])
        self.refused(curl(self.rig, page, form=form), 404, "unknown-visit")
        cancelled = self.at_bank(process, choice="cancel")
        self.assertEqual(cancelled.headers["location"], RETURN + "?error=access_denied")

    def test_a_code_fits_one_process_one_bank_and_one_use(self) -> None:
        process, other = self.process(), self.process()
        code = self.code(self.at_bank(process))
        for failed in (self.verify(other, code), self.verify(process, code, "duna"), self.verify(process, "x")):
            self.assertEqual(
                (failed.json["processCode"], failed.json["template"]["data"]["mainButton"]["action"]),
                (2, "authMethods"))
        self.assertEqual(self.verify(process, code).json["processCode"], 1)
        self.assertEqual(self.verify(process, code).json["processCode"], 2)
        self.refused(self.get("v3/auth/token", processId=process), 403, "process-not-verified")
        self.refused(self.get(
            f"v1/auth/nfc/{code}/verify", bankId="duna", processId=process), 404, "unknown-method")

    def test_text_messages(self) -> None:
        process = self.process()
        path = self.base + "v1/auth/sms-otp/x/verify?processId=" + process
        self.refused(post_json(self.rig, path, {"otp": "1"}), 409, "no-code-was-sent")
        self.get("v1/auth/otp/screen", processId=process)
        self.refused(post_json(self.rig, path, {"otp": code_for(self.rig, PHONE)}), 409, "no-code-was-sent")
        for body in ({"otp": 1}, {"code": "1"}, ["1"], {"otp": "\ud800"}):
            self.refused(post_json(self.rig, path, body), 400, "bad-body")

    def test_tokens(self) -> None:
        token = self.token()
        self.refused(self.post("v2/auth/token/logout", token), 400, "no-mobile-uid")
        self.refused(self.post("v2/auth/token/refresh"), 401, "no-token")
        self.refused(self.get("v1/auth/prolong/", token, processId=self.verified()), 403, "process-not-verified")
        another = self.verified("prolong", token, "code")
        self.refused(self.get("v1/auth/prolong/", token, processId=another), 409, "another-person")


class FaultTest(GovernmentTest):
    """Each fault once."""

    def shown(self, name: str) -> dict[str, Any]:
        """The methods with a fault."""
        self.rig.arm(name)
        return self.get("v3/auth/login/methods").json

    def test_methods(self) -> None:
        process = self.process()
        self.rig.arm("bank-process-swapped")
        self.assertNotEqual(self.get("v3/auth/login/methods", processId=process).json["processId"], process)
        self.assertEqual(self.shown("bank-no-methods")["authMethods"], [])
        self.assertEqual(self.shown("bank-unknown-method")["authMethods"][0], "telepathy")
        disabled = self.shown("bank-all-disabled")
        self.assertEqual((disabled["authMethods"], len(disabled["disabledMethods"])), ([], 4))
        self.assertIn("template", self.shown("bank-methods-template"))
        known = self.shown("bank-skip-methods")
        self.assertIs(known["skipAuthMethods"], True)
        self.assertEqual(self.get("v3/auth/token", processId=known["processId"]).status, 200)

    def test_lists_and_addresses(self) -> None:
        for name, expected in (
            ("bank-list-empty", []), ("bank-list-repeated", ["sabbia", "duna", "marea", "sabbia"]),
            ("bank-list-closed", ["sabbia", "duna", "marea"]),
        ):
            self.rig.arm(name)
            banks = self.get("v1/auth/banks").json["banks"]
            self.assertEqual([bank["id"] for bank in banks], expected)
            self.assertEqual(any(bank["workable"] for bank in banks), name == "bank-list-repeated")
        for name, start in (
            ("bank-foreign-host", "https://elsewhere."), ("bank-http", "http://localhost:"),
            ("bank-lookalike-host", "https://localhost@elsewhere."), ("bank-url-script", "javascript:"),
        ):
            self.rig.arm(name)
            self.assertTrue(self.address(self.process()).json["authUrl"].startswith(start))

    def test_returns(self) -> None:
        for name, start in (
            ("bank-return-host", "https://elsewhere."), ("bank-no-code", RETURN + "?other="),
            ("bank-code-odd", RETURN + "?code=..%2F"), ("bank-denies", RETURN + "?error="),
        ):
            self.rig.arm(name)
            self.assertTrue(self.at_bank(self.process()).headers["location"].startswith(start), name)
        self.rig.arm("bank-code-repeated")
        self.assertEqual(self.at_bank(self.process()).headers["location"].count("code="), 2)
        process = self.process()
        self.rig.arm("bank-code-of-another")
        self.assertEqual(self.verify(process, self.code(self.at_bank(process))).json["processCode"], 2)

    def test_results(self) -> None:
        process = self.process()
        code = self.code(self.at_bank(process))
        self.rig.arm("bank-verify-fails")
        self.assertEqual(self.verify(process, code).json["processCode"], 2)
        self.rig.arm("bank-verify-hostile")
        self.assertIn("\u001b", self.verify(process, code).json["template"]["data"]["title"])
        screen = self.get("v1/auth/otp/screen", processId=process).json
        path = self.base + f"v1/auth/sms-otp/{screen['requestId']}/verify?processId={process}"
        self.rig.arm("bank-code-wrong")
        self.assertEqual(post_json(self.rig, path, {"otp": code_for(self.rig, PHONE)}).json["processCode"], 3)

    def test_refreshes(self) -> None:
        token = self.token()
        self.rig.arm("bank-refresh-401")
        self.refused(self.post("v2/auth/token/refresh", token), 401, "unknown-token")
        self.rig.arm("bank-refresh-template")
        answer = self.post("v2/auth/token/refresh", token).json
        self.assertEqual(answer["template"]["data"]["alternativeButton"]["action"], "logout")
        self.assertNotIn("token", answer)
