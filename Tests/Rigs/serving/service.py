"""A running `cie-read serve`, and clients of it: one that follows HTTP, and one that sends any bytes."""
import contextlib
import html
import http.client
import json
import os
import random
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tests/Rigs/browsers"))
from card import NIS, PIN, PROGRAMS, Card  # noqa: E402, F401
from processes import PATIENCE, Processes, stop  # noqa: E402
from remote import wait  # noqa: E402

OUTPUTS = os.environ.get("CIE_OUTPUTS")
CAN = "223606"
# The languages of the program.
LANGUAGES = ("it", "en", *sorted(file.stem for file in (ROOT / "Sources/C/CMessages/translations").glob("*.txt")))
# A good link of the provider; nothing is sent there.
IDP = "https://idserver.servizicie.interno.gov.it"
LINK = f"{IDP}/OpenApp?nextUrl={IDP}/idp/Authn/X509&name=conversation&value=e1s1&authnRequestString=x&OpText=Test"
EVERYTHING = (
    "status,info,nis,verify,evidence,read,cert,sign,check-link,login,pin-change,pin-unblock,files,sign-files,check-files,extract,update-lists,doctor,report,"
    "register,open-browser")
# More than a thousand sockets at once are ours and theirs.
resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


class Answer:
    """The answer."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def object(self):
        """The JSON object; it is kept for the schema's validator."""
        keep(self.body.decode())
        return json.loads(self.body)

    @property
    def error(self):
        """The name of the error in it."""
        return self.object["error"]["name"]


def keep(text):
    """Leaves an object in the folder for tools/check json."""
    if OUTPUTS:
        Path(OUTPUTS, f"{uuid.uuid4()}.json").write_text(text.strip() + "\n")


class Connection(http.client.HTTPConnection):
    """By the Unix socket, or by the port."""

    def __init__(self, place, timeout=300):
        super().__init__("127.0.0.1", place if isinstance(place, int) else 80, timeout=timeout)
        self.place = place

    def connect(self):
        self.sock = connect(self.place, self.timeout)


def connect(place, timeout=300):
    """A connection to a file or a port."""
    if isinstance(place, int):
        return socket.create_connection(("127.0.0.1", place), timeout)
    client = socket.socket(socket.AF_UNIX)
    try:
        client.settimeout(timeout)
        client.connect(str(place))
        return client
    except OSError:
        client.close()
        raise


def exchange(place, text, timeout=300):
    """Sends literal bytes; the status of the answer, 0 for an end without one."""
    with connect(place, timeout) as client:
        try:
            client.sendall(text if isinstance(text, bytes) else text.encode())
            return status_of(client)
        except (BrokenPipeError, ConnectionResetError):
            return 0


def status_of(client):
    """The status in the first line of the answer."""
    line = client.makefile("rb").readline()
    return int(line.split()[1]) if line else 0


