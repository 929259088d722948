"""A folder in which the commands of the manual run: with the files that they name, and without the user's own."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAMS = pathlib.Path(os.environ.get("CIE_PROGRAMS", ROOT / ".build/release")).resolve()


def check_pin(test, file, text, essence=str):
    """Fails if a file of the repository pins another text; `tools/make pins` has it written instead, and listed."""
    pinned = file.read_text() if file.exists() else None
    if (renewed := os.environ.get("CIE_RENEWED_PINS")) and (pinned is None or essence(text) != essence(pinned)):
        file.write_text(text)
        with open(renewed, "a") as names:
            names.write(f"{file.relative_to(ROOT)}\n")
        return
    test.assertIsNotNone(pinned, f"{file} is missing: tools/make pins manual")
    test.assertEqual(essence(text), essence(pinned), "to accept it: tools/make pins manual")


# The program for a person at a reader: the card is the software card, trusted like a real one, and the codes are typed.
SHIM = """#!/bin/bash
codes= card=() trust=()
case "$1 ${2-}" in
"pin change") codes=$'27182818\\n86420864' ;;
"pin unblock") codes=$'31415926\\n86420864' ;;
"lock set" | "lock enter") codes=271828 ;;
"lock change") codes=$'271828\\n314159' ;;
"pin verify" | cert* | sign* | login*) codes=27182818 ;;
esac
case $1 in
readers | info | doctor) card=(--virtual) ;;
nis | verify | read | cert | pin | sign | login | watch | serve | desk) card=(--virtual) trust=(--trust "$HOME/anchors") ;;
esac
# As if the module were beside the program.
[[ "$1 ${2-}" != "browser install" ]] || card=(--module "$HOME/libcie-pkcs11.so")
[[ " $* " != *" --virtual "* && " $* " != *" --from "* && "$1 $2" != "verify --evidence" ]] || card=()
[[ " $* " != *" --pin-file "* ]] || codes=
# Behind -- are the words of another program.
[[ $1 != watch ]] || exec "$PROGRAMS/cie-read" watch "${card[@]}" "${trust[@]}" "${@:2}"
exec "$PROGRAMS/cie-read" "$@" "${card[@]}" "${trust[@]}" <<< "$codes"
"""


class Room:
    """The folder; it is the home folder, too."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="cie-read-manual-")
        self.path = pathlib.Path(self._folder.name)
        self.environment = {
            "PATH": f"{self.path}/bin:{os.environ['PATH']}", "HOME": str(self.path), "PROGRAMS": str(PROGRAMS),
            "LC_ALL": "C.UTF-8", "TERM": "dumb",
        }
        (self.path / "bin").mkdir()
        (self.path / "bin/cie-read").write_text(SHIM)
        (self.path / "bin/cie-read").chmod(0o755)
        for name in ("letter.txt", "annex.pdf"):
            (self.path / name).write_text("Ciao.\n")
        (self.path / "contracts").mkdir()
        signed = ROOT / "Tests/CIEReadTests/SignedFiles"
        for name in ("contract.pdf", "contracts/contract.pdf"):
            shutil.copy(signed / "unsigned.pdf", self.path / name)
        for source, name in (("letter.txt.p7m", "reply.txt.p7m"), ("signed.pdf", "lease.pdf"), ("issuers.pem", "issuers.crt"), ("mark.png", "logo.png")):
            shutil.copy(signed / source, self.path / name)
        (self.path / "pin.txt").write_text("27182818\n")
        (self.path / "pin.txt").chmod(0o600)
        # Only its path is registered, so that its form is enough.
        (self.path / "libcie-pkcs11.so").write_bytes(b"\x7fELF\2" + bytes(11) + b"\3\0C_GetFunctionList\0")
        shutil.copy(ROOT / "Tests/Vectors/DE_ML_2026-05-28.ml", self.path)
        for source, name in (("gemalto-nis", "nis"), ("gemalto-authenticity", "verify")):
            shutil.copy(ROOT / f"CardTraces/virtual/{source}.trace", self.path / f"{name}.trace")
        for made in ("anchors", "trusted-lists"):
            subprocess.run([PROGRAMS / "cie-lab", made, self.path / made], check=True, capture_output=True)
        document = json.loads(self.program("read --virtual --can 223606 --json".split()).stdout)["document"]
        self.program("nis --virtual --record session.log".split())
        self.program("doctor --virtual --report card.report".split())
        (self.path / "scanned.txt").write_text(document["mrz"])

    def close(self):
        """Removes it."""
        self._folder.cleanup()

    def program(self, arguments, given="", **more):
        """Runs the program itself."""
        return subprocess.run(
            [PROGRAMS / "cie-read", *arguments], cwd=self.path, env=self.environment | more, input=given,
            capture_output=True, text=True, timeout=300)

    def shell(self, line):
        """Runs a line of an example."""
        return subprocess.run(
            ["bash", "-c", line], cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=120)

    def start(self, line):
        """Starts a line that continues, and waits for its socket, if it names one."""
        program = subprocess.Popen(
            ["bash", "-c", f"exec {line}"], cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if "--socket " not in line:
            return program
        socket = self.path / line.split("--socket ", 1)[1].split()[0]
        end = time.monotonic() + 30
        while not socket.exists():
            assert program.poll() is None and time.monotonic() < end, line
            time.sleep(0.02)
        return program

    def stop(self, program):
        """Ends such a program."""
        program.terminate()
        program.wait()
