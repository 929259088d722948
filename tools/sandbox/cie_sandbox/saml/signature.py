"""Signatures: XML signatures by the xmlsec1 program, and the redirect binding's query signature."""
import subprocess
from pathlib import Path
from xml.etree.ElementTree import Element

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from . import names
from .xml import element, q

XMLSEC = "/usr/bin/xmlsec1"
_HASHES: dict[str, hashes.HashAlgorithm] = {
    names.RSA_SHA256: hashes.SHA256(), names.RSA_SHA384: hashes.SHA384(),
    names.RSA_SHA512: hashes.SHA512()}


class SignatureError(ValueError):
    """A signature is absent, covers the wrong thing, or is wrong."""


def template(identifier: str) -> Element:
    """An empty signature of the element with this ID: RSA-SHA256, exclusive canonicalization."""
    def method(name: str, algorithm: str) -> Element:
        return element(names.DS, name, {"Algorithm": algorithm})

    return element(
        names.DS, "Signature", None,
        element(
            names.DS, "SignedInfo", None,
            method("CanonicalizationMethod", names.EXC_C14N),
            method("SignatureMethod", names.RSA_SHA256),
            element(
                names.DS, "Reference", {"URI": "#" + identifier},
                element(names.DS, "Transforms", None,
                        method("Transform", names.ENVELOPED), method("Transform", names.EXC_C14N)),
                method("DigestMethod", names.SHA256), element(names.DS, "DigestValue"))),
        element(names.DS, "SignatureValue"),
        element(names.DS, "KeyInfo", None,
                element(names.DS, "X509Data", None, element(names.DS, "X509Certificate"))))


def _xmlsec(arguments: list[str], document: bytes) -> bytes:
    result = subprocess.run(
        [XMLSEC, *arguments, "/dev/stdin"], input=document, capture_output=True, timeout=20)
    if result.returncode != 0:
        raise SignatureError("xmlsec1 refused")
    return result.stdout


def _id_attributes(*kinds: str) -> list[str]:
    return [word for kind in kinds for word in ("--id-attr:ID", kind)]


def fill(document: bytes, kind: str, identifier: str, key: Path, certificate: Path) -> bytes:
    """Computes the signature whose template stands in an element. `kind` is `namespace:Name`."""
    return _xmlsec(
        ["--sign", "--privkey-pem", f"{key},{certificate}", *_id_attributes(kind),
         "--node-id", identifier], document)


def verify_root(document: bytes, root: Element, certificates: list[Path]) -> None:
    """Checks the one signature of a document's root element, by any of these certificates."""
    _check_shape(root)
    namespace, _, name = root.tag[1:].partition("}")
    arguments = ["--verify", *_id_attributes(f"{namespace}:{name}"), "--node-id", root.get("ID", "")]
    for certificate in certificates:
        try:
            _xmlsec([*arguments, "--pubkey-cert-pem", str(certificate)], document)
            return
        except SignatureError:
            continue
    raise SignatureError("no certificate fits")


def _check_shape(root: Element) -> None:
    # The verified data must be the read data: one signature, a child of the root, over the root's own ID.
    signatures = list(root.iter(q(names.DS, "Signature")))
    if len(signatures) != 1 or signatures[0] not in list(root):
        raise SignatureError("not one signature of the root")
    references = list(signatures[0].iter(q(names.DS, "Reference")))
    if len(references) != 1 or references[0].get("URI") != "#" + root.get("ID", ""):
        raise SignatureError("not over the root")
    transforms = {t.get("Algorithm") for t in signatures[0].iter(q(names.DS, "Transform"))}
    if not transforms <= {names.ENVELOPED, names.EXC_C14N}:
        raise SignatureError("transforms")
    method = signatures[0].find(f".//{q(names.DS, 'SignatureMethod')}")
    if method is None or method.get("Algorithm") not in _HASHES:
        raise SignatureError("algorithm")
    identifiers = [e.get("ID") for e in root.iter() if e.get("ID") is not None]
    if len(identifiers) != len(set(identifiers)):
        raise SignatureError("an ID comes twice")


def verify_query(signed: bytes, algorithm: str, signature: bytes, certificates: list[Path]) -> None:
    """Checks a redirect binding's signature (saml-bindings-2.0-os §3.4.4.1)."""
    digest = _HASHES.get(algorithm)
    if digest is None:
        raise SignatureError("algorithm")
    for certificate in certificates:
        key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
        if not isinstance(key, rsa.RSAPublicKey):
            continue
        try:
            key.verify(signature, signed, padding.PKCS1v15(), digest)
            return
        except InvalidSignature:
            continue
    raise SignatureError("no certificate fits")
