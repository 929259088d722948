#!/usr/bin/env python3
"""Makes travel-documents.json: the files of an invented holder's travel document, security objects over them, good
and bad, EF.CardSecurity, and an answer of active authentication.

DER, certificates and signatures as in make-ias-sod.py and make-master-lists.py; DG1, DG11 and DG12 are those of
lds-td1-cie-like.json. Every run makes new throw-away keys.

Layouts: Doc 9303-10 section 4.6.2 (security object), Doc 9303-11 section 9.2 (SecurityInfos).
"""
import importlib.machinery
import importlib.util
import json
import pathlib

HERE = pathlib.Path(__file__).parent
_loader = importlib.machinery.SourceFileLoader("lists", str(HERE / "make-master-lists.py"))
lists = importlib.util.module_from_spec(importlib.util.spec_from_loader("lists", _loader))
_loader.exec_module(lists)
ias, seq, tlv, oid, integer = lists.ias, lists.seq, lists.tlv, lists.oid, lists.integer

COUNTRY = "IT"


def name(common_name):
    """The names of the certificates: of the state that DG1 names, or of the one that stands before a slash; with
    the attributes in the opposite order behind a tilde."""
    backwards, common_name = common_name.startswith("~"), common_name.removeprefix("~")
    country, _, rest = common_name.rpartition("/")
    parts = [("2.5.4.6", 0x13, country or COUNTRY), ("2.5.4.10", 0x0C, "Test only"), ("2.5.4.3", 0x0C, rest)]
    return seq(*[tlv(0x31, seq(oid(kind), tlv(tag, text.encode())))
                 for kind, tag, text in (reversed(parts) if backwards else parts)])


ias.name = name
PACE = seq(oid("0.4.0.127.0.7.2.2.4.2.2"), integer(2), integer(12))
WEAKER_PACE = seq(oid("0.4.0.127.0.7.2.2.4.2.1"), integer(2), integer(12))
CARD_SECURITY = "0.4.0.127.0.7.3.2.1"


