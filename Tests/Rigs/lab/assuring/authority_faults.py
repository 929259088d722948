"""Time stamps and revocation: every exchange of `sign --level`, `extend` and `check --online`, every kind of fault."""
import pathlib
import subprocess
import sys
import tempfile

from .card_faults import differences
from .exchanges import try_exchanges
from .program import ROOT, Persona, Run, left_behind

SERVER = ROOT / "Tests/CIEReadTests/Support/time-stamp-server.py"
# A name of the command, its words, and its output file.
WAYS = (
    ("sign --level t", "sign --virtual --skip-genuine-check --level t %/letter.txt --out %out", "signed.p7m"),
    ("extend --level lta", "extend --level lta %/letter.txt.p7m --out %out", "extended.p7m"),
    ("check --online", "check --online --trust %/ca.pem %/letter.txt.p7m", None))
# Half a minute for each answer, and some answers.
LONGEST = 240


class Authority:
    """A separate time stamp authority and issuer, which counts exchanges for one client."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.process = subprocess.Popen([sys.executable, "-B", SERVER, folder], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, "no authority"
        self.clean = {way[0]: self.right(way) for way in WAYS}

    def right(self, way):
        """A run without fault: its result, its exchanges, and the proved points of its file."""
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, way[2] or "none")
            run, exchanges = self.run(way, output)
            assert run.exit == 0 and exchanges, (way, run.out)
            return run, exchanges, self.proved(output) if way[2] else None

    def end(self):
        """Ends it."""
        self.process.kill()
        self.process.wait()

    def run(self, way, output, fault=None):
        """A run with one exchange wrong; the number of its exchanges."""
        for name in ("exchanges", "fault"):
            (self.folder / name).unlink(missing_ok=True)
        if fault:
            (self.folder / "fault").write_text(" ".join(map(str, fault)))
        words = [word.replace("%out", str(output)).replace("%", str(self.folder)) for word in way[1].split()]
        if way[2]:
            words += ["--tsa", self.url, "--tsa-trust", self.folder / "ca.pem"]
        pin = Persona("gemalto").pin if words[0] == "sign" else ""
        done = Run(words, pin, limit=LONGEST)
        (self.folder / "fault").unlink(missing_ok=True)
        counted = self.folder / "exchanges"
        return done, int(counted.read_text()) if counted.exists() else 0

    def proved(self, output):
        """The points of a file that are proved."""
        told = Run(["check", output, "--trust", self.folder / "ca.pem", "--tsa-trust", self.folder / "ca.pem"]).object
        points = [each for file in told.get("files", []) for signature in file["signatures"] for each in signature["points"]]
        return {each["point"] for each in points if each["verdict"] == "proved"}


def case(authority, way, kind, after):
    """One fault; every fifth time, then a run without it."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, way[2] or "none")
        clean, _, proved = authority.clean[way[0]]
        run, _ = authority.run(way, output, (kind, after))
        found = run.broken((Persona("gemalto").pin,)) + [f"left behind: {name}" for name in left_behind(folder)]
        if way[2] and output.exists() != (run.exit == 0):
            found.append(f"exit {run.exit}, and a file is {'' if output.exists() else 'not '}there")
        if run.exit == 0:
            found += [f"a wrong success: {name}" for name in differences(clean.object, run.object)] if not way[2] else []
            if way[2] and authority.proved(output) != proved:
                found.append("a wrong success: less is proved")
        if after % 5 == 0 and way[2]:
            output.unlink(missing_ok=True)
            again, _ = authority.run(way, output)
            found += [] if again.exit == 0 else [f"the next run ends with {again.exit} {again.error}"]
        return found, run.error or "ok"


def main(every, first=0):
    """Tries every n-th case; prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        return try_exchanges(
            "program and authorities", lambda number: Authority(f"{folder}/{number}"), WAYS,
            lambda authority, way: authority.clean[way[0]][1], case, every, first)
