"""Programs that break a promise, to check that it is detected: the real one behind a few lines that do forbidden
things."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

from .program import LAB, READ, ROOT

# The planted code after a fault, and a word of the expected finding. $folder is the run's output folder.
PLANTS = {
    "exit=1": "exit 1",
    "exit=0": "ok is not exit 0",
    "echo again": "not one object",
    "echo amiss >&2": "standard error",
    'echo 27182818 >&2': "a code is in the output",
    'touch "$folder/letter.sig.1.tmp"': "left behind",
    'echo > "$folder/face.png"; echo > "$folder/certificate.pem"; echo > "$folder/letter.sig"': "is there after exit",
    'printf "> 0C200081 +9\\n> 0C200081 +9\\n" >> "$folder/record"': "INS 20 was sent 2 times",
    'text=${text/\\"name\\":\\"/\\"name\\":\\" }': "no typed error",
    'text=\'{"schema":"cie-read/1","ok":true,"command":"nis","servicesNumber":"000000000000"}\' exit=0': "a wrong success",
}
SCRIPT = """#!/bin/bash
text=$(%s "$@")
exit=$?
for word; do [[ $word != */record ]] || folder=${word%%/record}; done
if [[ " $* " == *" --fault "* ]] && ((exit != 0)); then
  %s
fi
printf '%%s\\n' "$text"
exit $exit
"""


def self_test():
    """Runs the commands on each of them; reports undetected ones."""
    missed = 0
    for plant, word in PLANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "cie-read")
            program.write_text(SCRIPT % (READ, plant))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            pathlib.Path(folder, "cie-lab").symlink_to(LAB)
            done = subprocess.run(
                [sys.executable, ROOT / "tools/faults", "--every", "499", "card"], capture_output=True, text=True,
                env={**os.environ, "CIE_PROGRAMS": folder})
            seen = any(word in line for line in done.stdout.splitlines() if line.startswith("BROKEN\t"))
            missed += not (seen and done.returncode == 1)
            print(f"{'seen' if seen else 'MISSED'}\t{plant}", flush=True)
    # A program without the check of the State's signature.
    done = subprocess.run([LAB, "faults", "--unchecked", "--every", "97"], capture_output=True, text=True)
    seen = "a code to a chip not vouched for" in done.stdout and done.returncode == 1
    print(f"{'seen' if seen else 'MISSED'}\ta PIN for every chip", flush=True)
    return 1 if missed or not seen else 0
