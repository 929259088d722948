"""Each TLS fault, as curl and openssl see it."""
import subprocess
from urllib.parse import urlsplit

from .card import Link, card_options, curl, login2, to_hand_off
from .rig import HERE, SandboxTest

# Fault, curl's exit status (35 handshake, 56 receive, 60 server certificate), words of its message.
# curl reads the alert certificate_expired as a wrong server certificate; openssl, below, names the alert.
EXPECTED = (
    ("server-expired", 60, "certificate has expired"),
    ("server-wrong-host", 60, "no alternative certificate subject name"),
    ("server-unknown-ca", 60, "unable to get local issuer certificate"),
    ("tls13-only", 35, "alert protocol version"),
    ("tls11-only", 35, ""),
    ("refuse-expired", 60, ""),
    ("refuse-revoked", 56, "alert certificate revoked"),
    ("refuse-unknown-ca", 56, "alert unknown ca"),
    ("refuse-bad", 56, "alert bad certificate"),
    ("tls-close", 35, ""),
    ("tls-slow", 35, ""),
)
NAMES = {name for name, _, _ in EXPECTED} | {"pss-only", "ask-certificate"}


class TLSFaultTest(SandboxTest):
    """The card call on both ports, and the browsers' listeners."""

    def test_card_call(self) -> None:
        link = Link("", "conversation", "e1s1", "none")
        for base in ("mtls", "idp"):
            for name, status, words in EXPECTED:
                with self.subTest(name, base=base):
                    self.rig.arm(name)
                    result = login2(self.rig, link, base=base)
                    # The alert comes by chance while curl is writing or reading.
                    wanted = (35, 55, 56) if status == 56 else (status,)
                    self.assertIn(result.returncode, wanted, result.stderr)
                    self.assertIn(words, result.stderr)

    def test_only_the_named_listener(self) -> None:
        self.rig.arm("server-expired", "sp", 1)
        self.assertEqual(curl(self.rig, self.rig.ready["idp"], "--tls-max", "1.3").returncode, 0)
        self.assertEqual(curl(self.rig, self.rig.ready["sp"]).returncode, 60)
        self.assertEqual(curl(self.rig, self.rig.ready["sp"]).returncode, 0)

    def s_client(self, base: str, *options: str) -> str:
        result = subprocess.run(
            ["openssl", "s_client", "-connect", f"localhost:{urlsplit(self.rig.ready[base]).port}",
             "-CAfile", self.rig.ready["ca"], *options],
            input="", capture_output=True, text=True, timeout=300)
        return result.stdout + result.stderr

    def test_pss_only(self) -> None:
        key = ("-tls1_2", "-cert", str(self.rig.card / "client.pem"),
               "-key", str(self.rig.card / "client.key"))
        usual = self.s_client("mtls", *key)
        self.assertIn("RSA+SHA256", usual)
        self.rig.arm("pss-only", count=2)
        self.assertIn("Requested Signature Algorithms: RSA-PSS", self.s_client("mtls", *key))
        # A client whose key supports only PKCS#1 v1.5, like a card's: it has no certificate to send.
        failed = self.s_client("mtls", *key, "-sigalgs", "RSA+SHA256")
        self.assertIn("SSL alert number 40", failed)

    def test_alert_numbers(self) -> None:
        key = ("-tls1_2", "-cert", str(self.rig.card / "client.pem"),
               "-key", str(self.rig.card / "client.key"))
        for name, number in (
            ("refuse-bad", 42), ("refuse-revoked", 44), ("refuse-expired", 45),
            ("refuse-unknown-ca", 48),
        ):
            with self.subTest(name):
                self.rig.arm(name)
                self.assertIn(f"SSL alert number {number}", self.s_client("mtls", *key))

    def test_ask_certificate(self) -> None:
        key = card_options(self.rig)
        before = self.seen("sp")
        curl(self.rig, self.rig.ready["sp"], *key)
        self.assertEqual(self.seen("sp"), before)
        self.rig.arm("ask-certificate", "sp", 1)
        curl(self.rig, self.rig.ready["sp"], *key)
        self.assertEqual(self.seen("sp"), before + 1)
        self.rig.arm("ask-certificate", "idp", 1)
        answer = curl(self.rig, self.rig.ready["idp"], *key, "--tls-max", "1.3")
        self.assertEqual(answer.returncode, 0)
        self.assertEqual(self.seen("idp"), 1)

    def seen(self, listener: str) -> int:
        """The number of client certificates that a listener received."""
        state = self.rig.control("GET", "state")
        listeners = state["listeners"]
        assert isinstance(listeners, dict)
        return int(listeners[listener].get("certificates", 0))


class ClientCertificateTest(SandboxTest):
    """The accepted certificates."""

    def test_without_certificate(self) -> None:
        refused = curl(self.rig, self.rig.ready["mtls"] + "Authn/SSL/Login2", "--data", "x=y")
        self.assertIn(refused.returncode, (35, 55, 56))
        self.assertIn("handshake failure", refused.stderr)
        page = curl(
            self.rig, self.rig.ready["idp"] + "Authn/SSL/Login2", "--data", "x=y",
            "--write-out", "%{http_code}")
        self.assertEqual(page.stdout, "no client certificate403")

    def test_tls13_is_not_for_the_card_call(self) -> None:
        url = self.rig.ready["mtls"] + "Authn/SSL/Login2"
        result = curl(self.rig, url, "--tls-max", "1.3", "--tlsv1.3", *card_options(self.rig))
        self.assertEqual(result.returncode, 35)

    def test_expired_certificate(self) -> None:
        link = to_hand_off(self.rig, self.rig.browser())
        result = login2(self.rig, link, certificate="client-expired.pem")
        self.assertEqual((result.returncode, result.stdout), (60, ""))

    def test_certificate_of_another_authority(self) -> None:
        stranger = self.rig.folder / "stranger"
        subprocess.run([HERE / "make-client", stranger], check=True)
        result = curl(
            self.rig, self.rig.ready["mtls"] + "Authn/SSL/Login2", "--cert",
            str(stranger / "client.pem"), "--key", str(stranger / "client.key"), "--data", "x=y")
        self.assertIn("alert unknown ca", result.stderr)
