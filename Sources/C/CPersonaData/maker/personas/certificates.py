"""The test authorities, the Document Signer and the holder's certificate."""

import datetime
import secrets

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import (
    AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID, ObjectIdentifier)

from personas.der import sequence, tlv


def name(*pairs):
    return x509.Name([x509.NameAttribute(kind, text) for kind, text in pairs])


def builder(subject, issuer, key, until, since=2024):
    # UTCTime up to 2049, GeneralizedTime from 2050 on: the library follows RFC 5280.
    return (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
        .public_key(key.public_key()).serial_number(secrets.randbits(62) | 1 << 62)
        .not_valid_before(datetime.datetime(since, 1, 1))
        .not_valid_after(datetime.datetime(until, 12, 31))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False))


def usage(*wanted):
    kinds = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
             "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{kind: kind in wanted for kind in kinds})


def authority(label, bits, since=2024):
    key = rsa.generate_private_key(65537, bits)
    subject = name(
        (NameOID.COUNTRY_NAME, "IT"), (NameOID.ORGANIZATION_NAME, "Software CIE, test only"),
        (NameOID.COMMON_NAME, label))
    certificate = (
        builder(subject, subject, key, 2049, since)
        .add_extension(x509.BasicConstraints(True, 0), True)
        .add_extension(usage("key_cert_sign", "crl_sign"), True)
        .sign(key, hashes.SHA256()))
    return key, certificate


def document_signer(csca_key, csca, since=2024):
    key = rsa.generate_private_key(65537, 2048)
    subject = name(
        (NameOID.COUNTRY_NAME, "IT"), (NameOID.ORGANIZATION_NAME, "Software CIE, test only"),
        (NameOID.COMMON_NAME, "Test identity card signer"))
    # Doc 9303-12 section 7.1.1.6: documentTypeList, version 0, { "C" }.
    types = sequence(tlv(0x02, b"\0"), tlv(0x31, tlv(0x13, b"C")))
    certificate = (
        builder(subject, csca.subject, key, 2045, since)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(csca_key.public_key()), False)
        .add_extension(usage("digital_signature"), True)
        .add_extension(
            x509.UnrecognizedExtension(ObjectIdentifier("2.23.136.1.1.6.2"), types), False)
        .sign(csca_key, hashes.SHA256()))
    return key, certificate


def holder_certificate(persona, key, issuer_key, issuer):
    """EF 1003: the certificate of key 81, made as long as a real one (about 1.8 kB).

    The subject is that of "CIE 3.0 - Specifiche Chip" section 6.12: IDC, IT, the number; the country of citizenship.
    """
    subject = name(
        (NameOID.COUNTRY_NAME, persona.get("country", "IT")),
        (NameOID.SERIAL_NUMBER, "IDCIT-" + persona["number"]),
        (NameOID.SURNAME, persona["surname"]), (NameOID.GIVEN_NAME, persona["given"]),
        (NameOID.COMMON_NAME, persona["fiscal"] + "/" + persona["nis"]))
    notices = [
        "Certificate of a software card, made for tests. It names an invented person, its keys are "
        "published with the program, and nobody may rely on it for any purpose.",
        "Certificato di una carta simulata, fatto per le prove. La persona non esiste, le chiavi sono "
        "pubblicate con il programma e nessuno puo' farvi affidamento."]
    practice = "http://cps.example.invalid/authentication/certification-practice-statement/version-"
    filler = 0
    while True:
        policies = x509.CertificatePolicies([
            x509.PolicyInformation(ObjectIdentifier("2.999.47.4"), [
                practice + "1." + "0" * filler,
                *(x509.UserNotice(None, notice) for notice in notices)])])
        certificate = (
            builder(
                subject, issuer.subject, key, persona.get("until", 2045),
                persona.get("since", 2024))
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False)
            .add_extension(usage("digital_signature"), True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), False)
            .add_extension(policies, False)
            .add_extension(x509.CRLDistributionPoints([
                x509.DistributionPoint([x509.UniformResourceIdentifier(place)], None, None, None)
                for place in (
                    "http://crl.example.invalid/authentication/CRL01.crl",
                    "ldap://ldap.example.invalid/CN=CRL01,OU=Software%20CIE,O=Test%20only,C=IT"
                    "?certificateRevocationList;binary")]), False)
            .add_extension(x509.AuthorityInformationAccess([
                x509.AccessDescription(
                    AuthorityInformationAccessOID.OCSP,
                    x509.UniformResourceIdentifier("http://ocsp.example.invalid/authentication")),
                x509.AccessDescription(
                    AuthorityInformationAccessOID.CA_ISSUERS,
                    x509.UniformResourceIdentifier(
                        "http://ca.example.invalid/authentication/issuer.cer"))]), False)
            .sign(issuer_key, hashes.SHA256()))
        size = len(der(certificate))
        if size >= 1790:
            if size > 1840:
                raise SystemExit(f"certificate of {size} bytes: shorten its texts")
            return der(certificate)
        filler += max(1, 1805 - size)


def der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)
