"""The data files that make-personas writes: one folder a persona, text for what is short, DER for the rest.

A text file has `name: value` lines, so that the card reads it without a JSON library; lines with # are for people.
Private RSA keys are RSAPrivateKey of PKCS#1 (`openssl rsa -inform DER -text -in holder-key.der`). Scalars stand in the
text as hexadecimal digits.
"""
import pathlib

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from personas.der import integer, sequence

OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "data"


def persona_folder(title):
    return OUTPUT / title


def write(title, name, content):
    """Writes one file; missing data make no file."""
    file = persona_folder(title) / name
    if content:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    else:
        file.unlink(missing_ok=True)


def write_text(title, name, persona, pairs):
    who = f"{persona['given'].title()} {persona['surname'].title()}"
    lines = [f"# {who}, who does not exist. Written by tools/make personas.",
             *(f"{label}: {value}" for label, value in pairs)]
    write(title, name, "".join(f"{line}\n" for line in lines).encode())


def private_key(key):
    return key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption())


def write_authority(title, modulus, exponent):
    """RSAPublicKey of PKCS#1, with an exponent that no library would accept."""
    write(title, "terminal-authority.der", sequence(integer(modulus), integer(exponent)))


def write_persona(title, persona, files, keys):
    """The IAS side: text, certificates and EF.SOD by name, the keys 81 to 83 by number."""
    write_text(title, "persona.txt", persona, [
        ("family", persona["type"]), ("given-name", persona["given"]), ("surname", persona["surname"]),
        ("fiscal-code", persona["fiscal"]), ("services-number", persona["nis"]),
        ("document-number", persona["number"]), ("pin", persona["pin"]), ("puk", persona["puk"]),
        ("terminal-authority-reference", persona["car"]),
        ("group-file", {"A": "key-template", "B": "domain-parameters"}[persona["group"]])])
    for name, content in files.items():
        write(title, f"{name}.der", content)
    for name, number in (("holder", 0x81), ("device", 0x82), ("services", 0x83)):
        write(title, f"{name}-key.der", private_key(keys[number]))


def words(**pairs):
    return " ".join(f"{label}={value}" for label, value in pairs.items() if value is not None)


def chip_key(key):
    return "chip-key", words(
        parameters=key.parameters, identifier=key.identifier, scalar=key.scalar.hex().upper())


def active_key(key):
    if key is None:
        return []
    if isinstance(key, rsa.RSAPrivateKey):
        # ISO/IEC 9796-2 section 8.1.3: 34 is SHA-256.
        return [("active-key", words(trailer="34CC"))]
    scalar = key.private_numbers().private_value.to_bytes(32, "big")
    return [("active-key", words(parameters=12, hash="sha256", scalar=scalar.hex().upper()))]


def write_travel_document(title, persona, document, only_pace):
    """The other side of the card, in a separate folder."""
    write_text(title, "travel-document/document.txt", persona, [
        ("access-number", document.can),
        *((f"mrz-{number}", line) for number, line in enumerate(document.mrz, 1)),
        ("basic-access", "no" if only_pace else "yes"),
        *map(chip_key, document.chip_keys), *active_key(document.active_key)])
    files = {
        "csca": document.csca, "card-access": document.access,
        "card-security": document.card_security, "common": document.common,
        "security-object": document.security_object,
        "long-portrait-security-object": document.long_security_object,
        "active-key": private_key(document.active_key)
        if isinstance(document.active_key, rsa.RSAPrivateKey) else b"",
        **{f"dg{number}": document.groups.get(number, b"") for number in (1, 2, 11, 12, 14, 15)}}
    for name, content in files.items():
        write(title, f"travel-document/{name}.der", content)
