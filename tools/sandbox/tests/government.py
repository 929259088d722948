"""A client of the government kit, exactly as in the published requests, by curl."""
from urllib.parse import parse_qs, urlsplit

from .rig import SandboxTest
from .ways import Reply, curl, entry, user

RETURN = "http://127.0.0.1:49152/signed-in"
PHONE = "+390000000042"


class GovernmentTest(SandboxTest):
    """A test with such a client."""

    def setUp(self) -> None:
        self.entry = entry(self.rig, "bank")
        self.base: str = self.entry["base"]

    def get(self, path: str, token: str | None = None, *options: str, **query: str) -> Reply:
        """A request of the kit."""
        fields = [part for key, value in query.items() for part in ("--data-urlencode", f"{key}={value}")]
        bearer = ["-H", f"authorization: bearer {token}"] if token else []
        return curl(self.rig, self.base + path, "-G", "-H", "App-Version: 1.0", *fields, *bearer, *options)

    def post(self, path: str, token: str | None = None, *options: str) -> Reply:
        """A request without a body."""
        bearer = ["-H", f"authorization: bearer {token}"] if token else []
        return curl(self.rig, self.base + path, "-X", "POST", *bearer, *options)

    def process(self, flow: str = "login", token: str | None = None) -> str:
        """A new process."""
        return str(self.get(f"v3/auth/{flow}/methods", token).json["processId"])

    def address(self, process: str, bank: str = "sabbia", **more: str) -> Reply:
        """The bank's address."""
        return self.get("v3/auth/bankid/auth-url", bankId=bank, processId=process, **more)

    def at_bank(self, process: str, role: str = "password", bank: str = "sabbia", **more: str) -> Reply:
        """The person's visit; the redirect back."""
        url = self.address(process, bank, returnUrl=RETURN).json["authUrl"]
        ticket = parse_qs(urlsplit(url).query)["ticket"][0]
        who = user(self.rig, role)
        return curl(self.rig, url.partition("?")[0], form={
            "ticket": ticket, "username": who["userName"], "password": who["password"], "choice": "accept", **more})

    def code(self, back: Reply) -> str:
        """The bank's code."""
        (found,) = parse_qs(urlsplit(back.headers["location"]).query)["code"]
        return found

    def verify(self, process: str, code: str, bank: str = "sabbia") -> Reply:
        """The service's answer to it."""
        return self.get(f"v1/auth/bankid/{code}/verify", bankId=bank, processId=process)

    def verified(self, flow: str = "login", token: str | None = None, role: str = "password") -> str:
        """A process with a verified person."""
        process = self.process(flow, token)
        done = self.verify(process, self.code(self.at_bank(process, role)))
        self.assertEqual(done.json["processCode"], 1, done.body)
        return process

    def token(self, role: str = "password") -> str:
        """The token of a login."""
        return str(self.get("v3/auth/token", processId=self.verified(role=role)).json["token"])

    def refused(self, reply: Reply, status: int, word: str) -> None:
        """A refusal."""
        self.assertEqual((reply.status, reply.json["error"]), (status, word))
        self.assertEqual("www-authenticate" in reply.headers, status == 401)
