"""The IAS card without a reader: its refusals to an unproven terminal. `ias_journeys.py` has the successful journeys.
"""

import unittest

import ias_personalisation as office
import tlv
from ias_card import IASCard
from ias_keys import CIE_AID
from ias_messaging import Session, cbc, pad, retail_mac


class ClosedCardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.card = IASCard()

    def setUp(self):
        self.card.become(set())
        self.assertEqual(self.send("00A4040C06" + CIE_AID.hex())[1], "9000")

    def send(self, command: str, data: bytes = b"") -> tuple[bytes, str]:
        """Data and status word; with data, their length goes before them."""
        count = bytes([len(data)]) if data else b""
        answer = self.card.respond(bytes.fromhex(command) + count + data)
        return answer[:-2], answer[-2:].hex()

    def assert_refused(self, word: str, command: str, data: bytes = b"") -> None:
        self.assertEqual(self.send(command, data), (b"", word))

    def agree(self) -> Session:
        """The terminal's half of a key agreement whose private number is 2."""
        group = self.card.group
        g, p = int.from_bytes(group.g, "big"), int.from_bytes(group.p, "big")
        template = tlv.write(0x83, b"\x81") + tlv.write(0x91, pow(g, 2, p).to_bytes(256, "big"))
        self.assertEqual(self.send("102241A6", template[:200])[1], "9000")
        self.assertEqual(self.send("002241A6", template[200:])[1], "9000")
        first, word = self.send("00CB3FFF064D04A602910000")
        self.assertEqual(word[:2], "61")
        second, word = self.send("00C00000" + word[2:])
        self.assertEqual(word, "9000")
        value = tlv.only(tlv.only(first + second, 0xA6), 0x91)
        return Session(pow(int.from_bytes(value, "big"), 2, p).to_bytes(256, "big"))

    def protected(self, session: Session, header: str, data: bytes = b"", flaw: int = 0) -> str:
        """The status word of a protected command; a flaw changes its checksum."""
        body = tlv.write(0x87, b"\x01", cbc(session.encryption, pad(data), True)) if data else b""
        covered = pad(session.step() + bytes.fromhex(header)) + pad(body)
        mac = retail_mac(session.authentication, covered)
        answer = self.send(header, body + tlv.write(0x8E, mac[:7] + bytes([mac[7] ^ flaw])))
        session.step()
        return answer[1]

    def test_files_of_the_holder(self):
        for command in ("00B0820000", "00B0830000"):
            self.assert_refused("6982", command)
        self.assertEqual(self.send("00B081000C"), (office.NIS, "9000"))

    def test_codes_in_clear(self):
        self.assert_refused("6982", "00200081", office.PIN)
        self.assert_refused("6982", "00200082", office.PUK)
        self.assert_refused("6982", "00240081", office.PIN * 2)
        self.assert_refused("6982", "002C0281", office.PIN)
        self.assert_refused("6982", "00CB3FFF", bytes.fromhex("4D087006BF810102A080"))
        self.assertEqual((self.card.codes.pin.left, self.card.codes.puk.left), (3, 10))

    def test_keys_in_clear(self):
        self.assert_refused("6982", "00880000", b"sign me")
        self.assert_refused("6e00", "00820000", bytes(200))
        self.assertEqual(self.send("002241A4", bytes.fromhex("80019B840182"))[1], "9000")
        self.assert_refused("6e00", "00880000", bytes(8))

    def test_nothing_is_proved_by_a_session_alone(self):
        session = self.agree()
        for header, data in (
            ("0C200081", office.PIN), ("0C200082", office.PUK), ("0C240081", office.PIN * 2),
            ("0C2C0281", office.PIN), ("0CB08200", b""), ("0C880000", b"sign me")
        ):
            self.assertEqual(self.protected(session, header, data), "6982", header)
        self.assertEqual((self.card.codes.pin.left, self.card.codes.puk.left), (3, 10))
        self.assertEqual(self.protected(session, "0CB08100"), "9000")

    def test_a_wrong_checksum_ends_the_session(self):
        session = self.agree()
        self.assertEqual(self.protected(session, "0CB08100", flaw=1), "6988")
        self.assertEqual(self.protected(session, "0CB08100"), "6985")

    def test_a_plain_command_ends_the_session(self):
        session = self.agree()
        self.assertEqual(self.send("00B081000C"), (office.NIS, "9000"))
        self.assertEqual(self.protected(session, "0CB08100"), "6985")

    def test_public_values_that_give_the_secret_away(self):
        prime = int.from_bytes(self.card.group.p, "big")
        for value in (0, 1, prime - 1, prime):
            template = tlv.write(0x83, b"\x81") + tlv.write(0x91, value.to_bytes(256, "big"))
            self.send("102241A6", template[:200])
            self.send("002241A6", template[200:])
            self.assert_refused("6a80", "00CB3FFF064D04A602910000")

    def test_commands_that_are_none(self):
        for word, command in (
            ("6985", "0CB0810000"), ("6e00", "80B0810000"), ("6d00", "00B1000000"),
            ("6700", "00B08100000100"), ("6700", "0084000004"), ("6a86", "00A40000"),
            ("6a82", "00A4020C021099"), ("6b00", "00B0810D00")
        ):
            self.assert_refused(word, command)


if __name__ == "__main__":
    unittest.main()
