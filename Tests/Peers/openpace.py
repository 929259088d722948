"""PACE and secure messaging by OpenPACE: Debian's libeac3 through ctypes, as far as a card and a terminal need it.

Nothing here computes a key, a token or a cipher text: that is the point of an independent peer.
"""

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_ubyte, c_ulong, c_void_p, pointer

from combination import PRIME_LENGTHS, Combination

library = ctypes.CDLL("libeac.so.3")
# The types of libeac3.
numbers = ctypes.CDLL("libcrypto.so.3")


class Buffer(ctypes.Structure):
    """OpenSSL's BUF_MEM, in which OpenPACE takes and returns all its bytes."""

    _fields_ = [
        ("length", c_size_t), ("data", POINTER(c_ubyte)), ("max", c_size_t), ("flags", c_ulong)]


class KeyAgreement(ctypes.Structure):
    """The beginning of KA_CTX of eac/eac.h, up to the shared secret."""

    _fields_ = [
        ("before", c_void_p * 6), ("lengths", c_int * 2), ("functions", c_void_p * 2),
        ("key", c_void_p), ("shared_secret", POINTER(Buffer))]


class Pace(ctypes.Structure):
    """The beginning of PACE_CTX of eac/eac.h, up to the key agreement."""

    _fields_ = [
        ("protocol", c_int), ("version", c_ubyte), ("id", c_int), ("mapping", c_void_p * 2),
        ("static_key", c_void_p), ("key_agreement", POINTER(KeyAgreement))]


class Context(ctypes.Structure):
    """The beginning of EAC_CTX of eac/eac.h, up to PACE."""

    _fields_ = [("version", c_int), ("helpers", c_void_p * 3), ("pace", POINTER(Pace))]


# The kinds of password of eac/pace.h are numbered as Doc 9303-11 table 9 numbers the references to them.
MRZ, CAN, PIN, PUK = 1, 2, 3, 4
# EAC_ID_PACE of eac/eac.h.
PACE_PROTOCOL = 0


class Refused(Exception):
    """OpenPACE has refused its input."""


def declare(name: str, result: type | None, *arguments: type, of: ctypes.CDLL = library):
    function = of[name]
    function.restype, function.argtypes = result, arguments
    return function


CONTEXT, BYTES = POINTER(Context), POINTER(Buffer)
declare("EAC_init", None)()
release = declare("BUF_MEM_clear_free", None, BYTES)
new_context = declare("EAC_CTX_new", CONTEXT)
free_context = declare("EAC_CTX_clear_free", None, CONTEXT)
new_secret = declare("PACE_SEC_new", c_void_p, c_char_p, c_size_t, c_int)
free_secret = declare("PACE_SEC_clear_free", None, c_void_p)
read_card_access = declare("EAC_CTX_init_ef_cardaccess", c_int, c_char_p, c_size_t, CONTEXT)
encrypt_nonce = declare("PACE_STEP1_enc_nonce", BYTES, CONTEXT, c_void_p)
decrypt_nonce = declare("PACE_STEP2_dec_nonce", c_int, CONTEXT, c_void_p, BYTES)
mapping_data = declare("PACE_STEP3A_generate_mapping_data", BYTES, CONTEXT)
map_generator = declare("PACE_STEP3A_map_generator", c_int, CONTEXT, BYTES)
ephemeral_key = declare("PACE_STEP3B_generate_ephemeral_key", BYTES, CONTEXT)
shared_secret = declare("PACE_STEP3B_compute_shared_secret", c_int, CONTEXT, BYTES)
derive_keys = declare("PACE_STEP3C_derive_keys", c_int, CONTEXT)
compute_token = declare("PACE_STEP3D_compute_authentication_token", BYTES, CONTEXT, BYTES)
verify_token = declare("PACE_STEP3D_verify_authentication_token", c_int, CONTEXT, BYTES)
use_keys = declare("EAC_CTX_set_encryption_ctx", c_int, CONTEXT, c_int)
increment = declare("EAC_increment_ssc", c_int, CONTEXT)
add_padding = declare("EAC_add_iso_pad", BYTES, CONTEXT, BYTES)
encrypt = declare("EAC_encrypt", BYTES, CONTEXT, BYTES)
decrypt = declare("EAC_decrypt", BYTES, CONTEXT, BYTES)
authenticate = declare("EAC_authenticate", BYTES, CONTEXT, BYTES)
field_key = declare("EVP_PKEY_get1_DH", c_void_p, c_void_p, of=numbers)
free_field_key = declare("DH_free", None, c_void_p, of=numbers)
key_order = declare("DH_get0_q", c_void_p, c_void_p, of=numbers)
set_key = declare("DH_set0_key", c_int, c_void_p, c_void_p, c_void_p, of=numbers)
new_number = declare("BN_new", c_void_p, of=numbers)
draw_below = declare("BN_rand_range", c_int, c_void_p, c_void_p, of=numbers)


