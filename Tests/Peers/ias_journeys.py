#!/usr/bin/python3
"""The built cie-read against the IAS card, through the pcscd that runs here.

    CIE_PROGRAMS=.build/release tools/with-pcscd /usr/bin/python3 Tests/Peers/ias_journeys.py

Each journey is judged by the program's output and by the card's log: the commands, and the number of PINs.
"""

import unittest

from cryptography import x509

import ias_personalisation as office
from ias_journey import GET_DATA, READ_BINARY, SELECT, VERIFY, JourneyTest, Reader

OTHER_PIN = b"27182819"


class LetterTest(JourneyTest):
    """Every journey with the card that follows the specification."""

    def test_info(self):
        said = self.succeed("info", trust=False)
        self.assertEqual(said["servicesNumber"], office.NIS.decode())
        self.assertEqual(said["applications"], ["master-file", "ias", "cie"])
        self.assertEqual((said["pinTriesLeft"], said["pukTriesLeft"]), (3, 10))
        self.assert_commands()

    def test_nis(self):
        said = self.succeed("nis", "--require-proved")
        self.assertEqual(said["servicesNumber"], office.NIS.decode())
        self.assertEqual(said["outcome"], "proved")
        self.assert_commands()

    def test_report(self):
        """Its travel document is missing: those questions fail, and all others are answered."""
        said = self.succeed("doctor", "--report", "report")
        answers = {asked["subject"]: asked["answer"] for asked in said["survey"]}
        self.assertEqual(answers["serial-number-of-the-chip"], "as-in-file")
        self.assertEqual(answers["sm-wrong-mac"], "6988")
        self.assertRegex(answers["pin-object"], "^9000 70")
        self.assert_commands()

    def test_verify(self):
        said = self.succeed("verify")
        self.assertEqual(said["overall"]["outcome"], "proved")
        self.assertEqual({point["verdict"] for point in said["points"]}, {"proved"})
        self.assertEqual(len(said["points"]), 10)
        self.assert_commands()

    def test_verify_without_anchor(self):
        said = self.call("verify", trust=False)
        self.assertEqual(said["error"]["exit"], 13)
        self.assertEqual(said["overall"]["outcome"], "could-not-check")
        self.assertEqual(
            [point["point"] for point in said["points"] if point["verdict"] != "proved"],
            ["signer-chain", "signer-validity", "issuing-state"])

    def test_certificate(self):
        self.succeed("cert", "--out", "certificate", lines=(office.PIN,))
        read = x509.load_pem_x509_certificate((self.folder / "certificate").read_bytes())
        self.assertEqual(read, self.card.contents.holder.certificate)
        self.assert_commands(verify=1)

    def test_sign(self):
        self.sign()

    def test_sign_where_a_long_command_is_refused(self):
        self.sign("--extended")
        self.assertEqual(self.card.count(GET_DATA, 0x6700), 1)

    def test_verify_pin(self):
        said = self.succeed("pin", "verify", lines=(office.PIN,))
        self.assertEqual(said["genuine"], "proved")
        self.assert_commands(verify=1)

    def test_pin_without_anchor(self):
        for arguments in ([], ["--require-genuine"]):
            self.become()
            self.fail_as(
                "chip-not-checked", 13, "pin", "verify", *arguments, lines=(office.PIN,),
                trust=False)
            self.assert_commands()
        said = self.succeed(
            "pin", "verify", "--skip-genuine-check", lines=(office.PIN,), trust=False)
        self.assertEqual(said["genuine"], "skipped")

    def test_wrong_pin(self):
        error = self.fail_as("wrong-pin", 7, "pin", "verify", lines=(OTHER_PIN,))
        self.assertEqual(error["triesLeft"], 2)
        self.assertEqual(self.card.codes.pin.left, 2)
        self.assert_commands(verify=1)

    def test_change_pin(self):
        self.succeed("pin", "change", lines=(office.PIN, OTHER_PIN))
        self.assertEqual(self.card.codes.pin.value, OTHER_PIN)
        self.assert_commands(verify=1, change=1)
        self.succeed("pin", "verify", lines=(OTHER_PIN,))
        self.assert_commands(verify=2, change=1)

    def test_unblock_pin(self):
        self.card.codes.pin.left = 0
        self.fail_as("pin-blocked", 8, "pin", "verify", lines=(office.PIN,))
        self.assert_commands()
        self.succeed("pin", "unblock", lines=(office.PUK, OTHER_PIN))
        self.assertEqual(self.card.codes.pin.value, OTHER_PIN)
        self.assertEqual((self.card.codes.pin.left, self.card.codes.puk.left), (3, 10))
        self.assert_commands(verify=1, unblock=1)


class DeviationTest(JourneyTest):
    """Deviations of real cards, and some that no genuine card has."""

    def test_the_last_try_is_not_spent(self):
        for pin in (office.PIN, OTHER_PIN):
            self.become("one-try-left")
            self.fail_as("last-try-refused", 8, "pin", "verify", lines=(pin,))
            self.assert_commands()
            self.assertEqual(self.card.codes.pin.left, 1)

    def test_the_key_is_not_the_signed_one(self):
        for arguments, lines in (
            (["pin", "verify"], (office.PIN,)), (["cert"], (office.PIN,)),
            (["pin", "change"], (office.PIN, OTHER_PIN)), (["pin", "unblock"], (office.PUK, OTHER_PIN))
        ):
            self.become("wrong-device-key")
            self.fail_as("chip-not-genuine", 10, *arguments, lines=lines)
            self.assert_commands()

    def test_tries_that_are_not_told(self):
        self.become("no-tries")
        self.sign()
        self.assertIsNone(self.succeed("info", trust=False)["pinTriesLeft"])

    def test_the_last_wrong_pin(self):
        """Without a warning: the tries are not reported, and the last wrong one has a separate status word."""
        self.become("no-tries", "one-try-left", "last-try-6983")
        self.fail_as("pin-blocked", 8, "pin", "verify", lines=(OTHER_PIN,))
        self.assertEqual(self.card.count(VERIFY, 0x6983), 1)

    def test_each_way_to_the_root(self):
        for way, header in (
            ("root-by-name", "00a4040c"), ("root-by-identifier", "00a4000c"),
            ("root-in-four-bytes", "00a40000")
        ):
            with self.subTest(way=way):
                self.become(way)
                self.assertEqual(self.succeed("verify")["overall"]["outcome"], "proved")
                self.assertIn((header, 0x9000), [
                    (entry.header.hex(), entry.word) for entry in self.card.log])
                self.become(way)
                self.sign()

    def test_no_way_to_the_root(self):
        self.become("no-root")
        self.sign()
        self.become("no-root")
        self.assertEqual(self.succeed("nis")["outcome"], "proved")
        # The file of the parameters is under the root: it is missing, and no proof depends on it.
        self.become("no-root")
        said = self.succeed("verify")
        self.assertEqual(
            [point["point"] for point in said["points"] if point["verdict"] != "proved"],
            ["hash-dh-parameters"])
        self.assertEqual(self.card.count(SELECT, 0x6A82), 2)

    def test_no_short_identifiers(self):
        self.become("no-short-identifiers")
        self.sign()
        self.assertGreater(self.card.count(READ_BINARY, 0x6A82), 0)

    def test_other_deviations(self):
        for deviation in ("environment-checked", "select-ends-session"):
            with self.subTest(deviation=deviation):
                self.become(deviation)
                self.sign()


def setUpModule() -> None:
    JourneyTest.reader = Reader()


if __name__ == "__main__":
    unittest.main()
