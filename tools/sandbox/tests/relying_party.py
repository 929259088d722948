"""A relying party made with PyJWT, which shares no code with the provider: requests, assertions, tokens checked."""
import base64
import hashlib
import json
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from authlib.jose import JsonWebEncryption

from .browser import Page
from .rig import Rig

RETURN = "http://127.0.0.1:51234/signed-in"
LEVEL = "https://www.spid.gov.it/SpidL{}"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


def s256(verifier: str) -> str:
    """The challenge of a verifier (RFC 7636 §4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


class RelyingParty:
    """The client of the service description. Each call may change one thing."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        service = Path(rig.ready["service"])
        entry = next(e for e in json.loads(service.read_text())["methods"] if e["method"] == "oidc")
        self.issuer, self.client_id = entry["issuer"], entry["clientId"]
        self.jwk = json.loads(service.with_name(entry["clientKey"]).read_text())
        self.kid, self.key = self.jwk["kid"], jwt.algorithms.RSAAlgorithm.from_jwk(json.dumps(self.jwk))
        self.algorithm = "RS256"
        self.user = rig.browser("Mozilla/5.0 (X11; Linux) test")
        self.verifier = secrets.token_urlsafe(48)
        self.state, self.nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)

    def discovery(self) -> dict[str, Any]:
        """The provider's metadata."""
        return self.json(self.user.open(self.issuer + ".well-known/openid-configuration"))

    @staticmethod
    def json(page: Page) -> Any:
        """A page's JSON."""
        return json.loads(page.text)

    def sign(self, claims: dict[str, Any], algorithm: str | None = None, **header: Any) -> str:
        """A JWT of this client; claims that are `None` are omitted."""
        known = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(known, self.key, algorithm or self.algorithm, {"kid": self.kid, **header})

    def request_object(self, **change: Any) -> dict[str, Any]:
        """The claims of a request object."""
        now = int(time.time())
        return {
            "iss": self.client_id, "aud": self.issuer, "iat": now, "exp": now + 300, "client_id": self.client_id,
            "response_type": "code", "redirect_uri": RETURN, "scope": "openid profile email offline_access",
            "state": self.state, "nonce": self.nonce, "code_challenge": s256(self.verifier),
            "code_challenge_method": "S256", "prompt": "consent", "acr_values": LEVEL.format(1), **change}

    def url(self, text: str | None = None, **plain: str) -> str:
        """An authorization URL, with this request object or the right one."""
        parameters = {
            "client_id": self.client_id, "response_type": "code", "scope": "openid profile email offline_access",
            "code_challenge": s256(self.verifier), "code_challenge_method": "S256",
            "request": text or self.sign(self.request_object()), **plain}
        return f"{self.issuer}authorize?" + urlencode({k: v for k, v in parameters.items() if v})

    def answer(self, url: str, **form: str) -> dict[str, str]:
        """The answer, by the control interface's shortcut."""
        page = self.user.open(self.rig.ready["control"].replace(
            self.rig.ready["idp"].removesuffix("idp/"), self.rig.ready["ways"]) + "oidc", {"url": url, **form})
        assert page.status == 200, page.text
        return self.parse(self.json(page)["returnUrl"])

    @staticmethod
    def parse(url: str) -> dict[str, str]:
        """The query of a return address; a key that comes twice keeps its first value."""
        return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}

    def assertion(self, **change: Any) -> str:
        """A client assertion."""
        now = int(time.time())
        return self.sign({
            "iss": self.client_id, "sub": self.client_id, "aud": self.issuer + "token", "iat": now,
            "exp": now + 60, "jti": secrets.token_urlsafe(16), **change})

    def call(self, endpoint: str, **form: str) -> Page:
        """A call with client authentication."""
        return self.user.open(self.issuer + endpoint, {
            "client_id": self.client_id, "client_assertion_type": ASSERTION,
            "client_assertion": self.assertion(), **form})

    def redeem(self, code: str, **change: str) -> Page:
        """The code at the token endpoint."""
        return self.call("token", **{
            "grant_type": "authorization_code", "code": code, "redirect_uri": RETURN,
            "code_verifier": self.verifier, **change})

    def tokens(self, **change: Any) -> dict[str, Any]:
        """A whole login by the short way."""
        claims = self.request_object(**change)
        answer = self.answer(self.url(self.sign(claims), scope=claims["scope"]))
        page = self.redeem(answer["code"])
        assert page.status == 200, page.text
        tokens: dict[str, Any] = self.json(page)
        return tokens

    def verified(self, token: str, audience: str | None = None) -> dict[str, Any]:
        """The claims of a JWT, by the key with its kid in the published set. Raises jwt.PyJWTError."""
        published = self.json(self.user.open(self.issuer + "jwks"))["keys"]
        header = jwt.get_unverified_header(token)
        key = next((k for k in published if k["kid"] == header.get("kid")), None)
        if key is None:
            raise jwt.InvalidKeyError
        claims: dict[str, Any] = jwt.decode(
            token, jwt.PyJWK(key).key, ["RS256"], issuer=self.issuer, audience=audience or self.client_id,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]})
        return claims

    def opened(self, text: str) -> str:
        """The signed token in an encrypted one."""
        return str(JsonWebEncryption().deserialize_compact(text.encode(), self.jwk)["payload"].decode())

    def userinfo(self, tokens: dict[str, Any]) -> Page:
        """The answer of the userinfo endpoint."""
        return self.user.open(
            self.issuer + "userinfo", headers={"Authorization": "Bearer " + tokens["access_token"]})

    def judge(self, tokens: dict[str, Any], level: int = 1) -> dict[str, Any]:
        """The ID token's claims as verified by a strict client. Raises jwt.PyJWTError or AssertionError."""
        claims = self.verified(tokens["id_token"])
        assert claims["aud"] == self.client_id and claims.get("azp", self.client_id) == self.client_id
        assert claims["nonce"] == self.nonce
        assert claims["iat"] > time.time() - 3600
        assert isinstance(claims["exp"], int) and claims["sub"]
        digest = hashlib.sha256(tokens["access_token"].encode()).digest()[:16]
        assert claims["at_hash"] == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert claims["acr"] in [LEVEL.format(n) for n in range(level, 4)]
        return claims
