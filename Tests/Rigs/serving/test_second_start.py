"""A second start of `cie-read desk`: its paths go to the first one, which is a program of the same user."""
import os
import pwd
import sys
import unittest
from pathlib import Path

from service import PROGRAMS, ServiceTest, stop, wait


class SecondStartTest(ServiceTest):
    """The place of the socket is known, and may be taken."""

    def test_another_users_socket_gets_no_paths(self):
        """The socket was there before the window: of another user, by file, by program, or behind a link."""
        letter = self.folder / "a letter that only I know.txt"
        letter.write_text("A letter.\n")
        path = Path(self.processes.environment["XDG_RUNTIME_DIR"], "cie-read-desk.sock")
        listener = (
            "import os, socket, sys\n"
            "path, owner, user, to = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]\n"
            "server = socket.socket(socket.AF_UNIX)\nserver.bind(path)\nos.chmod(path, 0o777)\nos.chown(path, owner, owner)\n"
            "heard = open(to, 'wb', 0)\nos.setresuid(user, user, user)\n"
            # The credentials are those at listen(2).
            "server.listen()\nheard.write(b'.')\n"
            "while True:\n client = server.accept()[0]\n client.settimeout(2)\n"
            " try: heard.write(client.recv(65536))\n except OSError: pass\n"
            " client.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')\n client.close()\n")
        nobody = pwd.getpwnam("nobody").pw_uid
        me = os.geteuid()
        for number, (owner, user, link) in enumerate([(nobody, nobody, False), (me, nobody, False), (nobody, me, False),
                                                      (nobody, nobody, True)]):
            heard = self.folder / f"heard-{number}"
            place = self.folder / "elsewhere.sock" if link else path
            foreign = self.processes.start(sys.executable, "-c", listener, place, owner, user, heard)
            wait(lambda: heard.exists() and heard.read_bytes() == b".")
            if link:
                path.symlink_to(place)
            output = self.folder / f"desk-{number}"
            with output.open("w") as file:
                desk = self.processes.start(PROGRAMS / "cie-read", "desk", "--virtual", "--address", letter, stdout=file)
            wait(lambda: desk.poll() is not None or "#" in output.read_text())
            self.assertIsNone(desk.poll(), (owner, user, link))
            self.assertEqual(heard.read_bytes(), b".", (owner, user, link))
            stop(desk)
            stop(foreign)
            path.unlink()


if __name__ == "__main__":
    unittest.main()
