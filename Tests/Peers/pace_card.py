#!/usr/bin/python3
"""A travel document with PACE whose cryptography is OpenPACE's, in a slot of vpcd.

    pace_card.py [--port N] [--announce LENGTH]

EF.ATR/INFO announces answers of this length, which may be more than the card gives: those are refused with 6700.
When the reader has it, one line of JSON has its access codes and its files. It begins as ECDH-GM/AES-128/12;
the command of `Combination.command` makes it another. It stays until the reader goes away or this is ended.
"""

import argparse
import json
import sys

import document
import openpace
import tlv
from apdu import EXTENDED, SHORT, Command
from card_files import CardFiles, Status, require
from combination import Combination
from vpcd import Link

PASSWORDS = {
    openpace.MRZ: document.MRZ, openpace.CAN: document.CAN,
    openpace.PIN: document.PIN, openpace.PUK: document.PUK}


class PaceCard:
    """The card: its commands, the four steps of PACE, and secure messaging."""

    def __init__(self, combination: Combination):
        self.become(combination)

    def become(self, combination: Combination) -> None:
        self.combination = combination
        self.files = CardFiles(combination.card_access)
        self.reset()

    def reset(self) -> None:
        self.files.select_master_file()
        self.run: openpace.Session | None = None
        self.step = 0
        self.session: openpace.Session | None = None

    @property
    def is_open(self) -> bool:
        """True once PACE has succeeded: only then the application's files are readable."""
        return self.session is not None

    def respond(self, command: bytes) -> bytes:
        other = Combination.commanded(command)
        if other:
            self.become(other)
            return b"\x90\x00"
        decoded = Command.decoded(command)
        try:
            require(decoded, 0x6700)
            if command[0] & 0x0C == 0x0C:
                return self.protected(decoded)
            # A command without protection ends the session, Doc 9303-11 section 9.8.
            self.session = None
            data = self.perform(decoded)
            require(len(data) <= decoded.expected, 0x6700)
            return data + b"\x90\x00"
        except Status as status:
            return status.word.to_bytes(2, "big")

    def perform(self, command: Command) -> bytes:
        """The data of the answer."""
        try:
            return self.dispatch(command)
        except tlv.Malformed as problem:
            raise Status(0x6A80) from problem

    def dispatch(self, command: Command) -> bytes:
        chained, instruction, *parameters = command.header
        require(chained in ((0x00, 0x10) if instruction == 0x86 else (0x00,)), 0x6E00)
        match instruction, parameters:
            case 0xA4, [first, 0x0C]:
                return self.files.select(first, command.data)
            case 0xB0, [first, second]:
                return self.files.read(first, second, command.expected, self.is_open)
            case 0xB1, [0x00, second]:
                return self.files.read_odd(second, command, self.is_open)
            case 0x22, [0xC1, 0xA4]:
                return self.set_authentication(command.data)
            case 0x86, [0x00, 0x00]:
                return self.authenticate(chained == 0x10, command.data)
        raise Status(0x6A86 if instruction in (0xA4, 0xB1, 0x22, 0x86) else 0x6D00)

    # PACE: Doc 9303-11 section 4.4.4.

    def set_authentication(self, data: bytes) -> bytes:
        self.step = 0
        objects = dict(tlv.read(data))
        require(set(objects) in ({0x80, 0x83}, {0x80, 0x83, 0x84}), 0x6A80)
        require(objects[0x80] == self.combination.identifier, 0x6A80)
        require(objects.get(0x84, b"")[-1:] in (b"", bytes([self.combination.parameter])), 0x6A88)
        kind = int.from_bytes(objects[0x83], "big")
        require(kind in PASSWORDS, 0x6A88)
        access = self.combination.card_access
        self.run = openpace.Session(self.combination, access, kind, PASSWORDS[kind].encode())
        self.step = 1
        return b""

    def authenticate(self, more: bool, data: bytes) -> bytes:
        step, run, self.step = self.step, self.run, 0
        require(run and step, 0x6985)
        require(more == (step < 4), 0x6985)
        content = tlv.only(data, 0x7C)
        try:
            if step == 1:
                require(content == b"", 0x6A80)
                answer = tlv.write(0x80, run.encrypted_nonce())
            elif step == 2:
                theirs, ours = tlv.only(content, 0x81), run.mapping_data()
                run.map(theirs)
                answer = tlv.write(0x82, ours)
            elif step == 3:
                self.public_key, ours = tlv.only(content, 0x83), run.ephemeral_key()
                run.agree(self.public_key)
                answer = tlv.write(0x84, ours)
            else:
                require(run.accepts(tlv.only(content, 0x85)), 0x6300)
                answer = tlv.write(0x86, run.token(self.public_key))
                run.begin()
                self.session = run
        except openpace.Refused as refused:
            print(f"{self.combination}, step {step}: {refused}", file=sys.stderr)
            raise Status(0x6A80) from refused
        self.step = step + 1 if step < 4 else 0
        return tlv.write(0x7C, answer)

    # Secure messaging: Doc 9303-11 section 9.8.

    def protected(self, command: Command) -> bytes:
        require(self.session, 0x6988)
        require(command.expected, 0x6700)
        session, self.session = self.session, None
        try:
            plain = self.opened(session, command)
        except (tlv.Malformed, openpace.Refused, KeyError) as problem:
            raise Status(0x6988) from problem
        self.session = session
        # A request for everything may get less: the part that fits into the answer beside its protection.
        limit = min(command.expected, document.LONGEST - 2)
        if plain.expected in (SHORT, EXTENDED):
            room = next(n for n in range(limit, limit - 40, -1) if self.size(n) <= limit)
            plain = plain._replace(expected=max(0, min(plain.expected, room)))
        try:
            data, status = self.perform(plain), 0x9000
            require(self.size(len(data)) <= limit, 0x6700)
        except Status as other:
            data, status = b"", other.word
        return self.sealed(plain.header[1], data, status) + status.to_bytes(2, "big")

    def size(self, count: int) -> int:
        """The length of an answer with so many bytes of data, with its padding, status and checksum."""
        block = self.combination.block
        return len(tlv.write(0x87, bytes(1 + (count // block + 1) * block))) + 4 + 10

    def opened(self, session: openpace.Session, command: Command) -> Command:
        """The command without its protection."""
        session.count()
        objects = tlv.read(command.data)
        tags = [tag for tag, _ in objects]
        cipher = 0x85 if command.header[1] & 1 else 0x87
        require(tags in ([0x8E], [cipher, 0x8E], [0x97, 0x8E], [cipher, 0x97, 0x8E]), 0x6987)
        fields = dict(objects)
        body = b"".join(tlv.write(tag, value) for tag, value in objects[:-1])
        covered = session.pad(command.header) + body
        require(session.checksum(session.pad(covered) if body else covered) == fields[0x8E], 0x6988)
        data = fields.get(cipher, b"")
        if cipher == 0x87 and data:
            require(data[0] == 0x01, 0x6988)
            data = data[1:]
        expected = fields.get(0x97, b"")
        require(len(expected) <= 2, 0x6988)
        wanted = int.from_bytes(expected, "big") or (0, SHORT, EXTENDED)[len(expected)]
        header = bytes([command.header[0] & ~0x0C]) + command.header[1:]
        return Command(header, session.decrypt(data) if data else b"", wanted)

    def sealed(self, instruction: int, data: bytes, status: int) -> bytes:
        """The data of the answer, protected."""
        session = self.session
        session.count()
        body = b""
        if data and instruction & 1:
            body = tlv.write(0x85, session.encrypt(data))
        elif data:
            body = tlv.write(0x87, b"\x01" + session.encrypt(data))
        body += tlv.write(0x99, status.to_bytes(2, "big"))
        return body + tlv.write(0x8E, session.checksum(session.pad(body)))


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--port", type=int, default=35963)
    parser.add_argument("--announce", type=int, default=document.LONGEST)
    options = parser.parse_args()
    document.MASTER_FILE[document.ATTRIBUTES] = document.attributes(options.announce)
    card = PaceCard(Combination("ECDH-GM", "AES-128", 12))
    facts = {
        "can": document.CAN, "pin": document.PIN, "puk": document.PUK, "mrz": document.MRZ,
        "files": {f"{file:04X}": document.summary(data) for file, data in document.FILES.items()}}
    Link(options.port).serve(
        card.respond, card.reset, inserted=lambda: print(json.dumps(facts), flush=True))


if __name__ == "__main__":
    main()
