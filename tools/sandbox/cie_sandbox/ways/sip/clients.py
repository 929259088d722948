"""The clients: applications with an identifier, a mobile identifier and a secret, registered by name."""
import json
import re
import secrets
import threading
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from ..keys import write_private

DEFAULT = "sandbox"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


@dataclass(frozen=True)
class Client:
    """One application; its secret is in a separate file."""

    app_id: str
    mobile_id: str
    secret_file: str


class Clients:
    """The register of one install, kept in the folder of keys."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._file = folder / "sip-clients.json"
        self._lock = threading.Lock()
        self._clients: dict[str, Client] = {}
        if self._file.exists():
            self._clients = {n: Client(**c) for n, c in json.loads(self._file.read_text("utf-8")).items()}
        for name in (DEFAULT, *names):
            self.register(name)

    def register(self, name: str) -> Client:
        """The client of a name; made if it is missing, with a fresh identifier and secret."""
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"not a name of small letters, digits and hyphens: {name!r}")
        with self._lock:
            if name not in self._clients:
                file = self._folder / f"sip-{name}.secret"
                # The kit takes the first 32 bytes of the text as the AES key.
                write_private(file, secrets.token_hex(16).encode())
                self._clients[name] = Client(
                    secrets.token_urlsafe(6), f"invalid.example.{name}", str(file))
                known = {key: asdict(client) for key, client in self._clients.items()}
                write_private(self._file, json.dumps(known, indent=2).encode())
            return self._clients[name]

    def find(self, app_id: str) -> Client | None:
        """The client of an identifier."""
        return next((client for client in self._clients.values() if client.app_id == app_id), None)

    @staticmethod
    def secret(client: Client) -> bytes:
        """Its secret as a key."""
        return Path(client.secret_file).read_bytes()[:32]


def person_id(client: Client, user_name: str) -> str:
    """A person has another identifier at each client."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{client.app_id}\n{user_name}"))