class Events:
    """A client that receives events."""

    def __init__(self, service, language="en", **more):
        self.connection = Connection(service.place(**more))
        headers = {"Accept-Language": language, **service.headers(**more)}
        self.connection.request("GET", "/v1/events", headers=headers)
        self.beats = 0
        self.answer = self.connection.getresponse()
        self.list = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for line in self.answer:
                self.beats += line == b":\n"
                if line.startswith(b"data: "):
                    keep(line[6:].decode())
                    self.list.append(json.loads(line[6:]))
        except (OSError, ValueError, AttributeError):
            pass

    def names(self):
        """The events, without the steps."""
        return [event["event"] for event in self.list if event["event"] != "progress"]

    def close(self):
        """Closes the stream."""
        self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class Service:
    """The program, at a Unix socket and a port."""

    def __init__(self, processes, folder, *words, allow=EVERYTHING, port=True, prefix=(), trust=True, environment=None):
        self.path, self.folder = folder / "service.sock", folder
        self.token = os.urandom(24).hex()
        file = folder / "token"
        file.write_text(self.token + "\n")
        file.chmod(0o600)
        self.port = free_port() if port else None
        arguments = ["--http", self.port, "--token-file", file] if port else []
        anchors = ["--trust", folder / "anchors"] if trust else []
        self.errors = folder / "errors"
        with self.errors.open("w") as errors:
            self.process = processes.start(
                *prefix, PROGRAMS / "cie-read", "serve", "--allow", allow, "--socket", self.path, *arguments, *anchors,
                *words, stderr=errors, environment=environment)
        # The port is opened after the file.
        places = [self.path, self.port] if port else [self.path]
        wait(lambda: self.process.poll() is not None or all(map(is_open, places)))

    def place(self, by="socket", **_):
        """The address for clients."""
        return self.port if by == "port" else self.path

    def headers(self, by="socket", token=None, **_):
        """The headers of a client of the port."""
        return {"Authorization": f"Bearer {self.token if token is None else token}"} if by == "port" else {}

    def ask(self, method, path, object=None, *, by="socket", headers=None, timeout=300):
        """A request and its answer."""
        connection = Connection(self.place(by), timeout)
        body = None if object is None else object if isinstance(object, (str, bytes)) else json.dumps(object)
        more = {"Content-Type": "application/json"} if method == "POST" else {}
        # The service may refuse a request before it has read all of its body.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request(method, path, body, {**self.headers(by), **more, **(headers or {})})
        answer = connection.getresponse()
        result = Answer(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return result

    def do(self, function, object=None, **more):
        """POST /v1/FUNCTION."""
        return self.ask("POST", f"/v1/{function}", {} if object is None else object, **more)

    def later(self, function, object=None):
        """The request in another thread; its answer is in the returned list."""
        answers = []
        threading.Thread(target=lambda: answers.append(self.do(function, object)), daemon=True).start()
        return answers

    @property
    def is_busy(self):
        """True if a request has the card."""
        return self.ask("GET", "/v1/status").object["busy"]

    def footprint(self):
        """Resident memory in kB, and open descriptors."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        resident = next(line for line in lines if line.startswith("VmRSS"))
        return int(resident.split()[1]), len(os.listdir(f"/proc/{self.process.pid}/fd"))


def is_open(place):
    """True if a process listens there."""
    try:
        connect(place).close()
        return True
    except OSError:
        return False


def free_port():
    """A free one below those of clients (ip_local_port_range), because any connection may take one of them meanwhile."""
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", random.randrange(20000, 32768)))
            return probe.getsockname()[1]


def sandbox(processes, folder):
    """Starts the sandbox of the login for the software card; its addresses and files."""
    words = ["openssl", "x509", "-inform", "DER", "-in", ROOT / "Sources/C/CPersonaData/data/gemalto/certificate.der"]
    processes.run(*words, "-out", folder / "card.pem")
    ready = folder / "ready.json"
    processes.start(
        ROOT / "tools/sandbox/run", "--state", folder / "state", "--client-ca", folder / "card.pem", "--ready-file", ready)
    wait(ready.exists)
    return json.loads(ready.read_text())


def link(place, folder):
    """The link of a login that a browser (curl) has begun."""
    jar, page = folder / "jar", folder / "page"
    subprocess.run(
        ["curl", "--user-agent", "Android", "--silent", "--show-error", "--fail", "--location", "--cacert", place["ca"],
         "--cookie-jar", jar, "--cookie", jar, "--output", page, place["spLogin"]], check=True)
    return html.unescape(re.search(r'id="hand-off" href="([^"]*)"', page.read_text()).group(1))


class ServiceTest(unittest.TestCase):
    """Each test has a separate folder and programs and, if it needs them, a service and a card."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cie-read-serve-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.processes = Processes(self.folder)
        self.addCleanup(self.processes.end)
        subprocess.run([PROGRAMS / "cie-lab", "anchors", self.folder / "anchors"], check=True, capture_output=True)
        self.card = Card(self.processes, self.folder)

    def start(self, *words, **more):
        """Starts the service; at the end it must still be there, and end at SIGTERM."""
        service = Service(self.processes, self.folder, *words, **more)
        self.assertIsNone(service.process.poll(), service.errors.read_text())
        self.addCleanup(self.leave, service)
        return service

    def leave(self, service):
        """The end of a service."""
        self.assertIsNone(service.process.poll(), service.errors.read_text())
        stop(service.process)
        self.assertEqual(service.process.returncode, 143)
        self.assertFalse(service.path.exists())
        self.assertNotIn("Fatal", service.errors.read_text())
