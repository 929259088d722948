"""Keys as JWK: the provider's, made when first needed, and the client's, which the service description names."""
import hashlib
import hmac
import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from authlib.jose import JsonWebKey

from ..ways.keys import Keys, write_private

CLIENT_FILE = "client.jwk"
ALGORITHM = "RS256"


class SigningJWK:
    """A private key with its kid (RFC 7638 thumbprint) and the algorithm that it signs with."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.private = members
        self.algorithm = {"RSA": ALGORITHM, "EC": "ES256"}[members["kty"]]
        self.key = JsonWebKey.import_key(members)
        self.kid = str(self.key.thumbprint())

    @classmethod
    def from_pem(cls, pem: bytes) -> "SigningJWK":
        """A key of a file of the state folder."""
        return cls(JsonWebKey.import_key(pem, {"kty": "RSA"}).as_dict(is_private=True))

    @classmethod
    def made(cls) -> "SigningJWK":
        """A new RSA key of 2048 bits."""
        return cls(JsonWebKey.generate_key("RSA", 2048, is_private=True).as_dict(is_private=True))

    @classmethod
    def made_on_curve(cls) -> "SigningJWK":
        """A new EC key on P-256, made at once."""
        return cls(JsonWebKey.generate_key("EC", "P-256", is_private=True).as_dict(is_private=True))

    @property
    def public(self) -> dict[str, Any]:
        """The public JWK."""
        return {**self.key.as_dict(), "kid": self.kid, "alg": self.algorithm, "use": "sig"}

    @property
    def public_pem(self) -> bytes:
        """The public key in PEM: a careless verifier would use it as an HMAC secret."""
        return bytes(self.key.as_pem(is_private=False))

    def derive(self, *words: str) -> str:
        """A value that only the holder of this key can compute."""
        secret = str(self.private["d"]).encode()
        return hmac.new(secret, "\0".join(words).encode(), hashlib.sha256).hexdigest()


class KeyRing:
    """All keys of one install. A rotated provider key is published at once; the older ones stay beside it."""

    def __init__(self, keys: Keys, root: Path) -> None:
        self._keys = keys
        self._rotated: list[SigningJWK] = []
        self.client = _kept(root / CLIENT_FILE, SigningJWK.made)
        self.anchor = _kept(root / "federation-anchor.jwk", SigningJWK.made_on_curve)
        self.intermediate = _kept(root / "federation-intermediate.jwk", SigningJWK.made_on_curve)

    @cached_property
    def first(self) -> SigningJWK:
        """The provider's key of this install."""
        return SigningJWK.from_pem(self._keys.private_pem("oidc-provider"))

    @cached_property
    def entity(self) -> SigningJWK:
        """The key with which the provider signs its entity configuration."""
        return SigningJWK.from_pem(self._keys.private_pem("federation-provider"))

    @cached_property
    def stranger(self) -> SigningJWK:
        """An unpublished key."""
        return SigningJWK.made()

    @cached_property
    def _stranger_on_curve(self) -> SigningJWK:
        return SigningJWK.made_on_curve()

    def stranger_to(self, key: SigningJWK) -> SigningJWK:
        """An unpublished key of the same kind."""
        return self.stranger if key.algorithm == ALGORITHM else self._stranger_on_curve

    @property
    def signing(self) -> SigningJWK:
        """The provider's current signing key."""
        return self._rotated[-1] if self._rotated else self.first

    def rotate(self) -> SigningJWK:
        """Signs with a new key from now on, until the sandbox ends."""
        self._rotated.append(SigningJWK.made())
        return self.signing

    def published(self) -> dict[str, Any]:
        """The provider's JWK set."""
        return {"keys": [key.public for key in (self.first, *self._rotated)]}


def _kept(path: Path, make: Callable[[], SigningJWK]) -> SigningJWK:
    if path.exists():
        return SigningJWK(json.loads(path.read_text("utf-8")))
    made = make()
    members = {**made.private, "kid": made.kid, "alg": made.algorithm}
    write_private(path, (json.dumps(members, indent=2) + "\n").encode())
    return made
