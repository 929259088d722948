#!/usr/bin/env python3
"""Makes master-lists.json and explicit-curves.json: master lists good and bad, and certificates that write out
the numbers of their elliptic curve, true ones and others.

DER and RSA signatures as in signed_objects.py; ECDSA is calculated here, because no library signs on an arbitrary
curve. Every run makes new throw-away keys.

Layouts: Doc 9303-12 section 9.2 (CscaMasterList), RFC 3279 section 2.3.5 (ECParameters), FIPS 186-4 D.1.2.3 (P-256),
SEC 2 section 2.4.1 (secp256k1).
"""
import hashlib
import json
import pathlib
import secrets

import signed_objects as ias

HERE = pathlib.Path(__file__).parent
seq, tlv, oid, integer = ias.seq, ias.tlv, ias.oid, ias.integer


class Curve:
    def __init__(self, p, a, b, x, y, n):
        self.p, self.a, self.b, self.g, self.n = p, a, b, (x, y), n

    def add(self, one, two):
        if one is None or two is None:
            return one or two
        if one[0] == two[0] and (one[1] + two[1]) % self.p == 0:
            return None
        if one == two:
            slope = (3 * one[0] ** 2 + self.a) * pow(2 * one[1], -1, self.p)
        else:
            slope = (two[1] - one[1]) * pow(two[0] - one[0], -1, self.p)
        x = (slope ** 2 - one[0] - two[0]) % self.p
        return x, (slope * (one[0] - x) - one[1]) % self.p

    def multiply(self, point, number):
        result = None
        while number:
            result = self.add(result, point) if number & 1 else result
            point, number = self.add(point, point), number >> 1
        return result


P256 = Curve(
    2**256 - 2**224 + 2**192 + 2**96 - 1, -3 % (2**256 - 2**224 + 2**192 + 2**96 - 1),
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551)
K256 = Curve(
    2**256 - 2**32 - 977, 0, 7,
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141)
SEED = bytes.fromhex("C49D360886E704936A6678E1139D26B7819F7E90")


def field(number):
    return number.to_bytes(32, "big")


def point(value):
    return b"\4" + field(value[0]) + field(value[1])


def explicit(curve, base, seed=None, cofactor=1, compressed=False, b=None):
    written = bytes([2 + (base[1] & 1)]) + field(base[0]) if compressed else point(base)
    return seq(
        integer(1), seq(oid("1.2.840.10045.1.1"), integer(curve.p)),
        seq(tlv(4, field(curve.a)), tlv(4, field(curve.b if b is None else b)),
            tlv(3, b"\0" + seed) if seed else b""),
        tlv(4, written), integer(curve.n), b"" if cofactor is None else integer(cofactor))


class ECKey:
    def __init__(self, parameters, curve=P256, base=None, secret=None):
        self.curve, self.base, self.parameters = curve, base or curve.g, parameters
        self.secret = secret or secrets.randbelow(curve.n - 1) + 1
        self.public = curve.multiply(self.base, self.secret)

    def info(self):
        return seq(seq(oid("1.2.840.10045.2.1"), self.parameters), tlv(3, b"\0" + point(self.public)))

    def sign_plain(self, message):
        e, n = int.from_bytes(hashlib.sha256(message).digest(), "big"), self.curve.n
        k = secrets.randbelow(n - 1) + 1
        r = self.curve.multiply(self.base, k)[0] % n
        return r, pow(k, -1, n) * (e + r * self.secret) % n

    def sign(self, message):
        return seq(*map(integer, self.sign_plain(message)))


rsa_sign, rsa_info = ias.sign, ias.public_key_info
ias.sign = lambda key, message, scheme: (
    key.sign(message) if isinstance(key, ECKey) else rsa_sign(key, message, scheme))
ias.public_key_info = lambda key: key.info() if isinstance(key, ECKey) else rsa_info(key)
ias.SCHEMES["ecdsa"] = (seq(oid("1.2.840.10045.4.3.2")), "sha256", [])


