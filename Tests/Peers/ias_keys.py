"""The keys for the proofs of terminal and card: the domain parameters, and the root of the terminals' certificates."""

import subprocess
from typing import NamedTuple

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

import tlv

# The private exponent that every host has, SPEC-CHIP section 6.5. The modulus is the card's own.
HOSTS_EXPONENT = int(
    "186B31488C25DCF85D953D3630C0D073BA1C6AA24581AD254F3B6719C5D72CCA3E5CDC5A1E5316578D75954FF73B237B"
    "532C9F8DE4A2C4C911385A23E63E33E47EE45E66EFD49B18E02CFF87598C39109E8F86A66BC330249CE3FCAD655DCDBF"
    "98C9C5E479321AF53B517D041061880A647BBE0FF813683470E6C50094CE81D064E204E351BD3AE0A7947D8E91C3FD5C"
    "0A15233C349A5215A4E66E21C5D33498E71991EA24473B29F1475F6FD9BE3996E19BD474FAD1B41EA0DCD2FC16C9BFFA"
    "071BFEC1B22415184811C1985FBFE3E7B4F44A4B3C8DFAB4D90CECFC5E608D673E6762C62CB798341271149BA688162E"
    "C7D0E3468F65A94AB4AD1AB67E37BFC1", 16)
# Annex A: the name of the root key ExtCV.Kpub, of which three bytes are no text.
ROOT_NAME = bytes.fromhex("4954434945100115")
CIE_AID = bytes.fromhex("A00000000039")


def power(key: rsa.RSAPrivateKey, block: bytes) -> bytes:
    """Raw RSA, without padding."""
    numbers = key.private_numbers()
    value = pow(int.from_bytes(block, "big"), numbers.d, numbers.public_numbers.n)
    return value.to_bytes(256, "big")


class PublicKey(NamedTuple):
    """A key for signatures with message recovery: ISO/IEC 9796-2, scheme 1, with SHA-256."""

    modulus: int
    exponent: int

    def opened(self, signature: bytes) -> tuple[bytes, bytes] | None:
        """The message recovered from the signature, and the hash after it; None without the marks at both ends."""
        block = pow(int.from_bytes(signature, "big"), self.exponent, self.modulus).to_bytes(256, "big")
        return (block[1:223], block[223:255]) if block[0] == 0x6A and block[255] == 0xBC else None


class RootKey(PublicKey):
    """ExtCV.Kpub: a modulus that fits the hosts' private exponent."""

    @classmethod
    def made(cls) -> "RootKey":
        while True:
            primes = rsa.generate_private_key(65537, 2048).private_numbers()
            try:
                exponent = pow(HOSTS_EXPONENT, -1, (primes.p - 1) * (primes.q - 1))
            except ValueError:
                # The exponent and the order have a common divisor.
                continue
            return cls(primes.p * primes.q, exponent)

    @property
    def usage(self) -> bytes:
        """The answer to GET DATA, IAS ECC section 3.4.6.3: 80 is among the objects, and the order is not fixed.

        The authorization of annex A has the role byte 00.
        """
        return tlv.write(
            0x7F49, tlv.write(0x80, b"\x41"), tlv.write(0x5F20, bytes(4) + ROOT_NAME),
            tlv.write(0x5F4C, CIE_AID + b"\0"), tlv.write(0x81, self.modulus.to_bytes(256, "big")),
            tlv.write(0x82, self.exponent.to_bytes(256, "big").lstrip(b"\0")))


class Group(NamedTuple):
    """The domain parameters of the key agreement."""

    g: bytes
    p: bytes
    q: bytes

    @classmethod
    def standard(cls) -> "Group":
        """RFC 5114 section 2.3, from OpenSSL."""
        numbers = serialization.load_pem_parameters(subprocess.run(
            ["openssl", "genpkey", "-genparam", "-algorithm", "DHX", "-pkeyopt", "group:dh_2048_256"],
            stdout=subprocess.PIPE, check=True).stdout).parameter_numbers()
        return cls(*(
            value.to_bytes(size, "big")
            for value, size in ((numbers.g, 256), (numbers.p, 256), (numbers.q, 32))))

    @property
    def file(self) -> bytes:
        """EF D004, IAS ECC section 10.4.3.2."""
        return tlv.write(0x7F49, tlv.write(
            0x7F49, tlv.write(0x81, self.p), tlv.write(0x82, self.q), tlv.write(0x83, self.g)))

    def component(self, number: int) -> bytes:
        """The answer to GET DATA: 97 is g, 98 is p, 99 is q; IAS ECC section 5.2.3.1.3."""
        return tlv.write(0x70, tlv.write(0xBFA101, tlv.write(
            0xA3, tlv.write(number, self[number - 0x97]))))
