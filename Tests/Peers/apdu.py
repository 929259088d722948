"""Command APDUs, short and extended, as ISO/IEC 7816-4 section 5.1 has them."""

from typing import NamedTuple

SHORT, EXTENDED = 0x100, 0x10000


class Command(NamedTuple):
    """A command; `expected` is Ne, and 0 without an answer."""

    header: bytes
    data: bytes = b""
    expected: int = 0

    def encoded(self) -> bytes:
        """The shortest form."""
        if len(self.data) <= 0xFF and self.expected <= SHORT:
            count = bytes([len(self.data)]) if self.data else b""
            return self.header + count + self.data + (
                bytes([self.expected & 0xFF]) if self.expected else b"")
        count = len(self.data).to_bytes(2, "big") if self.data else b""
        expected = (self.expected & 0xFFFF).to_bytes(2, "big") if self.expected else b""
        return self.header + b"\0" + count + self.data + expected

    @classmethod
    def decoded(cls, command: bytes) -> "Command | None":
        """None when the lengths contradict one another."""
        header, body = command[:4], command[4:]
        if len(header) < 4 or len(body) <= 1:
            return cls(header, b"", (body[0] or SHORT) if body else 0) if len(header) == 4 else None
        width, most = (1, SHORT) if body[0] else (2, EXTENDED)
        if width == 2:
            body = body[1:]
        if width == 2 and len(body) == 2:
            return cls(header, b"", int.from_bytes(body, "big") or most)
        count = int.from_bytes(body[:width], "big")
        data, rest = body[width:width + count], body[width + count:]
        if count == 0 or len(data) < count or len(rest) not in (0, width):
            return None
        return cls(header, data, (int.from_bytes(rest, "big") or most) if rest else 0)
