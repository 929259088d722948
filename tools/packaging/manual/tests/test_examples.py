"""The examples of the manual: every command line succeeds with the software card, the objects are the pinned ones."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

from .room import ROOT, Room, check_pin

sys.path.insert(0, str(ROOT / "tools/packaging/manual"))
from objects import examples  # noqa: E402
from page import read_sections  # noqa: E402

OBJECTS = ROOT / "tools/packaging/manual/objects"


class Sandbox:
    """The service and the identity provider of the login's examples."""

    def __init__(self, room):
        certificate = json.loads(room.program("cert --virtual --json".split(), "27182818").stdout)["certificate"]
        (room.path / "card.pem").write_text(certificate)
        ready = room.path / "ready.json"
        self.log = (room.path / "sandbox.log").open("w")
        self.process = subprocess.Popen(
            [ROOT / "tools/sandbox/run", "--state", room.path / "state", "--client-ca", room.path / "card.pem",
             "--ready-file", ready], stdout=self.log, stderr=self.log)
        end = time.monotonic() + 60
        while not ready.exists():
            assert self.process.poll() is None and time.monotonic() < end, (room.path / "sandbox.log").read_text()
            time.sleep(0.02)
        self.addresses = json.loads(ready.read_text())

    def close(self):
        """Ends it."""
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def link(self):
        """The link that the login page gives to a phone."""
        page = subprocess.run(
            ["curl", "-sSL", "--cacert", self.addresses["ca"], "--cookie", "", "--user-agent", "Android",
             self.addresses["spLogin"]], check=True, capture_output=True, text=True).stdout
        return page.split('id="hand-off" href="', 1)[1].split('"', 1)[0].replace("&amp;", "&")


