"""The program over the real pcscd: cards that misbehave in the virtual reader, are pulled, and a service that is
killed.

To be run inside tools/with-pcscd. The card's own diary has the commands that it received.
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

from .card_faults import KINDS, TOLD, Scene, commands_for
from .program import LAB, READ, Persona, Run, Table

KILLED = "service killed"
# A silent card blocks the driver for good; the driver's own tests have that.
OVER_READER = [kind for kind in KINDS if kind not in ("mute", "reset", "service stopped")] + [KILLED]


def eventually(what, condition):
    """Waits for it."""
    end = time.monotonic() + 300
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(what)
        time.sleep(0.02)


def kill_service():
    """SIGKILL for pcscd, whose files stay; then a new one, as a service manager starts it."""
    run = pathlib.Path("/run/pcscd")
    process = int((run / "pcscd.pid").read_text().rstrip("\0\n"))
    os.kill(process, signal.SIGKILL)
    eventually("pcscd has ended", lambda: not pathlib.Path(f"/proc/{process}/exe").exists())
    for name in ("pcscd.comm", "pcscd.pid"):
        (run / name).unlink(missing_ok=True)
    with open(run / "log", "a") as log:
        subprocess.Popen(["/usr/sbin/pcscd", "--foreground"], stdout=log, stderr=log)
    eventually("pcscd is back", (run / "pcscd.comm").exists)


class ReaderScene(Scene):
    """A command on a card in the virtual reader."""

    def run(self, folder, fault=None):
        """One run on a separate card."""
        diary = pathlib.Path(folder, "diary")
        diary.unlink(missing_ok=True)
        words = self.command.words_in(folder, self.anchors)
        words += ["--reader", "0", "--wait", "10", "--record", f"{folder}/record", "--force"]
        eventually("the reader is empty", lambda: b"(no card)" in readers().splitlines()[0])
        card = subprocess.Popen(
            [LAB, "virtual-reader", "--persona", self.persona.name, "--diary", diary, *(["--fault", fault] if fault else [])],
            stdout=subprocess.PIPE)
        killer = threading.Thread(target=self.kill_at, args=(diary, fault)) if fault and fault.startswith("delay") else None
        try:
            assert card.stdout.readline() == b"inserted\n"
            if killer:
                killer.start()
            return Run(words, self.command.text)
        finally:
            if killer:
                killer.join()
            card.kill()
            card.wait()

    def kill_at(self, diary, fault):
        """Kills the service while the card delays the command."""
        before = int(fault.partition("@")[2]) - 1
        eventually("the command came", lambda: (diary.read_text().count("\n") if diary.exists() else 0) >= before)
        time.sleep(0.2)
        kill_service()

    def record(self, folder):
        """The card's own counters."""
        path = pathlib.Path(folder, "diary")
        sent = [line.split()[0] for line in path.read_text().splitlines()] if path.exists() else []
        return len(sent), {word: sent.count(word) for word in ("20", "24", "2C")}


def readers():
    """The list of the readers."""
    return subprocess.run([READ, "readers"], capture_output=True).stdout or b"?"


def main(every, first=0):
    """Tries every n-th case; prints the table."""
    assert os.environ.get("PRIVATE_PCSCD"), "to be run inside tools/with-pcscd"
    KINDS[KILLED] = "delay=1500"
    # Over the reader a lost transmission restarts, if no try was spent; otherwise it is one of these.
    TOLD[KILLED] = {"service-stopped", "service-missing", "outcome-unknown"}
    # A card that goes at the first command is waited for, as one that was exchanged before it.
    TOLD["removal"] = TOLD["removal"] | {"no-card"}
    table, number = Table(), -1
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([LAB, "anchors", f"{folder}/anchors"], check=True, capture_output=True)
        for persona in map(Persona, ("gemalto", "itj4")):
            for command in commands_for(persona):
                if command.name in ("read", "verify --can"):
                    continue  # with the same fault, and five times as long
                scene = ReaderScene(command, persona, f"{folder}/anchors")
                for at in range(1, scene.commands + 1):
                    for kind in OVER_READER:
                        number += 1
                        if number % every == first % every:
                            found, end = scene.broken(kind, at)
                            place = f"{persona.name} {command.name}, {kind} at {at}"
                            table.add((command.name, kind), place, found, end)
    return table.end("program and pcscd")
