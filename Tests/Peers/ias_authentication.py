"""Key agreement and mutual authentication of IAS ECC sections 5.2.3 and 7.2, the card's end."""

import hashlib
import secrets

import tlv
from card_files import require
from ias_files import Contents
from ias_keys import ROOT_NAME, Group, PublicKey, RootKey, power
from ias_messaging import Session

# The algorithm in a terminal's certificate: RSA with SHA-256 and ISO/IEC 9796-2.
ALGORITHM = bytes.fromhex("2A8122F42A02040104")


class Terminal(PublicKey):
    """The key in a certificate that the card has accepted."""

    reference: bytes
    role: int

    @classmethod
    def certified(cls, body: bytes) -> "Terminal":
        terminal = cls(int.from_bytes(body[37:293], "big"), int.from_bytes(body[293:297], "big"))
        terminal.reference, terminal.role = body[9:21], body[27]
        return terminal


class Authentication:
    """The state of key agreement and proofs between terminal and card."""

    def __init__(self, contents: Contents, group: Group, root: RootKey, deviations: set[str]):
        self.contents, self.group, self.root = contents, group, root
        self.device = (
            contents.other_device if "wrong-device-key" in deviations else contents.device)
        self.terminal: Terminal | None = None
        self.host_value = b""
        self.challenge = b""
        self.end()

    def end(self) -> None:
        """Deletes the session and its proofs."""
        self.session: Session | None = None
        self.terminal_proven = self.device_proven = False

    def offer(self, value: bytes) -> None:
        """MSE SET: the terminal's public value, section 5.2.3.2."""
        self.host_value = value
        self.end()

    def agree(self) -> bytes:
        """GET DATA: the card's public value, section 7.2.4; after it all commands are protected."""
        require(self.host_value, 0x6985)
        prime = int.from_bytes(self.group.p, "big")
        public = int.from_bytes(self.host_value, "big")
        require(len(self.host_value) == 256 and 1 < public < prime - 1, 0x6A80)
        private = secrets.randbelow(int.from_bytes(self.group.q, "big") - 1) + 1
        generator = int.from_bytes(self.group.g, "big")
        self.card_value = pow(generator, private, prime).to_bytes(256, "big")
        self.end()
        self.session = Session(pow(public, private, prime).to_bytes(256, "big"))
        return tlv.write(0xA6, tlv.write(0x91, self.card_value))

    def verify_certificate(self, data: bytes) -> bytes:
        """PSO VERIFY CERTIFICATE: the terminal's, signed with message recovery; section 7.2.6.5."""
        parts = dict(tlv.read(tlv.only(data, 0x7F21)))
        require({0x5F37, 0x5F38, 0x42} <= parts.keys() and parts[0x42] == ROOT_NAME, 0x6A80)
        opened = self.root.opened(parts[0x5F37])
        require(opened, 0x6982)
        body = opened[0] + parts[0x5F38]
        require(opened[1] == hashlib.sha256(body).digest(), 0x6982)
        require(body[:9] == b"\x8A" + ROOT_NAME and len(body) == 297, 0x6A80)
        require(body[28:37] == ALGORITHM, 0x6A80)
        self.terminal = Terminal.certified(body)
        return b""

    def get_challenge(self) -> bytes:
        self.challenge = secrets.token_bytes(8)
        return self.challenge

    def bound(self, *parts: bytes) -> bytes:
        """SPEC-CHIP section 6.10.3: the hash input of both proofs ends with g, p and q."""
        return hashlib.sha256(b"".join(parts) + self.group.g + self.group.p + self.group.q).digest()

    def check_terminal(self, reference: bytes | None, challenge: bytes, data: bytes) -> bytes:
        """EXTERNAL AUTHENTICATE in the session, section 7.2.5; the challenge is that of the command before, if any."""
        require(self.session, 0x6E00)
        require(challenge and self.terminal, 0x6985)
        require(reference == self.terminal.reference, 0x6A88)
        require(len(data) == 264, 0x6700)
        # Section 7.2.5.4.1: the role of a terminal.
        require(self.terminal.role == 0x01, 0x6985)
        name, opened = data[:8], self.terminal.opened(data[8:])
        require(opened and self.terminal.reference == bytes(4) + name, 0x6300)
        expected = self.bound(opened[0], self.host_value, name, challenge, self.card_value)
        require(opened[1] == expected, 0x6300)
        self.terminal_proven, self.proved_with = True, challenge
        return b""

    def prove(self, host_challenge: bytes) -> bytes:
        """INTERNAL AUTHENTICATE with key 82 in the session, section 7.2.6; then the counter restarts."""
        require(self.session, 0x6E00)
        require(self.terminal_proven, 0x6985)
        require(len(host_challenge) == 8, 0x6700)
        name, filling = self.contents.chip_name, secrets.token_bytes(222)
        digest = self.bound(filling, self.card_value, name, host_challenge, self.host_value)
        self.device_proven = True
        self.session.begin_anew_after_this_answer(
            int.from_bytes(self.proved_with[4:] + host_challenge[4:], "big"))
        return name + power(self.device, b"\x6A" + filling + digest + b"\xBC")
