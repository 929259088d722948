"""The other sign-in methods, called by curl; tokens judged by PyJWT and the published keys, never by the sandbox's
code."""
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt

from .rig import Rig

NATIVE = "oob password redirect"


@dataclass(frozen=True)
class Reply:
    """curl's result: its own exit status, then status, headers in lower case and body of the answer."""

    curl: int
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object."""
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value

    @property
    def error(self) -> tuple[str, list[int], str | None]:
        """The error of native sign-in: word, numbers, sub-error."""
        return self.json["error"], self.json["error_codes"], self.json.get("suberror")


def curl(rig: Rig, url: str, *options: str, form: dict[str, str] | None = None, seconds: float = 10) -> Reply:
    """One request, no redirect followed."""
    fields = [part for key, value in (form or {}).items() for part in ("--data-urlencode", f"{key}={value}")]
    done = subprocess.run(
        ["curl", "-s", "-i", "--cacert", rig.ready["ca"], "--max-time", str(seconds), *options, *fields, url],
        capture_output=True)
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines[1:])}
    return Reply(done.returncode, int(lines[0].split()[1]) if lines[0] else 0, headers, body)


def post_json(rig: Rig, url: str, body: object, *options: str) -> Reply:
    """A JSON body."""
    return curl(rig, url, "-H", "Content-Type: application/json", "-d", json.dumps(body), *options)


def entry(rig: Rig, method: str, key: str = "service") -> dict[str, Any]:
    """A line of the service description."""
    methods = json.loads(Path(rig.ready[key]).read_text())["methods"]
    found: dict[str, Any] = next(line for line in methods if line["method"] == method)
    return found


def user(rig: Rig, role: str) -> dict[str, str]:
    """User name and password of this install."""
    found: dict[str, str] = json.loads(Path(rig.ready["users"]).read_text())[role]
    return found


def code_for(rig: Rig, recipient: str) -> str:
    """The code in the newest message to a person."""
    files = sorted(Path(rig.ready["mailbox"]).glob("*.txt"), reverse=True)
    text = next(t for t in (file.read_text() for file in files) if f"To: {recipient}\n" in t)
    match = re.search(r"^Code: ([0-9]+)$", text, re.MULTILINE)
    assert match is not None
    return match[1]


def claims(rig: Rig, token: str, keys: str, audience: str, issuer: str) -> dict[str, Any]:
    """The claims of a good token; any other raises an error of PyJWT's."""
    kid = jwt.get_unverified_header(token)["kid"]
    published = {key["kid"]: key for key in curl(rig, keys).json["keys"]}
    key = jwt.algorithms.RSAAlgorithm.from_jwk(published[kid])
    found: dict[str, Any] = jwt.decode(
        token, key, ["RS256"], {"require": ["exp", "iat", "sub"]}, audience=audience, issuer=issuer)
    return found


class Native:
    """A client of native sign-in, exactly as in the published requests."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.entry = entry(rig, "email")
        self.authority: str = self.entry["authority"]
        self.client: str = self.entry["clientId"]

    def call(self, path: str, *options: str, **fields: str) -> Reply:
        """One step."""
        return curl(self.rig, self.authority + path, *options, form={"client_id": self.client, **fields})

    def initiate(self, name: str, types: str = NATIVE, **more: str) -> Reply:
        """Begins."""
        return self.call("oauth2/v2.0/initiate", username=name, challenge_type=types, **more)

    def challenge(self, token: str, **more: str) -> Reply:
        """Asks for a code or a password."""
        return self.call("oauth2/v2.0/challenge", continuation_token=token, **more)

    def token(self, grant: str, **more: str) -> Reply:
        """Asks for tokens."""
        return self.call(
            "oauth2/v2.0/token", **{"grant_type": grant, "scope": "openid profile email offline_access", **more})

    def challenged(self, role: str, types: str = NATIVE, **more: str) -> Reply:
        """A sign-in up to the challenge."""
        begun = self.initiate(user(self.rig, role)["userName"], types, **more)
        assert begun.status == 200, begun.body
        return self.challenge(begun.json["continuation_token"], challenge_type=types)

    def by_password(self, role: str, **more: str) -> Reply:
        """A sign-in with the right password."""
        token = self.challenged(role, **more).json["continuation_token"]
        return self.token("password", continuation_token=token, password=user(self.rig, role)["password"])

    def judged(self, reply: Reply) -> dict[str, Any]:
        """The claims of an answer's ID token, by discovery."""
        found = curl(self.rig, self.authority + "v2.0/.well-known/openid-configuration").json
        return claims(self.rig, reply.json["id_token"], found["jwks_uri"], self.client, found["issuer"])