class ExampleTests(unittest.TestCase):
    """The examples in the pages."""

    @classmethod
    def setUpClass(cls):
        cls.room = Room()
        cls.sandbox = Sandbox(cls.room)
        users = json.loads(pathlib.Path(cls.sandbox.addresses["users"]).read_text())
        (cls.room.path / "password.txt").write_text(users["password"]["password"] + "\n")
        (cls.room.path / "password.txt").chmod(0o600)
        # The portal's tables, with the card's invented place.
        head = "Codice,Descrizione,Provincia,DataFineVal\r\n"
        (cls.room.path / "comuni.csv").write_text(head + "499000001,BORGO INVENTATO,ZZ,\r\n")
        (cls.room.path / "stati.csv").write_text(head + "100000100,ITALIA,ES,\r\n")

        cls.stamps = StampServer(cls.room.path)

    @classmethod
    def tearDownClass(cls):
        cls.stamps.close()
        cls.sandbox.close()
        cls.room.close()

    def lines(self, language):
        """The command lines of a language, page by page."""
        _, pages = read_sections((ROOT / f"tools/packaging/manual/{language}.md").read_text())
        for name, sections in pages.items():
            blocks = [content for kind, content in sections.get("EXAMPLES", []) if kind == "display"]
            yield name, [line[2:] for lines in blocks for line in lines if line.startswith("$ ")]

    def real(self, line):
        """The line with the test's values in place of a person's."""
        addresses = self.sandbox.addresses
        environment = f"--environment {addresses['environment']}"
        for written, meant in {
            "https://service.example/profile": addresses["spProfile"],
            "https://service.example/": f"{addresses['sp']} {environment}",
            "--service service.json": f"--service {addresses['service']}",
            "https://tsa.example/": self.stamps.address,
            "--consent ask": "--consent yes",
            "curl ": f"curl --silent --show-error --fail --cacert {addresses['ca']} ",
            "CA00000AA": "CT10001ZG", "1985-01-31": "1980-02-30", "2031-01-31": "2034-03-01",
        }.items():
            line = line.replace(written, meant)
        if "OpenApp?…" in line:
            line = f"cie-read login {environment} '{self.sandbox.link()}'"
        return line

    def test_every_example_ends_well(self):
        count = 0
        for name, lines in self.lines("en"):
            # Removes the previous page's files; the local code first, because a file of it that is only removed counts
            # as damaged.
            self.room.shell("cie-read lock forget; rm -rf *.sig *.pem session.txt session.trace saved .local .config .pki; : > face.png")
            services = []
            for line in lines:
                # Programs that run until they are stopped, and are ready when their socket is.
                if line.endswith(" &"):
                    services.append(self.room.start(line.removesuffix(" &")))
                    continue
                answer = self.room.shell(f"set -o pipefail; {self.real(line)}")
                self.assertEqual(answer.returncode, 0, f"{name}: {line}\n{answer.stdout}{answer.stderr}")
                count += 1
            for service in services:
                self.room.stop(service)
        self.room.shell("cie-read lock forget")
        self.assertGreater(count, 30)

    def test_every_language_has_the_same_examples(self):
        for file in (ROOT / "tools/packaging/manual").glob("*.md"):
            self.assertEqual(list(self.lines(file.stem)), list(self.lines("en")), file.name)

    def test_every_object_is_as_pinned(self):
        for example in examples(OBJECTS):
            given = example.input.replace(",", "\n")
            answer = self.room.program(example.arguments, given)
            self.assertEqual(answer.returncode, example.status, answer.stdout + answer.stderr)
            text = answer.stdout.replace(str(self.room.path), "/srv/gelsomina")
            text = re.sub('"time":"[^"]*"', '"time":"2026-11-22T09:30:00.000Z"', text)
            text = re.sub('"until":"[^"]*"', '"until":"2026-11-22T09:35:00Z"', text)
            file = OBJECTS / f"{example.name}.json"
            if example.name in ("cie-read-browser-status", "cie-read-doctor", "cie-read-trust-update"):
                # Output that depends on the machine, its user and its clock.
                check_pin(self, file, text, lambda lines: shape(json.loads(lines)))
            else:
                check_pin(self, file, text)

    def test_the_object_of_a_login_is_as_pinned(self):
        addresses = self.sandbox.addresses
        answer = self.room.program(
            ["login", "--virtual", "--sp-url", addresses["sp"], "--environment", addresses["environment"], "--consent",
             "yes", "--cookies", "session.txt", "--force", "--json"], "27182818")
        text = answer.stdout.replace(addresses["sp"].rstrip("/"), "https://service.example")
        check_pin(self, OBJECTS / "cie-read-login.json", text)

    def test_the_object_of_an_extension_is_as_pinned(self):
        answer = self.room.program(
            ["extend", "reply.txt.p7m", "--tsa", self.stamps.address, "--tsa-trust", "tsa.crt", "--force", "--json"])
        text = re.sub('"stampedTimes":\\["[^"]*"', '"stampedTimes":["2026-11-22T09:30:00Z"', answer.stdout)
        check_pin(self, OBJECTS / "cie-read-extend.json", text)

    def test_the_objects_of_an_account_are_as_pinned(self):
        service = self.sandbox.addresses["service"]
        self.room.program(
            ["login", "--service", service, "--method", "email", "--user", "gelsomina.prova@example.invalid",
             "--password-file", "password.txt"])
        for name in ("status", "claims", "token", "logout", "reset"):
            text = self.room.program([name, "--json"]).stdout
            text = re.sub('"(since|expires)":"[^"]*"', r'"\1":"2026-11-22T09:30:00Z"', text)
            text = re.sub('"token":"[^"]*"', '"token":"eyJhbGciOiJSUzI1NiIs"', text)
            text = re.sub('[0-9a-f]{40}', "ccb4e97516c358189ebe7aa27c3f4f8a66b39044", text)
            text = re.sub('[0-9a-f]{8}-[0-9a-f-]{27}', "4c8a2dd1-07c7-5107-9aca-e00344abcaf7", text)
            check_pin(self, OBJECTS / f"cie-read-{name}.json", text)

    def test_the_objects_of_a_service_are_as_pinned(self):
        service = self.room.start("cie-read serve --allow status,nis,files --socket desk.sock")
        new = json.dumps({"name": "letter.txt", "size": 6})
        for name, words in (("status", ""), ("cancel", "--json '{}'"), ("files", f"--json '{new}'")):
            curl = "curl --silent --show-error --fail --unix-socket desk.sock"
            text = self.room.shell(f"{curl} {words} http://localhost/v1/{name}").stdout
            check_pin(self, OBJECTS / f"cie-read-serve-{name}.json", text)
        self.room.stop(service)

    def test_every_command_has_an_object(self):
        schema = json.loads((ROOT / "Sources/cie-read/Schema/cie-read-1.schema.json").read_text())
        commands = {"cie-read-" + name.replace(" ", "-") for name in schema["$defs"]["answer"]["properties"]["command"]["enum"] if name}
        self.assertEqual({example.name for example in examples(OBJECTS)} | {
            "cie-read-login", "cie-read-serve-status", "cie-read-serve-cancel", "cie-read-serve-files", "cie-read-serve-session", "cie-read-status", "cie-read-claims",
            "cie-read-token", "cie-read-logout", "cie-read-reset", "cie-read-extend"}, commands)
        self.assertEqual(
            {file.stem for file in pathlib.Path(OBJECTS).glob("*.json")}, commands)


class StampServer:
    """The time stamp authority and issuer of the Swift tests, with their certificate and a signed file in the room."""

    def __init__(self, room):
        folder = room / "tsa"
        folder.mkdir()
        script = ROOT / "Tests/CIEReadTests/Support/time-stamp-server.py"
        self.process = subprocess.Popen([sys.executable, "-B", script, folder], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        shutil.copy(folder / "ca.pem", room / "tsa.crt")
        # A file whose issuer answers.
        shutil.copy(folder / "letter.txt.p7m", room / "offer.txt.p7m")
        with (room / "issuers.crt").open("a") as issuers:
            issuers.write((folder / "ca.pem").read_text())

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def shape(value):
    """Names and kinds, without the values."""
    if isinstance(value, dict):
        return {key: shape(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__ if value is None else "value"
