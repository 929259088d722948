"""The files of the IAS card with their access rules, "CIE 3.0 - Specifiche Chip" annex A, and the commands that read them."""

from collections.abc import Callable
from typing import NamedTuple

import ias_personalisation as office
import tlv
from card_files import Status, require
from ias_keys import CIE_AID, Group

ROOT_AID = bytes.fromhex("A0000000308000000009816001")
# READ BINARY returns no more, IAS ECC section 8.6.3.3.
MOST = 231


class File(NamedTuple):
    """An elementary file; the short identifier is 0 for a file without one, the rule one of annex A: A always, P the
    PIN."""

    identifier: int
    short: int
    rule: str
    content: bytes

    @property
    def control_parameters(self) -> bytes:
        """IAS ECC section 3.3.4."""
        return tlv.write(
            0x62, tlv.write(0x80, len(self.content).to_bytes(2, "big")), bytes.fromhex("820101"),
            tlv.write(0x83, self.identifier.to_bytes(2, "big")),
            tlv.write(0x88, bytes([self.short << 3])), bytes.fromhex("8A0105"), tlv.write(
                0xA1, bytes.fromhex("9C0201"), bytes([{"A": 0x00, "P": 0xD2}[self.rule]])))


class Contents:
    """The personalisation of this card: files, keys, and the authority of its security object."""

    def __init__(self, group: Group):
        csca, issuer = office.authority("CSCA of the IAS peer"), office.authority("CA of the IAS peer")
        self.anchor = csca.certificate.public_bytes(office.PEM)
        self.holder = office.holder(issuer)
        self.device, self.other_device, self.services = (office.new_key() for _ in range(3))
        certificate = self.holder.certificate.public_bytes(office.DER)
        # By the numbers of the security object.
        signed = {
            0xA5: office.public_key(self.services), 0x1B: group.file,
            0xA4: office.public_key(self.device), 0xA3: certificate, 0xA2: office.NUMBER,
            0xA1: office.NIS}
        serial_number = bytes.fromhex("938000" + office.NIS.decode() + "8F")
        # SN.ICC of device authentication: the eight low-order bytes, IAS ECC section 5.2.3.5.1.
        self.chip_name = serial_number[-8:]
        # EF.ATR announces 260 bytes for commands and 258 for answers: no extended length.
        attributes = bytes.fromhex(
            "80004301B84604000000104703940180E01002020104020200E6020200E6020200E678080606"
            "2B8122F8780282029000")
        self.root = [
            File(0x2F01, 0x1D, "A", attributes),
            File(0xD003, 0, "A", tlv.write(0x5A, serial_number)),
            File(0xD004, 0x1B, "A", group.file)]
        self.application = [
            File(0x1001, 1, "A", signed[0xA1]), File(0x1002, 2, "P", signed[0xA2]),
            # Longer than the certificate in it, because files are created before their contents.
            File(0x1003, 3, "P", certificate + bytes(100)), File(0x1004, 4, "A", signed[0xA4]),
            File(0x1005, 5, "A", signed[0xA5]),
            File(0x1006, 6, "A", office.security_object(signed, office.document_signer(csca)))]


class FileSystem:
    """The selected file, SELECT and READ BINARY."""

    def __init__(self, contents: Contents, deviations: set[str]):
        self.contents, self.deviations = contents, deviations
        # "root-by-name" and the like leave one command for the root; the specification has two, IAS ECC section 9.7.1.
        only = deviations & {"root-by-name", "root-by-identifier", "root-in-four-bytes", "no-root"}
        self.ways = only or {"root-by-name", "root-by-identifier"}
        self.enter(False)

    def enter(self, application: bool) -> None:
        self.in_application, self.current = application, None

    @property
    def files(self) -> list[File]:
        files = self.contents.application if self.in_application else self.contents.root
        if "wrong-device-key" in self.deviations:
            other = office.public_key(self.contents.other_device)
            return [file._replace(content=other) if file.identifier == 0x1004 else file for file in files]
        return files

    def select(self, how: int, answer: int, name: bytes) -> bytes:
        if (how, answer) == (0x00, 0x00) and not name:
            require("root-in-four-bytes" in self.ways, 0x6A86)
            self.enter(False)
            return b""
        require(how in (0x00, 0x02, 0x04) and answer in (0x04, 0x0C), 0x6A86)
        if how == 0x02:
            require(len(name) == 2, 0x6700)
            self.current = self.find(lambda file: file.identifier == int.from_bytes(name, "big"))
            return self.current.control_parameters if answer == 0x04 else b""
        ways = {ROOT_AID: "root-by-name"} if how == 0x04 else {b"\x3F\x00": "root-by-identifier"}
        application = how == 0x04 and name == CIE_AID
        require(application or ways.get(name) in self.ways, 0x6A82)
        self.enter(application)
        folder = bytes.fromhex("6210820138") + tlv.write(0x84, name) + bytes.fromhex("A1039C0100")
        return folder if answer == 0x04 else b""

    def find(self, fits: Callable[[File], bool]) -> File:
        found = [file for file in self.files if fits(file)]
        require(found, 0x6A82)
        return found[0]

    def read(self, first: int, second: int, expected: int, allows: Callable[[str], bool]) -> bytes:
        offset = first << 8 | second
        if first & 0x80:
            require("no-short-identifiers" not in self.deviations and not first & 0x60, 0x6A82)
            self.current = self.find(lambda file: file.short == first & 0x1F != 0)
            offset = second
        require(self.current, 0x6986)
        require(allows(self.current.rule), 0x6982)
        content = self.current.content
        require(offset < len(content), 0x6B00)
        part = content[offset:offset + min(expected or MOST, MOST)]
        if len(part) < expected <= MOST:
            raise Status(0x6282, part)
        return part
