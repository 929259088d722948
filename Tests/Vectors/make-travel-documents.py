#!/usr/bin/env python3
"""Makes travel-documents.json: the files of an invented holder's travel document, security objects over them, good
and bad, EF.CardSecurity, and an answer of active authentication.

DER, certificates and signatures as in signed_objects.py and make-master-lists.py; DG1, DG11 and DG12 are those of
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

PACE = seq(oid("0.4.0.127.0.7.2.2.4.2.2"), integer(2), integer(12))
WEAKER_PACE = seq(oid("0.4.0.127.0.7.2.2.4.2.1"), integer(2), integer(12))
CARD_SECURITY = "0.4.0.127.0.7.3.2.1"


def check_digit(text):
    values = (0 if c == "<" else int(c, 36) for c in text)
    return text + str(sum(value * (7, 3, 1)[i % 3] for i, value in enumerate(values)) % 10)


def zone(number="CA12345AB", expiry="270315", code="C<", state="ITA"):
    """DG1 of an identity card (Doc 9303-5 section 4.2)."""
    first = f"{code}{state}{check_digit(number)}".ljust(30, "<")
    second = f"{check_digit('850101')}F{check_digit(expiry)}{state}".ljust(29, "<")
    second += check_digit(first[5:] + second[:7] + second[8:15] + second[18:29])[-1]
    return tlv(0x61, b"\x5f\x1f", tlv(0x5A, (first + second + "ESEMPIO<<ANNA".ljust(30, "<")).encode())[1:])


def details(date=b"20151205", *rest):
    """DG12: authority, date of issue and the rest."""
    fields = [(0x5F19, b"COMUNE DI PROVA"), (0x5F26, date), *rest]
    return tlv(0x6C, tlv(0x5C, b"".join(tag.to_bytes(2, "big") for tag, _ in fields)), *[
        tag.to_bytes(2, "big") + tlv(0, value)[1:] for tag, value in fields])


# On cards that are not valid abroad.
ENDORSEMENT = (0x5F1B, "NON VALIDA PER L'ESPATRIO".encode())


def main():
    hexadecimal = lists.hexadecimal
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

    def signer(issuer="CSCA", issuer_key=csca, extra=(), types="C", **dates):
        return ias.certificate("Signer", key, issuer, issuer_key, [
            ias.key_usage(ias.DIGITAL_SIGNATURE), ias.document_types(types), ias.subject_key(key), ias.authority_key(issuer_key), *extra], **dates)

    def content(covered):
        return seq(integer(0), ias.hash_algorithm("sha256"), seq(*[
            seq(integer(number), tlv(4, ias.hashlib.sha256(file).digest())) for number, file in covered.items()]))

    good = signer()
    signing_time = seq(oid("1.2.840.113549.1.9.5"), tlv(0x31, tlv(0x17, b"240601120000Z")))

    def sod(covered=files, cert=good, issuer="CSCA", drop=None, **options):
        covered = {number: file for number, file in covered.items() if number != drop}
        return ias.security_object(content(covered), key, cert, issuer, **options)

    def bare(wrapped):
        return wrapped[2 + (wrapped[1] & 0x7F):]

    def time(text):
        return seq(oid("1.2.840.113549.1.9.5"), tlv(0x31, tlv(0x17, text.encode())))

    def fault(title, comment, expect, shown=(), signed=(), start="20170601000000Z", anchor=root, cert=None, **options):
        """A card whose DG12 is not the signed one; `shown` has its differences from `signed`."""
        listed = {1: zone(), 11: files[11], 12: details(b"20171102", ENDORSEMENT), **dict(signed)}
        card = {**listed, 12: details(), **dict(shown)}
        cert = cert or signer(start=start, end="20281001000000Z")
        return {
            "name": title, "comment": comment, "expect": expect,
            "files": {str(number): hexadecimal(file) for number, file in card.items()},
            "security_object": hexadecimal(sod(listed, cert, **options)), "anchor": hexadecimal(anchor)}

    def faults():
        known, false = "known", "false"
        yield fault("part-a", "the date of issue alone", known, {12: details(b"20151205", ENDORSEMENT)}.items())
        yield fault("part-b", "and without the endorsement", known)
        yield fault("packed-date", "the date in packed digits", known, {12: details(bytes.fromhex("20151205"))}.items())
        yield fault("signing-time", "a signing time within the months", known, extra=[time("171231235959Z")])
        for when, expect in (("170901000000Z", known), ("180305235959Z", known), ("170831235959Z", false),
                             ("180306000000Z", false)):
            yield fault(f"signed-{when}", "at the border of the months", expect, extra=[time(when)])
        for number, expect in (("CA00000AL", known), ("CA99999AQ", known), ("CA54321ZZ", known), ("CB12345AB", false),
                               ("CA1234ABC", false), ("CA123456B", false), ("CA12345A<", false)):
            yield fault(f"number-{number}", "the number", expect, signed={1: zone(number)}.items())
        for expiry, expect in (("290305", known), ("290306", false), ("310101", false), ("760131", false),
                               ("220101", known)):
            yield fault(f"expiry-{expiry}", "the last day", expect, signed={1: zone(expiry=expiry)}.items())
        for date in (b"20151206", b"20161205", b"20171102", b"00000000"):
            yield fault(f"date-{date.decode()}", "another date in DG12", false,
                        {12: details(date, ENDORSEMENT, (0x5F1C, b"X"))}.items())
        yield fault("no-date-in-dg12", "DG12 without a date", false, {12: tlv(0x6C, tlv(0x5C, b""))}.items())
        yield fault("malformed-dg12", "DG12 that cannot be read", false, {12: tlv(0x6C, b"\x5f\x26\x09")}.items())
        yield fault("dg1-changed", "DG1 is not the signed one either", false, {1: zone("CA12345AC")}.items())
        yield fault("dg11-changed", "DG11 is not the signed one either", false, {11: other_person}.items())
        yield fault("not-a-card", "another document code", false, signed={1: zone(code="I<")}.items())
        yield fault("later-signer", "a signer that begins later", false, start="20180306000000Z")
        yield fault("last-signer", "a signer of the last day", known, start="20180305235959Z")
        yield fault("foreign", "of France, by its CSCA", false, signed={1: zone(state="FRA")}.items(), anchor=foreign_root,
                    cert=signer("FR/CSCA", foreign, start="20170601000000Z"), issuer="FR/CSCA")
        yield fault("foreign-csca", "Italian by DG1, with the CSCA of France", false, anchor=foreign_root,
                    cert=signer("FR/CSCA", foreign, start="20170601000000Z"), issuer="FR/CSCA")
        yield fault("no-anchor", "the CSCA is not in the trust store", false, anchor=foreign_root)
        yield fault("not-listed", "DG12 has no signed hash", false, signed={12: files[12]}.items(), drop=12)

    no_details = {number: file for number, file in files.items() if number != 12}
    padded = {**files, 11: files[11] + bytes(16)}
    other_person = files[11].replace(b"ESEMPIO", b"ALTRUI<")
    other_chip = lists.ECKey(named)
    other_infos = [chip_infos[0], seq(oid("0.4.0.127.0.7.2.2.1.2"), other_chip.info())]
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
        ("two-letters", "the signer's list has a code of two letters that begins as the zone's does", sod(
            cert=signer(types="CI")), root),
        ("passports-only", "the signer is one for passports", sod(cert=signer(types="P")), root),
        ("no-copy", "DG14 does not repeat what PACE announces", sod(without_pace), root),
    ]
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
        "unbound_security": hexadecimal(bare(ias.security_object(
            tlv(0x31, PACE, *other_infos), key, good, "CSCA", content_type=CARD_SECURITY,
            attribute_type=CARD_SECURITY))),
        "foreign_security": hexadecimal(bare(ias.security_object(
            tlv(0x31, PACE, *chip_infos), key, signer("FR/CSCA", foreign), "FR/CSCA", content_type=CARD_SECURITY,
            attribute_type=CARD_SECURITY))),
        "foreign_anchor": hexadecimal(foreign_root),
        "weak_security": hexadecimal(bare(ias.security_object(
            tlv(0x31, PACE, *chip_infos), key, good, "CSCA", content_type=CARD_SECURITY, scheme="sha1WithRSA",
            attribute_type=CARD_SECURITY))),
        "challenge": hexadecimal(challenge),
        "response": hexadecimal(response),
        "cases": [{"name": n, "comment": c, "security_object": hexadecimal(s), "anchor": hexadecimal(a)}
                  for n, c, s, a in cases],
        "faults": list(faults()),
    }
    (HERE / "travel-documents.json").write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
