"""The CSCA and the signers of one persona's travel document (Doc 9303-12 section 7.1)."""

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import NameOID, ObjectIdentifier

from personas.certificates import builder, name, usage
from personas.der import bit_string, elements, sequence, tlv

ORGANIZATION = (NameOID.ORGANIZATION_NAME, "Software CIE, test only")
# Doc 9303-12 section 7.1.1.6: documentTypeList, version 0, { "C" }.
DOCUMENT_TYPES = x509.UnrecognizedExtension(
    ObjectIdentifier("2.23.136.1.1.6.2"), sequence(tlv(0x02, b"\0"), tlv(0x31, tlv(0x13, b"C"))))


def reissue(certificate, scheme, issuer):
    """The same certificate with the key as `scheme` encodes it, signed the way `issuer` signs.

    python3-cryptography 38 can neither sign certificates with PSS nor write explicit parameters.
    """
    fields = elements(certificate.tbs_certificate_bytes)
    # Version, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, extensions.
    fields[2], fields[6] = issuer.algorithm(), scheme.key_info
    content = sequence(*fields)
    signature = issuer.sign(content)
    issuer.verify(signature, content)
    return x509.load_der_x509_certificate(
        sequence(content, issuer.algorithm(), bit_string(signature)))


def document_authority(title, scheme, since=2024, label="Test travel document CSCA"):
    subject = name(
        (NameOID.COUNTRY_NAME, "IT"), ORGANIZATION,
        (NameOID.COMMON_NAME, f"{label} of persona {title}"))
    key = scheme.private_key
    draft = (
        builder(subject, subject, key, 2049, since)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False)
        .add_extension(x509.BasicConstraints(True, 0), True)
        .add_extension(usage("key_cert_sign", "crl_sign"), True)
        .sign(key, hashes.SHA256()))
    return reissue(draft, scheme, scheme)


def signer(label, scheme, csca_scheme, csca, types=True, since=2024):
    """A document signer, or without `types` the signer of EF.CardSecurity."""
    subject = name((NameOID.COUNTRY_NAME, "IT"), ORGANIZATION, (NameOID.COMMON_NAME, label))
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(
        csca_scheme.private_key.public_key())
    draft = (
        builder(subject, csca.subject, scheme.private_key, 2045, since)
        .add_extension(authority, False)
        .add_extension(usage("digital_signature"), True))
    if types:
        draft = draft.add_extension(DOCUMENT_TYPES, False)
    return reissue(draft.sign(csca_scheme.private_key, hashes.SHA256()), scheme, csca_scheme)