def hexadecimal(data):
    return data.hex().upper()


def curves():
    named = oid("1.2.840.10045.3.1.7")
    true = explicit(P256, P256.g)
    other_base = P256.multiply(P256.g, 2)
    victim = ECKey(named)
    # CVE-2020-0601: a generator of which the known public key is a multiple that we know.
    forged_secret = secrets.randbelow(P256.n - 1) + 1
    forged_base = P256.multiply(victim.public, pow(forged_secret, -1, P256.n))
    cases = []

    def case(title, comment, root, leaf, known):
        anchor = ias.certificate("CSCA", root, "CSCA", root, ias.CA + [ias.subject_key(root)], "ecdsa")
        signer = ias.certificate("Signer", leaf, "CSCA", root, ias.SIGNER + [
            ias.subject_key(leaf), ias.authority_key(root)], "ecdsa")
        content = ias.hash_list("sha256", {"A1": b"1"}, order=("A1",))
        sod = ias.security_object(content, leaf, signer, "CSCA", scheme="ecdsa")
        cases.append({"name": title, "comment": comment, "anchor": hexadecimal(anchor),
                      "signer": hexadecimal(signer), "security_object": hexadecimal(sod),
                      "expect": known})

    def both(title, comment, known, parameters, **key):
        case(title, comment, ECKey(parameters, **key), ECKey(named),
             {"signature": True, "chain": known})
        case(title + "-signer", comment + "; the signer's key", ECKey(named), ECKey(parameters, **key),
             {"signature": known, "chain": known})

    both("named", "P-256 by its name", True, named)
    both("explicit", "P-256 by its numbers", True, true)
    both("explicit-seed", "with the seed of FIPS 186-4", True, explicit(P256, P256.g, seed=SEED))
    both("explicit-compressed", "the generator compressed", True, explicit(P256, P256.g, compressed=True))
    both("explicit-no-cofactor", "the cofactor left out", True, explicit(P256, P256.g, cofactor=None))
    both("other-generator", "P-256 with twice the generator", False, explicit(P256, other_base), base=other_base)
    both("forged-generator", "P-256 with a generator made for somebody else's public key", False,
         explicit(P256, forged_base), base=forged_base, secret=forged_secret)
    both("other-curve", "secp256k1 by its numbers", False, explicit(K256, K256.g), curve=K256)
    both("other-curve-named", "secp256k1 by its name", False, oid("1.3.132.0.10"), curve=K256)
    return {"kind": "explicit-curves", "source": "generated with make-master-lists.py: throw-away keys",
            "comment": "A signer, a CSCA and a security object; what is believed of it.", "cases": cases}


MASTER_LIST = "2.23.136.1.1.2"
LIST_SIGNER = [ias.key_usage(ias.DIGITAL_SIGNATURE),
               ias.extension("2.5.29.37", seq(oid("2.23.136.1.1.3")), critical=True)]


