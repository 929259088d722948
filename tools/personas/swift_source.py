"""The Swift that make-personas writes."""

import base64

from cryptography.hazmat.primitives.asymmetric import rsa

HEADING = "// Deliberately written apart from CIECard. Made by tools/make-personas: do not edit.\n"


def wrapped(digits, width, indent):
    return "\n".join(" " * indent + digits[i:i + width] for i in range(0, len(digits), width))


def literal(label, value):
    return f'    {label}: """\n{wrapped(value.hex().upper(), 92, 6)}\n      """'


def field(label, value):
    return literal(label, value) if value else f'    {label}: ""'


def decoded(value, indent):
    margin = " " * indent
    digits = wrapped(value.hex().upper(), 90, indent)
    return f'HexText.decode(\n{margin}"""\n{digits}\n{margin}""")'


def chip_keys(keys):
    texts = []
    for key in keys:
        identifier = "nil" if key.identifier is None else key.identifier
        texts.append(
            f"      .init(\n        identifier: {identifier}, parameterIdentifier: {key.parameters},\n"
            f"        scalar: {decoded(key.scalar, 10)})")
    # The formatter wants a last comma only behind several members.
    comma = "," if len(texts) > 1 else ""
    return "[\n" + ",\n".join(texts) + f"{comma}\n    ]" if texts else "[]"


def active_key(key):
    if key is None:
        return "nil"
    numbers = key.private_numbers()
    if isinstance(key, rsa.RSAPrivateKey):
        # ISO/IEC 9796-2 section 8.1.3: 34 is SHA-256.
        return (f".rsa(\n      modulus: {decoded(numbers.public_numbers.n.to_bytes(256, 'big'), 8)},\n"
                f"      privateExponent: {decoded(numbers.d.to_bytes(256, 'big'), 8)},\n"
                "      trailer: [0x34, 0xCC])")
    return (".ecdsa(\n      parameterIdentifier: 12,\n"
            f"      scalar: {decoded(numbers.private_value.to_bytes(32, 'big'), 8)},\n"
            '      hash: "sha256")')


def document_source(title, persona, document, only_pace):
    """IssuedDocument.<title>: everything but the portrait."""
    lines = ",\n".join(f'      "{line}"' for line in document.mrz)
    files = [
        ("cscaHex", document.csca), ("cardAccessHex", document.access),
        ("cardSecurityHex", document.card_security), ("commonHex", document.common),
        ("securityObjectHex", document.security_object), ("dg1Hex", document.groups[1])]
    groups = [(f"dg{number}Hex", document.groups.get(number, b"")) for number in (11, 12, 14, 15)]
    return f"""{HEADING}
extension IssuedDocument {{
  /// The travel document of {persona["given"].title()} {persona["surname"].title()}, who does not exist.
  static let {title} = IssuedDocument(
    can: "{document.can}",
    mrzLines: [
{lines},
    ], allowsBasicAccess: {"false" if only_pace else "true"},
{",".join(chr(10) + field(*file) for file in files)[1:]},
    dg2Base64: {title}Portrait,
{",".join(chr(10) + field(*file) for file in groups)[1:]},
    chipAuthenticationKeys: {chip_keys(document.chip_keys)},
    activeAuthenticationKey: {active_key(document.active_key)})
}}
"""


def portrait_source(title, persona, group):
    """IssuedDocument.<title>Portrait: EF.DG2 in base64."""
    text = base64.b64encode(group).decode()
    return f"""{HEADING}
extension IssuedDocument {{
  /// EF.DG2 with the drawn portrait of {persona["given"].title()} {persona["surname"].title()}.
  static let {title}Portrait = \"\"\"
{wrapped(text, 96, 4)}
    \"\"\"
}}
"""


def long_source(title, message):
    """IssuedDocument.<title>LongSecurityObjectHex: EF.SOD over DG2 with a long comment."""
    return f"""{HEADING}
extension IssuedDocument {{
  /// EF.SOD of the document whose portrait file is longer than 32 KiB, see `TravelDocumentData`.
  static let {title}LongSecurityObjectHex = \"\"\"
{wrapped(message.hex().upper(), 96, 4)}
    \"\"\"
}}
"""
