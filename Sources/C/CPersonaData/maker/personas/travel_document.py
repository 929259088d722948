"""Makes one persona's travel document: files, keys and their two signatures."""

import dataclasses

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from personas import data_groups, portrait
from personas.der import integer, sequence, tlv
from personas.document_certificates import document_authority, signer
from personas.security_infos import (
    BSI, CURVE_NAMES, StaticKey, active_authentication_info, pace_info, security_infos,
    terminal_authentication_info)
from personas.signature_scheme import CURVES, SignatureScheme, digest, digest_algorithm
from personas.signed_data import signed_data


@dataclasses.dataclass
class TravelDocument:
    """All contents of the data files."""
    can: str
    mrz: list
    csca: bytes
    access: bytes
    card_security: bytes
    common: bytes
    security_object: bytes
    groups: dict
    chip_keys: list
    active_key: object
    long_security_object: bytes
    # The signer of EF.SOD: private key, certificate, and the CSCA above.
    issuance: tuple


def security_object_content(groups, hashing, version1):
    """LDSSecurityObject (Doc 9303-10 section 4.6.2.3)."""
    hashes = sequence(*(
        sequence(integer(number), tlv(0x04, digest(hashing, groups[number])))
        for number in sorted(groups)))
    version = [sequence(tlv(0x13, b"0108"), tlv(0x13, b"040000"))] if version1 else []
    return sequence(
        integer(int(version1)), digest_algorithm(hashing, null=not version1), hashes, *version)


def picture(title, document):
    """The portrait, as long as needed for the wanted size of DG2."""
    image = portrait.draw(title)
    encode = portrait.jpeg if document.get("jpeg") else portrait.jpeg2000
    rest = len(wrapped(b"\0" * document["size"], document)) - document["size"]
    return encode(image, document["size"] - rest)


def wrapped(image, document):
    return data_groups.dg2(
        image, not document.get("jpeg"), portrait.WIDTH, portrait.HEIGHT, document)


def with_comment(jpeg, size):
    """The JPEG with a comment of that many zero bytes after its first marker."""
    return jpeg[:2] + b"\xFF\xFE" + (size + 2).to_bytes(2, "big") + bytes(size) + jpeg[2:]


def active_key(document):
    if "active" not in document:
        return None
    kind, parameter = document["active"]
    if kind == "rsa":
        return rsa.generate_private_key(65537, parameter)
    return ec.generate_private_key(CURVES[CURVE_NAMES[parameter]]())


def dg14_infos(document, chip, active):
    infos = [pace_info(*info) for info in document["access"]] if document.get(
        "repeats_access") else []
    infos += [terminal_authentication_info()] if document.get("authenticates_terminals") else []
    for key in chip:
        infos += [key.info, key.public_info()]
    # Doc 9303-11 section 9.2.8: only ECDSA needs it; SHA-256 is the third plain algorithm.
    infos += [active_authentication_info(3)] if active and document["active"][0] == "ecdsa" else []
    return infos


def make_document(title, persona, document):
    mrz = data_groups.mrz_lines(persona, document)
    chip = [StaticKey(**key) for key in document.get("chip", ())]
    active = active_key(document)
    image = picture(title, document)
    groups = {
        1: data_groups.dg1(mrz), 2: wrapped(image, document),
        11: data_groups.dg11(persona, document), 12: data_groups.dg12(document)}
    if infos := dg14_infos(document, chip, active):
        groups[14] = tlv(0x6E, security_infos(*infos))
    if active:
        groups[15] = tlv(0x6F, active.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))

    signed = dict(groups)
    if document.get("fingerprints"):
        signed[3] = data_groups.unreadable(3)
    if "printed_issue" in document:
        # The production fault of 2017 and 2018 (CIE deviation list of 2018-05-30): the signed contents differ from the
        # file.
        signed[12] = data_groups.dg12({**document, "issued": document["printed_issue"]})

    explicit = document.get("explicit", False)
    since = document.get("since", 2024)
    csca_scheme = SignatureScheme(*document["csca"], explicit)
    csca = document_authority(title, csca_scheme, since)

    def issue(label, kind, content, types):
        scheme = SignatureScheme(*document["signer"], explicit)
        certificate = signer(label, scheme, csca_scheme, csca, types, since)
        return (scheme.private_key, certificate, csca), [signed_data(
            kind, each, scheme, certificate, csca, by_key=document.get("by_key", False),
            time=document.get("time", False)) for each in content]

    hashing = document.get("hash", "sha512" if document.get("version1") else "sha256")
    contents = [security_object_content(signed, hashing, document.get("version1", False))]
    if "long" in document:
        long = wrapped(with_comment(image, document["long"]), document)
        contents.append(security_object_content({**groups, 2: long}, hashing, False))
    issuance, messages = issue("Test travel document signer", "2.23.136.1.1.1", contents, True)
    access = [pace_info(*info) for info in document["access"]]
    card_security = b""
    if "card_security" in document:
        content = security_infos(
            *access, *(part for key in chip
                       for part in (key.info, key.public_info(document["card_security"]))))
        _, [card_security] = issue("Test card security signer", f"{BSI}.3.2.1", [content], False)
    return TravelDocument(
        document["can"], mrz, csca.public_bytes(serialization.Encoding.DER), security_infos(*access),
        card_security, data_groups.common(signed), tlv(0x77, messages[0]), groups, chip, active,
        tlv(0x77, messages[1]) if len(messages) > 1 else b"", issuance)
