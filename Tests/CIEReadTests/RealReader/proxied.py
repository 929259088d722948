#!/usr/bin/env python3
"""The script of RealReaderTests+Proxied inside tools/with-pcscd: a service of another protocol version, silence, half answers.

CIE_PROGRAMS names the folder of the built programs.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from watch import PATIENCE, PROGRAMS, insert_for_sure, pull

PROXY = str(pathlib.Path(__file__).with_name("proxy.py"))
MODULE = PROGRAMS + "/libcie-pkcs11.so"
# Seconds after which a command hangs.
LIMIT = 240


def run_program(*arguments, socket=None):
    """The name of the error, and the object."""
    environment = {**os.environ, **({"PCSCLITE_CSOCK_NAME": socket} if socket else {})}
    end = subprocess.run(
        [PROGRAMS + "/cie-read", *arguments, "--json"], stdout=subprocess.PIPE, timeout=LIMIT, env=environment)
    found = json.loads(end.stdout)
    return (found.get("error") or {}).get("name"), found


class Proxied(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # One card for all: the virtual reader may miss one that comes right after another one left.
        readers = lambda: run_program("readers")[1]["readers"]
        cls.addClassCleanup(pull, insert_for_sure(readers, "--persona", "nxp"))

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def proxy(self, *behaviour):
        """The socket of a new proxy, and the number of connections that it took, so far."""
        path = tempfile.mktemp(dir=self.folder.name)
        output = open(path + ".out", "w+")
        proxy = subprocess.Popen([sys.executable, PROXY, path, *map(str, behaviour)], stdout=output)

        def end():
            proxy.kill()
            proxy.wait(PATIENCE)
            output.close()

        self.addCleanup(end)
        while "listening" not in pathlib.Path(output.name).read_text():
            pass
        return path, lambda: pathlib.Path(output.name).read_text().count("connection")

    def told(self, *behaviour, command=("nis",)):
        socket, _ = self.proxy(*behaviour)
        return run_program(*command, socket=socket)

    def test_a_plain_proxy_changes_nothing(self):
        self.assertIsNone(self.told("plain")[0])

    def test_another_version_is_told_as_such(self):
        for version in [(4, 3), (4, 6), (3, 0), (5, 0), (1, 2)]:
            for command in [("readers",), ("nis", "--wait", "60"), ("doctor",)]:
                with self.subTest(version=version, command=command):
                    name, found = self.told("version", *version, command=command)
                    self.assertEqual(name, "service-of-other-version")
                    self.assertNotIn("has stopped", json.dumps(found))

    def test_silence_is_told_as_such(self):
        for command in [("readers",), ("nis", "--wait", "60"), ("doctor",)]:
            with self.subTest(command=command):
                name, found = self.told("silent", command=command)
                self.assertEqual(name, "service-not-answering")
                self.assertNotIn("has stopped", json.dumps(found))
        finding = self.told("silent", command=("doctor",))[1]["findings"][0]
        self.assertEqual((finding["name"], finding["command"]), ("service", "sudo systemctl restart pcscd"))

    def test_silence_after_some_answers_ends(self):
        for count in [1, 2, 3, 5, 8]:
            with self.subTest(count=count):
                name, _ = self.told("silent-after", count)
                self.assertIn(name, ["service-not-answering", "card-mute", "sharing-violation"])

    def test_half_answers_end(self):
        for count in [0, 2, 4]:
            with self.subTest(count=count):
                self.assertIn(self.told("half", count)[0], ["service-not-answering", "card-mute"])

    def test_a_connection_that_breaks_is_no_service_that_stopped(self):
        name, found = self.told("half-closed", 0, command=("readers",))
        self.assertEqual(name, "service-stopped")
        self.assertIn("the service is there", found["error"]["what"])

    def test_the_module_does_not_wait_again_and_again(self):
        socket, connections = self.proxy("silent")
        log = self.folder.name + "/log"
        environment = {**os.environ, "PCSCLITE_CSOCK_NAME": socket, "CIE_PKCS11_LOG": log}
        end = subprocess.run(
            ["pkcs11-tool", "--module", MODULE, "--list-slots"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=LIMIT, env=environment)
        self.assertIn(b"no reader", end.stdout)
        self.assertEqual(connections(), 1)
        self.assertIn("readers: [service-not-answering]", pathlib.Path(log).read_text())


if __name__ == "__main__":
    unittest.main()
