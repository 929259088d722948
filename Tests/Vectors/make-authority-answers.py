#!/usr/bin/env python3
"""Writes authority-answers.json: answers of an issuer and of a time stamp authority, about an invented certificate.

CRLs and OCSP responses by python3-cryptography, a time stamp by OpenSSL. All keys are the persona gemalto's key 81, which
the fuzzer has too: it signs altered answers itself. Only the time stamp differs from run to run.
"""
import datetime
import json
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key
from cryptography.x509 import ocsp
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KEY = load_der_private_key((ROOT / "Sources/C/CPersonaData/data/gemalto/holder-key.der").read_bytes(), None)
BEGIN, END = datetime.datetime(2026, 1, 1), datetime.datetime(2046, 1, 1)
THEN, NEXT, REVOKED = datetime.datetime(2026, 3, 1), datetime.datetime(2026, 3, 8), datetime.datetime(2026, 2, 1)


def named(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def usage(*uses):
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
             "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{name: name in uses for name in names})


def certificate(name, serial, *extensions, issuer="Issuer"):
    builder = x509.CertificateBuilder(named(issuer), named(name), KEY.public_key(), serial, BEGIN, END)
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(KEY, SHA256())


issuer = certificate(
    "Issuer", 1, (x509.BasicConstraints(True, None), True), (usage("key_cert_sign", "crl_sign", "digital_signature"), True))
holder = certificate("Holder", 2, (usage("digital_signature"), True))
responder = certificate(
    "Responder", 3, (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.OCSP_SIGNING]), False), (x509.OCSPNoCheck(), False))
stamper = certificate("Stamps", 4, (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), True))


def crl(*serials):
    builder = x509.CertificateRevocationListBuilder(issuer.subject, THEN, NEXT).add_extension(x509.CRLNumber(7), False)
    for serial in serials:
        entry = x509.RevokedCertificateBuilder(serial, REVOKED).add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), False)
        builder = builder.add_revoked_certificate(entry.build())
    return builder.sign(KEY, SHA256())


def response(status, by=issuer):
    revoked = status == ocsp.OCSPCertStatus.REVOKED
    builder = ocsp.OCSPResponseBuilder().add_response(
        holder, issuer, SHA1(), status, THEN, NEXT, REVOKED if revoked else None,
        x509.ReasonFlags.key_compromise if revoked else None)
    builder = builder.responder_id(ocsp.OCSPResponderEncoding.HASH, by)
    if by is not issuer:
        builder = builder.certificates([by])
    return builder.sign(KEY, SHA256())


def stamp():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "stamper.pem").write_bytes(stamper.public_bytes(Encoding.PEM))
        (path / "key.pem").write_bytes(KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        (path / "serial").write_text("01\n")
        (path / "letter").write_text("Caro ufficio\n")
        (path / "tsa.cnf").write_text(
            f"[tsa]\nserial={path}/serial\nsigner_cert={path}/stamper.pem\nsigner_key={path}/key.pem\nsigner_digest=sha256\n"
            "default_policy=1.2.3.4.1\ndigests=sha256\ness_cert_id_alg=sha256\n")
        for words in (["-query", "-data", path / "letter", "-sha256", "-cert", "-out", path / "query"],
                      ["-reply", "-queryfile", path / "query", "-section", "tsa", "-config", path / "tsa.cnf", "-out", path / "reply"]):
            subprocess.run(["openssl", "ts", *words], check=True, capture_output=True)
        return (path / "reply").read_bytes()


def encoded(each):
    return each.public_bytes(Encoding.DER).hex().upper()


good, revoked = ocsp.OCSPCertStatus.GOOD, ocsp.OCSPCertStatus.REVOKED
print(json.dumps({
    "issuer": encoded(issuer), "certificate": encoded(holder), "lists": [encoded(crl()), encoded(crl(9, 2))],
    "responses": [encoded(response(good)), encoded(response(revoked)), encoded(response(good, responder))],
    "timeStamp": stamp().hex().upper(),
}, indent=2))
