"""The parts of a journey: the IAS card in the reader of the running pcscd, and the built program."""

import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

import ias_personalisation as office
from ias_card import IASCard
from vpcd import Link

SELECT, READ_BINARY, GET_DATA, INTERNAL_AUTHENTICATE = 0xA4, 0xB0, 0xCB, 0x88
VERIFY, CHANGE, UNBLOCK = 0x20, 0x24, 0x2C
PORT = 35963


class Reader:
    """The card in the reader, as long as this process lives; and the program."""

    def __init__(self) -> None:
        self.program = pathlib.Path(os.environ["CIE_PROGRAMS"]) / "cie-read"
        self.card = IASCard()
        powered = threading.Event()
        threading.Thread(target=self.serve, args=(powered,), daemon=True).start()
        if not powered.wait(30):
            raise SystemExit("pcscd does not see the card")

    def serve(self, powered: threading.Event) -> None:
        # The card is replaced by `become`, so it is not bound here.
        self.connect().serve(
            lambda command: self.card.respond(command), lambda: self.card.reset(), powered.set)

    @staticmethod
    def connect() -> Link:
        """The slot may open a little after the service."""
        for _ in range(200):
            try:
                return Link(PORT)
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise SystemExit("there is no virtual reader")


class JourneyTest(unittest.TestCase):
    """A card as new, a folder, and the program."""

    reader: Reader

    def setUp(self) -> None:
        self.card = self.reader.card
        self.card.become(set())
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "anchor.pem").write_bytes(self.card.contents.anchor)

    def become(self, *deviations: str) -> None:
        self.card.become(set(deviations))

    def call(self, *arguments: str, lines: tuple[bytes, ...] = (), trust: bool = True) -> dict:
        """The program's JSON, with its exit status; the card must have been asked."""
        before = len(self.card.log)
        anchors = ["--trust", "anchor.pem"] if trust else []
        # Without the user's anchors, and without a language.
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "LC_ALL": "C"}
        result = subprocess.run(
            [self.reader.program.resolve(), *arguments, "--wait", "20", "--json", *anchors],
            input=b"".join(line + b"\n" for line in lines), capture_output=True, timeout=60,
            cwd=self.folder, env=environment)
        self.assertGreater(len(self.card.log), before, result.stdout)
        said = json.loads(result.stdout)
        self.assertEqual(said.get("error", {}).get("exit", 0), result.returncode)
        return said

    def succeed(self, *arguments: str, **options) -> dict:
        said = self.call(*arguments, **options)
        self.assertTrue(said["ok"], said)
        return said

    def fail_as(self, name: str, status: int, *arguments: str, **options) -> dict:
        error = self.call(*arguments, **options).get("error", {})
        self.assertEqual((error.get("name"), error.get("exit")), (name, status))
        return error

    def assert_commands(self, **counts: int) -> None:
        """The numbers of commands that reached the codes; 0 for codes not named."""
        self.assertEqual(
            {"verify": self.card.count(VERIFY), "change": self.card.count(CHANGE),
             "unblock": self.card.count(UNBLOCK)},
            {"verify": 0, "change": 0, "unblock": 0, **counts})

    def sign(self, *options: str) -> None:
        """Signs; OpenSSL verifies the signature with the certificate of the card."""
        (self.folder / "letter").write_bytes(b"Dear Sir or Madam,\n")
        said = self.succeed("sign", "letter", "--out", "signature", "--force", *options, lines=(office.PIN,))
        self.assertEqual(said["genuine"], "proved")
        self.card.contents.holder.certificate.public_key().verify(
            (self.folder / "signature").read_bytes(), b"Dear Sir or Madam,\n",
            padding.PKCS1v15(), hashes.SHA256())
        self.assert_commands(verify=1)
        # The proof of the device, and the signature.
        self.assertEqual(self.card.count(INTERNAL_AUTHENTICATE, 0x9000), 2)
