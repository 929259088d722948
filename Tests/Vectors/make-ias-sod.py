#!/usr/bin/env python3
"""Makes ias-sod.json: security objects of the CIE's IAS application, good and bad; and some whose signer's key requires
more arithmetic than any real card's. The holder is invented."""
import hashlib
import json
import pathlib
import random

from signed_objects import (
    CA, DIGITAL_SIGNATURE, HOLDER, KEY_ENCIPHERMENT, CERT_AND_CRL_SIGN, NULL, SIGNER, WORK, authority_key, certificate,
    document_types, extension, hash_algorithm, hash_list, integer, key_usage, new_key, oid, pkcs1, purposes, run,
    security_object, seq, subject_key, tlv)


def hostile_keys(content, csca):
    """Security objects whose signer's key requires more arithmetic than any real card's; the signature is noise."""
    noise = random.Random(9303)

    def odd(bits):
        return noise.getrandbits(bits) | 1 << bits - 1 | 1

    def rsa(bits, exponent_bits):
        key = seq(integer(odd(bits)), integer(odd(exponent_bits)))
        return seq(seq(oid("1.2.840.113549.1.1.1"), NULL), tlv(3, b"\0", key)), bits // 8

    def curve(bits):
        prime, size = odd(bits), bits // 8
        parameters = seq(
            integer(1), seq(oid("1.2.840.10045.1.1"), integer(prime)),
            seq(tlv(4, odd(bits).to_bytes(size, "big")), tlv(4, odd(bits).to_bytes(size, "big"))),
            tlv(4, b"\2" + odd(bits - 1).to_bytes(size, "big")), integer(odd(bits)), integer(1))
        point = b"\2" + odd(bits - 1).to_bytes(size, "big")
        return seq(seq(oid("1.2.840.10045.2.1"), parameters), tlv(3, b"\0", point)), size

    keys = [(f"RSA of {bits} bits, exponent of {exponent}", *rsa(bits, exponent))
            for bits, exponent in ((3072, 3072), (4096, 4095), (8192, 8191), (16384, 64), (16384, 16383), (120000, 17))]
    keys += [(f"explicit curve of {bits} bits", *curve(bits)) for bits in (256, 656, 4096, 40000)]
    result = []
    for comment, info, size in keys:
        cert = certificate("Signer", None, "CSCA", csca, SIGNER + [authority_key(csca)], key_info=info)
        ecdsa = seq(integer(odd(250)), integer(odd(250)))
        scheme = "ecdsa-sha256" if "curve" in comment else "sha256WithRSA"
        sod = security_object(content, None, cert, "CSCA", scheme=scheme,
                              signature=ecdsa if "curve" in comment else bytes(size - 1) + b"\2")
        result.append({"comment": comment, "security_object": sod.hex().upper()})
    return result


