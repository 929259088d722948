"""`cie-read login --browser` with the installed Chromium, from the service's page to its session."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

from card import CARD, PROGRAMS, ROOT, value
from remote import Page, wait

PROGRAM = PROGRAMS / "cie-read"
CHROMIUM = shutil.which("chromium")
# Without a screen, with a second way to command it, and for root in containers, where its sandbox does not start.
WRAPPER = f"""#!/bin/sh
exec {CHROMIUM} --headless=new --remote-debugging-port=0 {'--no-sandbox' if os.geteuid() == 0 else ''} "$@"
"""


class ChromiumTest(unittest.TestCase):
    """Each test has a sandbox and a home folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.temporary = self.folder / "tmp"
        store = self.folder / "home/.pki/nssdb"
        for path in (self.temporary, store, self.folder / "bin"):
            path.mkdir(parents=True)
        wrapper = self.folder / "bin/chromium"
        wrapper.write_text(WRAPPER)
        wrapper.chmod(0o755)
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
        self.certutil(store, "-N", "--empty-password")
        self.certutil(store, "-A", "-t", "C,,", "-n", "sandbox", "-i", self.ready["ca"])

    def certutil(self, store: Path, *words: str) -> None:
        subprocess.run(["certutil", "-d", f"sql:{store}", *words], check=True, env=self.environment)

    def fault(self, name: str, what: str = "fault") -> None:
        form = ["-d", f"fault={name}", "-d", "count=1"] if what == "fault" else ["-d", f"switch={name}", "-d", "on=1"]
        subprocess.run(
            ["curl", "--silent", "--fail", "--cacert", self.ready["ca"], *form, self.ready["control"] + what],
            check=True, stdout=subprocess.DEVNULL)

    def start(
        self, page: str | None = None, *words: str, form: str = "--json", pin: str | None = None
    ) -> subprocess.Popen:
        """Starts the login at the service's front page, or another one."""
        program = subprocess.Popen(
            [PROGRAM, "login", "--browser", "--sp-url", page or self.ready["sp"], "--environment",
             self.ready["environment"], "--virtual", "gemalto", "--language", "en", form, *words],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        program.stdin.write((pin or value("pin")) + "\n")
        program.stdin.flush()
        self.addCleanup(self.end, program)
        return program

    @staticmethod
    def end(program: subprocess.Popen) -> None:
        if program.poll() is None:
            program.kill()
        program.communicate()

    def finish(self, program: subprocess.Popen) -> tuple[int, dict, str]:
        """Its exit status, its answer, and what it told the person."""
        output, errors = program.communicate(timeout=60)
        self.assertNotIn(value("pin"), output + errors)
        self.assertNotIn("codice=", output + errors)
        return program.returncode, json.loads(output), errors

    def fails(self, program: subprocess.Popen, status: int, name: str) -> None:
        """The program ends like this, and with it the browser and its profile."""
        ended, answer, errors = self.finish(program)
        self.assertEqual((ended, answer["error"]["name"]), (status, name), errors)
        wait(lambda: not self.profiles())
        wait(lambda: not self.processes())

    def profiles(self) -> list[Path]:
        return list(self.temporary.glob("cie-read-*"))

    def window(self) -> Page:
        """The window that the program has opened."""
        page = Page(wait(self.profiles)[0])
        self.addCleanup(page.close)
        return page

    def processes(self) -> list[int]:
        """The browser's processes; the first is the one that all others hang on."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if f"--user-data-dir={self.temporary}".encode() in line:
                found.append((b"--type=" in line, int(folder.name)))
        return [number for _, number in sorted(found)]

    def end_browser(self) -> None:
        for number in self.processes():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def journal(self) -> str:
        return (self.folder / "log").read_text()

    def press_button(self) -> Page:
        """What the person does on the service's page."""
        window = self.window()
        window.wait("!!document.getElementById('entra-con-cie')")
        window.run("document.getElementById('entra-con-cie').click()")
        return window

    def logs_in(self, *words: str) -> Page:
        program = self.start(None, *words)
        window = self.press_button()
        status, answer, errors = self.finish(program)
        self.assertEqual((status, answer.get("error")), (0, None), errors)
        self.assertEqual(answer["browser"], str(self.folder / "bin/chromium"))
        self.assertNotIn("codice", json.dumps(answer))
        # The person goes on in the same window, without the program.
        window.wait("!!document.querySelector('[value=accept]')")
        window.run("document.querySelector('[value=accept]').click()")
        window.wait(f"location.href == '{self.ready['spProfile']}' && document.readyState == 'complete'")
        self.assertIn(value("surname"), window.run("document.body.innerText"))
        return window

    def test_from_the_button_to_the_session(self) -> None:
        window = self.logs_in()
        self.assertEqual(self.journal().count("codice-issued"), 1)
        # It is the person's: it lives, and its profile goes when it is closed.
        self.assertEqual(len(self.profiles()), 1)
        window.command("Browser.close")
        wait(lambda: not self.profiles())
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_link_built_by_a_script(self) -> None:
        self.fault("script-link", "switch")
        self.logs_in()

    def test_link_to_another_host_of_the_provider(self) -> None:
        self.fault("slash-link", "switch")
        self.logs_in()

    def test_what_is_shown_before_the_pin(self) -> None:
        program = self.start(self.ready["spLogin"], form="--verbose")
        output, errors = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 0, errors)
        self.assertIn("stays open", output)
        server = self.ready["idp"].removesuffix("/idp/")
        shown = errors.index(f"goes to: {server}") if f"goes to: {server}" in errors else -1
        self.assertGreaterEqual(shown, 0, errors)
        self.assertLess(shown, errors.index("Presenting the card"))
        self.assertIn("Accesso al servizio di prova", errors)

    def test_wrong_pin(self) -> None:
        program = self.start(pin="00000000")
        self.press_button()
        self.fails(program, 7, "wrong-pin")
        self.assertNotIn("codice-issued", self.journal())

    def test_closed_by_the_person(self) -> None:
        program = self.start()
        window = self.window()
        window.wait("!!document.getElementById('entra-con-cie')")
        window.command("Browser.close")
        self.fails(program, 11, "login-cancelled")

    def test_crash(self) -> None:
        program = self.start()
        self.window().wait("!!document.getElementById('entra-con-cie')")
        os.kill(self.processes()[0], signal.SIGKILL)
        self.fails(program, 1, "browser-failed")

    def test_interrupted(self) -> None:
        program = self.start()
        self.window().wait("!!document.getElementById('entra-con-cie')")
        program.send_signal(signal.SIGINT)
        self.fails(program, 130, "interrupted")

    def test_never_handed_over(self) -> None:
        program = self.start(None, "--deadline", "5")
        self.fails(program, 14, "deadline")

    def test_look_alike_host(self) -> None:
        self.fault("link-lookalike-host")
        program = self.start()
        self.press_button()
        self.fails(program, 15, "link-foreign-host")
        self.assertNotIn("codice-issued", self.journal())

    def test_link_of_somebody_else(self) -> None:
        for fault in ("sp-hand-off", "sp-hand-off-link"):
            with self.subTest(fault):
                self.fault(fault)
                program = self.start()
                self.press_button()
                self.fails(program, 15, "hand-off-elsewhere")
                self.assertNotIn("codice-issued", self.journal())

    def test_address_for_the_app(self) -> None:
        provider = self.ready["idp"].removesuffix("/idp/")
        for page, host, name in (
            ("sp", provider, "hand-off-elsewhere"), ("idp", "https://evil.invalid", "link-foreign-host"),
        ):
            with self.subTest(page):
                program = self.start(self.ready[page])
                window = self.window()
                window.wait("location.protocol == 'https:' && document.readyState == 'complete'")
                window.run(f"location.href = 'CIEID://{host}/OpenApp?nextUrl={host}/idp/Authn/X509&name=a&value=b'")
                self.fails(program, 15, name)

    def test_unknown_authority(self) -> None:
        self.certutil(self.folder / "home/.pki/nssdb", "-D", "-n", "sandbox")
        self.fails(self.start(), 15, "server-certificate-unknown-authority")

    def test_nobody_listens(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            program = self.start(f"https://localhost:{unused.getsockname()[1]}/")
            self.fails(program, 14, "not-connected")


if __name__ == "__main__":
    unittest.main()
