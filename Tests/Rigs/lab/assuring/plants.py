"""Programs that break a promise, to check that it is detected: the real one behind a few lines that do forbidden
things."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

from .program import LAB, READ, ROOT

# The part of tools/lab faults that must detect them, the planted code, and a word of the expected finding. In the code, $folder
# is the folder of the run, $out and $password are files of its options.
CARD, AUTHORITY, SECRETS = "--every 499 card", "--every 13 authority", "secrets"
PLANTS = (
    (CARD, "exit=1", "exit 1"),
    (CARD, "exit=0", "ok is not exit 0"),
    (CARD, "echo again", "not one object"),
    (CARD, "echo amiss >&2", "standard error"),
    (CARD, "echo 27182818 >&2", "a code is in the output"),
    (CARD, 'touch "$folder/letter.sig.1.tmp"', "left behind"),
    (CARD, 'echo > "$folder/face.png"; echo > "$folder/certificate.pem"; echo > "$folder/letter.sig"', "is there after exit"),
    (CARD, 'printf "> 0C200081 +9\\n> 0C200081 +9\\n" >> "$folder/record"', "INS 20 was sent 2 times"),
    (CARD, 'text=${text/\\"name\\":\\"/\\"name\\":\\" }', "no typed error"),
    (CARD, 'text=\'{"schema":"cie-read/1","ok":true,"command":"nis","servicesNumber":"000000000000"}\' exit=0', "a wrong success"),
    (CARD, 'mkdir -p "$folder/signed" && echo > "$folder/signed/more.p7m"', "are said to be signed"),
    (AUTHORITY, 'echo > "$out"', "and a file is there"),
    (AUTHORITY, '[[ $1 == extend ]] && cp "$4" "$out" && text=\'{"schema":"cie-read/1","ok":true}\' exit=0', "less is proved"),
    (SECRETS, '[[ $password ]] && cat "$password" >&2', "password of a PDF in standard error"),
)
SCRIPT = """#!/bin/bash
text=$(%s "$@")
exit=$?
for ((at = 1; at <= $#; at++)); do
  next=$((at + 1))
  case ${!at} in
    */record) folder=${!at%%/record} ;;
    --out) out=${!next} ;;
    --password-file) password=${!next} ;;
  esac
done
if ((exit)) || [[ $password ]]; then
  %s
fi
printf '%%s\\n' "$text"
exit $exit
"""


def self_test():
    """Runs their part on each of them; reports undetected ones."""
    missed = 0
    for part, plant, word in PLANTS:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "cie-read")
            program.write_text(SCRIPT % (READ, plant))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            pathlib.Path(folder, "cie-lab").symlink_to(LAB)
            done = subprocess.run(
                [sys.executable, ROOT / "Tests/Rigs/lab/lab-faults", *part.split()], capture_output=True, text=True,
                env={**os.environ, "CIE_PROGRAMS": folder})
            seen = any(word in line for line in done.stdout.splitlines() if line.startswith("BROKEN\t"))
            missed += not (seen and done.returncode == 1)
            print(f"{'seen' if seen else 'MISSED'}\t{part}\t{plant}", flush=True)
    # A program without the check of the State's signature.
    done = subprocess.run([LAB, "faults", "--unchecked", "--every", "97"], capture_output=True, text=True)
    seen = "a code to a chip not vouched for" in done.stdout and done.returncode == 1
    print(f"{'seen' if seen else 'MISSED'}\ta PIN for every chip", flush=True)
    return 1 if missed or not seen else 0
