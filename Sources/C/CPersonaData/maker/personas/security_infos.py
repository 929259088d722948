"""SecurityInfos of EF.CardAccess, EF.CardSecurity and DG14 (Doc 9303-11 section 9.2) and the keys they list."""

import secrets

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from personas.der import bit_string, integer, oid, sequence, tlv
from personas.files import GROUP_G, GROUP_P, GROUP_Q
from personas.signature_scheme import CURVES, with_explicit_parameters

BSI = "0.4.0.127.0.7"
# Doc 9303-11 section 9.5.1.
CURVE_NAMES = {12: "prime256v1", 13: "brainpoolP256r1"}


def security_infos(*infos):
    return tlv(0x31, *infos)


def pace_info(variant, parameters):
    return sequence(oid(f"{BSI}.2.2.4.{variant}"), integer(2), integer(parameters))


def terminal_authentication_info():
    return sequence(oid(f"{BSI}.2.2.2"), integer(1))


def active_authentication_info(hash_number):
    return sequence(oid("2.23.136.1.1.5"), integer(1), oid(f"{BSI}.1.1.4.1.{hash_number}"))


class StaticKey:
    """A key of chip authentication: `encoding` is the form of its domain parameters in DG14."""

    def __init__(self, variant, parameters, encoding, identifier=None):
        self.variant, self.parameters = variant, parameters
        self.encoding, self.identifier = encoding, identifier
        if parameters == 2:
            number = secrets.randbelow(int.from_bytes(GROUP_Q, "big") - 1) + 1
        else:
            self.pair = ec.generate_private_key(CURVES[CURVE_NAMES[parameters]]())
            number = self.pair.private_numbers().private_value
        self.scalar = number.to_bytes(32, "big")

    @property
    def info(self):
        return sequence(oid(f"{BSI}.2.2.3.{self.variant}"), integer(1), *self.reference)

    @property
    def reference(self):
        return [] if self.identifier is None else [integer(self.identifier)]

    def public_info(self, encoding=None):
        agreement = 1 if self.parameters == 2 else 2
        return sequence(oid(f"{BSI}.2.2.1.{agreement}"), self.key_info(encoding or self.encoding),
                        *self.reference)

    def key_info(self, encoding):
        if self.parameters == 2:
            return self.finite_field_key_info(encoding)
        named = self.pair.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        if encoding == "named":
            return named
        if encoding == "explicit":
            return with_explicit_parameters(named, CURVE_NAMES[self.parameters])
        assert encoding == "standardized"
        point = self.pair.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        return sequence(
            sequence(oid(f"{BSI}.1.2"), integer(self.parameters)), bit_string(point))

    def finite_field_key_info(self, encoding):
        p, g, q = (int.from_bytes(number, "big") for number in (GROUP_P, GROUP_G, GROUP_Q))
        # PKCS #3 section 9 and RFC 3279 section 2.3.3.
        algorithm = {
            "pkcs3": sequence(oid("1.2.840.113549.1.3.1"), sequence(integer(p), integer(g))),
            "x942": sequence(
                oid("1.2.840.10046.2.1"), sequence(integer(p), integer(g), integer(q))),
        }[encoding]
        public = pow(g, int.from_bytes(self.scalar, "big"), p)
        return sequence(algorithm, bit_string(integer(public)))
