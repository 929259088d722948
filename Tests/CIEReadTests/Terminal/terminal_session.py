#!/usr/bin/env python3
"""Runs a program on a pseudo-terminal and plays a person at it.

    terminal_session.py [apart] STEP... -- PROGRAM [ARGUMENT...]

With apart, standard output is no terminal, as in a pipe.
STEP: asked        waits until the program asks for a code, or another question without ending the line
      expect=TEXT  waits until TEXT has appeared since the last step, and notes whether the terminal echoes then
      type=TEXT    types TEXT and a line end
      typefile=F   types the line that stands in a file, once it is whole
      pause=N      waits N milliseconds
      signal=NAME  sends the program a signal, such as INT
Prints one JSON object: what the terminal showed, the echo at every expect and at the end, and its end.
"""
import json
import os
import pty
import select
import signal
import sys
import tempfile
import termios
import time

LIMIT = 90


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def main():
    split = sys.argv.index("--")
    steps, command = sys.argv[1:split], sys.argv[split + 1:]
    apart = steps[:1] == ["apart"]
    if apart:
        steps.pop(0)
    output = tempfile.TemporaryFile() if apart else None
    # Held open here, so that the terminal's settings can be read after the program's end.
    master, slave = pty.openpty()
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.login_tty(slave) if hasattr(os, "login_tty") else attach(slave)
        if apart:
            os.dup2(output.fileno(), 1)
        os.execv(command[0], command)
    shown, seen, echo, status = b"", 0, [], None
    deadline = time.monotonic() + LIMIT
    while status is None and time.monotonic() < deadline:
        ended = os.waitpid(child, os.WNOHANG)
        while select.select([master], [], [], 0.01)[0]:
            shown += os.read(master, 65536)
        if ended[0]:
            status = os.waitstatus_to_exitcode(ended[1])
        while steps:
            kind, _, text = steps[0].partition("=")
            if kind == "asked":
                # The cursor is after a question: on a line that ends with a blank.
                if not shown[seen:].endswith(b" "):
                    break
                seen = len(shown)
            elif kind == "expect":
                found = shown.find(text.encode(), seen)
                if found < 0:
                    break
                seen = found + len(text.encode())
                echo.append(echoes(slave))
            elif kind == "pause":
                time.sleep(int(text) / 1000)
            elif kind == "typefile":
                line = open(text, "rb").read() if os.path.exists(text) else b""
                if not line.endswith(b"\n"):
                    break
                os.write(master, line)
            elif kind == "type":
                os.write(master, text.encode() + b"\n")
            else:
                os.kill(child, getattr(signal, "SIG" + text))
            steps.pop(0)
    if status is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    print(json.dumps({
        "shown": shown.decode(errors="replace"), "echo": echo, "echoAfter": echoes(slave),
        "status": status, "stepsLeft": steps, "output": read(output) if apart else None}))


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def attach(slave):
    import fcntl
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for descriptor in (0, 1, 2):
        os.dup2(slave, descriptor)


main()
