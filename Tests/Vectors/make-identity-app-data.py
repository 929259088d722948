#!/usr/bin/env python3
"""Writes identity-app-data.json: a person's data as the original identity app's server sends them, and changed ones.

Debian's cryptography shares no code with the Swift side. Keys are new in each run; the file as it is in the repository
is what the tests read.

    make-identity-app-data.py > identity-app-data.json
"""

import json
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SECRET = "0123456789abcdef0123456789abcdef"
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def item(label, value, valid=True, owner=True):
    return {"label": label, "value": value, "isValid": valid, "isOwner": owner}


OWN = key()
DATA = {"userId": "u-1", "data": [
    item("contact.personal.email", "sofia@example.invalid"), item("contact.personal.phoneNumber", 390000000042),
    item("documents.genericId.givenName", "SOFIA"), item("documents.genericId.image", PICTURE),
    item("documents.genericId.dateOfBirth", "1982-01-01", valid=False), item("someone.else", "x", owner=False)]}


def sealed(text, secret=SECRET, signer=OWN, counter=None, form=None):
    counter = counter or os.urandom(16)
    encryptor = Cipher(algorithms.AES(secret.encode()), modes.CTR(counter)).encryptor()
    digits = (encryptor.update(text) + encryptor.finalize()).hex()
    public = signer.public_key().public_bytes(Encoding.PEM, form or PublicFormat.SubjectPublicKeyInfo).decode()
    signature = signer.sign(digits.encode(), padding.PKCS1v15(), hashes.SHA256()).hex()
    return {"encryptedData": digits, "iv": counter.hex(), "publicKey": public, "signature": signature}


def data(value):
    return json.dumps(value).encode()


def with_digits(digits):
    changed = sealed(data(DATA))
    changed["encryptedData"] = digits(changed["encryptedData"])
    changed["signature"] = OWN.sign(
        changed["encryptedData"].encode(), padding.PKCS1v15(), hashes.SHA256()).hex()
    return changed


good = sealed(data(DATA))
sha1 = dict(good)
sha1["signature"] = OWN.sign(good["encryptedData"].encode(), padding.PKCS1v15(), hashes.SHA1()).hex()
pss = dict(good)
pss["signature"] = OWN.sign(
    good["encryptedData"].encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256()).hex()
CASES = [
    ("good", 0, good),
    ("PKCS #1 key", 0, sealed(data(DATA), form=PublicFormat.PKCS1)),
    ("counter that overflows", 0, sealed(data(DATA), counter=b"\xff" * 16)),
    ("key of a stranger, which the protocol takes", 0, sealed(data(DATA), signer=key())),
    ("another signature", 931, {**good, "signature": sealed(b"x")["signature"]}),
    ("no signature", 931, {**good, "signature": ""}),
    ("signature that is no digits", 931, {**good, "signature": "zz"}),
    ("SHA-1", 931, sha1),
    ("PSS", 931, pss),
    ("no key", 931, {**good, "publicKey": "bm8ga2V5"}),
    ("key that is no base64", 931, {**good, "publicKey": "-----BEGIN PUBLIC KEY-----\n?\n-----END PUBLIC KEY-----"}),
    ("odd digits", 932, with_digits(lambda digits: digits + "0")),
    ("letters", 932, with_digits(lambda digits: "zz" + digits[2:])),
    ("short counter", 932, {**good, "iv": good["iv"][:8]}),
    ("counter that is no digits", 932, {**good, "iv": "z" * 32}),
    ("another secret", 997, sealed(data(DATA), secret="f" * 32)),
    ("no JSON", 997, sealed(b"these are no data")),
    ("no object", 997, sealed(b"[]")),
    ("no user", 997, sealed(data({"data": []}))),
    ("user that is no text", 997, sealed(data({"userId": 1, "data": []}))),
    ("no list", 997, sealed(data({"userId": "u", "data": {}}))),
    ("item without label", 997, sealed(data({"userId": "u", "data": [{"value": "x", "isValid": True, "isOwner": True}]}))),
    ("item with an object", 997, sealed(data({"userId": "u", "data": [item("a", {})]}))),
    ("item that does not say whether it is valid", 997, sealed(data({"userId": "u", "data": [{"label": "a", "value": "b"}]}))),
    ("member twice", 997, sealed(b'{"userId":"u","userId":"v","data":[]}')),
]
print(json.dumps({
    "source": "make-identity-app-data.py, with Debian's cryptography", "secret": SECRET,
    "cases": [{"name": name, "number": number, "answer": json.dumps(answer)} for name, number, answer in CASES],
}, indent=1))
