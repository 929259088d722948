"""The office's personalisation of a card: keys, certificates and the signed list of the files' hashes, all made
afresh."""

import datetime
import hashlib
import pathlib
import subprocess
import tempfile
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

import tlv

PIN, PUK = b"20406080", b"13579135"
NIS, NUMBER = b"100200300999", b"CT99999ZZ"
PEM, DER = serialization.Encoding.PEM, serialization.Encoding.DER
START, END = datetime.datetime(2024, 1, 1), datetime.datetime(2045, 12, 31)


class Identity(NamedTuple):
    """A key and its certificate."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def public_key(key: rsa.RSAPrivateKey) -> bytes:
    """EF 1004 and EF 1005 in annex A: RSAPublicKey of PKCS #1."""
    return key.public_key().public_bytes(DER, serialization.PublicFormat.PKCS1)


def certified(
    name: list[tuple[x509.ObjectIdentifier, str]], issuer: Identity | None, authority: bool,
    *further: x509.ExtensionType
) -> Identity:
    """A new key with a certificate by the issuer, or the key itself."""
    key = new_key()
    name = x509.Name([x509.NameAttribute(kind, text) for kind, text in [
        (NameOID.COUNTRY_NAME, "IT"), (NameOID.ORGANIZATION_NAME, "A card of the tests"), *name]])
    signer = issuer.key if issuer else key
    uses = dict.fromkeys((
        "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
        "encipher_only", "decipher_only"), False)
    builder = x509.CertificateBuilder(
        issuer.certificate.subject if issuer else name, name, key.public_key(),
        x509.random_serial_number(), START, END)
    if authority:
        builder = builder.add_extension(x509.BasicConstraints(True, 0), True)
    builder = builder.add_extension(x509.KeyUsage(
        digital_signature=not authority, key_cert_sign=authority, crl_sign=authority, **uses), True)
    for extension in (
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
        x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), *further
    ):
        builder = builder.add_extension(extension, False)
    return Identity(key, builder.sign(signer, hashes.SHA256()))


def holder(issuer: Identity) -> Identity:
    """Key 81 and EF 1003, its certificate: SPEC-CHIP section 6.12. The holder is invented."""
    return certified(
        [
            (NameOID.SERIAL_NUMBER, "IDCIT-" + NUMBER.decode()), (NameOID.SURNAME, "PARI"),
            (NameOID.GIVEN_NAME, "PIERA"),
            (NameOID.COMMON_NAME, "PRAPRI80X99Z999P/" + NIS.decode())],
        issuer, False, x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]))


def document_signer(csca: Identity) -> Identity:
    """Doc 9303-12 section 7.1.1.6: documentTypeList of version 0, with only "C"."""
    types = tlv.write(0x30, tlv.write(0x02, b"\0"), tlv.write(0x31, tlv.write(0x13, b"C")))
    return certified(
        [(NameOID.COMMON_NAME, "Signer of the IAS peer")], csca, False,
        x509.UnrecognizedExtension(ObjectIdentifier("2.23.136.1.1.6.2"), types))


def authority(label: str) -> Identity:
    return certified([(NameOID.COMMON_NAME, label)], None, True)


def hash_list(files: dict[int, bytes]) -> bytes:
    """LDSSecurityObject of Doc 9303-10 section 4.6.2.3, version 1, with the numbers that SPEC-CHIP gives the files.

    The numbers have one byte of content, which strict DER reads as a negative one: real cards have them so.
    """
    # SHA-512: 2.16.840.1.101.3.4.2.3.
    algorithm = tlv.write(0x30, tlv.write(0x06, bytes.fromhex("608648016503040203")))
    groups = tlv.write(0x30, *[
        tlv.write(0x30, tlv.write(0x02, bytes([number])), tlv.write(
            0x04, hashlib.sha512(content).digest())) for number, content in files.items()])
    version = tlv.write(0x30, tlv.write(0x13, b"0108"), tlv.write(0x13, b"040000"))
    return tlv.write(0x30, tlv.write(0x02, b"\x01"), algorithm, groups, version)


def security_object(files: dict[int, bytes], signer: Identity) -> bytes:
    """EF 1006, signed by OpenSSL with PSS and SHA-512."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "signer.pem").write_bytes(
            signer.certificate.public_bytes(PEM) + signer.key.private_bytes(
                PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        message = subprocess.run(
            [
                "openssl", "cms", "-sign", "-binary", "-nodetach", "-nosmimecap",
                "-econtent_type", "2.23.136.1.1.1", "-md", "sha512",
                "-signer", folder / "signer.pem", "-keyopt", "rsa_padding_mode:pss",
                "-keyopt", "rsa_pss_saltlen:64", "-outform", "DER"],
            input=hash_list(files), stdout=subprocess.PIPE, check=True).stdout
    return tlv.write(0x77, message)
