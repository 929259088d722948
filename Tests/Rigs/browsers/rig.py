"""The environment of a login in a browser: the sandbox, a home folder, the program, and a person at the terminal."""
import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import termios
import unittest
from pathlib import Path

from remote import wait
from processes import PATIENCE, trust

ROOT = Path(__file__).resolve().parents[3]
CARD = ROOT / "Sources/C/CPersonaData/data/gemalto"
PROGRAM = Path(os.environ["CIE_PROGRAMS"]).absolute() / "cie-read"


def value(name: str) -> str:
    """A line of the software card's persona."""
    return re.search(rf"^{name}: *(.*)$", (CARD / "persona.txt").read_text(), re.M).group(1)


class WindowRig(unittest.TestCase):
    """Each test has a separate sandbox and home folder. The browser is that of the class: `browser` its name,
    `executable` its program, `page` the second hand, `wrapper_text` its start script."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.programs: list[subprocess.Popen] = []
        self.store = self.folder / "home/.pki/nssdb"
        for path in (self.temporary, self.folder / "bin"):
            path.mkdir(parents=True)
        subprocess.run(
            ["openssl", "x509", "-inform", "DER", "-in", CARD / "certificate.der", "-out", self.folder / "card.pem"],
            check=True)
        ready = self.folder / "ready.json"
        with (self.folder / "log").open("w") as log:
            self.sandbox = subprocess.Popen(
                [ROOT / "tools/sandbox/run", "--state", self.folder / "state", "--client-ca",
                 self.folder / "card.pem", "--ready-file", ready], stderr=log)
        self.addCleanup(self.sandbox.wait)
        self.addCleanup(self.sandbox.terminate)
        self.addCleanup(self.end_browser)
        wait(ready.exists)
        self.ready = json.loads(ready.read_text())
        self.environment = {
            "HOME": str(self.folder / "home"), "TMPDIR": str(self.temporary),
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        trust(self.store, self.ready["ca"], environment=self.environment)
        self.wrapper = self.folder / "bin" / self.browser
        self.wrapper.write_text(self.wrapper_text())
        self.wrapper.chmod(0o755)

    def certutil(self, *words: str) -> None:
        subprocess.run(["certutil", "-d", f"sql:{self.store}", *words], check=True, env=self.environment)

    def fault(self, name: str, what: str = "fault") -> None:
        form = ["-d", f"fault={name}", "-d", "count=1"] if what == "fault" else ["-d", f"switch={name}", "-d", "on=1"]
        subprocess.run(
            ["curl", "--silent", "--fail", "--cacert", self.ready["ca"], *form, self.ready["control"] + what],
            check=True, stdout=subprocess.DEVNULL)

    def command(self, page: str | None, *words: str) -> list[object]:
        return [
            PROGRAM, "login", "--browser", self.browser, "--sp-url", page or self.ready["sp"], "--environment",
            self.ready["environment"], "--virtual", "gemalto", "--language", "en", *words]

    def start(
        self, page: str | None = None, *words: str, form: str = "--json", pin: str | None = None
    ) -> subprocess.Popen:
        """Starts the login at the service's front page, or another one."""
        self.clear()
        program = subprocess.Popen(
            self.command(page, form, *words), env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        program.stdin.write((pin or value("pin")) + "\n")
        program.stdin.flush()
        self.programs.append(program)
        self.addCleanup(self.end, program)
        return program

    def start_way(self, method: str, *words: str) -> subprocess.Popen:
        """Starts a sign-in by another method, at services that end at their own pages."""
        self.clear()
        program = subprocess.Popen(
            [PROGRAM, "login", "--browser", self.browser, "--service", self.ready["serviceReturns"], "--method", method,
             *words, "--show-attributes", "--json", "--language", "en"], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.programs.append(program)
        self.addCleanup(self.end, program)
        return program

    def start_at_terminal(self, *words: str) -> tuple[subprocess.Popen, int]:
        """Starts it on a terminal for the PIN.

        Returns the program and the terminal."""
        self.clear()
        terminal, slave = pty.openpty()
        self.addCleanup(os.close, terminal)
        program = subprocess.Popen(
            self.command(None, "--json", *words), env=self.environment, stdin=slave, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.programs.append(program)
        self.addCleanup(self.end, program)
        return program, terminal

    def clear(self) -> None:
        """Ends the rest of a failed part of a test, so that the next one does not meet it."""
        for program in self.programs:
            self.end(program)
        self.end_browser()
        wait(lambda: not self.profiles())

    @staticmethod
    def end(program: subprocess.Popen) -> None:
        if program.poll() is None:
            program.kill()
        if not program.stdout.closed:
            program.communicate()

    def finish(self, program: subprocess.Popen) -> tuple[int, dict, str]:
        """Its exit status, its answer, and its messages to the person."""
        output, errors = program.communicate(timeout=PATIENCE)
        self.assertNotIn(value("pin"), output + errors)
        self.assertNotIn("codice=", output + errors)
        return program.returncode, json.loads(output), errors

    def fails(self, program: subprocess.Popen, status: int, name: str) -> None:
        """The program ends with this result, and so do the browser and its profile."""
        ended, answer, errors = self.finish(program)
        self.assertEqual((ended, answer["error"]["name"]), (status, name), errors)
        wait(lambda: not self.profiles())
        wait(lambda: not self.processes())

    def profiles(self) -> list[Path]:
        return list(self.temporary.glob("cie-read-*"))

    def window(self) -> object:
        """The window that the program has opened."""
        page = self.page(wait(self.profiles)[0])
        self.addCleanup(page.close)
        return page

    def processes(self) -> list[int]:
        """The browser's processes; the first is the ancestor of all others."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line, program = (folder / "cmdline").read_bytes(), os.readlink(folder / "exe")
                is_ours = f"HOME={self.folder}/".encode() in (folder / "environ").read_bytes()
            except OSError:
                continue
            if is_ours and program == self.executable:
                found.append((any(word in line for word in (b"--type=", b"-contentproc")), int(folder.name)))
        return [number for _, number in sorted(found)]

    def end_browser(self) -> None:
        for number in self.processes():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def journal(self) -> str:
        return (self.folder / "log").read_text()

    def press_button(self) -> object:
        """The person's actions on the service's page."""
        window = self.window()
        window.wait("!!document.getElementById('entra-con-cie')")
        window.run("document.getElementById('entra-con-cie').click()")
        return window