def lent(data: bytes) -> ctypes._Pointer:
    """The bytes for the length of one call."""
    return pointer(Buffer(len(data), ctypes.cast(c_char_p(data), POINTER(c_ubyte)), len(data), 0))


def received(made: ctypes._Pointer, what: str) -> bytes:
    """The bytes returned by a function."""
    expect(made, what)
    result = ctypes.string_at(made.contents.data, made.contents.length)
    release(made)
    return result


def expect(good: object, what: str) -> None:
    if not good:
        raise Refused(what)


class Session:
    """One run of PACE as a card or a terminal, and the secure messaging after it."""

    def __init__(self, combination: Combination, card_access: bytes, kind: int, password: bytes):
        self.combination = combination
        self.context = new_context()
        self.secret = new_secret(password, len(password), kind)
        expect(self.secret, "password")
        accepted = read_card_access(card_access, len(card_access), self.context)
        expect(accepted == 1, "EF.CardAccess")

    def __del__(self):
        free_secret(self.secret)
        free_context(self.context)

    # The nonce: the card encrypts it, the terminal decrypts it.

    def encrypted_nonce(self) -> bytes:
        return received(encrypt_nonce(self.context, self.secret), "nonce")

    def decrypt_nonce(self, nonce: bytes) -> None:
        expect(decrypt_nonce(self.context, self.secret, lent(nonce)) == 1, "nonce")

    # The mapping and the agreement.

    def mapping_data(self) -> bytes:
        return self.whole(received(mapping_data(self.context), "mapping data"))

    def map(self, data: bytes) -> None:
        expect(map_generator(self.context, lent(data)) == 1, "mapping")

    def ephemeral_key(self) -> bytes:
        """A public key whose first byte is not zero.

        BSI TR-03110-3 section D.2.1.1 leaves leading zeros out of the token, and so does OpenPACE; others keep them.
        Without such a key there is no dispute.
        """
        while True:
            key = received(ephemeral_key(self.context), "key pair")
            if self.whole(key) == key:
                return key
            self.draw_again()

    def draw_again(self) -> None:
        """Another private key of a DH group, because OpenSSL otherwise returns the present one's public key."""
        key = field_key(self.context.contents.pace.contents.key_agreement.contents.key)
        expect(key, "DH key")
        private = new_number()
        drawn = draw_below(private, key_order(key)) == 1 and set_key(key, None, private) == 1
        free_field_key(key)
        expect(drawn, "private key")

    def agree(self, public_key: bytes) -> None:
        """Computes the session keys. OpenPACE drops leading zeros of a DH secret; Doc 9303-11 keeps them."""
        expect(shared_secret(self.context, lent(public_key)) == 1, "public key")
        secret = self.context.contents.pace.contents.key_agreement.contents.shared_secret.contents
        whole = self.whole(ctypes.string_at(secret.data, secret.length))
        # It was returned in a buffer for a secret of full length.
        ctypes.memmove(secret.data, whole, len(whole))
        secret.length = len(whole)
        expect(derive_keys(self.context) == 1, "session keys")

    def whole(self, number: bytes) -> bytes:
        """A number of a DH group with as many bytes as its prime; of a curve, unchanged."""
        return number.rjust(PRIME_LENGTHS.get(self.combination.parameter, 0), b"\0")

    # The tokens.

    def token(self, public_key: bytes) -> bytes:
        return received(compute_token(self.context, lent(public_key)), "token")

    def accepts(self, token: bytes) -> bool:
        return verify_token(self.context, lent(token)) == 1

    # Secure messaging.

    def begin(self) -> None:
        """Enables the session keys, with a counter of zero."""
        expect(use_keys(self.context, PACE_PROTOCOL) == 1, "session keys")

    def count(self) -> None:
        expect(increment(self.context) == 1, "counter")

    def pad(self, data: bytes) -> bytes:
        return received(add_padding(self.context, lent(data)), "padding")

    def encrypt(self, data: bytes) -> bytes:
        return received(encrypt(self.context, lent(self.pad(data))), "encryption")

    def decrypt(self, data: bytes) -> bytes:
        """OpenPACE removes no padding from an otherwise empty text, hence by hand."""
        plain = received(decrypt(self.context, lent(data)), "decryption").rstrip(b"\0")
        expect(plain.endswith(b"\x80"), "padding")
        return plain[:-1]

    def checksum(self, data: bytes) -> bytes:
        """The cryptographic checksum of the counter and of padded data."""
        return received(authenticate(self.context, lent(data)), "checksum")
