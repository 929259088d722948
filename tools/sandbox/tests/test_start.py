"""Start and stop: files, permissions, options, accepted cards and refused hosts."""
import json
import shutil
import ssl
import subprocess
import tempfile
import unittest
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

from .card import login2, to_hand_off
from .requester import Requester
from .rig import HERE, Rig, SandboxTest


def run(*options: str | Path) -> subprocess.CompletedProcess[str]:
    """A start that is expected to fail, or to print a text."""
    return subprocess.run([HERE / "run", *options], capture_output=True, text=True, timeout=300)


class FilesTest(unittest.TestCase):
    """The contents of the state folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def start(self, *options: str) -> Rig:
        rig = Rig(*options, folder=self.folder)
        self.addCleanup(rig.process.kill)
        return rig

    def test_environment(self) -> None:
        rig = self.start("--method", "signed-challenge")
        port = urlsplit(rig.ready["idp"]).port
        expected = {
            "name": "sandbox", "idp": f"https://localhost:{port}/idp/",
            "linkHosts": [f"localhost:{port}", f"ios.localhost:{port}"],
            "nextPaths": ["/idp/Authn/X509"], "method": "signed-challenge", "ca": rig.ready["ca"]}
        self.assertEqual(json.loads(Path(rig.ready["environment"]).read_text()), expected)
        own_port = json.loads(Path(rig.ready["environments"]["own-port"]).read_text())
        self.assertEqual(own_port, {
            **expected, "idp": rig.ready["mtls"], "method": "client-certificate"})
        self.assertEqual(rig.ready["pid"], rig.process.pid)

    def test_keys_stay_and_are_private(self) -> None:
        first = self.start()
        state = self.folder / "state"
        self.assertEqual(state.stat().st_mode & 0o777, 0o700)
        keys = {path: path.read_bytes() for path in state.glob("*.key")}
        self.assertEqual(len(keys), 3)
        for path in keys:
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(first.stop(), 0)
        self.assertFalse((self.folder / "ready.json").exists())
        self.start()
        self.assertEqual(keys, {path: path.read_bytes() for path in state.glob("*.key")})

    def test_two_installs_share_no_key(self) -> None:
        one, two = self.start(), Rig()
        self.addCleanup(two.remove)
        for name in ("server.key", "idp-saml.key", "sp-saml.key", "ca.pem"):
            self.assertNotEqual(
                (one.folder / "state" / name).read_bytes(), (two.folder / "state" / name).read_bytes())
        with self.assertRaises(ssl.SSLCertVerificationError):
            two.browser().open(one.ready["idp"])

    def test_others_may_not_see_the_state(self) -> None:
        state = self.folder / "state"
        state.mkdir()
        state.chmod(0o755)
        self.assertEqual(run("--state", state).returncode, 69)

    def test_chosen_port_and_port_taken(self) -> None:
        rig = self.start()
        port = urlsplit(rig.ready["sp"]).port
        taken = run("--state", self.folder / "other", "--port-sp", str(port))
        self.assertEqual(taken.returncode, 69, taken.stderr)
        rig.stop()
        again = self.start("--port-sp", str(port))
        self.assertEqual(urlsplit(again.ready["sp"]).port, port)


class OptionsTest(unittest.TestCase):
    """Wrong options, and the table of faults."""

    def test_usage(self) -> None:
        for options in ((), ("--state",), ("--state", "x", "--port-sp", "70000"), ("--bad",)):
            self.assertEqual(run(*options).returncode, 64)
        self.assertEqual(run("--help").returncode, 0)

    def test_unknown_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / "state"
            for options in (("--fault", "nothing"), ("--fault", "empty@home"), ("--switch", "x"),
                            ("--fault", "empty*0"), ("--fault", "a b")):
                result = run("--state", state, *options)
                self.assertEqual(result.returncode, 64)
            self.assertEqual(run("--state", state, "--client-ca", "/dev/null").returncode, 66)
            self.assertEqual(run("--state", state, "--sp-metadata", "/dev/null").returncode, 66)
            self.assertEqual(run("--state", state, "--personas", "/dev/null").returncode, 66)
            self.assertEqual(run("--state", state, "--oidc-client", "/dev/null").returncode, 66)
            self.assertEqual(run("--state", state, "--spid-idp-metadata", "/dev/null").returncode, 66)
            self.assertEqual(run("--state", state, "--claims-hook", "https://example.invalid/").returncode, 64)

    def test_every_fault_has_a_test(self) -> None:
        listed = {line.split()[0] for line in run("--list-faults").stdout.split("switches")[0]
                  .splitlines() if line.startswith("  ")}
        modules = [import_module(f"tests.{path.stem}") for path in (HERE / "tests").glob("test_*.py")]
        tested = {"error-nr02", "error-nr03", "error-nr23"}.union(*(getattr(m, "NAMES", ()) for m in modules))
        self.assertEqual(listed, tested)
        readme = (HERE / "README.md").read_text()
        for name in listed:
            self.assertIn(f"`{name}`", readme)

    def test_authorities_of_real_cards(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                 "-nodes", "-keyout", folder / "key", "-out", folder / "ca.pem", "-subj",
                 "/C=IT/O=Ministero dell'Interno/CN=Looks real"], check=True, capture_output=True)
            result = run("--state", folder / "state", "--client-ca", folder / "ca.pem")
            self.assertEqual(result.returncode, 66)
            self.assertIn("--allow-real-cards", result.stderr)


class RefusalTest(SandboxTest):
    """Hosts, origins, and a card that is its own authority."""

    def test_loopback_only(self) -> None:
        table = subprocess.run(["cat", "/proc/net/tcp"], capture_output=True, text=True).stdout
        ports = {urlsplit(self.rig.ready[name]).port for name in ("idp", "mtls", "sp", "ways")}
        listening = {
            line.split()[1] for line in table.splitlines()[1:] if line.split()[3] == "0A"}
        for port in ports:
            self.assertIn(f"0100007F:{port:04X}", listening)
            self.assertNotIn(f"00000000:{port:04X}", listening)

    def test_host_header(self) -> None:
        for name in ("idp", "sp", "ways"):
            page = self.rig.browser().open(
                self.rig.ready[name], headers={"Host": "rebound.example.invalid"})
            self.assertEqual(page.status, 421)

    def test_control_refuses_web_pages(self) -> None:
        url = self.rig.ready["control"] + "fault"
        headers = {"Origin": "https://example.invalid"}
        page = self.rig.browser().open(url, {"fault": "empty"}, headers=headers)
        self.assertEqual(page.status, 403)
        self.assertEqual(self.rig.control("GET", "fault")["armed"], [])

    def test_control_refuses_unknown_names(self) -> None:
        for form in ({"fault": "x"}, {"fault": "empty", "count": "x"}, {"fault": "empty", "at": "x"}):
            page = self.rig.browser().open(self.rig.ready["control"] + "fault", form)
            self.assertEqual(page.status, 400)

    def test_control_on_the_service_provider(self) -> None:
        page = self.rig.browser().open(self.rig.ready["sp"] + "sandbox/fault")
        self.assertEqual(page.status, 200)

    def test_a_card_as_its_own_authority(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        for name in ("card", "state"):
            shutil.copytree(self.rig.folder / name, folder / name)
        shutil.copy(folder / "card/client.pem", folder / "card/ca.pem")
        pinned = Rig(folder=folder)
        self.addCleanup(pinned.remove)
        link = to_hand_off(pinned, pinned.browser())
        self.assertRegex(login2(pinned, link).stdout, "^codice:")


class FurtherProviderTest(SandboxTest):
    """Service providers by metadata file."""

    def test_strict_and_generic(self) -> None:
        first = self.rig
        metadata = first.browser().open(first.ready["spMetadata"]).text
        other = metadata.replace("https://sp.cie-sandbox.invalid/", "https://kiosk.example.invalid/")
        file = first.folder / "kiosk.xml"
        file.write_text(other)
        issuer = "<saml:Issuer>https://kiosk.example.invalid/not-a-government-service</saml:Issuer>"
        for option, offered in (("--sp-metadata", False), ("--generic-sp-metadata", True)):
            rig = Rig(option, str(file), like=first)
            self.addCleanup(rig.remove)
            requester = Requester(rig)
            requester.key = str(first.folder / "state/sp-saml.key")
            consumer = first.ready["sp"] + "acs"
            good = {"issuer": issuer, "AssertionConsumerServiceURL": consumer}
            self.assertIn("hand-off", rig.browser().open(requester.redirect_url(**good)).links)
            plain = {**good, "ForceAuthn": None, "context": None, "policy": None}
            page = rig.browser().open(requester.redirect_url(**plain))
            self.assertEqual("hand-off" in page.links, offered)

    def test_no_government_entity(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "sp.xml"
            file.write_text(
                '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" '
                'entityID="https://service.gov.it/"><SPSSODescriptor/></EntityDescriptor>')
            result = run("--state", Path(name) / "state", "--sp-metadata", file)
            self.assertEqual(result.returncode, 66)
            self.assertIn("government", result.stderr)
