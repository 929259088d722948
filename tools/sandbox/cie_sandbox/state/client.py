"""An invented person's client certificate and its own authority, as files for curl and for tests."""
import argparse
import os
import secrets
import string
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID

from . import certificates


def invented_fiscal_code() -> str:
    """Sixteen characters with day 99 and month letter X, which no real fiscal code can have."""
    letters = "".join(secrets.choice(string.ascii_uppercase) for _ in range(6))
    return f"{letters}90X99Z999{secrets.choice(string.ascii_uppercase)}"


def subject(given: str, surname: str, fiscal_code: str) -> x509.Name:
    """The subject as a card has it: the fiscal code is the common name's part before the slash."""
    return x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "IT"),
        x509.NameAttribute(NameOID.SERIAL_NUMBER, "CT00000ZZ"),
        x509.NameAttribute(NameOID.SURNAME, surname),
        x509.NameAttribute(NameOID.GIVEN_NAME, given),
        x509.NameAttribute(NameOID.COMMON_NAME, f"{fiscal_code}/100000000000")])


def make(folder: Path, person: x509.Name) -> None:
    """Writes `ca.pem`, `client.pem`, `client.key` and `client-expired.pem` (same key)."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    issuer = certificates.authority(
        "Throw-away authority of test persons", certificates.new_authority_key())
    key = certificates.new_key()
    good = certificates.client(issuer, key, person)
    expired = certificates.client(issuer, key, person, (-30, -1))
    os.umask(0o077)
    (folder / "ca.pem").write_bytes(issuer.pem)
    (folder / "client.pem").write_bytes(good.pem)
    (folder / "client.key").write_bytes(good.key_pem)
    (folder / "client-expired.pem").write_bytes(expired.pem)


def main() -> None:
    """The command line of `tools/sandbox/make-client`."""
    parser = argparse.ArgumentParser(
        prog="make-client",
        description="Writes ca.pem, client.pem, client.key and client-expired.pem of an invented "
        "person into DIR. Give ca.pem to the sandbox with --client-ca.")
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--name", default="PROVA", help="given name (default: %(default)s)")
    parser.add_argument("--family-name", default="SABBIERA", help="surname (default: %(default)s)")
    parser.add_argument(
        "--fiscal-code", default=None, help="default: a random one that cannot be real")
    arguments = parser.parse_args()
    code = arguments.fiscal_code or invented_fiscal_code()
    make(arguments.folder, subject(arguments.name, arguments.family_name, code))


if __name__ == "__main__":
    main()
