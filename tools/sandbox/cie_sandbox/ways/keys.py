"""Signing keys of the methods: RSA, one a name, made when first needed and kept in the state folder."""
import os
import threading
import uuid
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from ..state.certificates import new_key


class Keys:
    """Files `NAME.key` (PEM) and `NAME.id` in one folder, mode 0600."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._known: dict[str, rsa.RSAPrivateKey] = {}
        folder.mkdir(mode=0o700, exist_ok=True)

    def private(self, name: str) -> rsa.RSAPrivateKey:
        """The key of a name; made if it is missing."""
        with self._lock:
            if name not in self._known:
                self._known[name] = self._read_or_make(self.folder / f"{name}.key")
            return self._known[name]

    def private_pem(self, name: str) -> bytes:
        """The key as PKCS #8."""
        return _pem(self.private(name))

    def public_pem(self, name: str) -> bytes:
        """Its public half, SubjectPublicKeyInfo."""
        return self.private(name).public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def identifier(self, name: str) -> str:
        """A random identifier of this install, kept like the keys."""
        with self._lock:
            path = self.folder / f"{name}.id"
            if not path.exists():
                write_private(path, str(uuid.uuid4()).encode())
            return path.read_text("ascii")

    @staticmethod
    def _read_or_make(path: Path) -> rsa.RSAPrivateKey:
        if path.exists():
            key = serialization.load_pem_private_key(path.read_bytes(), None)
            if not isinstance(key, rsa.RSAPrivateKey):
                raise ValueError(f"{path}: not an RSA key")
            return key
        made = new_key()
        write_private(path, _pem(made))
        return made


def _pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def write_private(path: Path, data: bytes) -> None:
    """Writes a file of mode 0600, atomically."""
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    os.replace(half, path)
