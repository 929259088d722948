"""A PACEInfo that OpenPACE supports: mapping, cipher and domain parameters."""

from typing import NamedTuple

import tlv

# Doc 9303-11 section 9.2.1: id-PACE, 0.4.0.127.0.7.2.2.4; below it the mapping, below that the cipher.
PACE = bytes.fromhex("04007F0007020204")
MAPPINGS = {"DH-GM": 1, "ECDH-GM": 2}
CIPHERS = {"3DES": 1, "AES-128": 2, "AES-192": 3, "AES-256": 4}
# Doc 9303-11 section 9.5.1: the standardised domain parameters, and the lengths of the primes that are no curves'.
PARAMETERS = {"DH-GM": range(0, 3), "ECDH-GM": range(8, 19)}
PRIME_LENGTHS = {0: 128, 1: 256, 2: 256}


class Combination(NamedTuple):
    """One line of the matrix."""

    mapping: str
    cipher: str
    parameter: int

    def __str__(self) -> str:
        return f"{self.mapping}/{self.cipher}/{self.parameter}"

    @property
    def identifier(self) -> bytes:
        """The value of the object identifier, without its tag."""
        return PACE + bytes([MAPPINGS[self.mapping], CIPHERS[self.cipher]])

    @property
    def block(self) -> int:
        """The block length of the cipher, in bytes."""
        return 8 if self.cipher == "3DES" else 16

    @property
    def card_access(self) -> bytes:
        """An EF.CardAccess that announces this and nothing else: a SET of one PACEInfo of version 2."""
        version, parameter = tlv.write(0x02, b"\x02"), tlv.write(0x02, bytes([self.parameter]))
        info = tlv.write(0x30, tlv.write(0x06, self.identifier), version, parameter)
        return tlv.write(0x31, info)

    @classmethod
    def announced(cls, card_access: bytes) -> "Combination":
        """The first PACEInfo of an EF.CardAccess that OpenPACE can follow."""
        for tag, info in tlv.read(tlv.only(card_access, 0x31)):
            fields = tlv.read(info)
            if tag != 0x30 or [kind for kind, _ in fields] != [0x06, 0x02, 0x02]:
                continue
            for combination in EVERY:
                wanted = [combination.identifier, b"\x02", bytes([combination.parameter])]
                if [value for _, value in fields] == wanted:
                    return combination
        raise ValueError(f"nothing here for OpenPACE: {card_access.hex()}")

    # A special command sets the combination of a test card. Its class byte is a proprietary one of
    # ISO/IEC 7816-4 section 5.4.1, which no card application uses before PACE.
    @property
    def command(self) -> bytes:
        """The command that turns a test card into this: 80 01, mapping and cipher, parameter."""
        digits = MAPPINGS[self.mapping] << 4 | CIPHERS[self.cipher]
        return bytes([0x80, 0x01, digits, self.parameter])

    @classmethod
    def commanded(cls, command: bytes) -> "Combination | None":
        """The combination in such a command."""
        return next((one for one in EVERY if one.command == command), None)

    @classmethod
    def named(cls, text: str) -> "Combination":
        """The combination with this description, e.g. `ECDH-GM/AES-128/13`."""
        for combination in EVERY:
            if str(combination) == text:
                return combination
        raise ValueError(f"no combination {text}")


EVERY = [
    Combination(mapping, cipher, parameter)
    for mapping in MAPPINGS for cipher in CIPHERS for parameter in PARAMETERS[mapping]]
