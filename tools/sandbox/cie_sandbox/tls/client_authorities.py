"""The authorities of accepted client certificates: PEM files given at the start, and no others."""
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import NameOID
from OpenSSL import crypto

_PEM_START = b"-----BEGIN CERTIFICATE-----"
_PEM_END = b"-----END CERTIFICATE-----"


class AuthorityError(ValueError):
    """A file cannot be used as a client authority."""


def _is_of_a_real_card(name: x509.Name) -> bool:
    words = " ".join(str(attribute.value) for attribute in name).casefold()
    countries = {a.value for a in name.get_attributes_for_oid(NameOID.COUNTRY_NAME)}
    return "ministero dell" in words or (
        "IT" in countries and "italian electronic identity card" in words)


def _certificates(path: Path) -> list[x509.Certificate]:
    data = path.read_bytes()
    found = []
    for part in data.split(_PEM_START)[1:]:
        pem = _PEM_START + part.split(_PEM_END)[0] + _PEM_END + b"\n"
        found.append(x509.load_pem_x509_certificate(pem))
    return found


class ClientAuthorities:
    """Authorities whose clients are accepted. A client's own certificate counts as its authority."""

    def __init__(self, certificates: list[x509.Certificate]) -> None:
        self._certificates = certificates
        # As DER, because OpenSSL refuses an empty PEM text.
        self._der = b"".join(c.public_bytes(serialization.Encoding.DER) for c in certificates)

    @classmethod
    def load(cls, paths: list[Path], allow_real_cards: bool) -> "ClientAuthorities":
        """Reads PEM files and folders of `*.pem` and `*.crt` files."""
        found: list[x509.Certificate] = []
        for path in paths:
            files = sorted([*path.glob("*.pem"), *path.glob("*.crt")]) if path.is_dir() else [path]
            for file in files:
                try:
                    certificates = _certificates(file)
                except (OSError, ValueError) as error:
                    raise AuthorityError(f"{file}: not PEM certificates") from error
                if not certificates and not path.is_dir():
                    raise AuthorityError(f"{file}: no certificate in it")
                found.extend(certificates)
        for certificate in found:
            real = _is_of_a_real_card(certificate.subject) or _is_of_a_real_card(certificate.issuer)
            if real and not allow_real_cards:
                raise AuthorityError(
                    "an authority of real cards: the sandbox takes it with --allow-real-cards only")
        return cls(found)

    def load_into(self, context: ssl.SSLContext) -> None:
        """Makes a server's context trust these authorities for its clients."""
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        if self._der:
            context.load_verify_locations(cadata=self._der)

    def accepts(self, certificate: x509.Certificate) -> bool:
        """Checks whether a certificate from outside TLS has a valid chain to one of them."""
        store = crypto.X509Store()
        store.set_flags(crypto.X509StoreFlags.PARTIAL_CHAIN)
        for authority in self._certificates:
            store.add_cert(crypto.X509.from_cryptography(authority))
        try:
            crypto.X509StoreContext(
                store, crypto.X509.from_cryptography(certificate)).verify_certificate()
        except crypto.X509StoreContextError:
            return False
        return True
