"""The app's data: items by verification level, encrypted and signed exactly as in the kit."""
import base64
import json
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ...state.certificates import new_key
from ..users import User

LEVELS = ("civicBasic", "Anonymous_Login", "proofOfResidence", "proofOfIdentity", "proofOfAge")
# One pixel, so that a client can show that it reads pictures.
_PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def items(level: str, user: User) -> list[dict[str, object]]:
    """The person's data for a level. As in the published service, a value may be a number."""
    person = user.person
    values: dict[str, object] = {}
    if level != "Anonymous_Login":
        values |= {"contact.personal.email": user.user_name, "contact.personal.phoneNumber": 390000000042}
    match level:
        case "proofOfResidence":
            values |= {"contact.residence.address": "VIA DELLA SABBIA 42", "contact.residence.town": "PROVA"}
        case "proofOfIdentity":
            values |= {
                "documents.genericId.name": f"{person.name} {person.family_name}",
                "documents.genericId.givenName": person.name, "documents.genericId.familyName": person.family_name,
                "documents.genericId.dateOfBirth": person.date_of_birth,
                "documents.genericId.fiscalNumber": "TINIT-" + person.fiscal_code,
                "documents.genericId.image": _PICTURE}
        case "proofOfAge":
            values |= {"documents.genericId.isAdult": 1}
    return [{"label": label, "value": value, "isValid": True, "isOwner": True} for label, value in values.items()]


def sealed(body: dict[str, object], secret: bytes, key: rsa.RSAPrivateKey, fault: str | None) -> dict[str, str]:
    """AES-256-CTR by the shared secret, then RSA PKCS #1 v1.5 with SHA-256 over the text of hexadecimal digits.

    The key that verifies the signature is in the answer itself: an attacker who can change one can change both.
    """
    plain = json.dumps(body).encode()
    match fault:
        case "sip-not-json":
            plain = b"these are no data"
        case "sip-other-secret":
            secret = os.urandom(32)
    vector = os.urandom(16)
    encryptor = Cipher(algorithms.AES(secret), modes.CTR(vector)).encryptor()
    cipher = encryptor.update(plain) + encryptor.finalize()
    if fault == "sip-changed-by-stranger":
        # CTR has no integrity: a bit of the identifier, which stays one of letters, and a signature by another key.
        cipher = cipher[:12] + bytes([cipher[12] ^ 0x01]) + cipher[13:]
    if fault in ("sip-other-key", "sip-changed-by-stranger"):
        key = new_key()
    digits, initial = cipher.hex(), vector.hex()
    signature = key.sign(digits.encode(), padding.PKCS1v15(), hashes.SHA256()).hex()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode().strip()
    match fault:
        case "sip-wrong-signature":
            signature = signature[:-2] + ("00" if signature[-2:] != "00" else "01")
        case "sip-empty-signature":
            signature = ""
        case "sip-odd-digits":
            digits += "0"
        case "sip-no-digits":
            digits = "zz" + digits[2:]
        case "sip-short-iv":
            initial = initial[:8]
        case "sip-bad-key":
            public = base64.b64encode(b"no key").decode()
    return {"encryptedData": digits, "iv": initial, "publicKey": public, "signature": signature}
