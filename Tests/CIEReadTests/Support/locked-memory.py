"""Checks whether a PIN is in the locked memory of cie-read: locked-memory.py PIN PROGRAM ARGUMENT... (the last is
--fault)

A software card of the same process delays one command; meanwhile its memory is searched. The card
itself knows the PIN, in memory that is not locked.
"""
import contextlib
import glob
import os
import subprocess
import sys
import tempfile
import time

LONG = 60_000
pin, program = sys.argv[1].encode(), sys.argv[2:]


def locked(process):
    """The locked parts of its memory."""
    parts, place = [], None
    for line in open(f"/proc/{process}/smaps", encoding="ascii"):
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            place = [int(number, 16) for number in words[0].split("-")]
        elif words[0] == "VmFlags:" and "lo" in words and "rd" in words:
            parts.append(place)
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        return b"".join(os.pread(memory.fileno(), end - begin, begin) for begin, end in parts)


def computed(process):
    """The time that its threads have computed, in nanoseconds: the clock ticks of stat are too coarse."""
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        # A thread may end meanwhile.
        with contextlib.suppress(OSError):
            total += int(open(path, encoding="ascii").read().split()[0])
    return total


def search(fault):
    """Checks whether the PIN is there during the delay."""
    process = subprocess.Popen([*program, fault], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # Until it stops computing: the card sleeps.
        before, still = -1, 0
        while still < 10:
            time.sleep(0.1)
            if process.poll() is not None:
                sys.exit(f"it ended with {process.returncode}")
            now = computed(process.pid)
            still = still + 1 if now == before and now > 0 else 0
            before = now
        found = locked(process.pid)
        if not found:
            sys.exit("no locked memory")
        return "yes" if pin in found else "no"
    finally:
        process.kill()
        process.wait()


def verify():
    """The number of the VERIFY command, from 1."""
    with tempfile.TemporaryDirectory() as folder:
        diary = os.path.join(folder, "diary")
        subprocess.run([*program[:-1], "--record", diary], check=True, stdout=subprocess.DEVNULL)
        commands = [line for line in open(diary, encoding="utf-8") if line.startswith("> ")]
    return next(number for number, line in enumerate(commands, 1) if line.startswith("> 0C20"))


number = verify()
print("verify:", search(f"delay={LONG}@{number}"))
print("afterwards:", search(f"delay={LONG}@{number + 1}"))
