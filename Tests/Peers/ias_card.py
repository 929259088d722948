#!/usr/bin/python3
"""A CIE's IAS ECC application in a slot of vpcd, written from its specification.

    ias_card.py [--port N] [--anchor FILE] [--deviation NAME]...

"CIE 3.0 - Specifiche Chip" 1.0 (annex A: objects and access rules) and "IAS ECC" 1.0.1 (commands), by the letter: no
answer beyond them. A deviation is a difference of the card from them, see DEVIATIONS. The CSCA of its security object
goes to the file of `--anchor`. When the reader has the card, one line of JSON has its PIN, PUK and NIS; then comes a
line a command: header and status word.
"""

import argparse
import json
import pathlib
from typing import NamedTuple

import ias_personalisation as office
from apdu import Command
from card_files import Status
from ias_codes import Codes
from ias_commands import Commands
from ias_files import Contents
from ias_keys import Group, RootKey
from ias_messaging import Broken
from vpcd import Link

DEVIATIONS = {
    "root-by-name": "the root is selected by the name of the IAS application alone",
    "root-by-identifier": "the root is selected by 3F00 alone",
    "root-in-four-bytes": "the root is selected by 00 A4 00 00 alone",
    "no-root": "the root is never selected, only DF_CIE is",
    "no-tries": "the objects of PIN and PUK are never told",
    "last-try-6983": "the last wrong PIN says 6983, not 63C0",
    "environment-checked": "MSE SET looks at the key reference",
    "no-short-identifiers": "READ BINARY by short identifier is refused",
    "select-ends-session": "a plain SELECT by name ends secure messaging",
    "one-try-left": "the PIN has one try left",
    "wrong-device-key": "EF 1004 and key 82 are not those that were signed",
}


class Answered(NamedTuple):
    """A line of the card's log; the status word is the one below the protection."""

    header: bytes
    word: int


class IASCard:
    """The card: power, deviations, and the wire with GET RESPONSE and secure messaging."""

    def __init__(self) -> None:
        self.group, self.root = Group.standard(), RootKey.made()
        self.contents = Contents(self.group)
        self.become(set())

    def become(self, deviations: set[str]) -> None:
        """A new card, with an empty log, that differs from the specification in these points."""
        unknown = deviations - DEVIATIONS.keys()
        if unknown:
            raise ValueError(f"no such deviation: {', '.join(sorted(unknown))}")
        self.deviations, self.codes = deviations, Codes(deviations)
        self.log: list[Answered] = []
        self.reset()

    def reset(self) -> None:
        self.commands = Commands(
            self.contents, self.group, self.root, self.codes, self.deviations)
        self.waiting, self.waiting_word = b"", 0x9000

    def count(self, instruction: int, word: int | None = None) -> int:
        """The number of commands of this instruction; only those with a status word, if one is given."""
        return sum(
            entry.header[1] == instruction and word in (None, entry.word) for entry in self.log)

    def respond(self, command: bytes) -> bytes:
        data, word, inner = self.answer(command[:4], command)
        self.log.append(Answered(command[:4], inner))
        return data + word.to_bytes(2, "big")

    def answer(self, header: bytes, command: bytes) -> tuple[bytes, int, int]:
        """Data, status word, and the status word below the protection."""
        decoded = Command.decoded(command)
        if header == bytes.fromhex("00C00000") and self.waiting and decoded:
            return self.piece(decoded.expected)
        self.waiting = b""
        # EF.ATR announces no extended length.
        if not decoded or len(command) > 6 and command[4] == 0:
            return b"", 0x6700, 0x6700
        if header[0] not in (0x00, 0x10, 0x0C, 0x1C):
            return b"", 0x6E00, 0x6E00
        if header[0] & 0x0C:
            return self.protected(decoded)
        # Section 7.1.14: a plain command ends the session, apart from SELECT by name.
        if header[1:3] != b"\xA4\x04" or "select-ends-session" in self.deviations:
            self.commands.end_session()
        data, word = self.perform(decoded, False)
        return self.given(data, word, word)

    def perform(self, command: Command, protected: bool) -> tuple[bytes, int]:
        try:
            return self.commands.perform(*command, protected), 0x9000
        except Status as status:
            return status.data, status.word

    def protected(self, command: Command) -> tuple[bytes, int, int]:
        """Section 7.1: protected, with the same status word outside."""
        session = self.commands.authentication.session
        if not session:
            return b"", 0x6985, 0x6985
        try:
            data, expected = session.unwrap(command.header, command.data)
        except Broken as problem:
            self.commands.end_session()
            return b"", problem.word, problem.word
        data, word = self.perform(Command(command.header, data, expected), True)
        return self.given(session.wrap(command.header[1], data, word), word, word)

    def given(self, data: bytes, word: int, inner: int) -> tuple[bytes, int, int]:
        """GET RESPONSE fetches the rest of a long answer."""
        if len(data) <= 256:
            return data, word, inner
        self.waiting, self.waiting_word = data, word
        return *self.piece(256)[:2], inner

    def piece(self, count: int) -> tuple[bytes, int, int]:
        part, self.waiting = self.waiting[:count or 256], self.waiting[count or 256:]
        word = 0x6100 | min(len(self.waiting), 256) & 0xFF if self.waiting else self.waiting_word
        return part, word, word


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--port", type=int, default=35963)
    parser.add_argument("--anchor", type=pathlib.Path)
    parser.add_argument("--deviation", action="append", default=[], choices=DEVIATIONS)
    options = parser.parse_args()
    card = IASCard()
    card.become(set(options.deviation))
    if options.anchor:
        options.anchor.write_bytes(card.contents.anchor)
    facts = {name: value.decode() for name, value in (
        ("pin", office.PIN), ("puk", office.PUK), ("nis", office.NIS))}

    def respond(command: bytes) -> bytes:
        answer = card.respond(command)
        print(card.log[-1].header.hex(), f"{card.log[-1].word:04x}", flush=True)
        return answer

    Link(options.port).serve(
        respond, card.reset, inserted=lambda: print(json.dumps(facts), flush=True))


if __name__ == "__main__":
    main()
