#!/usr/bin/env python3
"""Makes CardTraces/spec: the worked examples of ICAO Doc 9303-11 as conversations.

    Tests/Vectors/make-spec-traces.py [FOLDER]    CardTraces/spec without it

The printed values are those of bac.json, sm-3des.json and the pace files here. Built are only the commands before an
example's first and after its last, in which our terminal finds the file system that every document has, and their
answers: in clear by their form, under secure messaging with the keys that the example prints. Each has a remark. The
signature around the printed key of EF.CardSecurity is made with a key that these lines derive from a text, so every run
makes the same bytes. CardTraces/README.md has the rules.
"""
import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives import cmac, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import signed_objects as signed

HERE = pathlib.Path(__file__).parent
# Appendix H prints values and no commands.
BUILT, PRINTED, AROUND = "# built", "# printed", "# built around printed values"
# A contactless card without historical bytes (PC/SC part 3, section 3.1.3.2.3); no example prints one.
ATR = "3B80800101"
# 2026-01-01T00:00:00Z, as in the other traces.
TIME = 1767225600
SELECT_APPLICATION = "00A4040C07A0000002471001"


def case(file, name):
    """A case of a file of vectors."""
    return next(each for each in json.loads((HERE / file).read_text())["cases"] if each["name"] == name)


class Session:
    """Secure messaging with AES by both sides (Doc 9303-11 section 9.8)."""

    def __init__(self, encryption, authentication):
        self.encryption, self.authentication = map(bytes.fromhex, (encryption, authentication))
        self.counter = 0

    def encrypt(self, data):
        start = Cipher(algorithms.AES(self.encryption), modes.ECB()).encryptor().update(self.count())
        data += b"\x80" + bytes(-len(data) % 16 or 16)[1:]
        return Cipher(algorithms.AES(self.encryption), modes.CBC(start)).encryptor().update(data)

    def count(self):
        return self.counter.to_bytes(16, "big")

    def mac(self, *parts):
        code = cmac.CMAC(algorithms.AES(self.authentication))
        text = self.count() + b"".join(parts)
        code.update(text + b"\x80" + bytes(-len(text) % 16 or 16)[1:])
        return signed.tlv(0x8E, code.finalize()[:8])

    def protected(self, header, data=b"", expected=None):
        """A command."""
        self.counter += 1
        header = bytes([header[0] | 0x0C]) + header[1:]
        body = signed.tlv(0x87, b"\1", self.encrypt(data)) if data else b""
        body += signed.tlv(0x97, bytes([expected])) if expected is not None else b""
        body += self.mac(header + b"\x80" + bytes(11), body) if body else self.mac(header)
        return header + bytes([len(body)]) + body + b"\0"

    def answer(self, data=b""):
        """The answer to it: success."""
        self.counter += 1
        body = (signed.tlv(0x87, b"\1", self.encrypt(data)) if data else b"") + signed.tlv(0x99, b"\x90\0")
        return body + self.mac(body) + b"\x90\0"


def exchange(command, answer, remark):
    """Three lines of a trace."""
    lines = [text if isinstance(text, str) else text.hex().upper() for text in (command, answer)]
    return [remark, "> " + lines[0], "< " + lines[1]]


def select(session):
    """The application, selected in the new channel."""
    return exchange(session.protected(bytes.fromhex("00A4040C"), bytes.fromhex("A0000002471001")), session.answer(),
                    f"{BUILT}: the application, selected with the keys printed")


def card_access(infos):
    """EF.CardAccess, read in the master file."""
    return (exchange("00A4000C", "9000", f"{BUILT}: the master file")
            + exchange("00A4020C02011C", "9000", f"{BUILT}: EF.CardAccess selected")
            + exchange("00B0000000", infos + b"\x90\0", f"{BUILT}: EF.CardAccess, a SET with the PACEInfo printed"))


def prime(text):
    """The first prime after a number derived from a text; e = 65537 fits."""
    number = int.from_bytes(hashlib.shake_256(text.encode()).digest(128), "big") | 3 << 1022 | 1
    while pow(2, number - 1, number) != 1 or number % 65537 == 1:
        number += 2
    return number


def card_security(pace):
    """EF.CardSecurity (section 9.2.11): the printed key, under a signature of a throw-away key."""
    p, q = prime("spec traces, p"), prime("spec traces, q")
    d = pow(65537, -1, (p - 1) * (q - 1))
    key = rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(65537, p * q)).private_key()
    path = signed.WORK / "spec.key"
    path.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    algorithm = signed.seq(signed.oid("0.4.0.127.0.7.1.2"), signed.integer(13))
    public = signed.seq(algorithm, signed.tlv(3, b"\0", bytes.fromhex(pace["ca_pk_ic"])))
    key_info = signed.seq(signed.oid("0.4.0.127.0.7.2.2.1.2"), public, signed.integer(13))
    infos = signed.tlv(0x31, pace_info(pace), key_info)
    certificate = signed.certificate("Example", path, "Example", path, signed.SIGNER)
    kind = "0.4.0.127.0.7.3.2.1"
    wrapped = signed.security_object(infos, path, certificate, "Example", content_type=kind, attribute_type=kind)
    # Without the tag 77 of a document's security object.
    return wrapped[2 + (wrapped[1] & 0x7F):]


