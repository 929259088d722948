"""The completions of bash, zsh and fish during typing."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from .room import PROGRAMS, ROOT
from .zsh import ZSH

LANGUAGES = {"it", "en", *(file.stem for file in (ROOT / "Sources/C/CMessages/translations").glob("*.txt"))}
# The typed text, its last word to be completed; the required completions; the forbidden ones.
CASES = [
    (["re"], {"read", "readers"}, {"nis"}),
    (["pin", ""], {"verify", "change", "unblock"}, {"nis"}),
    (["browser", ""], {"status", "install", "remove"}, set()),
    (["nis", "--re"], {"--reader", "--require-proved"}, {"--sp-url"}),
    (["nis", "--virtual", ""], {"gemalto", "gemalto2", "nxp", "st", "itj4", "unknown", "senior", "early", "recalled"},
     {"letter.txt"}),
    (["nis", "--language", ""], LANGUAGES, {"letter.txt"}),
    (["sign", "--digest", ""], {"sha256", "sha384", "sha512"}, {"letter.txt"}),
    (["cert", "--format", "d"], {"der"}, {"pem"}),
    (["login", "--environment", "p"], {"production", "preproduction"}, {"collaudo"}),
    (["login", "--consent", ""], {"yes", "no", "ask"}, set()),
    (["read", "--only", "dg1"], {"dg1", "dg11", "dg12"}, {"dg2", "dg3"}),
    (["sign", "--in", "le"], {"letter.txt"}, {"folder"}),
    (["sign", "le"], {"letter.txt"}, {"folder"}),
    (["pin", "verify", "--pin-file", "le"], {"letter.txt"}, set()),
    (["verify", "--from", ""], {"folder"}, {"letter.txt"}),
    (["watch", "--do", ""], {"nis", "verify", "read", "none"}, {"letter.txt"}),
    (["serve", "--pin-entry", ""], {"terminal", "pinentry", "page"}, {"letter.txt"}),
    (["serve", "--allow", ""], {"status", "nis", "login"}, {"letter.txt"}),
    (["browser", "install", ""], {"firefox", "chromium", "openssh"}, set()),
]

BASH = r"""
source "$SCRIPT"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9
function=$(complete -p cie-read | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
compopt() { :; }
"$function" cie-read "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""

class CompletionTests(unittest.TestCase):
    """One folder with a file and a folder, and the scripts as installed by a package."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="cie-read-completions-")
        cls.path = pathlib.Path(cls.folder.name)
        subprocess.run([ROOT / "tools/make", "completions", cls.path / "scripts"], check=True, capture_output=True)
        (cls.path / "room/folder").mkdir(parents=True)
        (cls.path / "room/letter.txt").touch()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def shell(self, arguments, **variables):
        """A shell's output, which must have no complaint; a hang is an error."""
        environment = os.environ | {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(self.path)}
        answer = subprocess.run(
            arguments, cwd=self.path / "room", env=environment | variables, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=300)
        self.assertEqual(answer.stderr, "", arguments)
        return answer.stdout

    def bash(self, words, before=(), **variables):
        """The completions of bash."""
        script = self.path / "scripts/bash-completion/completions/cie-read"
        output = self.shell(
            [*before, "bash", "--norc", "-c", BASH, "bash", "cie-read", *words], SCRIPT=str(script), **variables)
        return {line.rstrip(" /") for line in output.splitlines()}

    def fish(self, words, **variables):
        """The completions of fish; a tab is before the description."""
        script = self.path / "scripts/fish/vendor_completions.d/cie-read.fish"
        line = " ".join(["cie-read", *words])
        output = self.shell(
            ["fish", "--no-config", "-c", f"source {script}; complete --do-complete '{line}'"], **variables)
        return {line.split("\t")[0].rstrip("/") for line in output.splitlines()}

    def test_bash(self):
        for words, wanted, unwanted in CASES:
            offered = self.bash(words)
            self.assertTrue(wanted <= offered and not unwanted & offered, f"{words}: {offered}")

    def test_fish(self):
        for words, wanted, unwanted in CASES:
            offered = self.fish(words)
            self.assertTrue(wanted <= offered and not unwanted & offered, f"{words}: {offered}")

    def test_zsh(self):
        """It completes only for a person, on a terminal."""
        with ZSH(self.path / "scripts/zsh/vendor-completions", self.path / "room", PROGRAMS) as shell:
            for words, wanted, unwanted in CASES:
                offered = shell.offered(words, wanted)
                self.assertTrue(wanted <= offered and not unwanted & offered, f"{words}: {offered}")

    def test_readers(self):
        """The service's readers; a name has blanks in it, which are typed with backslashes."""
        offered = self.bash(["nis", "--reader", ""], before=[str(ROOT / "tools/with-pcscd")])
        self.assertIn("Virtual PCD 00 00", {name.replace("\\", "") for name in offered})

    def test_readers_without_a_service(self):
        """No output, and no error message."""
        away = {"PCSCLITE_CSOCK_NAME": "/proc/nonexistent"}
        self.assertEqual(self.bash(["nis", "--reader", ""], **away), {""})
        self.assertEqual(self.fish(["nis", "--reader", ""], **away), set())

    def test_scripts_are_as_a_package_wants_them(self):
        scripts = [path for path in (self.path / "scripts").rglob("*") if path.is_file()]
        self.assertEqual(
            sorted(str(path.relative_to(self.path / "scripts")) for path in scripts),
            ["bash-completion/completions/cie-read", "fish/vendor_completions.d/cie-read.fish",
             "zsh/vendor-completions/_cie-read"])
        for path in scripts:
            # Sourced, not run.
            self.assertFalse(path.read_text().startswith("#!"), path)
            shell = {"cie-read": "bash", "cie-read.fish": "fish", "_cie-read": "zsh"}[path.name]
            self.shell([shell, "-n", path])
