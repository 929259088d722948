#!/usr/bin/env python3
"""Writes roca.json: RSA moduli with the ROCA fingerprint, and one without.

"published" are test vectors of crocs-muni/roca (MIT), the detection tool of those who found the fault: mod03.txt, mod09.txt
have the fingerprint, mod04.txt has not. "key" is made here by the rule of their paper, p = k * M + 65537^a mod M, with
an answer to a challenge by it, and one of active authentication (ISO/IEC 9796-2 scheme 1, SHA-256, trailer 34CC). The
same bytes come out every time.
"""
import datetime
import hashlib
import json
import random
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateNumbers, RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sympy import isprime, primerange

REPOSITORY = "../roca"  # a clone of github.com/crocs-muni/roca beside this one


def published(name):
    path = f"HEAD:roca/tests/data/{name}"
    text = subprocess.run(["git", "-C", REPOSITORY, "show", path], check=True, capture_output=True, text=True).stdout
    return text.strip().removeprefix("0x").upper()


def roca_prime(draw, bits):
    product = 1
    for prime in primerange(2, 702):
        product *= prime
    while True:
        residue = pow(65537, draw.getrandbits(200), product)
        candidate = draw.randrange((3 << (bits - 2)) // product, (1 << bits) // product) * product + residue
        if candidate.bit_length() == bits and isprime(candidate):
            return candidate


draw = random.Random(201715361)
p, q = roca_prime(draw, 1024), roca_prime(draw, 1024)
n, d = p * q, pow(65537, -1, (p - 1) * (q - 1))
challenge = bytes(range(32))
padded = b"\x00\x01" + b"\xff" * (256 - 3 - len(challenge)) + b"\x00" + challenge
recovered = bytes(range(221))
block = b"\x6a" + recovered + hashlib.sha256(recovered + challenge[:8]).digest() + b"\x34\xcc"

numbers = RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), RSAPublicNumbers(65537, n))
private = numbers.private_key()
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Recoverable")])
certificate = x509.CertificateBuilder(
    name, name, private.public_key(), 1, datetime.datetime(2026, 1, 1), datetime.datetime(2046, 1, 1)).sign(private, SHA256())


def signed(message):
    return pow(int.from_bytes(message, "big"), d, n).to_bytes(256, "big").hex().upper()


print(json.dumps({
    "published": [
        {"name": name, "modulus": published(f"{name}.txt"), "hasFingerprint": has}
        for name, has in [("mod03", True), ("mod09", True), ("mod04", False)]
    ],
    "key": {
        "modulus": f"{n:X}", "challenge": challenge.hex().upper(), "response": signed(padded), "activeResponse": signed(block),
        "privateKey": private.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption()).hex().upper(),
        "certificate": certificate.public_bytes(Encoding.DER).hex().upper(),
    },
}, indent=2))