def main():
    published = json.loads((HERE / "lds-td1-cie-like.json").read_text())["cases"][0]["files"]
    named = oid("1.2.840.10045.3.1.7")
    chip, active = lists.ECKey(named), lists.ECKey(named)
    chip_infos = [
        seq(oid("0.4.0.127.0.7.2.2.3.2.2"), integer(1)), seq(oid("0.4.0.127.0.7.2.2.1.2"), chip.info())]
    active_info = seq(oid("2.23.136.1.1.5"), integer(1), oid("0.4.0.127.0.7.1.1.4.1.3"))
    files = {number: bytes.fromhex(published[f"DG{number}"]) for number in (1, 11, 12)}
    files[14] = tlv(0x6E, tlv(0x31, PACE, *chip_infos, active_info))
    files[15] = tlv(0x6F, active.info())
    without_pace = {**files, 14: tlv(0x6E, tlv(0x31, *chip_infos, active_info))}
    challenge = bytes(range(0x30, 0x38))
    response = b"".join(map(lists.field, active.sign_plain(challenge)))

    csca, foreign, key = (ias.new_key(n) for n in ("csca", "foreign", "signer"))
    root = ias.certificate("CSCA", csca, "CSCA", csca, ias.CA + [ias.subject_key(csca)])
    foreign_root = ias.certificate("FR/CSCA", foreign, "FR/CSCA", foreign, ias.CA + [ias.subject_key(foreign)])

    same_name = ias.certificate("CSCA", foreign, "CSCA", foreign, ias.CA)
    not_a_ca = ias.certificate("CSCA", csca, "CSCA", csca, ias.CA[:1])
    no_signing = ias.certificate("CSCA", csca, "CSCA", csca, [ias.key_usage(ias.DIGITAL_SIGNATURE), ias.CA[1]])
    link = ias.certificate("CSCA", csca, "First", foreign, ias.CA + [ias.subject_key(csca)])
    critical = ias.extension("1.3.6.1.4.1.99999.2", ias.NULL, critical=True)

    def signer(issuer="CSCA", issuer_key=csca, extra=(), **dates):
        return ias.certificate("Signer", key, issuer, issuer_key, ias.SIGNER + [
            ias.subject_key(key), ias.authority_key(issuer_key), *extra], **dates)

    def content(covered):
        return seq(integer(0), ias.hash_algorithm("sha256"), seq(*[
            seq(integer(number), tlv(4, ias.hashlib.sha256(file).digest())) for number, file in covered.items()]))

    good = signer()
    signing_time = seq(oid("1.2.840.113549.1.9.5"), tlv(0x31, tlv(0x17, b"240601120000Z")))

    def sod(covered=files, cert=good, issuer="CSCA", **options):
        return ias.security_object(content(covered), key, cert, issuer, **options)

    def bare(wrapped):
        return wrapped[2 + (wrapped[1] & 0x7F):]

    no_details = {number: file for number, file in files.items() if number != 12}
    padded = {**files, 11: files[11] + bytes(16)}
    other = {**files, 1: files[1].replace(b"ESEMPIO", b"ALTRUI<")}
    backwards = sod(cert=signer("~CSCA"), issuer="~CSCA")
    cases = [
        ("complete", "everything listed, DG12 tells the date of issue", sod(), root),
        ("signing-time", "no DG12; the signer tells the time", sod(no_details, extra=[signing_time]), root),
        ("no-date", "neither DG12 nor a signing time", sod(no_details), root),
        ("stored-order", "signed in the order of DER, stored in another",
         sod(stored=lambda attributes: list(reversed(attributes))), root),
        ("legacy-type", "the content type of the first German passports",
         sod(content_type="1.3.27.1.1.1", attribute_type="1.3.27.1.1.1"), root),
        ("other-person", "the security object of somebody else", sod(other), root),
        ("padding-hashed", "the hash of DG11 covers 16 bytes of padding", sod(padded), root),
        ("ended-signer", "the signer's certificate was in force at issue and has ended",
         sod(cert=signer(start="20240101000000Z", end="20250601000000Z")), root),
        ("later-signer", "the signer's certificate began after the date of issue",
         sod(cert=signer(start="20250601000000Z")), root),
        ("foreign", "a CSCA of another state", sod(
            cert=signer("FR/CSCA", foreign), issuer="FR/CSCA"), foreign_root),
        ("name-order", "the signer names its issuer in another order of attributes", backwards, root),
        ("name-order-other-key", "the same, and the anchor has another key", backwards, same_name),
        ("name-order-not-a-ca", "the same, and the anchor is not marked as a CA", backwards, not_a_ca),
        ("name-order-key-usage", "the same, and the anchor's key is not for certificates", backwards, no_signing),
        ("name-order-link", "the same, and the anchor is signed by another key", backwards, link),
        ("name-order-critical", "the same, with an unknown critical extension", sod(
            cert=signer("~CSCA", extra=[critical]), issuer="~CSCA"), root),
        ("no-copy", "DG14 does not repeat what PACE announces", sod(without_pace), root),
    ]
    hexadecimal = lists.hexadecimal
    document = {
        "kind": "travel-documents",
        "source": "generated with make-travel-documents.py: throw-away keys, invented holder",
        "comment": "Security objects and the files that they cover. Judge at `at`. `files14` is the DG14 of the case "
                   "no-copy; `weaker_access` announces another cipher; `other_security` announces other variants.",
        "at": 1767225600,
        "files": {str(number): hexadecimal(file) for number, file in files.items()},
        "files14": hexadecimal(without_pace[14]),
        "card_access": hexadecimal(tlv(0x31, PACE)),
        "weaker_access": hexadecimal(tlv(0x31, WEAKER_PACE)),
        "card_security": hexadecimal(bare(ias.security_object(
            tlv(0x31, PACE, *chip_infos), key, good, "CSCA", content_type=CARD_SECURITY,
            attribute_type=CARD_SECURITY))),
        "other_security": hexadecimal(bare(ias.security_object(
            tlv(0x31, PACE, WEAKER_PACE, *chip_infos), key, good, "CSCA", content_type=CARD_SECURITY,
            attribute_type=CARD_SECURITY))),
        "challenge": hexadecimal(challenge),
        "response": hexadecimal(response),
        "cases": [{"name": n, "comment": c, "security_object": hexadecimal(s), "anchor": hexadecimal(a)}
                  for n, c, s, a in cases],
    }
    (HERE / "travel-documents.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
