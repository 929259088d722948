#!/usr/bin/env python3
"""Makes ias-sod.json: security objects of the CIE's IAS application, good and bad.

Python's standard library writes the DER by hand and the openssl command makes keys and signatures, so that
nothing of the program under test takes part. Every run makes new throw-away keys. The holder is invented.

Layouts: RFC 5280 (certificates), RFC 5652 (SignedData), Doc 9303-10 section 4.6.2 (LDSSecurityObject); the data
group numbers are those of the official CIE middleware, whose INTEGERs A1 to A5 have one content byte.
"""
import hashlib
import json
import pathlib
import subprocess
import tempfile

WORK = pathlib.Path(tempfile.mkdtemp())


def run(*command, data=b""):
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout


# DER

def tlv(tag, *parts):
    value = b"".join(parts)
    n = len(value)
    raw = n.to_bytes((n.bit_length() + 7) // 8, "big")
    size = bytes([n]) if n < 128 else bytes([0x80 | len(raw)]) + raw
    return bytes([tag]) + size + value


def seq(*parts):
    return tlv(0x30, *parts)


def integer(number):
    return tlv(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def oid(dotted):
    first, second, *rest = [int(part) for part in dotted.split(".")]
    value = b""
    for arc in [first * 40 + second] + rest:
        chunk = bytes([arc & 0x7F])
        while arc := arc >> 7:
            chunk = bytes([0x80 | arc & 0x7F]) + chunk
        value += chunk
    return tlv(6, value)


NULL = tlv(5)
HASHES = {"sha1": "1.3.14.3.2.26", "sha256": "2.16.840.1.101.3.4.2.1", "sha512": "2.16.840.1.101.3.4.2.3"}


def hash_algorithm(name, parameters=NULL):
    return seq(oid(HASHES[name]), parameters)


def pss(name):
    length = hashlib.new(name).digest_size
    mgf = seq(oid("1.2.840.113549.1.1.8"), hash_algorithm(name))
    return seq(oid("1.2.840.113549.1.1.10"), seq(
        tlv(0xA0, hash_algorithm(name)), tlv(0xA1, mgf), tlv(0xA2, integer(length))))


# name: (AlgorithmIdentifier, hash, options of openssl dgst)
SCHEMES = {
    "sha256WithRSA": (seq(oid("1.2.840.113549.1.1.11"), NULL), "sha256", []),
    "sha1WithRSA": (seq(oid("1.2.840.113549.1.1.5"), NULL), "sha1", []),
    "rsaEncryption": (seq(oid("1.2.840.113549.1.1.1"), NULL), "sha256", []),
    "unknown": (seq(oid("1.3.6.1.4.1.99999.1")), "sha256", []),
    "pss-sha512": (pss("sha512"), "sha512", [
        "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:64",
        "-sigopt", "rsa_mgf1_md:sha512"]),
}


def new_key(name):
    path = WORK / f"{name}.key"
    run("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(path))
    return path


def sign(key, message, scheme):
    _, name, options = SCHEMES[scheme]
    return run("openssl", "dgst", f"-{name}", "-sign", str(key), *options, data=message)


def public_key_info(key):
    return run("openssl", "pkey", "-in", str(key), "-pubout", "-outform", "DER")


def pkcs1(key):
    return run("openssl", "rsa", "-in", str(key), "-RSAPublicKey_out", "-outform", "DER")


# Certificates

def name(common_name):
    parts = [("2.5.4.6", 0x13, "UT"), ("2.5.4.10", 0x0C, "Test only, Utopia"), ("2.5.4.3", 0x0C, common_name)]
    return seq(*[tlv(0x31, seq(oid(kind), tlv(tag, text.encode()))) for kind, tag, text in parts])


def extension(kind, value, critical=False):
    return seq(oid(kind), tlv(1, b"\xff") if critical else b"", tlv(4, value))


def key_usage(bits):
    return extension("2.5.29.15", tlv(3, bytes([0, bits])), critical=True)


DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, CERT_AND_CRL_SIGN = 0x80, 0x20, 0x06
CA = [key_usage(CERT_AND_CRL_SIGN), extension("2.5.29.19", seq(tlv(1, b"\xff")), critical=True)]
SIGNER = [key_usage(DIGITAL_SIGNATURE),
          extension("2.23.136.1.1.6.2", seq(tlv(2, b"\0"), tlv(0x31, tlv(0x13, b"C"))))]


def key_identifier(key):
    return hashlib.sha1(public_key_info(key)).digest()


def subject_key(key):
    return extension("2.5.29.14", tlv(4, key_identifier(key)))


def authority_key(key):
    return extension("2.5.29.35", seq(tlv(0x80, key_identifier(key))))


serials = iter(range(0x1001, 0x2000))


def certificate(subject, key, issuer, issuer_key, extensions, scheme="sha256WithRSA",
                start="20200101000000Z", end="20401231235959Z"):
    def time(text):
        return tlv(0x17, text[2:].encode()) if text < "2050" else tlv(0x18, text.encode())

    algorithm = SCHEMES[scheme][0]
    body = seq(tlv(0xA0, integer(2)), integer(next(serials)), algorithm, name(issuer),
               seq(time(start), time(end)), name(subject), public_key_info(key),
               tlv(0xA3, seq(*extensions)))
    return seq(body, algorithm, tlv(3, b"\0", sign(issuer_key, body, scheme)))


# The security object

def hash_list(algorithm, files, version=0, parameters=NULL, order=("A5", "1B", "A4", "A3", "A2", "A1")):
    entries = [seq(tlv(2, bytes.fromhex(number)), tlv(4, hashlib.new(algorithm, files[number]).digest()))
               for number in order]
    info = seq(tlv(0x13, b"0108"), tlv(0x13, b"040000")) if version else b""
    return seq(integer(version), hash_algorithm(algorithm, parameters), seq(*entries), info)


LDS_OBJECT = "2.23.136.1.1.1"


def issuer_and_serial(cert_issuer, cert):
    body = cert[4:]  # SEQUENCE, long form: the certificates are longer than 255 bytes
    after_version = body[4 + 5:]
    return seq(name(cert_issuer), after_version[:2 + after_version[1]])


def security_object(content, key, cert, cert_issuer, digest="sha256", scheme="sha256WithRSA",
                    content_type=LDS_OBJECT, attribute_type=LDS_OBJECT, certificates=None, signers=1,
                    attributes=True, parameters=NULL, extra=(), stored=lambda attributes: attributes):
    signed = [seq(oid("1.2.840.113549.1.9.3"), tlv(0x31, oid(attribute_type))),
              seq(oid("1.2.840.113549.1.9.4"), tlv(0x31, tlv(4, hashlib.new(digest, content).digest()))), *extra]
    message = tlv(0x31, *signed) if attributes else content
    signer = seq(integer(1), issuer_and_serial(cert_issuer, cert), hash_algorithm(digest, parameters),
                 tlv(0xA0, *stored(signed)) if attributes else b"", SCHEMES[scheme][0],
                 tlv(4, sign(key, message, scheme)))
    included = [cert] if certificates is None else certificates
    data = seq(integer(3), tlv(0x31, hash_algorithm(digest, parameters)),
               seq(oid(content_type), tlv(0xA0, tlv(4, content))),
               tlv(0xA0, *included) if included else b"", tlv(0x31, *[signer] * signers))
    return tlv(0x77, seq(oid("1.2.840.113549.1.7.2"), tlv(0xA0, data)))


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

    ids = [subject_key(signer_key), authority_key(csca)]
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
        "A3": certificate("TSTFNT90A01Z999X/0000000000000000.test", holder, "CSCA", csca,
                          SIGNER + [extension("2.5.29.32", notice)]),
        "A4": pkcs1(device),
        "A5": pkcs1(services),
        "1B": dh,
    }
    challenge = bytes(range(0x10, 0x20))
    (WORK / "challenge").write_bytes(challenge)
    response = run("openssl", "pkeyutl", "-sign", "-inkey", str(services), "-in", str(WORK / "challenge"))

    v0 = hash_list("sha256", files)
    v1 = hash_list("sha512", files, version=1, parameters=b"")
    double = hash_list("sha256", files, order=("A5", "A4", "A1", "A1"))
    sha512 = {"digest": "sha512", "scheme": "pss-sha512", "parameters": b""}

    def case(title, comment, sod, anchors, outcome, **points):
        return {"name": title, "comment": comment, "trust": [a.hex().upper() for a in anchors],
                "security_object": sod.hex().upper(), "expect": {"outcome": outcome, "points": points}}

    def good(content=v0, cert=ds, issuer="CSCA", **options):
        return security_object(content, signer_key, cert, issuer, **options)

    cases = [
        case("first-generation", "PKCS#1 v1.5 and SHA-256, list version 0", good(), [root], "proved"),
        case("second-generation", "PSS and SHA-512 throughout, list version 1, no NULL parameters",
             good(v1, pss_ds, "CSCA PSS", **sha512), [pss_root], "proved"),
        case("sha1-over-sha256", "sha1WithRSAEncryption over SHA-256 hashes", good(scheme="sha1WithRSA"),
             [root], "proved"),
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
             good(cert=wrong_use), [root], "false", signerChain="false", signerValidity="couldNotCheck"),
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
    }
    target = pathlib.Path(__file__).with_name("ias-sod.json")
    target.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
