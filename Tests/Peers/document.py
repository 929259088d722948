"""The files of a travel document whose holder is invented, and its keys."""

import hashlib

import tlv


def check_digit(text: str) -> str:
    """Doc 9303-3 section 4.9: weights 7, 3, 1; letters count from 10, the filler is 0."""
    values = ("<0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter) for letter in text)
    return str(sum(max(0, value - 1) * (7, 3, 1)[at % 3] for at, value in enumerate(values)) % 10)


def checked(text: str) -> str:
    return text + check_digit(text)


def machine_readable_zone() -> str:
    """Doc 9303-5 section 4.2: a TD1 card of Utopia."""
    number, birth, expiry = checked("OP0000PR<"), checked("840229"), checked("330301")
    first = "I<UTO" + number + "<" * 15
    second = birth + "F" + expiry + "UTO" + "<" * 11
    composite = check_digit(first[5:] + second[:7] + second[8:15] + second[18:29])
    return first + second + composite + "FARO<MONTALTO<<ORTENSIA".ljust(30, "<")


def filler(count: int) -> bytes:
    """Bytes that do not repeat, so that a piece read from the wrong place is noticed."""
    blocks = (hashlib.sha256(at.to_bytes(4, "big")).digest() for at in range(count // 32 + 1))
    return b"".join(blocks)[:count]


def attributes(longest: int) -> bytes:
    """The lengths of commands and answers in EF.ATR/INFO."""
    return tlv.write(0x7F66, *[tlv.write(0x02, longest.to_bytes(2, "big"))] * 2)


CAN, PIN, PUK = "314159", "27182845", "9045235360"
MRZ = machine_readable_zone()

# Doc 9303-10 sections 3.11 and 4: EF.CardAccess and EF.ATR/INFO are in the master file, the others in the application.
APPLICATION = bytes.fromhex("A0000002471001")
CARD_ACCESS, ATTRIBUTES = 0x011C, 0x2F01
# The greatest lengths of commands and answers, Doc 9303-10 table 29.
LONGEST = 4096
MASTER_FILE = {ATTRIBUTES: attributes(LONGEST)}
# DG2 has the size of a portrait's; DG13 is longer than the reach of even READ BINARY.
DATA_GROUPS = {
    0x0101: tlv.write(0x61, tlv.write(0x5F1F, MRZ.encode())),
    0x0102: tlv.write(0x75, filler(20_000)),
    0x010D: tlv.write(0x6D, filler(40_000)),
}
TAGS = bytes(data[0] for data in DATA_GROUPS.values())
COMMON_DATA = tlv.write(
    0x60, tlv.write(0x5F01, b"0107"), tlv.write(0x5F36, b"040000"), tlv.write(0x5C, TAGS))
FILES = {0x011E: COMMON_DATA, **DATA_GROUPS}


def short_identifier(file: int) -> int:
    """Doc 9303-10: the low five bits of an identifier are the short one."""
    return file & 0x1F


def summary(data: bytes) -> dict[str, object]:
    """The data of a file that two readers compare."""
    return {"length": len(data), "sha256": hashlib.sha256(data).hexdigest()}
