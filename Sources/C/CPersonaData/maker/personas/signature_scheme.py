"""The signature schemes of travel documents' authorities and signers: keys, algorithm identifiers, signatures."""

import hashlib
import subprocess

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from personas.der import NULL, elements, integer, oid, sequence, tlv

DIGESTS = {
    "sha1": ("1.3.14.3.2.26", hashes.SHA1()),
    "sha256": ("2.16.840.1.101.3.4.2.1", hashes.SHA256()),
    "sha384": ("2.16.840.1.101.3.4.2.2", hashes.SHA384()),
    "sha512": ("2.16.840.1.101.3.4.2.3", hashes.SHA512()),
}
# RFC 8017 appendix C and RFC 5758 section 3.2.
PKCS1 = {"sha1": "1.2.840.113549.1.1.5", "sha256": "1.2.840.113549.1.1.11",
         "sha384": "1.2.840.113549.1.1.12", "sha512": "1.2.840.113549.1.1.13"}
ECDSA = {"sha256": "1.2.840.10045.4.3.2", "sha384": "1.2.840.10045.4.3.3",
         "sha512": "1.2.840.10045.4.3.4"}
CURVES = {
    "prime256v1": ec.SECP256R1, "secp384r1": ec.SECP384R1,
    "brainpoolP256r1": ec.BrainpoolP256R1, "brainpoolP384r1": ec.BrainpoolP384R1}


def digest_algorithm(digest, null=True):
    return sequence(oid(DIGESTS[digest][0]), *([NULL] if null else []))


def digest(name, data):
    return hashlib.new(name, data).digest()


def explicit_parameters(curve):
    """ECParameters of RFC 3279 section 2.3.5, all numbers written out, as OpenSSL encodes them."""
    return subprocess.run(
        ["openssl", "ecparam", "-name", curve, "-param_enc", "explicit", "-outform", "DER"],
        check=True, capture_output=True).stdout


def with_explicit_parameters(key_info, curve):
    """The SubjectPublicKeyInfo with explicit parameters in place of the curve's name."""
    algorithm, point = elements(key_info)
    return sequence(sequence(elements(algorithm)[0], explicit_parameters(curve)), point)


class SignatureScheme:
    """A key and its signature scheme.

    `kind`: `pkcs1`, `rsa` (PKCS#1 too, but named rsaEncryption in CMS), `pss` or `ecdsa`.
    `key`: a length in bits or the name of a curve; `explicit` writes out the curve's parameters.
    """

    def __init__(self, kind, digest, key, explicit=False):
        self.kind, self.digest, self.explicit = kind, digest, explicit
        self.curve = key if kind == "ecdsa" else None
        self.private_key = (
            ec.generate_private_key(CURVES[key]()) if self.curve
            else rsa.generate_private_key(65537, key))

    @property
    def key_info(self):
        named = self.private_key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return with_explicit_parameters(named, self.curve) if self.explicit else named

    def algorithm(self, in_message=False):
        if self.kind == "ecdsa":
            return sequence(oid(ECDSA[self.digest]))
        if self.kind == "rsa" and in_message:
            return sequence(oid("1.2.840.113549.1.1.1"), NULL)
        if self.kind in ("rsa", "pkcs1"):
            return sequence(oid(PKCS1[self.digest]), NULL)
        hashing = digest_algorithm(self.digest)
        return sequence(oid("1.2.840.113549.1.1.10"), sequence(
            tlv(0xA0, hashing), tlv(0xA1, sequence(oid("1.2.840.113549.1.1.8"), hashing)),
            tlv(0xA2, integer(self.salt_length))))

    @property
    def salt_length(self):
        return DIGESTS[self.digest][1].digest_size

    def padding(self):
        hashing = DIGESTS[self.digest][1]
        if self.kind == "pss":
            return padding.PSS(padding.MGF1(hashing), self.salt_length)
        return padding.PKCS1v15()

    def sign(self, data):
        hashing = DIGESTS[self.digest][1]
        if self.kind == "ecdsa":
            return self.private_key.sign(data, ec.ECDSA(hashing))
        return self.private_key.sign(data, self.padding(), hashing)

    def verify(self, signature, data):
        hashing, key = DIGESTS[self.digest][1], self.private_key.public_key()
        if self.kind == "ecdsa":
            key.verify(signature, data, ec.ECDSA(hashing))
        else:
            key.verify(signature, data, self.padding(), hashing)
