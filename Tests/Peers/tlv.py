"""BER-TLV with definite lengths, ISO/IEC 7816-4 section 5.2.2: both peers write and read their objects here."""


class Malformed(Exception):
    """The data are no sequence of data objects."""


def write(tag: int, *parts: bytes) -> bytes:
    """One data object; the tag as in its bytes, e.g. 0x7F49."""
    value = b"".join(parts)
    size = len(value)
    length = size.to_bytes((size.bit_length() + 7) // 8, "big") if size > 0x7F else bytes([size])
    if size > 0x7F:
        length = bytes([0x80 | len(length)]) + length
    return tag.to_bytes((tag.bit_length() + 7) // 8, "big") + length + value


def head(data: bytes) -> tuple[int, int, int]:
    """Tag, length of the value, and length of the header; of the first object."""
    try:
        end = 2 if data[0] & 0x1F == 0x1F else 1
        tag = int.from_bytes(data[:end], "big")
        first = data[end]
        end += 1
        if first <= 0x80:
            if first == 0x80:
                raise Malformed("indefinite length")
            return tag, first, end
        digits = data[end:end + (first & 0x7F)]
        if len(digits) != first & 0x7F:
            raise IndexError
        return tag, int.from_bytes(digits, "big"), end + len(digits)
    except IndexError:
        raise Malformed(f"cut short: {data[:8].hex()}") from None


def read(data: bytes) -> list[tuple[int, bytes]]:
    """The objects of a sequence, in their order; all of the data must belong to them."""
    objects = []
    while data:
        tag, length, start = head(data)
        if len(data) < start + length:
            raise Malformed(f"object {tag:X} is longer than what holds it")
        objects.append((tag, data[start:start + length]))
        data = data[start + length:]
    return objects


def only(data: bytes, tag: int) -> bytes:
    """The value of the one object of this tag; the data must have no other."""
    objects = read(data)
    if [found for found, _ in objects] != [tag]:
        raise Malformed(f"not one object {tag:X}: {data[:8].hex()}")
    return objects[0][1]
