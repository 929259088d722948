"""PIN and PUK: their objects in "CIE 3.0 - Specifiche Chip" annex A, and the commands of IAS ECC section 9.4."""

from collections.abc import Callable

import ias_personalisation as office
import tlv
from card_files import Status, require


class Code:
    """A code of eight digits with its tries."""

    def __init__(self, name: str, value: bytes, most: int, rules: str):
        self.name, self.value, self.most, self.left = name, value, most, most
        self.rules = bytes.fromhex(rules)
        self.verified = False

    def compare(self, value: bytes, last_word: int) -> None:
        """Uses up a try before the comparison; `last_word` answers the wrong code that was the last."""
        require(self.left, 0x6983)
        self.left -= 1
        if value != self.value:
            self.verified = False
            raise Status(0x63C0 | self.left if self.left else last_word)
        self.left = self.most

    def parameters(self, reference: int) -> bytes:
        """The answer to GET DATA: 9A the most tries, 9B the tries left."""
        return tlv.write(0x70, tlv.write(0xBF8100 + reference, tlv.write(
            0xA0, tlv.write(0x84, self.name.encode()), tlv.write(0x9A, bytes([self.most])),
            tlv.write(0x9B, bytes([self.left])), bytes.fromhex("80020008"),
            tlv.write(0xA1, self.rules))))


class Codes:
    """Both codes; X is the rule of a proven device, P of the PIN besides, U of the PUK besides."""

    def __init__(self, deviations: set[str]):
        self.deviations = deviations
        self.pin = Code("PIN", office.PIN, 3, "9C05F1D2E4D3E4")
        self.puk = Code("PUK", office.PUK, 10, "9C03A1E4E4")
        if "one-try-left" in deviations:
            self.pin.left = 1

    def forget(self) -> None:
        """The flags go with the channel in which the codes were verified."""
        self.pin.verified = self.puk.verified = False

    def get_data(self, reference: int, allows: Callable[[str], bool]) -> bytes:
        require("no-tries" not in self.deviations and allows("X"), 0x6982)
        return {1: self.pin, 2: self.puk}[reference].parameters(reference)

    def verify(self, reference: int, data: bytes, allows: Callable[[str], bool]) -> bytes:
        """IAS ECC section 9.4.1."""
        require(reference in (0x81, 0x82), 0x6A88)
        require(len(data) == 8, 0x6700)
        require(allows("X"), 0x6982)
        code = self.pin if reference == 0x81 else self.puk
        code.compare(data, 0x6983 if "last-try-6983" in self.deviations else 0x63C0)
        code.verified = True
        return b""

    def change(self, reference: int, data: bytes, allows: Callable[[str], bool]) -> bytes:
        """The old PIN and the new one, section 9.4.2; the PUK has no rule for it."""
        require(reference in (0x81, 0x82), 0x6A88)
        require(len(data) == 16, 0x6700)
        require(reference == 0x81 and allows("P"), 0x6982)
        self.pin.compare(data[:8], 0x6983)
        self.pin.value, self.pin.verified = data[8:], False
        return b""

    def unblock(self, new: bool, reference: int, data: bytes, allows: Callable[[str], bool]) -> bytes:
        """RESET RETRY COUNTER, with a new PIN or with the old one, section 9.4.3."""
        require(reference in (0x81, 0x82), 0x6A88)
        require(len(data) == (8 if new else 0), 0x6700)
        require(reference == 0x81 and allows("U"), 0x6982)
        self.pin.left, self.pin.verified = self.pin.most, False
        if new:
            self.pin.value = data
        return b""
