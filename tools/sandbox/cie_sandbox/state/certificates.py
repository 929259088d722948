"""X.509 certificates of the sandbox's throw-away authorities."""
import datetime
import ipaddress
import secrets
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

DAY = datetime.timedelta(days=1)
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey
ORGANIZATION = "CIE SANDBOX - not a government service"


@dataclass(frozen=True)
class Issued:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: Key

    @property
    def pem(self) -> bytes:
        """The certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The key, PKCS#8, not encrypted."""
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption())


def new_key() -> rsa.RSAPrivateKey:
    """An RSA key of 2048 bits."""
    return rsa.generate_private_key(65537, 2048)


def new_authority_key() -> ec.EllipticCurvePrivateKey:
    """A P-256 key: made at once, where an RSA key takes a good part of a second."""
    return ec.generate_private_key(ec.SECP256R1())


def name(common_name: str, *more: tuple[ObjectIdentifier, str]) -> x509.Name:
    """A name in the sandbox's organization."""
    return x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, ORGANIZATION),
        *(x509.NameAttribute(kind, value) for kind, value in more),
        x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: Key, days: tuple[int, int]
) -> x509.CertificateBuilder:
    now = datetime.datetime.utcnow().replace(microsecond=0)
    return (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
        .public_key(key.public_key()).serial_number(secrets.randbits(62) | 1 << 62)
        .not_valid_before(now + days[0] * DAY).not_valid_after(now + days[1] * DAY)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False))


def _usage(*wanted: str) -> x509.KeyUsage:
    kinds = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
             "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{kind: kind in wanted for kind in kinds})


def authority(common_name: str, key: Key) -> Issued:
    """A root that may issue end certificates only (RFC 5280 §4.2.1.9, path length 0)."""
    subject = name(common_name)
    certificate = (
        _builder(subject, subject, key, (-60, 730))
        .add_extension(x509.BasicConstraints(True, 0), True)
        .add_extension(_usage("key_cert_sign", "crl_sign"), True)
        .sign(key, hashes.SHA256()))
    return Issued(certificate, key)


def _issue(
    builder: x509.CertificateBuilder, issuer: Issued, key: Key,
    purpose: ObjectIdentifier, usage: x509.KeyUsage,
) -> Issued:
    certificate = (
        builder
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), False)
        .add_extension(usage, True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), False)
        .sign(issuer.key, hashes.SHA256()))
    return Issued(certificate, key)


def server(
    issuer: Issued, key: rsa.RSAPrivateKey, hosts: tuple[str, ...], days: tuple[int, int] = (-30, 700)
) -> Issued:
    """A TLS server's certificate. A host that is an address becomes an address entry."""
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    builder = (
        _builder(name(hosts[0]), issuer.certificate.subject, key, days)
        .add_extension(x509.SubjectAlternativeName(names), False))
    usage = _usage("digital_signature", "key_encipherment")
    return _issue(builder, issuer, key, ExtendedKeyUsageOID.SERVER_AUTH, usage)


def client(
    issuer: Issued, key: rsa.RSAPrivateKey, subject: x509.Name, days: tuple[int, int] = (-30, 700)
) -> Issued:
    """A person's authentication certificate."""
    builder = _builder(subject, issuer.certificate.subject, key, days)
    usage = _usage("digital_signature")
    return _issue(builder, issuer, key, ExtendedKeyUsageOID.CLIENT_AUTH, usage)


def signing(common_name: str, key: rsa.RSAPrivateKey) -> Issued:
    """A self-signed certificate of a SAML signing key."""
    subject = name(common_name)
    certificate = (
        _builder(subject, subject, key, (-30, 700))
        .add_extension(_usage("digital_signature", "content_commitment"), True)
        .sign(key, hashes.SHA256()))
    return Issued(certificate, key)
