"""A client of `cie-read desk`, as its page is one."""
import re

from service import PROGRAMS, Events, Service, wait


class Desk(Service):
    """The program, at its socket and its port, with the token for its ticket."""

    def __init__(self, processes, folder, *words, environment=None, output="desk.out"):
        self.path, self.folder, self.output = folder / "cie-read-desk.sock", folder, folder / output
        self.errors = folder / f"{output}.errors"
        self.events = None
        with self.output.open("w") as output, self.errors.open("w") as errors:
            self.process = processes.start(
                PROGRAMS / "cie-read", "desk", *words, "--trust", folder / "anchors", stdout=output, stderr=errors,
                environment=environment)

    def enter(self):
        """Exchanges the ticket for the token, and listens, as the page does."""
        self.port, self.ticket = self.address()
        self.token = self.exchange(self.ticket).object["token"]
        self.events = Events(self, by="port")
        return self

    def address(self, number=-1):
        """The port and the ticket of an address that it printed."""
        wait(lambda: self.process.poll() is not None or "\n" in self.output.read_text())
        line = self.output.read_text().split()[number]
        return re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#ticket=([0-9A-F]{64})", line).groups()

    def exchange(self, ticket, **headers):
        """POST /v1/session, without a token."""
        self.port, self.token = int(self.port), ""
        return self.do("session", {"ticket": ticket}, by="port", headers=headers)

    def do(self, function, object=None, by="port", **more):
        return super().do(function, object, by=by, **more)

    def send(self, path, name=None):
        """Sends a file in pieces, as the page does; its number."""
        data = path.read_bytes()
        number = self.do("files", {"name": name or path.name, "size": len(data)}).object["file"]
        received = 0
        for start in range(0, len(data), 1 << 20):
            piece = self.do(
                f"files/{number}", data[start:start + (1 << 20)], headers={"Content-Type": "application/octet-stream"})
            received = piece.object["received"]
        assert received == len(data)
        return number

    def list(self):
        """The list of files."""
        return self.ask("GET", "/v1/files", by="port").object["files"]
