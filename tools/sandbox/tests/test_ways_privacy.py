"""The log of the other sign-in methods never holds a name, code, password or token."""
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from . import ways
from .government import PHONE, RETURN, GovernmentTest
from .ways import NATIVE, Native, Reply, code_for, curl, entry, post_json, user


class PrivacyTest(GovernmentTest):
    """Runs each method, with success and failure, then reads the log."""

    def native(self) -> set[str]:
        """Native sign-in; the texts that must not be in the log."""
        client, found = Native(self.rig), set()

        def kept(reply: Reply) -> Reply:
            found.update(str(value) for key, value in reply.json.items() if "token" in key or key == "client_info")
            return reply

        name = user(self.rig, "code")["userName"]
        begun = kept(client.initiate(name))
        sent = kept(client.challenge(begun.json["continuation_token"], challenge_type=NATIVE))
        token, code = sent.json["continuation_token"], code_for(self.rig, name)
        kept(client.token("oob", continuation_token=token, oob="87654321"))
        done = kept(client.token("oob", continuation_token=token, oob=code, nonce="a-nonce-of-somebody"))
        kept(client.token("refresh_token", refresh_token=done.json["refresh_token"]))
        kept(client.by_password("mfa", capabilities="mfa_required"))
        self.rig.arm("token-other-key")
        kept(client.by_password("password"))
        return found | {code, name, "87654321", "a-nonce-of-somebody"}

    def bank(self) -> set[str]:
        """The government kit."""
        process = self.process()
        url = self.address(process, returnUrl=RETURN).json["authUrl"]
        self.at_bank(process, password="a-wrong-password")
        code = self.code(self.at_bank(process))
        self.verify(process, "a-wrong-code")
        self.at_bank(process)
        token = self.token()
        screen = self.get("v1/auth/otp/screen", processId=process).json
        sent = code_for(self.rig, PHONE)
        path = f"v1/auth/sms-otp/{screen['requestId']}/verify?processId={process}"
        post_json(self.rig, self.base + path, {"otp": sent})
        return {process, code, token, sent, screen["requestId"], "a-wrong-password", "a-wrong-code", RETURN, PHONE,
                *parse_qs(urlsplit(url).query)["ticket"]}

    def test_log(self) -> None:
        # Other tests of this process have written into the log, too.
        before = len(self.rig.log.read_text())
        secrets = self.native() | self.bank()
        for role in ("code", "password", "both", "mfa"):
            secrets |= set(user(self.rig, role).values())
        for path in ("tenant/", "government/v3/auth/"):
            ways.curl(self.rig, self.rig.ready["ways"] + path + "secretPathValue?secretQueryValue=1")
        secrets |= {"secretPathValue", "secretQueryValue", "SMPSLL82X99Z999S", "GELSOMINA", "STELLA", "ESEMPIO"}
        log = self.rig.log.read_text()[before:]
        for secret in secrets - {"Bearer"}:
            self.assertFalse(secret in log, "a secret is in the log")
        self.assertIsNone(re.search(r"eyJ|@|https?:|<|Traceback|[0-9a-f]{16}", log))
        for way in ("tenant", "government"):
            self.assertIn(f"signed-in way={way}", log)