def pace_info(pace):
    return signed.seq(signed.oid(pace["oid"]), signed.integer(2), signed.integer(pace["param_id"]))


def read_security(session, file):
    """EF.CardSecurity, read in the channel in blocks of 223 bytes."""
    lines = exchange(session.protected(bytes.fromhex("00A4020C"), bytes.fromhex("011D")), session.answer(),
                     f"{BUILT}: EF.CardSecurity selected with the keys printed")
    for offset in range(0, len(file), 223):
        block = file[offset:offset + 223]
        wanted = 223 if offset == 0 else len(block)
        command = session.protected(b"\0\xB0" + offset.to_bytes(2, "big"), expected=wanted)
        lines += exchange(command, session.answer(block), f"{BUILT}: EF.CardSecurity, the key in it printed")
    return lines


def trace(title, provenance, random, journey, expect, lines):
    header = [
        f"title: {title}", "source: spec", f"provenance: {provenance}", f"atr: {ATR}", "extended: none", f"time: {TIME}",
        *(f"random: {draw}" for draw in random), "journey: travel-document", *journey, "expect: ok", *expect]
    return "\n".join([*header, "", *lines, ""])


def zone(text):
    """Number, birth and expiry of MRZ information."""
    return f"mrz: {text[:9].rstrip('<')} {text[10:16]} {text[17:23]}"


def pace_trace(file, name, appendix, title, note="", remark=PRINTED):
    pace = case(file, name)
    session = Session(pace["ks_enc"], pace["ks_mac"])
    lines = card_access(signed.tlv(0x31, pace_info(pace)))
    for each in pace["apdus"]:
        lines += exchange(each["cmd"], each["rsp"], f"{remark}: appendix {appendix}")
    expect = [f"access: {pace['protocol']}"]
    if "ca_pk_ic" in pace:
        lines += read_security(session, card_security(pace))
        expect.append("chip-mapping: proved")
    code = zone(pace["mrz_information"]) if pace["password_type"] == "MRZ" else f"can: {pace['password']}"
    draws = [pace[key] for key in ("map_sk_ifd", "t", "eph_sk_ifd") if key in pace]
    return trace(title, f"ICAO Doc 9303-11, appendix {appendix}; the rest is built, see the remarks{note}",
                 draws, [code], expect, lines + select(session))


def bac_trace():
    bac, messaging = case("bac.json", "icao-d2-d3"), case("sm-3des.json", "icao-d4")
    missing = (exchange("00A4000C", "9000", f"{BUILT}: the master file")
               + exchange("00A4020C02011C", "6A82", f"{BUILT}: a document without PACE has no EF.CardAccess"))
    application = exchange(SELECT_APPLICATION, "9000", f"{BUILT}: the application")
    lines = missing + application + missing + application
    lines += exchange("0084000008", bac["rnd_ic"] + "9000", f"{PRINTED}: appendix D.3, GET CHALLENGE")
    lines += exchange(bac["cmd"], bac["rsp"], f"{PRINTED}: appendix D.3, EXTERNAL AUTHENTICATE")
    for each in messaging["exchanges"]:
        lines += exchange(each["protected_cmd"], each["protected_rsp"], f"{PRINTED}: appendix D.4, secure messaging")
    content = bytes.fromhex("".join(each["rsp_data"] for each in messaging["exchanges"]))
    return trace(
        "Basic Access Control, then EF.COM by secure messaging",
        "ICAO Doc 9303-11, appendix D.2 to D.4; the rest is built, see the remarks",
        [bac["rnd_ifd"], bac["k_ifd"]], [zone(bac["mrz_information"]), "task: read com in 4 18"],
        ["access: BAC", f"file-sha256: com {hashlib.sha256(content).hexdigest().upper()}"], lines)


def main(words):
    folder = pathlib.Path(*words[:1]) if words else HERE.parent.parent / "CardTraces/spec"
    folder.mkdir(exist_ok=True)
    password = "; the password is one with the K_pi printed"
    reduced = "; the terminal's scalar is the one printed modulo q"
    files = {
        "doc-9303-11-d-bac": bac_trace(),
        "doc-9303-11-g1-pace-ecdh-gm": pace_trace(
            "pace-ecdh-gm.json", "icao-g1", "G.1", "PACE with generic mapping on a curve"),
        "doc-9303-11-g2-pace-dh-gm": pace_trace(
            "pace-dh-gm.json", "icao-g2", "G.2", "PACE with generic mapping modulo a prime"),
        "doc-9303-11-h1-pace-ecdh-im": pace_trace(
            "pace-im.json", "icao-h1", "H.1", "PACE with integrated mapping on a curve", password, AROUND),
        "doc-9303-11-h2-pace-dh-im": pace_trace(
            "pace-im-dh.json", "icao-h2", "H.2", "PACE with integrated mapping modulo a prime", password + reduced, AROUND),
        "doc-9303-11-i1-pace-ecdh-cam": pace_trace(
            "pace-cam.json", "icao-i1", "I.1", "PACE with chip-authentication mapping",
            "; EF.CardSecurity is signed by a throw-away key")}
    for name, text in files.items():
        (folder / f"{name}.trace").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
