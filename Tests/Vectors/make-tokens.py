#!/usr/bin/env python3
"""Writes tokens.json: tokens as a provider would make them, by Authlib on Debian's cryptography, and broken ones.

Authlib shares no code with cjose, which the package uses. Keys and salts are new in each run; the tests read the
committed file.

    make-tokens.py > tokens.json
"""

import base64
import hashlib
import hmac
import itertools
import json
import secrets

from authlib.jose import JsonWebEncryption, JsonWebKey, JsonWebSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

MADE = 1790000000
CLAIMS = {
    "iss": "https://provider.example/", "aud": "client", "sub": "person", "nonce": "n" * 32, "iat": MADE,
    "nbf": MADE, "exp": MADE + 300, "given_name": "Niccolò",
}
signature = JsonWebSignature()
encryption = JsonWebEncryption(
    algorithms=["RSA-OAEP", "RSA-OAEP-256", "RSA1_5", "A128CBC-HS256", "A256CBC-HS512", "A256GCM", "DEF"])


def text(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def key(kind, size, name, **more):
    return JsonWebKey.generate_key(kind, size, {"kid": name, **more}, is_private=True)


KEYS = {
    "rsa": key("RSA", 2048, "rsa", use="sig"),
    "pss": key("RSA", 3072, "pss", alg="PS256"),
    "p256": key("EC", "P-256", "p256"),
    "p384": key("EC", "P-384", "p384"),
    "p521": key("EC", "P-521", "p521"),
}
CLIENT = key("RSA", 2048, "client")
CLIENT_EC = key("EC", "P-256", "client-ec")
STRANGER = key("RSA", 2048, "rsa")


def public(entry):
    members = dict(entry.as_dict(is_private=False))
    members.update({name: entry.options[name] for name in ("kid", "use", "alg") if name in (entry.options or {})})
    return members


def private(entry):
    return {**entry.as_dict(is_private=True), **{"kid": entry.options["kid"]}}


def sign(header, payload, entry):
    return signature.serialize_compact(header, payload, entry).decode()


def raw(header, payload, entry):
    """Signed by RS256 over exactly these bytes, whatever their contents."""
    head = text(header) + "." + text(payload)
    made = entry.get_private_key().sign(head.encode(), padding.PKCS1v15(), hashes.SHA256())
    return head + "." + text(made)


def hs256(header, payload, secret):
    head = text(compact(header)) + "." + text(payload)
    return head + "." + text(hmac.new(secret, head.encode(), hashlib.sha256).digest())


def changed(token, part):
    """The token with one bit of a part inverted."""
    parts = token.split(".")
    data = bytearray(base64.urlsafe_b64decode(parts[part] + "=" * (-len(parts[part]) % 4)))
    data[len(data) // 2] ^= 1
    parts[part] = text(bytes(data))
    return ".".join(parts)


def signed():
    choices = [(alg, "rsa") for alg in ("RS256", "RS384", "RS512", "PS384", "PS512")]
    choices += [("PS256", "pss"), ("ES256", "p256"), ("ES384", "p384"), ("ES512", "p521")]
    for alg, name in choices:
        yield {"alg": alg, "kid": name, "token": sign({"alg": alg, "kid": name}, compact(CLAIMS), KEYS[name])}


def broken():
    payload = compact(CLAIMS)
    rsa = KEYS["rsa"]
    good = sign({"alg": "RS256", "kid": "rsa"}, payload, rsa)
    head, body, made = good.split(".")

    def of(header):
        return raw(compact(header), payload, rsa)

    yield "none", "algorithmForbidden", text(compact({"alg": "none"})) + "." + body + "."
    yield "none with a signature", "algorithmForbidden", of({"alg": "none", "kid": "rsa"})
    yield "none in other letters", "algorithmForbidden", of({"alg": "nOnE", "kid": "rsa"})
    pem = rsa.as_pem(is_private=False)
    yield "shared secret: the public key as PEM", "algorithmForbidden", hs256({"alg": "HS256", "kid": "rsa"}, payload, pem)
    modulus = base64.urlsafe_b64decode(public(rsa)["n"] + "==")
    yield "shared secret: the modulus", "algorithmForbidden", hs256({"alg": "HS512", "kid": "rsa"}, payload, modulus)
    yield "an algorithm of the future", "algorithmUnknown", of({"alg": "ML-DSA-65", "kid": "rsa"})
    yield "no algorithm", "claimMissing", of({"kid": "rsa"})
    yield "an algorithm that is a number", "claimMalformed", of({"alg": 256, "kid": "rsa"})
    yield "the key in the token", "bringsItsKey", of({"alg": "RS256", "jwk": public(rsa)})
    yield "an address of keys in the token", "bringsItsKey", of({"alg": "RS256", "kid": "rsa", "jku": "https://evil.example/"})
    yield "an address of certificates in the token", "bringsItsKey", of({"alg": "RS256", "kid": "rsa", "x5u": "https://evil.example/"})
    yield "a certificate in the token", "bringsItsKey", of({"alg": "RS256", "kid": "rsa", "x5c": []})
    yield "a critical extension", "criticalExtension", of({"alg": "RS256", "kid": "rsa", "crit": ["exp"]})
    yield "a payload that is not encoded", "criticalExtension", of({"alg": "RS256", "kid": "rsa", "b64": False})
    yield "another kind", "wrongType", of({"alg": "RS256", "kid": "rsa", "typ": "at+jwt"})
    yield "a member of the header twice", "repeatedMember", raw(b'{"alg":"RS256","kid":"rsa","alg":"RS256"}', payload, rsa)
    yield "a header that is a list", "notAnObject", raw(b'["RS256"]', payload, rsa)
    yield "a header that is no JSON", "notAnObject", raw(b'{"alg":"RS256"', payload, rsa)
    yield "a claim twice", "repeatedMember", raw(compact({"alg": "RS256", "kid": "rsa"}), b'{"iss":"a","iss":"b"}', rsa)
    yield "a claim twice, further inside", "repeatedMember", raw(
        compact({"alg": "RS256", "kid": "rsa"}), b'{"address":[{"a":1,"a":2}]}', rsa)
    yield "claims that are a list", "notAnObject", raw(compact({"alg": "RS256", "kid": "rsa"}), b"[]", rsa)
    yield "claims that are nothing", "notAnObject", raw(compact({"alg": "RS256", "kid": "rsa"}), b"", rsa)
    yield "claims deeper than any", "notAnObject", raw(
        compact({"alg": "RS256", "kid": "rsa"}), b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", rsa)
    yield "another key of the same name", "signatureInvalid", sign({"alg": "RS256", "kid": "rsa"}, payload, STRANGER)
    yield "a changed claim", "signatureInvalid", head + "." + text(payload.replace(b"person", b"someon")) + "." + made
    yield "a changed signature", "signatureInvalid", changed(good, 2)
    yield "no signature", "signatureInvalid", head + "." + body + "."
    yield "a shorter signature", "signatureInvalid", head + "." + body + "." + text(base64.urlsafe_b64decode(made + "==")[:-1])
    yield "a longer signature", "signatureInvalid", head + "." + body + "." + text(base64.urlsafe_b64decode(made + "==") + b"\0")
    yield "the signature of another algorithm", "signatureInvalid", (
        text(compact({"alg": "PS384", "kid": "rsa"})) + "." + body + "." + made)
    curve = sign({"alg": "ES256", "kid": "p256"}, payload, KEYS["p256"])
    yield "a signature of zeros", "signatureInvalid", ".".join(curve.split(".")[:2]) + "." + text(bytes(64))
    der = KEYS["p256"].get_private_key().sign(".".join(curve.split(".")[:2]).encode(), ec.ECDSA(hashes.SHA256()))
    yield "a signature in DER", "signatureInvalid", ".".join(curve.split(".")[:2]) + "." + text(der)
    yield "a key of another kind", "algorithmWrongForKey", of({"alg": "RS256", "kid": "p256"})
    yield "a key of another curve", "algorithmWrongForKey", of({"alg": "ES384", "kid": "p256"})
    yield "a key for another algorithm", "algorithmWrongForKey", sign({"alg": "RS256", "kid": "pss"}, payload, KEYS["pss"])
    yield "an unknown key", "keyUnknown", sign({"alg": "RS256", "kid": "next"}, payload, rsa)
    yield "two keys and no name", "keyNotNamed", sign({"alg": "PS256"}, payload, rsa)
    yield "nothing", "malformed", ""
    yield "two parts", "malformed", head + "." + body
    yield "four parts", "malformed", good + "."
    yield "padding", "malformed", head + "." + body + "=." + made
    yield "a blank", "malformed", good + " "
    yield "base64 with other letters", "malformed", head.replace("e", "+", 1) + "." + body + "." + made
    yield "letters that are no base64", "malformed", head + "." + body + ".é"


def encrypt(alg, enc, payload, **more):
    return encryption.serialize_compact({"alg": alg, "enc": enc, **more}, payload, CLIENT).decode()


def sealed(padded, key, wrapped=None):
    """A token with RSA-OAEP-256 and A128CBC-HS256 (RFC 7518 §5.2.2.1) whose padding is that of the caller; for a key that is not
    the one that was encrypted, too."""
    if wrapped is None:
        oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
        wrapped = CLIENT.get_public_key().encrypt(key, oaep)
    header, vector = text(compact({"alg": "RSA-OAEP-256", "enc": "A128CBC-HS256"})), secrets.token_bytes(16)
    cipher = Cipher(algorithms.AES(key[16:32]), modes.CBC(vector)).encryptor()
    body = cipher.update(padded) + cipher.finalize()
    length = (8 * len(header)).to_bytes(8, "big")
    tag = hmac.new(key[:16], header.encode() + vector + body + length, hashlib.sha256).digest()[:16]
    return ".".join([header, text(wrapped), text(vector), text(body), text(tag)])


def handmade():
    key = secrets.token_bytes(32)
    yield "text that is no token", "malformed", sealed(b"by hand!" + bytes([8] * 8), key)
    for name, end in (("none", b"\0"), ("of 17 octets", bytes([17] * 17)), ("of other octets", b"\1\2\3"),
                      ("of more than there is", bytes([16]))):
        yield f"padding {name}", "decryptionFailed", sealed(bytes([9] * (-len(end) % 16)) + end, key)
    yield "a key of another length", "decryptionFailed", sealed(bytes([16] * 16), key + key)
    yield "zeros for a key that cannot be decrypted", "decryptionFailed", sealed(bytes([16] * 16), bytes(32), bytes(256))


def encrypted():
    inner = sign({"alg": "RS256", "kid": "rsa"}, compact(CLAIMS), KEYS["rsa"]).encode()
    for alg, enc in itertools.product(("RSA-OAEP", "RSA-OAEP-256"), ("A128CBC-HS256", "A256CBC-HS512")):
        good = encrypt(alg, enc, inner, cty="JWT", kid="client")
        both = f"{alg}, {enc}"
        yield both, None, good
        for part, what in enumerate(("header", "key", "vector", "text", "tag")):
            if part:
                yield f"{both}, changed {what}", "decryptionFailed", changed(good, part)
        parts = good.split(".")
        yield f"{both}, header in other words", "decryptionFailed", ".".join(
            [text(compact({"enc": enc, "alg": alg}))] + parts[1:])
        other = "RSA-OAEP" if alg == "RSA-OAEP-256" else "RSA-OAEP-256"
        yield f"{both}, header of another hash", "decryptionFailed", ".".join(
            [text(compact({"alg": other, "enc": enc}))] + parts[1:])
        for name, index, value in (("no vector", 2, ""), ("a short vector", 2, text(b"x")), ("no tag", 4, ""),
                                   ("a short tag", 4, parts[4][:4]), ("no text", 3, ""), ("half a block", 3, text(bytes(24))),
                                   ("no key", 1, "")):
            yield f"{both}, {name}", "decryptionFailed", ".".join(parts[:index] + [value] + parts[index + 1:])
    yield "no name of a key", None, encrypt("RSA-OAEP", "A256CBC-HS512", inner)
    yield "another key", "keyUnknown", encrypt("RSA-OAEP", "A256CBC-HS512", inner, kid="other")
    yield "RSA1_5", "algorithmForbidden", encrypt("RSA1_5", "A256CBC-HS512", inner)
    yield "A256GCM", "encryptionUnknown", encrypt("RSA-OAEP", "A256GCM", inner)
    yield "compressed", "criticalExtension", encrypt("RSA-OAEP", "A256CBC-HS512", inner, zip="DEF")
    yield "signed only", "malformed", inner.decode()
    yield "five parts of nothing", "notAnObject", "...."
    yield from handmade()


def main():
    weak = JsonWebKey.generate_key("RSA", 1024, {"kid": "weak"}, is_private=True)
    print(json.dumps({
        "source": "make-tokens.py: Authlib 1.2.0",
        "made": MADE,
        "keys": json.dumps({"keys": [public(entry) for entry in KEYS.values()]}),
        "weak": json.dumps({"keys": [public(weak)]}),
        "client": json.dumps(private(CLIENT)),
        "client_ec": json.dumps(private(CLIENT_EC)),
        "signed": list(signed()),
        "broken": [{"name": name, "problem": problem, "token": token} for name, problem, token in broken()],
        "encrypted": [{"name": name, "problem": problem, "token": token} for name, problem, token in encrypted()],
    }, indent=1, ensure_ascii=False))


main()
