"""DER, certificates and signed data for the scripts in this folder.

Python's standard library writes the DER by hand and the openssl command makes keys and signatures, independently of the
program under test. Every run makes new throw-away keys.

Layouts: RFC 5280 (certificates), RFC 5652 (SignedData), Doc 9303-10 section 4.6.2 (LDSSecurityObject); the data
group numbers are those of the official CIE middleware, whose INTEGERs A1 to A5 have one content byte.
"""
import hashlib
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
HASHES = {"md5": "1.2.840.113549.2.5", "sha1": "1.3.14.3.2.26", "sha256": "2.16.840.1.101.3.4.2.1", "sha512": "2.16.840.1.101.3.4.2.3"}


def hash_algorithm(name, parameters=NULL):
    return seq(oid(HASHES[name]), parameters)


def pss(name, mask=None):
    length = hashlib.new(name).digest_size
    mgf = seq(oid("1.2.840.113549.1.1.8"), hash_algorithm(mask or name))
    return seq(oid("1.2.840.113549.1.1.10"), seq(
        tlv(0xA0, hash_algorithm(name)), tlv(0xA1, mgf), tlv(0xA2, integer(length))))


# name: (AlgorithmIdentifier, hash, options of openssl dgst)
SCHEMES = {
    "sha256WithRSA": (seq(oid("1.2.840.113549.1.1.11"), NULL), "sha256", []),
    "sha1WithRSA": (seq(oid("1.2.840.113549.1.1.5"), NULL), "sha1", []),
    "rsaEncryption-sha1": (seq(oid("1.2.840.113549.1.1.1"), NULL), "sha1", []),
    "rsaEncryption": (seq(oid("1.2.840.113549.1.1.1"), NULL), "sha256", []),
    "ecdsa-sha256": (seq(oid("1.2.840.10045.4.3.2")), "sha256", []),
    "md5WithRSA": (seq(oid("1.2.840.113549.1.1.4"), NULL), "md5", []),
    "pss-sha1": (pss("sha1"), "sha1", ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:20"]),
    "pss-mask-md5": (pss("sha256", "md5"), "sha256", [
        "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32", "-sigopt", "rsa_mgf1_md:md5"]),
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
    """The names of the certificates: of Italy, or of the state before a slash; with the attributes in reverse order
    after a tilde; or complete, in DER."""
    if isinstance(common_name, bytes):
        return common_name
    backwards, common_name = common_name.startswith("~"), common_name.removeprefix("~")
    country, _, rest = common_name.rpartition("/")
    parts = [("2.5.4.6", 0x13, country or "IT"), ("2.5.4.10", 0x0C, "Test only"), ("2.5.4.3", 0x0C, rest)]
    return names(reversed(parts) if backwards else parts)


def names(parts):
    return seq(*[tlv(0x31, seq(oid(kind), tlv(tag, text.encode()))) for kind, tag, text in parts])


# CIE 3.0 chip specification section 6.12: `IDCIT-` and the number, fiscal code / NIS, and the citizenship.
HOLDER = names([
    ("2.5.4.6", 0x13, "FR"), ("2.5.4.5", 0x13, "IDCIT-CA00000AA"), ("2.5.4.4", 0x0C, "FINTO"),
    ("2.5.4.42", 0x0C, "TESTO"), ("2.5.4.3", 0x0C, "TSTFNT90A01Z999X/000000000123")])


def extension(kind, value, critical=False):
    return seq(oid(kind), tlv(1, b"\xff") if critical else b"", tlv(4, value))


def key_usage(bits):
    return extension("2.5.29.15", tlv(3, bytes([0, bits])), critical=True)


DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, CERT_AND_CRL_SIGN = 0x80, 0x20, 0x06
CA = [key_usage(CERT_AND_CRL_SIGN), extension("2.5.29.19", seq(tlv(1, b"\xff")), critical=True)]


def document_types(*types):
    return extension("2.23.136.1.1.6.2", seq(tlv(2, b"\0"), tlv(0x31, *[tlv(0x13, kind.encode()) for kind in types])))


def purposes(*kinds):
    return extension("2.5.29.37", seq(*map(oid, kinds)), critical=True)


SIGNER = [key_usage(DIGITAL_SIGNATURE), document_types("C")]


def key_identifier(key):
    return hashlib.sha1(public_key_info(key)).digest()


def subject_key(key):
    return extension("2.5.29.14", tlv(4, key_identifier(key)))


def authority_key(key):
    return extension("2.5.29.35", seq(tlv(0x80, key_identifier(key))))


serials = iter(range(0x1001, 0x2000))


def certificate(subject, key, issuer, issuer_key, extensions, scheme="sha256WithRSA",
                start="20200101000000Z", end="20401231235959Z", key_info=None):
    def time(text):
        return tlv(0x17, text[2:].encode()) if text < "2050" else tlv(0x18, text.encode())

    algorithm = SCHEMES[scheme][0]
    body = seq(tlv(0xA0, integer(2)), integer(next(serials)), algorithm, name(issuer),
               seq(time(start), time(end)), name(subject), key_info or public_key_info(key),
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
    def inside(data):
        return data[2 + (data[1] & 0x7F):]  # SEQUENCE, long form: the certificates are longer than 255 bytes

    after_version = inside(inside(cert))[5:]
    return seq(name(cert_issuer), after_version[:2 + after_version[1]])


def security_object(content, key, cert, cert_issuer, digest="sha256", scheme="sha256WithRSA",
                    content_type=LDS_OBJECT, attribute_type=LDS_OBJECT, certificates=None, signers=1,
                    attributes=True, parameters=NULL, signature=None, extra=(), stored=lambda attributes: attributes):
    signed = [seq(oid("1.2.840.113549.1.9.3"), tlv(0x31, oid(attribute_type))),
              seq(oid("1.2.840.113549.1.9.4"), tlv(0x31, tlv(4, hashlib.new(digest, content).digest()))), *extra]
    message = tlv(0x31, *signed) if attributes else content
    signer = seq(integer(1), issuer_and_serial(cert_issuer, cert), hash_algorithm(digest, parameters),
                 tlv(0xA0, *stored(signed)) if attributes else b"", SCHEMES[scheme][0],
                 tlv(4, signature or sign(key, message, scheme)))
    included = [cert] if certificates is None else certificates
    data = seq(integer(3), tlv(0x31, hash_algorithm(digest, parameters)),
               seq(oid(content_type), tlv(0xA0, tlv(4, content))),
               tlv(0xA0, *included) if included else b"", tlv(0x31, *[signer] * signers))
    return tlv(0x77, seq(oid("1.2.840.113549.1.7.2"), tlv(0xA0, data)))
