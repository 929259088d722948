"""The listener of the other sign-in methods: its files, its users, and their data kept between starts."""
import json
import tempfile
import unittest
from pathlib import Path

from .rig import Rig, SandboxTest


class FilesTest(unittest.TestCase):
    """The data that one install keeps."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def start(self) -> Rig:
        rig = Rig(folder=self.folder)
        self.addCleanup(rig.process.kill)
        return rig

    def test_passwords_are_private_stay_and_are_shared_by_no_two_installs(self) -> None:
        rig = self.start()
        file, mailbox = Path(rig.ready["users"]), Path(rig.ready["mailbox"])
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(mailbox.stat().st_mode & 0o777, 0o700)
        users = json.loads(file.read_text())
        self.assertEqual(len({user["password"] for user in users.values()}), len(users))
        (mailbox / "000001-old.txt").write_text("Code: 1\n")
        rig.stop()
        again = self.start()
        self.assertEqual(json.loads(Path(again.ready["users"]).read_text()), users)
        self.assertEqual(list(mailbox.iterdir()), [])
        other = Rig()
        self.addCleanup(other.remove)
        others = json.loads(Path(other.ready["users"]).read_text())
        self.assertEqual(others.keys(), users.keys())
        for role, user in others.items():
            self.assertNotEqual(user["password"], users[role]["password"])


class ListenerTest(SandboxTest):
    """Its address and its rules."""

    def test_the_service_description_names_what_is_offered(self) -> None:
        for key in ("service", "serviceReturns", "serviceFederation"):
            service = json.loads(Path(self.rig.ready[key]).read_text())
            self.assertEqual(service["name"], "Sandbox")
            self.assertTrue(Path(self.rig.ready[key]).with_name(service["ca"]).exists())
            methods = [entry["method"] for entry in service["methods"]]
            self.assertEqual(methods[:2], ["card", "app"])
            self.assertEqual(len(methods), len(set(methods)))

    def test_control_and_home_page(self) -> None:
        browser = self.rig.browser()
        self.assertEqual(browser.open(self.rig.ready["waysControl"] + "fault").status, 200)
        home = browser.open(self.rig.ready["ways"])
        self.assertIn("SANDBOX", home.text)
        self.assertEqual(home.headers["cache-control"], "no-store")
        self.assertEqual(browser.open(self.rig.ready["ways"] + "nowhere").status, 404)
