"""The peers against each other without a reader: their agreement, and the refusals of each.

    /usr/bin/python3 -m unittest discover --start-directory Tests/Peers
"""

import unittest
from unittest import mock

import document
import openpace
import tlv
from apdu import Command
from combination import EVERY, Combination
from pace_card import PaceCard
from pace_terminal import Failure, PaceTerminal

CAN = document.CAN.encode()


class Line:
    """The connection between the two, on which an answer can be changed."""

    def __init__(self, combination: Combination):
        self.card = PaceCard(combination)
        self.terminal = PaceTerminal(self.transmit)
        self.change = lambda command, answer: answer

    def transmit(self, command: bytes) -> bytes:
        return self.change(command, self.card.respond(command))

    def open(self, kind: int = openpace.CAN, password: bytes = CAN) -> None:
        self.terminal.open(kind, password)


def flipped(data: bytes, at: int) -> bytes:
    """The bytes with one bit of one of them changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 0x01]) + data[at + 1:]


class AgreementTest(unittest.TestCase):
    def test_every_combination(self):
        self.assertEqual(len(EVERY), 56)
        self.assertEqual(len(set(EVERY)), 56)
        for combination in EVERY:
            with self.subTest(combination=str(combination)):
                line = Line(combination)
                line.open()
                line.terminal.block = 4000
                for file, data in document.FILES.items():
                    self.assertEqual(line.terminal.read(file), data)

    def test_every_password(self):
        for kind, password in (
            (openpace.MRZ, document.MRZ), (openpace.CAN, document.CAN),
            (openpace.PIN, document.PIN), (openpace.PUK, document.PUK)
        ):
            with self.subTest(kind=kind):
                Line(EVERY[0]).open(kind, password.encode())

    def test_another_key(self):
        """A key drawn again is another one, and both sides still agree."""
        draw = openpace.Session.ephemeral_key

        def draw_twice(session: openpace.Session) -> bytes:
            first = draw(session)
            session.draw_again()
            self.assertNotEqual(draw(session), first)
            return draw(session)

        with mock.patch.object(openpace.Session, "ephemeral_key", draw_twice):
            for name in ("DH-GM/3DES/0", "DH-GM/AES-128/1", "DH-GM/AES-256/2"):
                Line(Combination.named(name)).open()

    def test_blocks_of_every_length(self):
        for block in (9, 128, 223, 224, 231, 256, 257, 1000, 4000):
            with self.subTest(block=block):
                line = Line(EVERY[0])
                line.open()
                line.terminal.block = block
                self.assertEqual(line.terminal.read(0x0101), document.FILES[0x0101])

    def test_check_digits(self):
        """The example of Doc 9303-11 appendix D.2."""
        for text in ("L898902C<3", "6908061", "9406236"):
            self.assertEqual(document.checked(text[:-1]), text)
        self.assertEqual(len(document.MRZ), 90)


class RefusalTest(unittest.TestCase):
    """Every test in the oldest cipher and in the newest."""

    def lines(self):
        for name in ("DH-GM/3DES/0", "ECDH-GM/AES-256/13"):
            yield Line(Combination.named(name))

    def expect(self, text: str, action, *arguments) -> None:
        with self.assertRaises(Failure) as caught:
            action(*arguments)
        self.assertIn(text, str(caught.exception))

    def test_wrong_password(self):
        for line in self.lines():
            self.expect("GENERAL AUTHENTICATE 4: status 6300", line.open, openpace.CAN, b"000000")

    def test_wrong_token(self):
        for line in self.lines():
            line.change = lambda command, answer: (
                flipped(answer, -3) if command[:2] == b"\x00\x86" else answer)
            self.expect("the card's token", line.open)

    def test_own_key_sent_back(self):
        """Doc 9303-11 section 4.4.4.2: the two keys must differ."""
        for line in self.lines():
            line.change = self.mirror
            with self.assertRaisesRegex(openpace.Refused, "public key"):
                line.open()

    @staticmethod
    def mirror(command: bytes, answer: bytes) -> bytes:
        """The card's public key is the terminal's own."""
        decoded = Command.decoded(command)
        if decoded is None or not decoded.data.startswith(b"\x7c"):
            return answer
        objects = tlv.read(tlv.only(decoded.data, 0x7C))
        if [tag for tag, _ in objects] != [0x83]:
            return answer
        return tlv.write(0x7C, tlv.write(0x84, objects[0][1])) + b"\x90\x00"

    def test_answers_changed_on_the_way(self):
        for line in self.lines():
            for at in (1, 4, -3, -13):
                line.change = lambda command, answer: answer
                line.open()
                line.change = lambda command, answer, at=at: flipped(answer, at)
                with self.assertRaises((Failure, tlv.Malformed)):
                    line.terminal.read(0x0101)

    def test_commands_changed_on_the_way(self):
        for line in self.lines():
            for at in (1, 2, 6, 9, -2):
                line.open()
                line.terminal.transmit = lambda command, at=at: (
                    line.card.respond(flipped(command, at)))
                self.expect("bare status 69", line.terminal.read, 0x0101)
                line.terminal.transmit = line.transmit

    def test_repeated_commands(self):
        for line in self.lines():
            line.open()
            last = []
            line.change = lambda command, answer: last.append(command) or answer
            line.terminal.read(0x0101)
            self.assertEqual(line.card.respond(last[-1]), b"\x69\x88")

    def test_files_are_closed_before(self):
        for line in self.lines():
            line.terminal.send("SELECT", "00A4040C", document.APPLICATION)
            self.expect("status 6982", line.terminal.read, 0x0101)
            line.open()
            # A plain command ends the session.
            line.card.respond(bytes.fromhex("00A4000C"))
            self.expect("bare status 6988", line.terminal.read, 0x0101)

    def test_steps_keep_their_order(self):
        for line in self.lines():
            send, data = line.terminal.send, tlv.write(0x7C)
            protocol = tlv.write(0x80, line.card.combination.identifier)
            self.expect("6985", send, "no MSE", "10860000", data, 256)
            other = protocol + tlv.write(0x83, b"\x05")
            self.expect("6a88", send, "no such password", "0022C1A4", other)
            send("MSE:Set AT", "0022C1A4", protocol + tlv.write(0x83, b"\x02"))
            self.expect("6985", send, "the last first", "00860000", data, 256)
            self.expect("6985", send, "after a failure", "10860000", data, 256)


if __name__ == "__main__":
    unittest.main()
