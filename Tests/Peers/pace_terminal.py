#!/usr/bin/python3
"""A terminal whose PACE and secure messaging are OpenPACE's: opens the card in a reader and reads its files.

    pace_terminal.py (--can N | --mrz TEXT | --pin N | --puk N) [--reader NAME] [--file ID ...] [--block N]
                     [--combination MAPPING/CIPHER/PARAMETER ... | --every-combination]

Prints a line of JSON for each run: the combination, EF.CardAccess, length and hash of each file. It uses the card's
announcement; a given combination is first set by the command of `Combination.command`, which only test cards know. Exit
status 1, and the reason on standard error, at the first deviation.
"""

import argparse
import json
import sys
from collections.abc import Callable

import document
import openpace
import tlv
from apdu import EXTENDED, SHORT, Command
from combination import EVERY, Combination
from pcsc import CardInReader, ReaderFailure

LAST_EVEN_OFFSET = 0x7FFF
LONGEST_FILE = 100_000


class Failure(Exception):
    """The card's answer is not the one that a terminal needs."""


class PaceTerminal:
    """The terminal's part: commands, plain at first, protected after PACE."""

    def __init__(self, transmit: Callable[[bytes], bytes], block: int = 223):
        self.transmit = transmit
        self.block = block
        self.session: openpace.Session | None = None

    # Commands.

    def send(self, step: str, header: str, data: bytes = b"", expected: int = 0) -> bytes:
        """The data of an answer of status 9000."""
        command = Command(bytes.fromhex(header), data, expected)
        answer = self.transmit((self.protected(command) if self.session else command).encoded())
        answer, status = answer[:-2], answer[-2:]
        if self.session and not answer:
            raise Failure(f"{step}: bare status {status.hex()}")
        if self.session:
            answer, inner = self.opened(step, command, answer)
            if inner != status:
                raise Failure(f"{step}: status {inner.hex()} inside, {status.hex()} outside")
        if status != b"\x90\x00":
            raise Failure(f"{step}: status {status.hex()}")
        return answer

    def protected(self, command: Command) -> Command:
        """Doc 9303-11 section 9.8.4; the answer may be as long as its form allows."""
        session = self.session
        session.count()
        header = bytes([command.header[0] | 0x0C]) + command.header[1:]
        body = b""
        if command.data and command.header[1] & 1:
            body = tlv.write(0x85, session.encrypt(command.data))
        elif command.data:
            body = tlv.write(0x87, b"\x01" + session.encrypt(command.data))
        width = 1 if command.expected <= SHORT else 2
        if command.expected:
            wanted = command.expected % (SHORT if width == 1 else EXTENDED)
            body += tlv.write(0x97, wanted.to_bytes(width, "big"))
        covered = session.pad(header) + body
        body += tlv.write(0x8E, session.checksum(session.pad(covered) if body else covered))
        return Command(header, body, SHORT if width == 1 and len(body) <= 0xFF else EXTENDED)

    def opened(self, step: str, command: Command, answer: bytes) -> tuple[bytes, bytes]:
        """Data and status without the protection."""
        session = self.session
        session.count()
        objects = tlv.read(answer)
        cipher = 0x85 if command.header[1] & 1 else 0x87
        if [tag for tag, _ in objects] not in ([0x99, 0x8E], [cipher, 0x99, 0x8E]):
            raise Failure(f"{step}: objects {[hex(tag) for tag, _ in objects]}")
        covered = b"".join(tlv.write(tag, value) for tag, value in objects[:-1])
        fields = dict(objects)
        if session.checksum(session.pad(covered)) != fields[0x8E]:
            raise Failure(f"{step}: wrong checksum")
        data = fields.get(cipher, b"")
        if cipher == 0x87 and data[:1] not in (b"", b"\x01"):
            raise Failure(f"{step}: padding indicator {data[:1].hex()}")
        data = session.decrypt(data[cipher == 0x87:]) if data else b""
        return data, fields[0x99]

    # Files: Doc 9303-10 section 3.6.

    def read(self, file: int) -> bytes:
        """The whole outermost object of a file."""
        name = f"{file:04X}"
        self.send(f"SELECT {name}", "00A4020C", bytes.fromhex(name))
        contents = self.piece(name, 0, 8)
        _, length, start = tlv.head(contents)
        whole = start + length
        if whole > LONGEST_FILE:
            raise Failure(f"{name} is said to have {whole} bytes")
        contents = contents[:whole]
        while len(contents) < whole:
            more = self.piece(name, len(contents), min(self.block, whole - len(contents)))
            if not more:
                raise Failure(f"READ BINARY {name}: nothing at {len(contents)}")
            contents += more
        if len(contents) != whole:
            raise Failure(f"READ BINARY {name}: more than was asked for")
        return contents

    def piece(self, name: str, offset: int, count: int) -> bytes:
        step = f"READ BINARY {name} at {offset}"
        if offset <= LAST_EVEN_OFFSET:
            return self.send(step, f"00B0{offset:04X}", b"", count)
        # ISO/IEC 7816-4 section 11.3.3: the offset, and the data of the answer, in separate objects.
        width = 2 if offset <= 0xFFFF else 3
        place = tlv.write(0x54, offset.to_bytes(width, "big"))
        count = min(count, self.block - 4)
        wrapped = len(tlv.write(0x53, bytes(count)))
        return tlv.only(self.send(step, "00B10000", place, wrapped), 0x53)

    # PACE: Doc 9303-11 section 4.4.4.

    def open(self, kind: int, password: bytes) -> tuple[Combination, bytes]:
        """PACE with the card's announcement; the application is selected after it."""
        self.session = None
        self.send("SELECT the master file", "00A4000C")
        access = self.read(document.CARD_ACCESS)
        combination = Combination.announced(access)
        run = openpace.Session(combination, access, kind, password)
        self.send(
            "MSE:Set AT", "0022C1A4",
            tlv.write(0x80, combination.identifier) + tlv.write(0x83, bytes([kind])))
        run.decrypt_nonce(self.step(1, 0x80))
        map_data = run.mapping_data()
        run.map(self.step(2, 0x82, 0x81, map_data))
        ours = run.ephemeral_key()
        theirs = self.step(3, 0x84, 0x83, ours)
        if theirs.startswith(b"\0"):
            # A key in dispute, see Session.ephemeral_key: another run draws others.
            return self.open(kind, password)
        run.agree(theirs)
        if not run.accepts(self.step(4, 0x86, 0x85, run.token(theirs))):
            raise Failure("PACE: the card's token is wrong")
        run.begin()
        self.session = run
        self.send("SELECT the application", "00A4040C", document.APPLICATION)
        return combination, access

    def step(self, number: int, answered: int, tag: int = 0, data: bytes = b"") -> bytes:
        """One GENERAL AUTHENTICATE; its answer is expected to be about as long as its data."""
        content = tlv.write(0x7C, tlv.write(tag, data) if tag else b"")
        header = "10860000" if number < 4 else "00860000"
        expected = SHORT if len(content) <= 0xFF else EXTENDED
        answer = self.send(f"GENERAL AUTHENTICATE {number}", header, content, expected)
        return tlv.only(tlv.only(answer, 0x7C), answered)


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    password = parser.add_mutually_exclusive_group(required=True)
    for kind in ("mrz", "can", "pin", "puk"):
        password.add_argument("--" + kind)
    parser.add_argument("--reader")
    parser.add_argument("--block", type=int, default=223)
    parser.add_argument("--file", type=lambda text: int(text, 16), action="append", default=[])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--combination", type=Combination.named, action="append")
    which.add_argument("--every-combination", action="store_const", const=EVERY, dest="combination")
    options = parser.parse_args()
    kind, password = next(
        (number, value.encode())
        for number, value in enumerate((options.mrz, options.can, options.pin, options.puk), 1)
        if value)

    card = CardInReader(options.reader)
    try:
        for wanted in options.combination or [None]:
            try:
                terminal = PaceTerminal(card.transmit, options.block)
                if wanted:
                    if card.transmit(wanted.command) != b"\x90\x00":
                        raise Failure("the card does not become what it should")
                done, access = terminal.open(kind, password)
                if wanted not in (None, done):
                    raise Failure(f"the card has become {done}")
                files = {f"{file:04X}": document.summary(terminal.read(file)) for file in options.file}
            except (Failure, ReaderFailure, openpace.Refused, tlv.Malformed, ValueError) as problem:
                sys.exit(f"{wanted or 'PACE'}: {type(problem).__name__}: {problem}")
            print(json.dumps(
                {"combination": str(done), "cardAccess": access.hex().upper(), "files": files}))
    finally:
        card.close()


if __name__ == "__main__":
    main()
