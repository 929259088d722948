"""The first reader with a card, by PC/SC: libpcsclite through ctypes."""

import ctypes
from ctypes import byref, c_char_p, c_long, c_ulong

library = ctypes.CDLL("libpcsclite.so.1")
# winscard.h, pcsclite.h.
SYSTEM, SHARED, ANY_PROTOCOL, RESET_CARD = 2, 2, 3, 1
LONGEST_ANSWER = 65538


class Header(ctypes.Structure):
    """SCARD_IO_REQUEST: the protocol for the command."""

    _fields_ = [("protocol", c_ulong), ("length", c_ulong)]


class ReaderFailure(Exception):
    """The PC/SC service has refused a call."""


def call(name: str, *arguments: object) -> None:
    function = library[name]
    function.restype = c_long
    code = function(*arguments) & 0xFFFFFFFF
    if code:
        raise ReaderFailure(f"{name}: {code:08X}")


class CardInReader:
    """A connected card; it is reset at the end."""

    def __init__(self, reader: str | None = None):
        self.context, self.card, protocol = c_long(), c_long(), c_ulong()
        call("SCardEstablishContext", c_ulong(SYSTEM), None, None, byref(self.context))
        name = reader or self.readers()[0]
        call(
            "SCardConnect", self.context, c_char_p(name.encode()), c_ulong(SHARED),
            c_ulong(ANY_PROTOCOL), byref(self.card), byref(protocol))
        self.header = Header(protocol.value, ctypes.sizeof(Header))

    def readers(self) -> list[str]:
        length = c_ulong()
        call("SCardListReaders", self.context, None, None, byref(length))
        names = ctypes.create_string_buffer(length.value)
        call("SCardListReaders", self.context, None, names, byref(length))
        return [name.decode() for name in names.raw[:length.value].split(b"\0") if name]

    def transmit(self, command: bytes) -> bytes:
        answer, length = ctypes.create_string_buffer(LONGEST_ANSWER), c_ulong(LONGEST_ANSWER)
        call(
            "SCardTransmit", self.card, byref(self.header), c_char_p(command),
            c_ulong(len(command)), None, answer, byref(length))
        return ctypes.string_at(answer, length.value)

    def close(self) -> None:
        library["SCardDisconnect"](self.card, c_ulong(RESET_CARD))
        library["SCardReleaseContext"](self.context)
