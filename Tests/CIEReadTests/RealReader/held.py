#!/usr/bin/env python3
"""The script of RealReaderTests+Held inside tools/with-pcscd: another program holds the card, for some seconds or for ever.

CIE_PROGRAMS names the folder of the built programs.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from watch import PATIENCE, PROGRAMS, Watch, insert_for_sure, pull

HOLDER = str(pathlib.Path(__file__).with_name("holder.py"))
MODULE = PROGRAMS + "/libcie-pkcs11.so"


class Holder:
    def __init__(self, share, seconds=None):
        arguments = [share] + ([str(seconds)] if seconds else [])
        self.process = subprocess.Popen(
            [sys.executable, HOLDER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"held\n"

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(PATIENCE)


def run(*arguments):
    """The exit status, and the name of the error."""
    end = subprocess.run([PROGRAMS + "/cie-read", *arguments, "--json"], stdout=subprocess.PIPE, timeout=120)
    found = json.loads(end.stdout)
    return end.returncode, (found.get("error") or {}).get("name"), found


class Held(unittest.TestCase):
    def setUp(self):
        self.card = insert_for_sure(lambda: run("readers")[2]["readers"], "--persona", "nxp")
        self.addCleanup(pull, self.card)

    def hold(self, *arguments):
        holder = Holder(*arguments)
        self.addCleanup(holder.end)
        return holder

    def test_wait_waits_for_an_exclusive_holder(self):
        self.hold("exclusive", 3)
        self.assertEqual(run("nis", "--wait", "60")[:2], (0, None))

    def test_wait_waits_for_a_transaction(self):
        # Longer than a connection without --wait may take.
        self.hold("transaction", 12)
        self.assertEqual(run("nis", "--wait", "60")[:2], (0, None))

    def test_every_wait_ends(self):
        for share in ["exclusive", "transaction"]:
            holder = self.hold(share)
            for wait in [[], ["--wait", "2"]]:
                with self.subTest(share=share, wait=wait):
                    self.assertEqual(run("nis", *wait)[:2], (9, "sharing-violation"))
            holder.end()

    def test_a_card_that_is_taken_away_meanwhile_is_no_holder(self):
        self.hold("exclusive")
        waiting = subprocess.Popen(
            [PROGRAMS + "/cie-read", "nis", "--wait", "4", "--json"], stdout=subprocess.PIPE)
        pull(self.card)
        self.assertEqual(json.loads(waiting.communicate()[0])["error"]["name"], "no-card")

    def test_watch_waits_for_seconds(self):
        self.hold("exclusive", 3)
        watch = Watch()
        events = watch.until("result")
        self.assertTrue(events[-1]["ok"], events[-1])
        watch.end()

    def test_watch_comes_back(self):
        for share in ["exclusive", "transaction"]:
            with self.subTest(share=share):
                holder = self.hold(share)
                watch = Watch()
                self.assertEqual(watch.until("result")[-1]["error"]["name"], "sharing-violation")
                holder.end()
                result = watch.until("result")[-1]
                self.assertTrue(result["ok"], result)
                watch.end()

    def test_watch_once_waits_for_its_card(self):
        holder = self.hold("exclusive")
        watch = Watch("--once")
        self.assertEqual(watch.until("result")[-1]["error"]["name"], "sharing-violation")
        self.assertEqual(watch.process.wait(PATIENCE), 9)
        watch.process.stdout.close()
        holder.end()

    def test_doctor_names_the_cause(self):
        holder = self.hold("exclusive")
        status, name, found = run("doctor")
        self.assertEqual((status, name), (9, "sharing-violation"))
        card = next(finding for finding in found["findings"] if finding["name"] == "card")
        self.assertIn(f"({holder.process.pid})", card["what"])
        self.assertIn("python", card["what"])
        self.assertNotEqual(found["headline"], "No problems found.")

    def test_browser_status_names_a_card_that_is_not_trusted(self):
        status, _, found = run("browser", "status")
        self.assertEqual(status, 0)
        self.assertEqual((found["card"]["name"], found["card"]["grade"]), ("trust", "warning"))
        self.assertIn("cie-read trust import", found["card"]["do"])
        # A look does not wait for another program.
        self.hold("transaction")
        self.assertNotIn("card", run("browser", "status")[2])

    def test_serve_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/socket"
            service = subprocess.Popen(
                [PROGRAMS + "/cie-read", "serve", "--allow", "nis", "--socket", path],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                while not os.path.exists(path):
                    pass
                ask = ["curl", "-s", "--unix-socket", path, "-X", "POST", "http://localhost/v1/nis"]
                self.hold("exclusive", 3)
                answer = json.loads(subprocess.check_output(ask, timeout=60))
                self.assertTrue(answer["ok"], answer)
                self.hold("exclusive")
                answer = json.loads(subprocess.check_output(ask, timeout=60))
                self.assertEqual(answer["error"]["name"], "sharing-violation")
            finally:
                service.terminate()
                service.wait(PATIENCE)

    def test_the_module_answers(self):
        holder = self.hold("exclusive")
        listing = ["pkcs11-tool", "--module", MODULE, "--list-slots"]
        held = subprocess.run(listing, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        self.assertIn(b"Virtual PCD", held.stdout)
        holder.end()
        free = subprocess.run(listing, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        self.assertIn(b"token label", free.stdout)


if __name__ == "__main__":
    unittest.main()
