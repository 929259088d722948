"""`cie-read login --browser`, from the service's page to its session, and its other ends: equal in each browser."""
import json
import os
import re
import signal
import socket
from pathlib import Path

from remote import wait
from rig import value
from processes import PATIENCE


class WindowCases:
    """Tests for a class that is a WindowRig, too."""

    def logs_in(self, *words: str) -> object:
        program = self.start(None, *words)
        window = self.press_button()
        self.succeeds(program)
        self.agrees(window)
        return window

    def succeeds(self, program: object) -> None:
        status, answer, errors = self.finish(program)
        self.assertEqual((status, answer.get("error")), (0, None), errors)
        self.assertEqual(answer["browser"], str(self.wrapper))
        self.assertNotIn("codice", json.dumps(answer))

    def agrees(self, window: object) -> None:
        """The person continues in the same window, without the program."""
        window.wait("!!document.querySelector('[value=accept]')")
        window.run("document.querySelector('[value=accept]').click()")
        window.wait(f"location.href == '{self.ready['spProfile']}' && document.readyState == 'complete'")
        self.assertIn(value("surname"), window.run("document.body.innerText"))

    def test_from_the_button_to_the_session(self) -> None:
        window = self.logs_in()
        self.assertEqual(self.journal().count("codice-issued"), 1)
        # It is the person's: it stays, and its profile is removed when it is closed.
        self.assertEqual(len(self.profiles()), 1)
        window.quit()
        wait(lambda: not self.profiles())
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_sign_in_that_ends_at_the_services_own_page(self) -> None:
        """A back end without our extensions: the window is watched there, as in the kits' views, and closes."""
        for way in (["spid", "--provider", "posteid"], ["bank", "--provider", "bankid", "--provider", "sabbia"]):
            with self.subTest(way[0]):
                program = self.start_way(*way)
                window = self.window()
                self.fills(window, way[0])
                status, answer, errors = self.finish(program)
                self.assertEqual((status, answer.get("error")), (0, None), errors)
                self.assertEqual(answer["fields"]["codiceFiscale"], "PRVGSM80X99Z999G")
                wait(lambda: not self.processes())

    def fills(self, window: object, way: str) -> None:
        """The person at the provider's pages."""
        user = json.loads(Path(self.ready["users"]).read_text())["password"]
        window.wait("!!document.querySelector('[type=password]')")
        window.run(
            "(() => { const form = document.querySelector('[type=password]').form;"
            f"form.querySelector('[name^=user]').value = {json.dumps(user['userName'])};"
            f"form.querySelector('[type=password]').value = {json.dumps(user['password'])};"
            "form.querySelector('button').click() })()")
        if way == "bank":
            return
        window.wait("!!document.querySelector('[name=code]')")
        messages = sorted(Path(self.ready["mailbox"]).iterdir(), key=lambda file: file.stat().st_mtime_ns)
        code = re.findall(r"\b\d{6,8}\b", messages[-1].read_text())[-1]
        window.run(
            f"(() => {{ const field = document.querySelector('[name=code]'); field.value = '{code}';"
            "field.form.querySelector('button').click() })()")
        window.wait("!!document.querySelector('[value=accept]')")
        window.run("document.querySelector('[value=accept]').click()")

    def test_link_built_by_a_script(self) -> None:
        self.fault("script-link", "switch")
        self.logs_in()

    def test_link_to_another_host_of_the_provider(self) -> None:
        self.fault("slash-link", "switch")
        self.logs_in()

    def test_login_in_a_window_that_the_page_opens(self) -> None:
        program = self.start()
        window = self.window()
        window.wait("!!document.getElementById('entra-con-cie')")
        window.press(f"void window.open('{self.ready['spLogin']}')")
        self.succeeds(program)
        self.assertEqual(window.run("location.href"), self.ready["sp"])
        window.wait_for_new()
        self.agrees(window)

    def test_what_is_shown_before_the_pin(self) -> None:
        program = self.start(self.ready["spLogin"], form="--verbose")
        output, errors = program.communicate(timeout=PATIENCE)
        self.assertEqual(program.returncode, 0, errors)
        self.assertIn("stays open", output)
        server = self.ready["idp"].removesuffix("/idp/")
        shown = errors.index(f"{server} will receive") if f"{server} will receive" in errors else -1
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
        window.quit()
        self.fails(program, 11, "login-cancelled")

    def test_gone_while_the_pin_is_asked_for(self) -> None:
        for what, status, name in (
            ("closed", 11, "login-cancelled"), ("killed", 1, "browser-failed"), ("left", 11, "login-cancelled"),
        ):
            with self.subTest(what):
                trace = self.folder / f"{what}.trace"
                program, terminal = self.start_at_terminal("--record", str(trace))
                window = self.window()
                window.wait("!!document.getElementById('entra-con-cie')")
                if what == "left":
                    window.press(f"void window.open('{self.ready['spLogin']}')")
                else:
                    window.run("document.getElementById('entra-con-cie').click()")
                self.prompted(terminal)
                if what == "killed":
                    os.kill(self.processes()[0], signal.SIGKILL)
                elif what == "closed":
                    window.quit()
                else:
                    window.wait_for_new()
                    window.close_page()
                # Without any input.
                self.fails(program, status, name)
                # The card got no PIN: VERIFY (ISO/IEC 7816-4 §11.5.6), under secure messaging or not.
                self.assertIn("> ", trace.read_text())
                self.assertIsNone(re.search(r"^> [0-9A-F]{2}20", trace.read_text(), re.M))
                self.assertNotIn("codice-issued", self.journal())

    def prompted(self, terminal: int) -> None:
        shown = b""
        while b"PIN" not in shown or not shown.endswith(b": "):
            shown += os.read(terminal, 1024)

    def test_pages_go_on_while_the_pin_is_asked_for(self) -> None:
        program, terminal = self.start_at_terminal()
        window = self.press_button()
        self.prompted(terminal)
        window.press(f"void window.open('{self.ready['sp']}')")
        window.wait_for_new()
        window.wait("!!document.getElementById('entra-con-cie')")
        os.write(terminal, value("pin").encode() + b"\n")
        self.succeeds(program)

    def test_crash(self) -> None:
        program = self.start()
        self.window().wait("!!document.getElementById('entra-con-cie')")
        os.kill(self.processes()[0], signal.SIGKILL)
        self.fails(program, 1, "browser-failed")

    def test_program_killed(self) -> None:
        program = self.start()
        self.window().wait("!!document.getElementById('entra-con-cie')")
        program.kill()
        wait(lambda: not self.processes())

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

    def test_link_of_somebody_else_in_a_new_tab(self) -> None:
        provider = self.ready["idp"].removesuffix("/idp/")
        link = f"{provider}/OpenApp?nextUrl={provider}/idp/Authn/X509&name=a&value=b"
        for way in (f"void window.open('{link}')", follow(link)):
            with self.subTest(way):
                program = self.start()
                window = self.window()
                window.wait("!!document.getElementById('entra-con-cie')")
                window.press(way)
                self.fails(program, 15, "hand-off-elsewhere")

    def test_address_for_the_app(self) -> None:
        provider = self.ready["idp"].removesuffix("/idp/")
        for page, host, name in (
            ("sp", provider, "hand-off-elsewhere"), ("idp", "https://evil.invalid", "link-foreign-host"),
        ):
            link = f"CIEID://{host}/OpenApp?nextUrl={host}/idp/Authn/X509&name=a&value=b"
            for way in (f"location.href = '{link}'", f"void window.open('{link}')", follow(link)):
                with self.subTest(page + ": " + way):
                    program = self.start(self.ready[page])
                    window = self.window()
                    window.wait("location.protocol == 'https:' && document.readyState == 'complete'")
                    window.press(way)
                    self.fails(program, 15, name)

    def test_unknown_authority(self) -> None:
        self.certutil("-D", "-n", "authority 0")
        self.fails(self.start(), 15, "server-certificate-unknown-authority")

    def test_nobody_listens(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            program = self.start(f"https://localhost:{unused.getsockname()[1]}/")
            self.fails(program, 14, "not-connected")


def follow(link: str) -> str:
    """Presses a link that opens a new tab."""
    return f"void Object.assign(document.createElement('a'), {{href: '{link}', target: '_blank'}}).click()"