def main():
    csca, old, other, signer_key, rogue = (new_key(n) for n in ("csca", "old", "other", "signer", "rogue"))
    device, services, holder = (new_key(n) for n in ("device", "services", "holder"))
    root = certificate("CSCA", csca, "CSCA", csca, CA + [subject_key(csca)])
    bare_root = certificate("CSCA", csca, "CSCA", csca, CA)
    old_root = certificate("CSCA", old, "CSCA", old, CA)
    first_root = certificate("First CSCA", old, "First CSCA", old, CA + [subject_key(old)])
    link = certificate("CSCA", csca, "First CSCA", old, CA + [subject_key(csca), authority_key(old)])
    same_name = certificate("CSCA", other, "CSCA", other, CA + [subject_key(other)])
    other_name = certificate("Another CSCA", other, "Another CSCA", other, CA + [subject_key(other)])
    not_a_ca = certificate("CSCA", csca, "CSCA", csca, [key_usage(CERT_AND_CRL_SIGN), subject_key(csca)])
    pss_root = certificate("CSCA PSS", csca, "CSCA PSS", csca, CA + [subject_key(csca)], "pss-sha512")

    foreign_root = certificate("FR/CSCA", other, "FR/CSCA", other, CA + [subject_key(other)])
    foreign_first = certificate("FR/First CSCA", old, "FR/First CSCA", old, CA + [subject_key(old)])
    foreign_link = certificate("CSCA", csca, "FR/First CSCA", old, CA + [subject_key(csca), authority_key(old)])

    ids = [subject_key(signer_key), authority_key(csca)]

    def signer(*extensions, scheme="sha256WithRSA", **dates):
        return certificate("Signer", signer_key, "CSCA", csca, [
            key_usage(DIGITAL_SIGNATURE), *extensions, *ids], scheme, **dates)

    ds = certificate("Signer", signer_key, "CSCA", csca, SIGNER + ids)
    bare_ds = certificate("Signer", signer_key, "CSCA", csca, SIGNER)
    pss_ds = certificate("Signer", signer_key, "CSCA PSS", csca, SIGNER + ids, "pss-sha512")
    expired_ds = certificate("Signer", signer_key, "CSCA", csca, SIGNER + ids, end="20251231235959Z")
    early_ds = certificate("Signer", signer_key, "CSCA", csca, SIGNER + ids, start="20260102000000Z")
    wrong_use = certificate("Signer", signer_key, "CSCA", csca, [key_usage(KEY_ENCIPHERMENT)] + ids)
    critical = certificate("Signer", signer_key, "CSCA", csca, SIGNER + ids + [
        extension("1.3.6.1.4.1.99999.2", NULL, critical=True)])
    rogue_ca = certificate("Rogue CA", rogue, "CSCA", csca, CA + [subject_key(rogue), authority_key(csca)])
    rogue_ds = certificate("Signer", signer_key, "Rogue CA", rogue, SIGNER + [authority_key(rogue)])

    notice = seq(seq(oid("1.3.6.1.4.1.99999.3"), seq(seq(oid("1.3.6.1.5.5.7.2.2"), seq(
        tlv(0x0C, b"Test notice"))))))
    dh = tlv(0x70, b"\xbf\xa1\x01", tlv(0xA3, tlv(0x97, b"\2" * 16), tlv(0x98, b"\7" * 16)))
    files = {
        "A1": b"000000000123",
        "A2": b"CA00000AA",
        "A3": certificate(HOLDER, holder, "CSCA", csca, SIGNER + [extension("2.5.29.32", notice)],
                          end="20760131235959Z"),
        "A4": pkcs1(device),
        "A5": pkcs1(services),
        "1B": dh,
    }
    challenge = bytes(range(0x10, 0x20))
    (WORK / "challenge").write_bytes(challenge)
    response = run("openssl", "pkeyutl", "-sign", "-inkey", str(services), "-in", str(WORK / "challenge"))

    v0 = hash_list("sha256", files)
    v0_sha1 = hash_list("sha1", files)
    v1 = hash_list("sha512", files, version=1, parameters=b"")
    double = hash_list("sha256", files, order=("A5", "A4", "A1", "A1"))
    sha512 = {"digest": "sha512", "scheme": "pss-sha512", "parameters": b""}

    def case(title, comment, sod, anchors, outcome, remarks=(), **points):
        if points.get("signerValidity") and points.get("signerChain"):
            points["issuingState"] = "couldNotCheck"
        return {"name": title, "comment": comment, "trust": [a.hex().upper() for a in anchors],
                "security_object": sod.hex().upper(), "expect": {"outcome": outcome, "points": points, "remarks": list(remarks)}}

    def good(content=v0, cert=ds, issuer="CSCA", **options):
        return security_object(content, signer_key, cert, issuer, **options)

    cases = [
        case("first-generation", "PKCS#1 v1.5 and SHA-256, list version 0", good(), [root], "proved"),
        case("second-generation", "PSS and SHA-512 throughout, list version 1, no NULL parameters",
             good(v1, pss_ds, "CSCA PSS", **sha512), [pss_root], "proved"),
        case("sha1-over-sha256", "sha1WithRSAEncryption over SHA-256 hashes", good(scheme="sha1WithRSA"),
             [root], "proved", remarks=["signature"]),
        case("bare-rsa-encryption", "signature algorithm rsaEncryption", good(scheme="rsaEncryption"),
             [root], "proved"),
        case("correct-integers", "numbers as positive INTEGERs of two bytes",
             good(seq(integer(0), hash_algorithm("sha256"), seq(*[
                 seq(integer(int(n, 16)), tlv(4, hashlib.sha256(c).digest())) for n, c in files.items()]))),
             [root], "proved"),
        case("rekeyed-csca", "two anchors of the same name without key identifiers, the older one first",
             good(cert=bare_ds), [old_root, bare_root], "proved"),
        case("link-certificate", "only the earlier root and the link to the present key",
             good(), [first_root, link], "proved"),
        case("link-without-root", "the link alone ends nowhere", good(), [link], "false",
             signerChain="false", signerValidity="couldNotCheck"),
        case("other-csca", "an anchor of another name", good(), [other_name], "couldNotCheck",
             signerChain="couldNotCheck", signerValidity="couldNotCheck"),
        case("other-csca-same-name", "an anchor of the same name with another key", good(), [same_name],
             "couldNotCheck", signerChain="couldNotCheck", signerValidity="couldNotCheck"),
        case("signer-as-anchor", "the signer itself in the trust store is no CSCA", good(), [ds],
             "couldNotCheck", signerChain="couldNotCheck", signerValidity="couldNotCheck"),
        case("anchor-not-a-ca", "the anchor is not marked as a CA", good(), [not_a_ca], "false",
             signerChain="false", signerValidity="couldNotCheck"),
        case("intermediate-brought-along", "a CA that only the security object brings",
             good(cert=rogue_ds, issuer="Rogue CA", certificates=[rogue_ds, rogue_ca]), [root],
             "couldNotCheck", signerChain="couldNotCheck", signerValidity="couldNotCheck"),
        case("expired-signer", "the signer's certificate ended a second before", good(cert=expired_ds),
             [root], "couldNotCheck", signerValidity="couldNotCheck"),
        case("early-signer", "the signer's certificate begins a day later", good(cert=early_ds), [root],
             "couldNotCheck", signerValidity="couldNotCheck"),
        case("signer-for-encryption", "the signer's keyUsage has no digitalSignature",
             good(cert=wrong_use), [root], "false", signerChain="false", signerValidity="couldNotCheck",
             signerDocumentType="couldNotCheck"),
        case("critical-extension", "an unknown critical extension in the signer's certificate",
             good(cert=critical), [root], "false", signerChain="false", signerValidity="couldNotCheck"),
        case("other-signing-key", "signed with a key that is not the certificate's",
             security_object(v0, other, ds, "CSCA"), [root], "false", signature="false"),
        case("content-type-attribute", "the contentType attribute names other contents",
             good(attribute_type="1.2.840.113549.1.7.1"), [root], "false", signature="false"),
        case("unknown-algorithm", "a signature algorithm that nobody knows", good(scheme="unknown"), [root],
             "couldNotCheck", signature="couldNotCheck"),
        case("other-content", "eContentType data", good(content_type="1.2.840.113549.1.7.1",
             attribute_type="1.2.840.113549.1.7.1"), [root], "malformed"),
        case("no-attributes", "the signature covers the contents", good(attributes=False), [root], "proved"),
        case("two-signers", "the same signer twice", good(signers=2), [root], "malformed"),
        case("no-certificate", "the signer's certificate is left out", good(certificates=[]), [root],
             "malformed"),
        case("repeated-group", "two hashes for A1", good(double), [root], "malformed"),
        case("padded", "bytes follow the security object", good() + bytes(64), [root], "proved"),
        case("foreign-csca", "a CSCA of another state", good(
            cert=certificate("Signer", signer_key, "FR/CSCA", other, SIGNER + [authority_key(other)]),
            issuer="FR/CSCA"), [foreign_root], "false", issuingState="false"),
        case("foreign-above-link", "an Italian link below a root of another state", good(),
             [foreign_first, foreign_link], "false", issuingState="false"),
        case("no-document-types", "a signer as of 2019, without a list of types", good(cert=signer()), [root],
             "proved", signerDocumentType="couldNotCheck"),
        case("several-document-types", "cards are among them", good(cert=signer(document_types("P", "C"))), [root],
             "proved"),
        case("other-document-types", "passports only", good(cert=signer(document_types("P", "AC"))), [root],
             "false", signerDocumentType="false"),
        case("any-purpose", "extKeyUsage that restricts nothing",
             good(cert=signer(document_types("C"), purposes("2.5.29.37.0"))), [root], "proved"),
        *[case(title, f"extKeyUsage {kind}", good(cert=signer(document_types("C"), purposes(kind))), [root], "false",
               signerChain="false", signerValidity="couldNotCheck") for title, kind in (
                   ("web-server", "1.3.6.1.5.5.7.3.1"), ("master-list-signer", "2.23.136.1.1.3"),
                   ("deviation-list-signer", "2.23.136.1.1.8"))],
        case("any-purpose-and-another", "anyExtendedKeyUsage beside serverAuth", good(cert=signer(
            document_types("C"), purposes("2.5.29.37.0", "1.3.6.1.5.5.7.3.1"))), [root], "false",
            signerChain="false", signerValidity="couldNotCheck"),
        case("malformed-purposes", "an extKeyUsage that is none", good(cert=signer(
            document_types("C"), extension("2.5.29.37", b"\x31\0"))), [root], "false", signerChain="false",
            signerValidity="couldNotCheck"),
        case("md5", "md5WithRSAEncryption over SHA-256 hashes", good(scheme="md5WithRSA"), [root], "couldNotCheck",
             signature="couldNotCheck"),
        case("md5-digest", "a digest of MD5", good(digest="md5"), [root], "couldNotCheck", signature="couldNotCheck"),
        case("md5-mask", "PSS whose mask is made by MD5", good(scheme="pss-mask-md5"), [root], "couldNotCheck",
             signature="couldNotCheck"),
        case("md5-signer", "the signer's certificate was signed with MD5",
             good(cert=signer(document_types("C"), scheme="md5WithRSA")), [root], "couldNotCheck",
             signerChain="couldNotCheck", signerValidity="couldNotCheck"),
        case("sha1-of-2018", "SHA-1 throughout, as in 2018", good(
            v0_sha1, signer(scheme="sha1WithRSA", start="20180101000000Z"), digest="sha1", scheme="sha1WithRSA"),
            [root], "proved", remarks=["signature", "signerChain"], signerDocumentType="couldNotCheck"),
        case("sha1-bare", "rsaEncryption with a digest of SHA-1", good(digest="sha1", scheme="rsaEncryption-sha1"),
             [root], "proved", remarks=["signature"]),
        case("sha1-version-1", "SHA-1 with version 1 of the list", good(
            hash_list("sha256", files, version=1), scheme="sha1WithRSA"), [root], "couldNotCheck",
            signature="couldNotCheck"),
        case("sha1-pss", "SHA-1 in a PSS", good(scheme="pss-sha1"), [root], "couldNotCheck",
             signature="couldNotCheck"),
        *[case(f"sha1-of-{start[:4]}", "a signer that no genuine card with SHA-1 has", good(
            cert=signer(document_types("C"), start=start), scheme="sha1WithRSA"), [root], "couldNotCheck",
            signature="couldNotCheck") for start in ("20151231235959Z", "20210101000000Z")],
        case("sha1-signer-of-2021", "a certificate of 2021 signed with SHA-1", good(
            cert=signer(document_types("C"), scheme="sha1WithRSA", start="20210101000000Z")), [root],
            "couldNotCheck", signerChain="couldNotCheck", signerValidity="couldNotCheck"),
    ]
    document = {
        "kind": "ias-sod",
        "source": "generated with make-ias-sod.py: throw-away keys, invented holder",
        "comment": "Security objects of the IAS application with the files they cover. Judge at `at`. Points that "
                   "`expect` does not name are proved, save in `malformed` cases.",
        "at": 1767225600,
        "files": {number: content.hex().upper() for number, content in files.items()},
        "challenge": challenge.hex().upper(),
        "response": response.hex().upper(),
        "cases": cases,
        "hostile_keys": hostile_keys(v0, csca),
    }
    target = pathlib.Path(__file__).with_name("ias-sod.json")
    target.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
