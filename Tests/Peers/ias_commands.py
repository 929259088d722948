"""The commands of the IAS card, IAS ECC sections 8 and 9: the access rules of each, and the part that implements it."""

from cryptography.hazmat.primitives.asymmetric import rsa

import tlv
from card_files import Status, require
from ias_authentication import Authentication
from ias_codes import Codes
from ias_files import Contents, FileSystem
from ias_keys import CIE_AID, Group, RootKey, power

# Control reference templates of MSE SET, ISO/IEC 7816-4 table 78: authentication, key agreement, signature.
AUTHENTICATION, AGREEMENT, SIGNATURE = 0xA4, 0xA6, 0xB6
# Algorithms: device authentication, verification of certificates, client/server authentication.
DEVICE, CERTIFICATE, CLIENT = b"\x9B", b"\x41", b"\x02"


class Commands:
    """The state of a card that has power, and every command below its protection."""

    def __init__(
        self, contents: Contents, group: Group, root: RootKey, codes: Codes, deviations: set[str]
    ):
        self.contents, self.group, self.root, self.codes = contents, group, root, codes
        self.deviations = deviations
        self.authentication = Authentication(contents, group, root, deviations)
        self.files = FileSystem(contents, deviations)
        self.environment: dict[int, dict[int, bytes]] = {}
        self.chain: tuple[bytes, bytes] | None = None
        codes.forget()

    def end_session(self) -> None:
        self.authentication.end()
        self.codes.forget()

    def allows(self, rule: str) -> bool:
        """Annex A: A always, X device authentication, P the PIN besides, U the PUK besides."""
        proven = self.protected and self.authentication.device_proven
        return {
            "A": True, "X": proven, "P": proven and self.codes.pin.verified,
            "U": proven and self.codes.puk.verified}[rule]

    def perform(self, header: bytes, data: bytes, expected: int, protected: bool) -> bytes:
        """The data of the answer; chained commands, section 8.5, are gathered first."""
        self.protected = protected
        challenge, self.authentication.challenge = self.authentication.challenge, b""
        held, self.chain = self.chain, None
        if held and held[0] == header[1:]:
            data = held[1] + data
        if header[0] & 0x10:
            require(header[1] in (0x22, 0x2A, 0x82), 0x6884)
            self.chain, self.authentication.challenge = (header[1:], data), challenge
            return b""
        try:
            return self.dispatch(header, data, expected, challenge)
        except tlv.Malformed as problem:
            raise Status(0x6A80) from problem

    def dispatch(self, header: bytes, data: bytes, expected: int, challenge: bytes) -> bytes:
        first, second = header[2:]
        match header[1], first, second:
            case 0xA4, _, _:
                return self.select(first, second, data)
            case 0xB0, _, _:
                return self.files.read(first, second, expected, self.allows)
            case 0x22, 0x41 | 0x81, _:
                return self.manage(first, second, data)
            case 0xCB, 0x3F, 0xFF:
                return self.get_data(data)
            case 0x2A, 0x00, 0xAE:
                wanted = {0x80: CERTIFICATE, 0x83: b"\x84"}
                require(self.environment.get(SIGNATURE) == wanted, 0x6A88)
                return self.authentication.verify_certificate(data)
            case 0x84, 0x00, 0x00:
                require(expected == 8, 0x6700)
                return self.authentication.get_challenge()
            case 0x82, 0x00, 0x00:
                reference = self.environment.get(AUTHENTICATION, {}).get(0x83)
                return self.authentication.check_terminal(reference, challenge, data)
            case 0x88, 0x00, 0x00:
                return self.internal_authenticate(data)
            case 0x20, 0x00, _:
                return self.codes.verify(second, data, self.allows)
            case 0x24, 0x00, _:
                return self.codes.change(second, data, self.allows)
            case 0x2C, 0x02 | 0x03, _:
                return self.codes.unblock(first == 0x02, second, data, self.allows)
        known = header[1] in (0x22, 0xCB, 0x2A, 0x84, 0x82, 0x88, 0x20, 0x24, 0x2C)
        raise Status(0x6A86 if known else 0x6D00)

    def select(self, how: int, answer: int, name: bytes) -> bytes:
        control_parameters = self.files.select(how, answer, name)
        if how != 0x02:
            self.authentication.terminal = None
            # The default of DF_CIE is key 81.
            default = {0x80: CLIENT, 0x84: b"\x81"}
            self.environment = {AUTHENTICATION: default} if name == CIE_AID else {}
        return control_parameters

    def manage(self, way: int, template: int, data: bytes) -> bytes:
        """MSE SET, section 9.5; the key is not checked before its use, section 9.9.2."""
        require(template in (AUTHENTICATION, AGREEMENT, SIGNATURE), 0x6A81)
        objects = dict(tlv.read(data))
        require(objects.get(0x80, DEVICE) in (DEVICE, CERTIFICATE, CLIENT), 0x6A80)
        if "environment-checked" in self.deviations:
            require(objects.get(0x84, b"\x81") in (b"\x81", b"\x82", b"\x83"), 0x6A88)
        self.environment[template] = objects
        if (way, template) == (0x41, AGREEMENT):
            require(objects.get(0x83) == b"\x81" and 0x91 in objects, 0x6A80)
            self.authentication.offer(objects[0x91])
            self.codes.forget()
        return b""

    def get_data(self, data: bytes) -> bytes:
        """By extended header lists, section 9.4: each in the form of the hosts' specification."""
        if data == bytes.fromhex("4D04A6029100"):
            return self.authentication.agree()
        require(self.files.in_application, 0x6A88)
        for number in (0x97, 0x98, 0x99):
            if data == bytes.fromhex(f"4D0A7008BFA10104A302{number:02X}00"):
                return self.group.component(number)
        if data == bytes.fromhex("4D097007BFA004037F4980"):
            return tlv.write(0x70, tlv.write(0xBFA004, self.root.usage))
        for reference in (1, 2):
            if data == bytes.fromhex(f"4D087006BF81{reference:02X}02A080"):
                return self.codes.get_data(reference, self.allows)
        # The specification has no header list of all domain parameters at once: section 5.2.3.1.3.
        raise Status(0x6A80 if data[:3] == bytes.fromhex("4D0870") else 0x6A88)

    def internal_authenticate(self, data: bytes) -> bytes:
        environment = self.environment.get(AUTHENTICATION, {})
        match environment.get(0x80), environment.get(0x84):
            case b"\x9B", b"\x82":
                return self.authentication.prove(data)
            case b"\x02", b"\x81":
                require(self.allows("P"), 0x6982)
                return self.sign(self.contents.holder.key, data)
            case b"\x02", b"\x83":
                return self.sign(self.contents.services, data)
        raise Status(0x6A88)

    @staticmethod
    def sign(key: rsa.RSAPrivateKey, data: bytes) -> bytes:
        """PKCS #1 v1.5 over at most 40 % of the modulus, section 9.5.4."""
        require(0 < len(data) <= 102, 0x6700)
        return power(key, b"\0\x01" + b"\xFF" * (253 - len(data)) + b"\0" + data)
