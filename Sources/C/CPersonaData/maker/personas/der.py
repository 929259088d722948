"""DER and BER, only as much as the card's files and its security object need."""


def tlv(tag, *parts):
    value = b"".join(parts)
    size = len(value)
    if size < 0x80:
        length = bytes([size])
    else:
        digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
        length = bytes([0x80 | len(digits)]) + digits
    return tag.to_bytes((tag.bit_length() + 7) // 8, "big") + length + value


def oid(text):
    first, second, *rest = (int(arc) for arc in text.split("."))
    content = bytearray([40 * first + second])
    for arc in rest:
        chunk = [arc & 0x7F]
        while arc := arc >> 7:
            chunk.append(0x80 | arc & 0x7F)
        content += bytes(reversed(chunk))
    return tlv(0x06, bytes(content))


def integer(value):
    return tlv(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def sequence(*parts):
    return tlv(0x30, *parts)


NULL = tlv(0x05)


def bit_string(value):
    return tlv(0x03, b"\0" + value)


def elements(encoding):
    """The complete encodings of the members of one constructed object; lengths up to four bytes."""
    def step(data, start):
        size, start = data[start + 1], start + 2
        if size & 0x80:
            digits = size & 0x7F
            size = int.from_bytes(data[start:start + digits], "big")
            start += digits
        return start, start + size
    position, end = step(encoding, 0)
    assert end == len(encoding)
    found = []
    while position < end:
        _, stop = step(encoding, position)
        found.append(encoding[position:stop])
        position = stop
    return found
