"""The unsigned files of a travel document (Doc 9303-10 section 4, Doc 9303-3 and -5 for the MRZ)."""

from personas.der import tlv

# The tags of EF.DG1, 2, 11, 12, 14 and 15.
TAGS = {1: 0x61, 2: 0x75, 3: 0x63, 11: 0x6B, 12: 0x6C, 14: 0x6E, 15: 0x6F}


def check_digit(text):
    values = (0 if c == "<" else int(c, 36) for c in text)
    return str(sum(value * (7, 3, 1)[i % 3] for i, value in enumerate(values)) % 10)


def checked(text):
    return text + check_digit(text)


def mrz_lines(persona, document):
    first = f"C<ITA{checked(persona['number'])}".ljust(30, "<")
    birth, expiry = checked(document["birth"][2:]), checked(document["expiry"][2:])
    second = f"{birth}{document['sex']}{expiry}ITA".ljust(29, "<")
    composite = first[5:] + second[:7] + second[8:15] + second[18:29]
    third = f"{persona['surname']}<<{persona['given']}".ljust(30, "<")
    lines = [first, second + check_digit(composite), third]
    assert all(len(line) == 30 for line in lines)
    return lines


def dg1(lines):
    return tlv(0x61, tlv(0x5F1F, "".join(lines).encode("ascii")))


def dg2(image, is_jpeg2000, width, height, document):
    """One facial record of ISO/IEC 19794-5:2005."""
    points = b"".join(
        bytes([1, code]) + x.to_bytes(2, "big") + y.to_bytes(2, "big") + b"\0\0"
        for code, x, y in document.get("points", ()))
    facial = (
        (len(points) // 8).to_bytes(2, "big")
        + bytes([{"M": 1, "F": 2}[document["sex"]], document["eyes"], document["hair"]])
        + bytes(3) + b"\0\1" + bytes(6) + points)
    # Full frontal, sRGB, from an unspecified camera.
    information = (
        bytes([1, int(is_jpeg2000)]) + width.to_bytes(2, "big") + height.to_bytes(2, "big")
        + b"\1\0" + bytes(4))
    size = 4 + len(facial) + len(information) + len(image)
    record = (b"FAC\x00010\0" + (14 + size).to_bytes(4, "big") + b"\0\1" + size.to_bytes(4, "big")
              + facial + information + image)
    header = tlv(0xA1, *([tlv(0x80, b"\1\1")] if document.get("patron") else []),
                 tlv(0x81, b"\2"), tlv(0x82, b"\0"), tlv(0x87, b"\1\1"), tlv(0x88, b"\0\x08"))
    return tlv(0x75, tlv(0x7F61, tlv(0x02, b"\1"), tlv(0x7F60, header, tlv(0x5F2E, record))))


def listed(tag, *fields):
    """A group that begins with the list of its tags."""
    tags = b"".join(number.to_bytes((number.bit_length() + 7) // 8, "big") for number, _ in fields)
    return tlv(tag, tlv(0x5C, tags), *(tlv(number, value) for number, value in fields))


def date(text, document):
    return bytes.fromhex(text) if document.get("bcd") else text.encode()


def dg11(persona, document):
    return listed(
        0x6B, (0x5F0E, f"{persona['surname']}<<{persona['given']}".encode()),
        (0x5F10, persona["fiscal"].encode()), (0x5F2B, date(document["birth"], document)),
        (0x5F11, document["place"].encode()), (0x5F42, document["address"].encode()))


def dg12(document):
    fields = [(0x5F19, document["authority"].encode()), (0x5F26, date(document["issued"], document))]
    if "serial" in document:
        fields += [(0x5F55, (document["issued"] + "101500").encode()),
                   (0x5F56, document["serial"].encode())]
    return listed(0x6C, *fields)


def unreadable(number):
    """EF.DG3 or EF.DG4: only its hash leaves the office; the card never shows the file."""
    return tlv({3: 0x63, 4: 0x76}[number], b"nobody reads this")


def common(groups):
    """EF.COM: LDS 1.7, Unicode 4.0.0."""
    return tlv(0x60, tlv(0x5F01, b"0107"), tlv(0x5F36, b"040000"),
               tlv(0x5C, bytes(TAGS[number] for number in sorted(groups))))
