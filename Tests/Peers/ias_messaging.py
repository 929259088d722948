"""Secure messaging of IAS ECC 1.0.1 section 7.1, the card's end: two-key 3DES, retail MAC, a counter of eight bytes."""

import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, modes

import tlv

try:
    from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
except ImportError:
    from cryptography.hazmat.primitives.ciphers.algorithms import TripleDES


class Broken(Exception):
    """The error that ends the session; the answer is this status word alone, section 7.1.7."""

    def __init__(self, word: int):
        super().__init__(f"{word:04X}")
        self.word = word


def demand(holds: object, word: int = 0x6988) -> None:
    if not holds:
        raise Broken(word)


def cbc(key: bytes, data: bytes, encrypting: bool) -> bytes:
    """3DES with keys of one, two or three parts, in CBC with a zero vector."""
    key = {8: key * 3, 16: key + key[:8]}.get(len(key), key)
    cipher = Cipher(TripleDES(key), modes.CBC(bytes(8)))
    run = cipher.encryptor() if encrypting else cipher.decryptor()
    return run.update(data) + run.finalize()


def pad(data: bytes) -> bytes:
    """ISO/IEC 9797-1, padding method 2."""
    return data + b"\x80" + bytes(-(len(data) + 1) % 8)


def unpad(data: bytes) -> bytes:
    text = data.rstrip(b"\0")
    demand(text[-1:] == b"\x80")
    return text[:-1]


def retail_mac(key: bytes, padded: bytes) -> bytes:
    """ISO/IEC 9797-1, MAC algorithm 3: single DES in CBC with the first half of the key, the last block with all of it."""
    first, second = key[:8], key[8:]
    state = cbc(first, padded, True)[-8:]
    return cbc(first, cbc(second, state, False), True)


class Session:
    """Keys and counter of one session."""

    def __init__(self, shared_secret: bytes):
        """IAS ECC section 5.2.3.2.3: the keys are SHA-256 over the secret and 1 or 2."""
        self.encryption, self.authentication = (
            hashlib.sha256(shared_secret + bytes([0, 0, 0, which])).digest()[:16]
            for which in (1, 2))
        self.counter = 1
        self.next_counter: int | None = None

    def begin_anew_after_this_answer(self, counter: int) -> None:
        """Device authentication restarts the counter, after the answer that completes it."""
        self.next_counter = counter

    def step(self) -> bytes:
        self.counter = (self.counter + 1) % 2**64
        return self.counter.to_bytes(8, "big")

    def unwrap(self, header: bytes, body: bytes) -> tuple[bytes, int]:
        """The content of a protected command: data, and Ne or 0."""
        counter = self.step()
        try:
            objects = tlv.read(body)
        except tlv.Malformed as problem:
            raise Broken(0x6988) from problem
        demand(objects and objects[-1][0] == 0x8E, 0x6987)
        self.check(counter + header, objects)
        data, expected = b"", 0
        for tag, value in objects[:-1]:
            if tag == 0x97:
                demand(len(value) == 1)
                expected = value[0] or 256
                continue
            # 87 with an even instruction, 85 with an odd one.
            demand(tag == (0x85 if header[1] & 1 else 0x87))
            if tag == 0x87:
                demand(value[:1] == b"\x01")
                value = value[1:]
            demand(value and len(value) % 8 == 0)
            data = unpad(cbc(self.encryption, value, False))
        return data, expected

    def check(self, beginning: bytes, objects: list[tuple[int, bytes]]) -> None:
        """The checksum of a command, section 7.1.12."""
        covered = b"".join(tlv.write(tag, value) for tag, value in objects[:-1])
        accepted = [pad(beginning) + pad(covered)]
        # The section pads a command without objects once; the usual hosts pad it again.
        if not covered:
            accepted.append(pad(beginning))
        demand(objects[-1][1] in [retail_mac(self.authentication, text) for text in accepted])

    def wrap(self, instruction: int, data: bytes, word: int) -> bytes:
        """The data of a protected answer."""
        counter = self.step()
        body = b""
        if data:
            secret = cbc(self.encryption, pad(data), True)
            body = tlv.write(0x85, secret) if instruction & 1 else tlv.write(0x87, b"\x01", secret)
        body += tlv.write(0x99, word.to_bytes(2, "big"))
        body += tlv.write(0x8E, retail_mac(self.authentication, pad(counter + body)))
        if self.next_counter is not None:
            self.counter, self.next_counter = self.next_counter, None
        return body
