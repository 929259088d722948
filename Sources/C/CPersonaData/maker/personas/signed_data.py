"""CMS SignedData with one signer (RFC 5652 section 5), as EF.SOD and EF.CardSecurity carry it."""

import pathlib
import subprocess
import tempfile

from cryptography.hazmat.primitives import serialization
from cryptography.x509 import SubjectKeyIdentifier

from personas.der import integer, oid, sequence, tlv
from personas.signature_scheme import digest, digest_algorithm

# Every signingTime, where there is one: the messages are as old as the documents.
SIGNING_TIME = b"240201090000Z"


def signed_data(kind, content, scheme, signer, csca, *, by_key=False, time=False):
    """The message and, checked by OpenSSL, its proof.

    `by_key` names the signer by subjectKeyIdentifier; `time` adds the signingTime attribute.
    """
    content_type, hashing = oid(kind), digest_algorithm(scheme.digest, null=scheme.kind != "ecdsa")
    attributes = [
        sequence(oid("1.2.840.113549.1.9.3"), tlv(0x31, content_type)),
        sequence(oid("1.2.840.113549.1.9.4"), tlv(0x31, tlv(0x04, digest(scheme.digest, content))))]
    if time:
        attributes.append(sequence(oid("1.2.840.113549.1.9.5"), tlv(0x31, tlv(0x17, SIGNING_TIME))))
    # DER sorts the members of a SET by their encodings.
    signed = b"".join(sorted(attributes))
    identifier = tlv(0x80, key_identifier(signer)) if by_key else sequence(
        signer.issuer.public_bytes(), integer(signer.serial_number))
    signer_info = sequence(
        integer(3 if by_key else 1), identifier, hashing, tlv(0xA0, signed),
        scheme.algorithm(in_message=True), tlv(0x04, scheme.sign(tlv(0x31, signed))))
    message = sequence(oid("1.2.840.113549.1.7.2"), tlv(0xA0, sequence(
        integer(3), tlv(0x31, hashing), sequence(content_type, tlv(0xA0, tlv(0x04, content))),
        tlv(0xA0, signer.public_bytes(serialization.Encoding.DER)), tlv(0x31, signer_info))))
    check(message, content, csca, explicit=scheme.explicit)
    return message


def key_identifier(certificate):
    return certificate.extensions.get_extension_for_class(SubjectKeyIdentifier).value.digest


def check(message, content, csca, explicit):
    """A second opinion: OpenSSL verifies the message, and the chain unless it refuses its parameters."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "message.der").write_bytes(message)
        (folder / "csca.pem").write_bytes(csca.public_bytes(serialization.Encoding.PEM))
        # OpenSSL 3 builds no chain through certificates with explicit parameters.
        chain = ["-noverify"] if explicit else ["-CAfile", folder / "csca.pem", "-purpose", "any"]
        subprocess.run(
            ["openssl", "cms", "-verify", "-binary", "-inform", "DER",
             "-in", folder / "message.der", *chain, "-out", folder / "content"],
            check=True, stderr=subprocess.PIPE)
        assert (folder / "content").read_bytes() == content
