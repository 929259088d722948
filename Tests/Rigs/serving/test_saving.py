"""`cie-read desk` writes what it made into the person's folder, never over a file, and says where."""
import unittest

from desk import Desk
from service import PIN, ServiceTest


class SavingTest(ServiceTest):
    def start(self, **environment):
        self.home = self.folder / "home"
        self.home.mkdir()
        desk = Desk(self.processes, self.folder, "--address", "--pin-entry", "page", "--virtual",
                    environment={"HOME": str(self.home), **environment}).enter()
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        return desk

    def sign(self, desk, name="letter.txt"):
        """A signed file in the memory of the program: its number."""
        letter = self.folder / "letter.txt"
        letter.write_text("A letter.\n")
        number = desk.send(letter, name)
        desk.list()
        return desk.do("sign-files", {"files": [number], "pin": PIN}).object["documents"][0]["file"]

    def test_folders(self):
        desk = self.start()
        number = self.sign(desk)
        settings = self.home / ".config/user-dirs.dirs"
        settings.parent.mkdir()

        def save():
            answer = desk.do(f"files/{number}/save", {})
            self.assertEqual(answer.status, 200, answer.object)
            return answer.object["path"]
        # The home folder, the usual one, and the one that the person's desktop names.
        self.assertEqual(save(), str(self.home / "letter.txt.p7m"))
        usual, named = self.home / "Downloads", self.home / 'Di "qui"'
        usual.mkdir()
        self.assertEqual(save(), str(usual / "letter.txt.p7m"))
        settings.write_text('# Folders\nXDG_DESKTOP_DIR="$HOME/x"\nXDG_DOWNLOAD_DIR="$HOME/Di \\"qui\\""\n')
        # One that is missing is not made.
        self.assertEqual(save(), str(usual / "letter-2.txt.p7m"))
        named.mkdir()
        self.assertEqual(save(), str(named / "letter.txt.p7m"))
        (named / "letter-2.txt.p7m").write_text("mine")
        self.assertEqual(save(), str(named / "letter-3.txt.p7m"))
        self.assertEqual((named / "letter-2.txt.p7m").read_text(), "mine")
        signed = desk.ask("GET", f"/v1/files/{number}", by="port").body
        for path in [*usual.iterdir(), named / "letter.txt.p7m", named / "letter-3.txt.p7m"]:
            self.assertEqual(path.read_bytes(), signed)
        self.assertEqual(sorted(path.name for path in named.iterdir()), ["letter-2.txt.p7m", "letter-3.txt.p7m", "letter.txt.p7m"])

    def test_what_is_not_saved(self):
        desk = self.start()
        number = self.sign(desk, ".profile")
        # No file of settings in the home folder; nothing but what was made here.
        self.assertEqual(desk.do(f"files/{number}/save", {}).object["path"], str(self.home / "_.profile.p7m"))
        self.assertEqual(desk.do("files/1/save", {}).error, "unknown-file")
        self.assertEqual(desk.do(f"files/{number}/save", {"path": "/etc/x"}).error, "bad-member")
        self.assertEqual(desk.do("files/99/save", {}).error, "unknown-file")
        self.assertEqual([path.name for path in self.home.iterdir() if path.is_file()], ["_.profile.p7m"])
        # A folder that is named but refuses is an error at the file, which stays.
        (self.home / "Downloads").symlink_to("/proc/self")
        answer = desk.do(f"files/{number}/save", {})
        self.assertEqual((answer.status, answer.object["ok"]), (500, False))
        self.assertEqual(desk.ask("GET", f"/v1/files/{number}", by="port").status, 200)

    def test_a_service_writes_nothing(self):
        service = super().start("--virtual", "--pin-entry", "page")
        self.assertEqual(service.do("files/1/save", {}).error, "unknown-path")


if __name__ == "__main__":
    unittest.main()
