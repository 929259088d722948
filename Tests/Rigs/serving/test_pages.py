"""Pages of PDFs in `cie-read desk`, before they are signed."""
import base64
import struct
import subprocess
import threading
import time
import unittest

from desk import Desk
from service import PIN, ServiceTest
from test_desk import SAMPLES
from test_page_desk import paper


class PagesTest(ServiceTest):
    """The service without a window."""

    def test_pages(self):
        """A page before it is signed: its picture, and the places of a mark; what has no picture can be signed all the same."""
        paper = self.folder / "paper.pdf"
        paper.write_bytes((SAMPLES / "unsigned.pdf").read_bytes())
        desk = Desk(self.processes, self.folder, "--address", "--pin-entry", "page", "--virtual", paper).enter()
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        number = desk.send(SAMPLES / "unsigned.pdf")
        letter = desk.send(SAMPLES / "letter.txt")

        def page(number, page="last", **more):
            return desk.ask("GET", f"/v1/files/{number}/pages/{page}", by="port", **more)
        # Only what was listed.
        self.assertEqual(page(number).error, "not-as-shown")
        on_disk = desk.list()[0]["file"]
        for which in ("first", "last", "1"):
            found = page(number, which).object
            self.assertEqual([found[name] for name in ("page", "width", "height")], [1, 200, 200])
            self.assertEqual(found["mark"]["places"]["bottom-right"], [0, 36])
            self.assertEqual((found["mark"]["width"], found["mark"]["height"], found["mark"]["fixed"]), (200, 60, False))
            picture = base64.b64decode(found["picture"])
            self.assertEqual((picture[:8], struct.unpack(">II", picture[16:24])), (b"\x89PNG\r\n\x1a\n", (1400, 1400)))
        self.assertEqual([page(number, which).error for which in ("2", "0", "x")], ["pdf-refused", "bad-member", "bad-member"])
        self.assertEqual((page(letter).error, page("99").error), ("pdf-refused", "unknown-file"))
        self.assertEqual((page(number, headers={"Authorization": "Bearer x"}).status, page(f"{number}/x").status), (401, 404))
        paper.write_bytes(paper.read_bytes() + b"\n")
        self.assertEqual(page(on_disk).error, "not-as-shown")
        locked = self.folder / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "apri", "owner", "256", "--", SAMPLES / "unsigned.pdf", locked], check=True)
        number = desk.send(locked)
        order = {"files": [number], "pin": PIN, "mark": "10,20"}
        # Of its password first, not of its pages, before it is listed and after.
        self.assertEqual(page(number).error, "pdf-needs-password")
        desk.list()
        unsigned = desk.do("sign-files", order).object["documents"][0]
        self.assertEqual((page(number).error, unsigned["error"]["name"]), ("pdf-needs-password", "pdf-needs-password"))
        desk.do(f"files/{number}/password", {"password": "chiudi"})
        self.assertEqual(page(number).error, "pdf-wrong-password")
        desk.do(f"files/{number}/password", {"password": "apri"})
        desk.list()
        found = page(number).object
        self.assertEqual((found["picture"], found["unseen"]["name"], found["width"]), (None, "page-locked", 200))
        signed = desk.do("sign-files", order).object["documents"][0]
        self.assertEqual(signed["error"], None)

    def test_a_slow_page_hinders_nothing(self):
        """Meanwhile the files are listed, and another page ends its drawing."""
        slow, light = self.folder / "slow.pdf", self.folder / "light.pdf"
        slow.write_bytes(paper(1, "\n0 0 m 595 842 l S 9 w 7 w" * 15_000))
        light.write_bytes(paper(1))
        desk = Desk(self.processes, self.folder, "--address", "--pin-entry", "page", "--virtual", slow, light).enter()
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        desk.list()
        answers = []
        drawing = threading.Thread(
            target=lambda: answers.append(desk.ask("GET", "/v1/files/1/pages/1", by="port").object), daemon=True)
        drawing.start()
        time.sleep(1)
        self.assertEqual(len(desk.list()), 2)
        self.assertEqual(answers, [])
        self.assertIsNotNone(desk.ask("GET", "/v1/files/2/pages/1", by="port").object["picture"])
        drawing.join()
        self.assertIsNone(answers[0]["picture"])


if __name__ == "__main__":
    unittest.main()
