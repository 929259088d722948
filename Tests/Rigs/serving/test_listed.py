"""Files of `cie-read desk` that are empty, cut, or signed by another file."""
import unittest

from desk import Desk
from service import ServiceTest
from test_desk import SAMPLES


class ListedTest(ServiceTest):
    def start(self):
        desk = Desk(self.processes, self.folder, "--address", "--pin-entry", "page", "--virtual").enter()
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        return desk

    def test_empty_and_cut(self):
        desk = self.start()
        numbers = []
        for length in (0, 300):
            file = self.folder / f"{length}.pdf"
            file.write_bytes((SAMPLES / "unsigned.pdf").read_bytes()[:length])
            numbers.append(desk.send(file))
        self.assertEqual([row["error"]["name"] for row in desk.list()], ["empty-file", "pdf-refused"])
        judged = desk.do("check-files", {"files": numbers}).object["files"]
        self.assertEqual([row["error"]["name"] for row in judged], ["empty-file", "pdf-damaged"])

    def test_a_signature_beside_its_file(self):
        desk = self.start()
        letter, other = desk.send(SAMPLES / "letter.txt"), desk.send(SAMPLES / "unsigned.pdf")
        # The second is of other bytes than the file of its name.
        signature = desk.send(SAMPLES / "letter.txt.p7s")
        others = desk.send(SAMPLES / "letter.txt.p7s", "unsigned.pdf.p7s")

        def judged(*numbers):
            return desk.do("check-files", {"files": numbers}).object["files"]

        def signed_in(*numbers):
            return [row.get("signedIn") for row in judged(*numbers)]
        self.assertEqual(signed_in(letter, other, signature, others), ["letter.txt.p7s", None, None, None])
        # Another file of the name: it could be that of either.
        namesake = desk.send(SAMPLES / "unsigned.pdf", "letter.txt")
        self.assertEqual(signed_in(letter, signature, namesake), [None, None, None])
        self.assertEqual(judged(signature)[0]["error"]["name"], "two-contents")
        self.assertEqual(signed_in(namesake, signature), [None, None])
        self.assertEqual(signed_in(letter), [None])


if __name__ == "__main__":
    unittest.main()