def lists():
    csca, other, key, rogue = (ias.new_key(n) for n in ("csca", "other", "signer", "rogue"))
    root = ias.certificate("CSCA", csca, "CSCA", csca, ias.CA + [ias.subject_key(csca)])
    same_name = ias.certificate("CSCA", other, "CSCA", other, ias.CA + [ias.subject_key(other)])
    no_identifier = ias.certificate("CSCA", other, "CSCA", other, ias.CA)
    other_name = ias.certificate("Other", other, "Other", other, ias.CA + [ias.subject_key(other)])
    ids = [ias.subject_key(key), ias.authority_key(csca)]
    signer = ias.certificate("List signer", key, "CSCA", csca, LIST_SIGNER + ids)
    document_signer = ias.certificate("Signer", key, "CSCA", csca, ias.SIGNER + ids)
    ended = ias.certificate("List signer", key, "CSCA", csca, LIST_SIGNER + ids, end="20251231235959Z")
    no_signature = ias.certificate("List signer", key, "CSCA", csca, [
        ias.key_usage(ias.KEY_ENCIPHERMENT), LIST_SIGNER[1]] + ids)
    rogue_ca = ias.certificate("Rogue CA", rogue, "CSCA", csca, ias.CA + [ias.subject_key(rogue)])
    rogue_signer = ias.certificate("List signer", key, "Rogue CA", rogue, LIST_SIGNER)

    def contents(*entries, version=0, after=b""):
        return seq(integer(version), tlv(0x31, *entries), after)

    def cms(content, cert=signer, issuer="CSCA", signing_key=key, **options):
        wrapped = ias.security_object(content, signing_key, cert, issuer, **{
            "content_type": MASTER_LIST, "attribute_type": MASTER_LIST, **options})
        return wrapped[2 + (wrapped[1] & 0x7F if wrapped[1] > 0x7F else 0):]

    good = contents(root, other_name)
    altered = cms(good).replace(good, contents(other_name, root))
    cases = [
        ("good", "two certificates", cms(good), root, "accepted"),
        ("unreadable-entry", "an entry that is no certificate is left out", cms(contents(root, seq(ias.NULL))),
         root, "accepted"),
        ("empty", "no entry", cms(contents()), root, "empty"),
        ("version-1", "a version that nobody defined", cms(contents(root, version=1)), root, "malformedList"),
        ("something-after", "a field after the list", cms(contents(root, after=ias.NULL)), root, "malformedList"),
        ("trailing-bytes", "a byte after the contents", cms(good + b"\0"), root, "malformedList"),
        ("no-list", "contents that are no SEQUENCE", cms(ias.NULL), root, "malformedList"),
        ("other-content", "the type of a security object", cms(good, content_type=ias.LDS_OBJECT,
         attribute_type=ias.LDS_OBJECT), root, "contentType"),
        ("attribute-type", "the contentType attribute names another type", cms(
            good, attribute_type=ias.LDS_OBJECT), root, "contentsAltered"),
        ("contents-altered", "the order of the entries changed after signing", altered, root,
         "contentsAltered"),
        ("other-key", "signed with another key", cms(good, signing_key=other), root, "signatureWrong"),
        ("unknown-algorithm", "a signature algorithm that nobody knows", cms(good, scheme="unknown"), root,
         "unsupportedAlgorithm"),
        ("document-signer", "signed by a signer of documents", cms(good, cert=document_signer), root,
         "notASigner"),
        ("key-usage", "the signer's key is not for signatures", cms(good, cert=no_signature), root, "notASigner"),
        ("ended-signer", "the signer's certificate ended a second before", cms(good, cert=ended), root,
         "notInForce"),
        ("other-anchor", "an anchor of another name", cms(good), other_name, "signerUnknown"),
        ("same-name", "an anchor of the same name with another key", cms(good), same_name, "signerUnknown"),
        ("same-name-only", "the same, without key identifiers", cms(good), no_identifier, "notIssued"),
        ("brought-along", "a CA that only the list brings", cms(
            good, cert=rogue_signer, issuer="Rogue CA", certificates=[rogue_signer, rogue_ca]), root,
         "signerUnknown"),
        ("no-signer-certificate", "the signer's certificate is left out", cms(good, certificates=[]), root,
         "noSigner"),
        ("two-signers", "the same signer twice", cms(good, signers=2), root, "noSigner"),
    ]
    return {"kind": "master-lists", "source": "generated with make-master-lists.py: throw-away keys",
            "comment": "Master lists with the anchor to judge them by, at `at`.", "at": 1767225600,
            "cases": [{"name": n, "comment": c, "list": hexadecimal(f), "anchor": hexadecimal(a), "expect": e}
                      for n, c, f, a, e in cases]}


if __name__ == "__main__":
    for document in (curves(), lists()):
        target = HERE / f"{document['kind']}.json"
        target.write_text(json.dumps(document, indent=1) + "\n")
