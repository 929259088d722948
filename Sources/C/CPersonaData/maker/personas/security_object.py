"""EF 1006: the security object, in the generations that real cards have: 2019 (SHA-256 or SHA-1) and since 2021."""

import hashlib
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from personas.certificates import der
from personas.der import NULL, elements, integer, oid, sequence, tlv
from personas.signature_scheme import DIGESTS, PKCS1

SHA256 = "2.16.840.1.101.3.4.2.1"
SHA512 = "2.16.840.1.101.3.4.2.3"


def security_object(persona, files, key, signer):
    new = persona["sod"] == "new"
    digest, digest_oid = (hashlib.sha512, SHA512) if new else (hashlib.sha256, SHA256)
    digest_algorithm = sequence(oid(digest_oid), *([] if new else [NULL]))
    order = (0xA5, 0x1B, 0xA4, 0xA3, 0xA2, 0xA1) if new else (0xA5, 0xA4, 0xA1, 0xA3, 0xA2, 0x1B)
    # The group numbers are one content byte each, negative in strict DER: real cards have them so.
    groups = sequence(*(
        sequence(tlv(0x02, bytes([number])), tlv(0x04, digest(files[number]).digest()))
        for number in order))
    version = [sequence(tlv(0x13, b"0108"), tlv(0x13, b"040000"))] if new else []
    content = sequence(tlv(0x02, bytes([int(new)])), digest_algorithm, groups, *version)

    lds = oid("2.23.136.1.1.1")
    attributes = b"".join((
        sequence(oid("1.2.840.113549.1.9.3"), tlv(0x31, lds)),
        sequence(oid("1.2.840.113549.1.9.4"), tlv(0x31, tlv(0x04, digest(content).digest())))))
    if new:
        signature = key.sign(
            tlv(0x31, attributes), padding.PSS(padding.MGF1(hashes.SHA512()), 64), hashes.SHA512())
        algorithm = sequence(oid("1.2.840.113549.1.1.10"), sequence(
            tlv(0xA0, digest_algorithm),
            tlv(0xA1, sequence(oid("1.2.840.113549.1.1.8"), digest_algorithm)),
            tlv(0xA2, integer(64)), tlv(0xA3, integer(1))))
    else:
        # Some have signatures with SHA-1 over hashes with SHA-256.
        name = "sha1" if persona["sod"] == "sha1" else "sha256"
        signature = key.sign(tlv(0x31, attributes), padding.PKCS1v15(), DIGESTS[name][1])
        algorithm = sequence(oid(PKCS1[name]), NULL)

    signer_info = sequence(
        integer(1),
        sequence(signer.issuer.public_bytes(), integer(signer.serial_number)),
        digest_algorithm, tlv(0xA0, attributes), algorithm, tlv(0x04, signature))
    signed_data = sequence(
        integer(3), tlv(0x31, digest_algorithm),
        sequence(lds, tlv(0xA0, tlv(0x04, content))),
        tlv(0xA0, der(signer)), tlv(0x31, signer_info))
    return sequence(oid("1.2.840.113549.1.7.2"), tlv(0xA0, signed_data))


def check_security_object(message, csca):
    """A second opinion: OpenSSL verifies the CMS up to the test CSCA."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "sod.der").write_bytes(message)
        (folder / "csca.pem").write_bytes(csca.public_bytes(serialization.Encoding.PEM))
        openssl("cms", "-verify", "-binary", "-inform", "DER", "-in", folder / "sod.der",
                "-CAfile", folder / "csca.pem", "-purpose", "any", "-out", "/dev/null")


def check_two_digests(message, csca):
    """The check piece by piece, because OpenSSL's CMS takes one digest for contents and signature, SHA-1 here is the
    second."""
    signed = elements(elements(elements(message)[1])[0])
    signer, info = elements(signed[3])[0], elements(elements(signed[4])[0])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate = x509.load_der_x509_certificate(signer)
        for name, content in (
                ("csca.pem", csca.public_bytes(serialization.Encoding.PEM)),
                ("signer.pem", certificate.public_bytes(serialization.Encoding.PEM)),
                ("key.pem", certificate.public_key().public_bytes(
                    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)),
                ("attributes", b"\x31" + info[3][1:]),
                ("signature", info[5][-certificate.public_key().key_size // 8:])):
            (folder / name).write_bytes(content)
        openssl("verify", "-CAfile", folder / "csca.pem", folder / "signer.pem")
        openssl("dgst", "-sha1", "-verify", folder / "key.pem", "-signature", folder / "signature",
                folder / "attributes")


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
