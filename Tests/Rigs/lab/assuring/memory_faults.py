"""The n-th allocation of OpenSSL, libcurl or libxml2 fails: an error or an end, never a wrong success and never a
forgery.

`nis` and `sign` replay a recorded conversation, so that the card's side allocates nothing here; `check` has no card;
`login` has a software card in the same process, whose own failures may be reported.
"""
import concurrent.futures
import pathlib
import struct
import subprocess
import tempfile

from .card_faults import SAMPLES, differences
from .http_faults import Attempt, Sandbox, WAYS
from .program import LAB, Run, Table, left_behind

# OpenSSL allocates through the program (CryptoMemory); Swift's own allocations come from its runtime.
LIBRARIES = {"OpenSSL": "libcrypto.so:libssl.so:program", "libcurl": "libcurl.so", "libxml2": "libxml2.so"}
# The option of this recording is the data signed in it.
SIGNED = "key-algorithm"
# As exit 10: checked and found false.
FALSE = 10


def build(folder):
    """The allocator."""
    path = f"{folder}/failing-malloc.so"
    source = pathlib.Path(__file__).with_name("failing-malloc.c")
    subprocess.run(["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path, source], check=True)
    return path


class Scene:
    """A command with a failing allocator."""

    def __init__(self, name, allocator, anchors, traces=None):
        self.name, self.allocator, self.anchors, self.traces = name, allocator, anchors, traces

    def environment(self, folder, libraries, number):
        """Makes the n-th allocation of the libraries fail; none with 0."""
        # The allocator looks for the libraries at its start.
        return {"LD_PRELOAD": f"{self.allocator}:libcurl.so.4:libxml2.so.2", "FAIL_LIBRARIES": libraries,
                "FAIL_AT": str(number or -1), "FAIL_COUNT": f"{folder}/count"}

    def run(self, folder, libraries, number):
        """One run."""
        trust = ["--trust-only", f"{self.anchors}/gemalto-ias.pem"]
        words = {
            "nis": ["nis", "--replay", f"{self.traces}/virtual/gemalto-nis.trace", *trust],
            "sign": ["sign", "--replay", f"{self.traces}/option/{SIGNED}-gemalto-sign.trace", "--in", f"{folder}/text",
                     "--out", f"{folder}/signature", "--force", *trust],
            "check": ["check", SAMPLES / "signed.pdf", "--trust", SAMPLES / "issuers.pem"],
        }[self.name]
        pathlib.Path(folder, "text").write_text(SIGNED)
        return Run(words, "27182818", self.environment(folder, libraries, number))

    def count(self, libraries):
        """The number of the libraries' allocations in a run, and its result."""
        with tempfile.TemporaryDirectory() as folder:
            run = self.run(folder, libraries, 0)
            path = pathlib.Path(folder, "count")
            return run, struct.unpack("l", path.read_bytes())[0] if path.exists() else 0

    def broken(self, libraries, number, clean):
        """One case."""
        with tempfile.TemporaryDirectory() as folder:
            run = self.run(folder, libraries, number)
            found = [f"left behind: {name}" for name in left_behind(folder)] if run.exit is not None and run.exit >= 0 else []
            if run.exit is None:
                found.append("no end")
            if run.exit == 0:
                found += [f"a wrong success: {name}" for name in differences(clean.object, run.object)]
            if run.exit == FALSE or b'"verdict":"false"' in run.out:
                found.append(f"told as a forgery: {run.error or 'a false verdict'}")
            return found, f"signal {-run.exit}" if run.exit is not None and run.exit < 0 else run.error or "ok"


class Login(Scene):
    """The login with the card, through the sandbox."""

    def __init__(self, allocator, anchors, sandbox):
        super().__init__("login", allocator, anchors)
        self.sandbox = sandbox

    def run(self, folder, libraries, number):
        attempt = Attempt(self.sandbox, WAYS[0], self.anchors, folder)
        attempt.environment |= self.environment(folder, libraries, number)
        return attempt.log_in("")

    def broken(self, libraries, number, clean):
        found, end = super().broken(libraries, number, clean)
        # The software card in this process has no memory either.
        return [promise for promise in found if not promise.startswith("told as a forgery")], end


def main(every, first=0):
    """Fails each n-th of a thousand allocations, spread over all of a command; prints the table."""
    table = Table()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        anchors, allocator, traces = f"{folder}/anchors", build(folder), f"{folder}/traces"
        subprocess.run([LAB, "anchors", anchors], check=True, capture_output=True)
        subprocess.run([LAB, "record-traces", "--all", traces], check=True, capture_output=True)
        sandbox = Sandbox(f"{folder}/sandbox")
        try:
            scenes = [Scene(name, allocator, anchors, traces) for name in ("nis", "sign", "check")] + [Login(allocator, anchors, sandbox)]
            for scene in scenes:
                for library, names in LIBRARIES.items():
                    clean, count = scene.count(names)
                    assert clean.exit == 0, clean.out
                    # A login takes thirty times as long.
                    step = every if scene.name != "login" else every * 10
                    numbers = sorted({1 + index * count // 1000 for index in range(first % step, 1000, step)} if count else set())
                    cases = [(number, pool.submit(scene.broken, names, number, clean)) for number in numbers]
                    for number, case in cases:
                        found, end = case.result()
                        table.add((scene.name, library), f"{scene.name}, allocation {number} of {count} of {library}", found, end)
        finally:
            sandbox.end()
    return table.end("memory that is missing")
