"""The pages of the manual: their checkers have no complaints, and they agree with the program."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from .room import PROGRAMS, ROOT, check_pin

PINNED = ROOT / "tools/packaging/manual/pinned"
# mandoc takes a section for NAME by its English title alone.
LOCAL = re.compile(r'first section is not NAME|first section is not "NAME"|description line outside NAME section: Nd')


class PageTests(unittest.TestCase):
    """All pages in all languages."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="cie-read-manual-")
        subprocess.run(
            [ROOT / "tools/make", "manual", cls.folder.name], check=True, capture_output=True,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1763769600"})
        cls.pages = sorted(pathlib.Path(cls.folder.name).rglob("*.1"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_command_has_a_page_in_every_language(self):
        dump = subprocess.run([PROGRAMS / "cie-read", "---commands"], check=True, capture_output=True)

        def names(command, path):
            yield "-".join(path)
            for child in command["commands"]:
                yield from names(child, [*path, child["name"]])
        wanted = set(names(json.loads(dump.stdout)["command"], ["cie-read"]))
        languages = {page.parent for page in self.pages}
        self.assertEqual(len(languages), len(list((ROOT / "tools/packaging/manual").glob("*.md"))))
        for folder in languages:
            self.assertEqual({page.stem for page in folder.iterdir()}, wanted)

    def test_mandoc_has_nothing_to_say(self):
        answer = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *self.pages], capture_output=True, text=True)
        lines = [line for line in answer.stdout.splitlines() if "/it/" not in line or not LOCAL.search(line)]
        self.assertEqual(lines, [])

    def test_groff_has_nothing_to_say(self):
        for page in self.pages:
            answer = subprocess.run(
                ["groff", "-k", "-mdoc", "-ww", "-Tutf8", page], capture_output=True, text=True, check=True)
            self.assertEqual(answer.stderr, "", page)
            # Accents arrive unchanged, and mark-up does not.
            text = re.sub(r"\x1b\[[0-9;]*m", "", answer.stdout)
            self.assertNotRegex(text, r"\\f[BIR]|`|\.(Pp|It|Bl)\b")
            if page.stem == "cie-read-sign" and "it" in page.parts:
                self.assertIn("Una firma costa al massimo", " ".join(text.split()))

    def test_whatis_finds_every_page_by_its_name(self):
        for page in self.pages:
            answer = subprocess.run(["lexgrog", page], capture_output=True, text=True, check=True)
            self.assertRegex(answer.stdout, rf': "{page.stem} - \S')

    def test_every_exit_status_is_one_of_the_program(self):
        command = [PROGRAMS / "cie-read", "help", "exit-codes", "--json"]
        answer = subprocess.run(command, check=True, capture_output=True)
        known = {str(row["exit"]) for row in json.loads(answer.stdout)["exitCodes"]}
        for page in self.pages:
            section = re.search(r"(?ms)^\.Sh (?:EXIT|STATO)[^\n]*\n(.*?)^\.Sh", page.read_text())[1]
            told = set(re.findall(r"(?m)^\.It (\d+)$", section))
            self.assertTrue(told <= known and {"0", "1", "64"} <= told, page)
            if page.stem == "cie-read":
                self.assertEqual(told, known)

    def test_a_page_of_each_language_is_as_pinned(self):
        for page in self.pages:
            if page.stem != "cie-read-nis":
                continue
            folder = page.relative_to(self.folder.name).parts[0]
            check_pin(self, PINNED / f"cie-read-nis.{'en' if folder == 'man1' else folder}.1", page.read_text())
