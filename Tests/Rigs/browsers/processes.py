"""Programs started by a test, each in a separate session, and the end of all of them."""
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

# Seconds after which a wait has failed: far more than anything takes, also on a busy machine.
PATIENCE = 300


class Processes:
    """All programs of one test. Their children are found by the test's unique home folder."""

    def __init__(self, home: Path) -> None:
        self.environment = {
            "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
        self._mark = f"HOME={home}".encode()
        self._log = home / "programs.log"
        self._started: list[subprocess.Popen] = []

    def start(self, *words: str | Path, environment: dict[str, str] | None = None, **more) -> subprocess.Popen:
        """Starts a program; its output goes to a log by default."""
        with self._log.open("a") as log:
            program = subprocess.Popen(
                list(map(str, words)), env={**self.environment, **(environment or {})}, start_new_session=True,
                stdin=subprocess.DEVNULL, **{"stdout": log, "stderr": log, **more})
        self._started.append(program)
        return program

    def run(self, *words: str | Path, check: bool = True, **more) -> subprocess.CompletedProcess:
        """Runs a program to its end."""
        return subprocess.run(
            list(map(str, words)), env=self.environment, check=check,
            **{"capture_output": True, "text": True, "timeout": PATIENCE, **more})

    def signal(self, number: int) -> None:
        """Sends a signal to all programs and their children."""
        for program in self._started:
            if program.poll() is None:
                os.killpg(program.pid, number)

    def find(self, words: str) -> list[int]:
        """The programs of this test whose command line has these words."""
        return [number for number in self._all() if words in _command_line(number)]

    def _all(self) -> list[int]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if self._mark in variables and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        return found

    def end(self) -> None:
        """Ends all remaining processes, also those that left their group, as crash handlers do."""
        for program in self._started:
            if program.poll() is None:
                _kill(os.killpg, program.pid)
                program.wait()
        limit = time.monotonic() + PATIENCE
        while left := self._all():
            for number in left:
                _kill(os.kill, number)
            if time.monotonic() > limit:
                raise TimeoutError(f"cannot be ended: {left}")
            time.sleep(0.05)


def trust(store: Path, *authorities: Path | str, environment: dict[str, str]) -> None:
    """Makes a database of NSS that trusts these authorities."""
    store.mkdir(parents=True, exist_ok=True)
    certutil = ["certutil", "-d", f"sql:{store}"]
    for words in (["-N", "--empty-password"], *(
            ["-A", "-t", "C,,", "-n", f"authority {number}", "-i", authority]
            for number, authority in enumerate(authorities))):
        subprocess.run([*certutil, *words], check=True, env=environment, capture_output=True, timeout=PATIENCE)


def headless_chromium() -> str:
    """A script that starts Chromium without a screen, with a second controller, and for root in containers, where its own
    sandbox does not start."""
    return (f"#!/bin/sh\nexec {shutil.which('chromium')} --headless=new --remote-debugging-port=0"
            f" {'--no-sandbox' if os.geteuid() == 0 else ''} \"$@\"\n")


def stop(program: subprocess.Popen) -> None:
    """Ends a program by SIGTERM, or by SIGKILL if that takes too long."""
    if program.poll() is None:
        program.terminate()
    try:
        program.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


def _command_line(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _kill(how, number: int) -> None:
    try:
        how(number, signal.SIGKILL)
    except ProcessLookupError:
        pass
