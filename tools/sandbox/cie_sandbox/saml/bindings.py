"""The reception of requests: the HTTP-Redirect and HTTP-POST bindings (saml-bindings-2.0-os §3.4, §3.5)."""
import base64
import binascii
import zlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_plus
from xml.etree.ElementTree import Element

from .signature import verify_query, verify_root

MAXIMUM = 64 * 1024
"""Longest accepted request, inflated, in bytes; the limit for the redirect binding's DEFLATE."""


class BindingError(ValueError):
    """Parameters are missing, repeated or not decodable: error code 4."""


@dataclass(frozen=True)
class RedirectMessage:
    """A request from a query, with the bytes that its signature covers."""

    document: bytes
    relay_state: str | None
    signed: bytes
    algorithm: str
    signature: bytes

    def verify(self, _root: Element, certificates: list[Path]) -> None:
        """Checks the query's signature."""
        verify_query(self.signed, self.algorithm, self.signature, certificates)


@dataclass(frozen=True)
class PostMessage:
    """A request from a form; its signature is in the document."""

    document: bytes
    relay_state: str | None

    def verify(self, root: Element, certificates: list[Path]) -> None:
        """Checks the XML signature."""
        verify_root(self.document, root, certificates)


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BindingError("not base64") from error


def _inflate(data: bytes) -> bytes:
    inflater = zlib.decompressobj(-15)
    try:
        document = inflater.decompress(data, MAXIMUM)
    except zlib.error as error:
        raise BindingError("not DEFLATE") from error
    if not inflater.eof:
        raise BindingError("cut off or too long")
    return document


def from_query(query: bytes) -> RedirectMessage:
    """Reads a query string. The signature is over the query's own bytes, not over a new encoding of them."""
    raw: dict[str, bytes] = {}
    for part in query.split(b"&"):
        key, _, rest = part.partition(b"=")
        name = unquote_plus(key.decode("ascii", "replace"))
        if name in raw:
            raise BindingError("a parameter comes twice")
        raw[name] = part if key == name.encode() else name.encode() + b"=" + rest
    for wanted in ("SAMLRequest", "SigAlg", "Signature"):
        if wanted not in raw:
            raise BindingError(f"{wanted} is missing")

    def value(name: str) -> str:
        return unquote_plus(raw[name].partition(b"=")[2].decode("ascii", "replace"))

    order = ("SAMLRequest", "RelayState", "SigAlg")
    return RedirectMessage(
        document=_inflate(_decode(value("SAMLRequest"))),
        relay_state=value("RelayState") if "RelayState" in raw else None,
        signed=b"&".join(raw[name] for name in order if name in raw),
        algorithm=value("SigAlg"), signature=_decode(value("Signature")))


def from_form(form: dict[str, list[str]]) -> PostMessage:
    """Reads a form's fields."""
    if any(len(values) != 1 for values in form.values()):
        raise BindingError("a field comes twice")
    if "SAMLRequest" not in form:
        raise BindingError("SAMLRequest is missing")
    document = _decode(form["SAMLRequest"][0])
    if len(document) > MAXIMUM:
        raise BindingError("too long")
    return PostMessage(document, form.get("RelayState", [None])[0])
