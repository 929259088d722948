"""The files of the card, and the commands that find and read them."""

import document
import tlv
from apdu import Command


class Status(Exception):
    """A status word other than 9000, and with it the end of a command; warnings come with data."""

    def __init__(self, word: int, data: bytes = b""):
        super().__init__(f"{word:04X}")
        self.word = word
        self.data = data


def require(condition: object, word: int) -> None:
    if not condition:
        raise Status(word)


class CardFiles:
    """The master file and the application, ISO/IEC 7816-4 sections 11.2.2 and 11.3.3."""

    def __init__(self, card_access: bytes):
        self.master_file = {document.CARD_ACCESS: card_access, **document.MASTER_FILE}
        self.select_master_file()

    def select_master_file(self) -> None:
        self.folder = self.master_file
        self.current: bytes | None = None

    def select(self, how: int, name: bytes) -> bytes:
        if how == 0x04:
            require(name == document.APPLICATION, 0x6A82)
            self.folder, self.current = document.FILES, None
        elif how == 0x00 and name in (b"", b"\x3f\x00"):
            self.select_master_file()
        else:
            require(how == 0x02, 0x6A86)
            require(int.from_bytes(name, "big") in self.folder, 0x6A82)
            self.current = self.folder[int.from_bytes(name, "big")]
        return b""

    def read(self, first: int, second: int, count: int, protected: bool) -> bytes:
        if first & 0x80:
            require(first & 0x60 == 0, 0x6A86)
            self.select_short(first & 0x1F)
        return self.piece(second if first & 0x80 else first << 8 | second, count, protected)

    def read_odd(self, short_identifier: int, command: Command, protected: bool) -> bytes:
        if short_identifier:
            self.select_short(short_identifier)
        offset = int.from_bytes(tlv.only(command.data, 0x54), "big")
        # Of what is expected, four bytes are for the tag and the longest length.
        return tlv.write(0x53, self.piece(offset, max(1, command.expected - 4), protected))

    def select_short(self, identifier: int) -> None:
        found = [
            data for file, data in self.folder.items()
            if document.short_identifier(file) == identifier]
        require(found, 0x6A82)
        self.current = found[0]

    def piece(self, offset: int, count: int, protected: bool) -> bytes:
        require(protected or self.folder is self.master_file, 0x6982)
        require(self.current is not None, 0x6986)
        require(offset < len(self.current), 0x6B00)
        return self.current[offset:offset + count]
