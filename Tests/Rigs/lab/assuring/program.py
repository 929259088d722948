"""A run of cie-read as a script sees it, and the promises of its contract for every run, with any end."""
import base64
import functools
import json
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAMS = pathlib.Path(os.environ.get("CIE_PROGRAMS", ROOT / ".build/release"))
READ, LAB = PROGRAMS / "cie-read", PROGRAMS / "cie-lab"
LONGEST = 60


@functools.cache
def exits():
    """`help exit-codes`, without the signals, and without 1: the program or the machine failed, which no card or server may cause."""
    told = json.loads(subprocess.run([READ, "help", "exit-codes", "--json"], capture_output=True, check=True).stdout)
    return {row["exit"] for row in told["exitCodes"] if row["exit"] != 1 and row["exit"] < 128}


class Persona:
    """The codes of a software card."""

    def __init__(self, name):
        text = (ROOT / "Sources/C/CPersonaData/data" / name / "persona.txt").read_text()
        values = dict(re.findall(r"^([a-z0-9-]+): *(.*)$", text, re.M))
        self.name, self.pin, self.puk, self.nis = name, values["pin"], values["puk"], values["services-number"]
        told = json.loads(subprocess.run([READ, "help", "personas", "--json"], capture_output=True, check=True).stdout)
        self.can = next(each["can"] for each in told["personas"] if each["name"] == name)


def memory(process):
    """All memory that a process can read of itself."""
    texts = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as file:
        for line in maps:
            begin, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if not rights.startswith("r") or "[vvar]" in line or "[vsyscall]" in line:
                continue
            try:
                file.seek(int(begin, 16))
                texts.append(file.read(int(end, 16) - int(begin, 16)))
            except (OSError, OverflowError):
                continue
    return b"\0".join(texts)


def forms(code):
    """A code's forms in files and memory: plain, as hexadecimal text, as packed digits, as base64."""
    raw = code.encode()
    packed = bytes.fromhex(code if len(code) % 2 == 0 else code + "F") if code.isdigit() else raw
    texts = [raw, raw.hex().encode(), raw.hex().upper().encode(), packed]
    # Base64 of a longer text with the code, at each of its three positions.
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
        texts.append(coded[-(-shift * 4 // 3) + (shift > 0):][:len(coded) - 2 - (shift > 0)])
    return [text for text in texts if len(text) >= 4]


RUN = 6


def runs(data):
    """All runs of six bytes."""
    return {data[at:at + RUN] for at in range(len(data) - RUN + 1)}


def secret_runs(secret):
    """The runs of a secret, as it is and as packed digits."""
    found = runs(secret)
    if secret.isdigit():
        for text in (secret[at:] for at in range(2)):
            found |= runs(bytes.fromhex(text[:len(text) // 2 * 2].decode()))
    return found


def readable_runs(text):
    """The runs of a text, and those of everything in it that is hexadecimal or base64."""
    found = runs(text)
    for digits in re.findall(rb"[0-9A-Fa-f]{12,}", text):
        for start in range(2):
            part = digits[start:]
            found |= runs(bytes.fromhex(part[:len(part) // 2 * 2].decode()))
    for coded in re.findall(rb"[A-Za-z0-9+/]{8,}", text.translate(bytes.maketrans(b"-_", b"+/"))):
        for start in range(4):
            found |= runs(base64.b64decode(coded[start:] + b"A" * (-len(coded[start:]) % 4)))
    return found


class Run:
    """One run, with --json."""

    def __init__(self, words, text="", environment=None, limit=LONGEST):
        self.words = [str(word) for word in words]
        kept = {"PATH": "/usr/bin:/bin", "HOME": "/proc/nonexistent", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
        begin = time.monotonic()
        try:
            done = subprocess.run([READ, *self.words, "--json"], input=text.encode(), capture_output=True, timeout=limit,
                                  env={**kept, **(environment or {})})
            self.exit, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as end:
            self.exit, self.out, self.err = None, end.stdout or b"", end.stderr or b""
        self.seconds = time.monotonic() - begin
        try:
            self.object = json.loads(self.out)
        except ValueError:
            self.object = {}

    @property
    def error(self):
        """The name of its error; None for a success."""
        return "no end" if self.exit is None else (self.object.get("error") or {}).get("name")

    def broken(self, secrets=()):
        """Every broken promise of the contract."""
        if self.exit is None:
            return [f"no end within {LONGEST} s"]
        found = []
        if self.exit not in exits():
            found.append(f"exit {self.exit}: {self.err[-200:]!r}")
        if self.out.count(b"\n") != 1 or self.object.get("schema") != "cie-read/1":
            found.append("not one object of cie-read/1")
        elif self.object.get("ok") != (self.exit == 0):
            found.append("ok is not exit 0")
        elif self.exit:
            error = self.object.get("error") or {}
            if error.get("exit") != self.exit or not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", error.get("name", "")):
                found.append(f"no typed error: {error}")
        if self.err:
            found.append(f"standard error: {self.err[:200]!r}")
        for code in secrets:
            if any(form in self.out + self.err for form in forms(code)):
                found.append("a code is in the output")
        return found


def left_behind(folder):
    """Files that a run should have finished or removed."""
    return [path.name for path in pathlib.Path(folder).rglob("*") if ".tmp" in path.name]


class Table:
    """The numbers tried and survived, by row."""

    def __init__(self):
        self.rows, self.failures = {}, 0

    def add(self, row, scene, broken, end):
        """Notes a case; prints its broken promises."""
        tried, survived, ends = self.rows.setdefault(row, [0, 0, {}])
        ends[end] = ends.get(end, 0) + 1
        self.rows[row] = [tried + 1, survived + (not broken), ends]
        for promise in broken:
            print(f"BROKEN\t{scene}\t{promise}\t{end}", flush=True)
        self.failures += bool(broken)

    def end(self, what):
        """Prints the rows and the sum; the exit status."""
        for row, (tried, survived, ends) in sorted(self.rows.items()):
            told = ", ".join(f"{count} {name}" for name, count in sorted(ends.items(), key=lambda pair: -pair[1]))
            print("\t".join((*row, str(tried), str(survived), told)))
        total = sum(row[0] for row in self.rows.values())
        print(f"{what}: {total} tried, {self.failures} broke a promise", flush=True)
        return 1 if self.failures or not total else 0
