"""The ends of the window of cie-read desk: closed, loaded again, without its program, its card or the service, after a sleep."""
import json
import os
import signal
import time
import unittest
from pathlib import Path

from page_desk import CAN, PIN, ROWS, ChromiumWindow, DeskTest, FirefoxWindow, Mouse, wait
from service import PROGRAMS
from test_page_desk import SIGNED
from processes import PATIENCE

# Before the page's own scripts: the machine can sleep, which does not stop the clock.
SLEEP = """
const realNow = Date.now;
window.slept = 0;
Date.now = () => realNow() + slept;
"""


class EndsTest(DeskTest):
    """Each end is a sentence, nothing half done, and the program is gone soon."""

    def start_window(self):
        self.card.insert()
        self.address = self.launch("--trust", self.folder / "anchors")
        self.browse(self.address)
        self.state("card")

    def read(self):
        """Reads the holder's data."""
        Mouse(self.window).write("#can", CAN)
        self.window.press("Enter")

    def notice(self):
        self.window.wait("document.getElementById('notice').checkVisibility()")
        return self.text("#notice")

    def test_reload_and_second_window(self):
        self.start_window()
        self.window.run("location.reload()")
        self.assertIn("open CIE again", self.notice())
        self.assertEqual(self.window.run("JSON.stringify([location.hash, {...sessionStorage}, {...localStorage}, document.cookie])"),
                         json.dumps(["", {}, {}, ""], separators=(",", ":")))
        self.window.open("about:blank#")
        self.window.open(self.address)
        self.assertIn("open CIE again", self.notice())
        # The stream of the first page closed with it.
        self.assertEqual(self.program.wait(PATIENCE), 0)

    def test_window_closed(self):
        self.start_window()
        self.window.quit()
        self.assertEqual(self.program.wait(PATIENCE), 0)

    def test_program_killed(self):
        self.start_window()
        self.read()
        self.window.wait("!!document.querySelector('#answer-data .person')")
        self.program.send_signal(signal.SIGKILL)
        self.window.wait("!document.querySelector('#answer-data .person')")
        self.state("ended")
        self.assertIn("open CIE again", self.text("#state"))
        self.assertEqual(set(ROWS), {"data", "pin", "login", "documents", "help"})

    def test_smart_card_service_restarted(self):
        self.start_window()
        self.card.stop_service()
        self.state("no-service")
        self.assertIn("cannot be reached", self.text("#state"))
        self.card.pull()
        self.card.start_service()
        self.card.insert()
        self.state("card")

    def test_sleep_and_wake(self):
        self.card.insert()
        self.browse("about:blank#")
        self.window.page.command("Page.addScriptToEvaluateOnNewDocument", source=SLEEP)
        self.window.open(self.launch("--trust", self.folder / "anchors"))
        self.state("card")
        for wake in ("void (slept = 3600000)",
                     "void (slept = 7200000, dispatchEvent(new Event('keydown')), slept = 3600000)"):
            self.read()
            self.window.wait("!!document.querySelector('#answer-data .person')")
            self.window.run(wake)
            self.window.wait("!document.querySelector('#answer-data .person')")
        # Browser, program, reader and service stand still for longer than the page waits for the program.
        service = int(Path("/run/pcscd/pcscd.pid").read_text().strip("\0 \n"))
        for number, pause in ((signal.SIGSTOP, 45), (signal.SIGCONT, 0)):
            self.processes.signal(number)
            os.kill(service, number)
            time.sleep(pause)
        self.state("card")
        self.window.wait("!!document.getElementById('tries').textContent")
        Mouse(self.window).press("#verify")
        self.assertIn("The chip is genuine", self.answer())
        self.assertIsNone(self.program.poll())

    def test_card_pulled_at_each_step(self):
        self.start_window()
        # A window that gets the focus asks the card for its tries; from here on it has it.
        Mouse(self.window).reach("#can")
        self.card.pull()
        self.state("no-card")
        self.card.insert()
        self.window.wait("!!document.getElementById('tries').textContent")
        before = self.card.commands
        self.read()
        self.window.wait("!!document.querySelector('#answer-data .person')")
        after = self.card.commands
        self.card.pull()
        for step in range(before + 1, after, (after - before) // 5):
            self.state("no-card")
            self.card.insert(f"card-removed@{step}")
            self.window.wait("!!document.getElementById('tries').textContent")
            self.read()
            self.assertRegex(self.answer(), "card", step)
            self.state("no-card")
            self.assertFalse(self.window.run("!!document.querySelector('#answer-data .person')"), step)
            self.card.pull()

    def test_checked_again(self):
        file = self.folder / "contract.pdf"
        file.write_bytes(SIGNED.read_bytes())
        self.browse(self.launch("--virtual", "--check", file))
        for found in ("anybody", "FALSE"):
            self.window.wait(f"document.getElementById('files').innerText.includes('{found}')")
            file.write_bytes(SIGNED.with_name("altered.pdf").read_bytes())
            self.processes.run(PROGRAMS / "cie-read", "desk", "--check", file)

    def test_report_in_spite_of_a_problem(self):
        self.start_window()
        self.card.pull()
        self.state("no-card")
        self.window.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.download }")
        hands = Mouse(self.window)
        hands.tab("help")
        hands.press("#report")
        self.window.wait("window.saved === 'cie-read-report.txt'")

    def test_mute_card(self):
        """No other program is named for a card that fell silent, although the service still waits for its answer."""
        self.card.insert("card-mute@2")
        self.browse(self.launch("--trust", self.folder / "anchors"))
        self.state("mute")
        hands = Mouse(self.window)
        for _ in range(2):
            hands.press("#nis")
            self.assertIn("no longer answers", self.answer())
        self.card.pull()
        self.state("no-card")
        self.card.insert()
        self.state("card")
        hands.press("#nis")
        self.assertIn("100200300401", self.answer())

    def test_card_pulled_before_the_pin(self):
        self.start_window()
        self.window.wait("document.getElementById('tries').textContent")
        hands = Mouse(self.window)
        hands.press("#cert")
        self.asks()
        hands.write("#ask-pin", PIN)
        self.card.pull()
        self.window.wait("!document.getElementById('ask').open")
        self.assertEqual(self.window.run("document.getElementById('ask-pin').value"), "")
        self.state("no-card")
        # Without a card it is not asked for.
        hands.press("#cert")
        self.assertIn("Put the card on the reader", self.answer())
        self.assertFalse(self.window.run("document.getElementById('ask').open"))

    def test_pin_blocked_at_signing(self):
        """The error has the way to the PUK beside it."""
        self.start_window()
        (self.folder / "a.txt").write_text("a")
        hands = Mouse(self.window)
        hands.tab("documents")
        self.window.choose(self.folder / "a.txt")
        self.window.wait("document.querySelectorAll('#files > li').length === 1")
        hands.press("#sign")
        self.asks()
        for wrong in ("11112222", "11112223", "11112224"):
            if wrong == "11112224":
                self.window.wait("document.getElementById('ask-last').checkVisibility()")
                hands.press("#ask-sure")
                hands.press("#ask-yes")
            self.window.wait("document.activeElement.id === 'ask-pin'")
            hands.write("#ask-pin", wrong)
            hands.press("#ask-yes")
            self.window.wait("document.activeElement.id !== 'ask-pin' || document.activeElement.ariaInvalid === 'true'")
        self.assertIn("The PIN is blocked", self.answer())
        hands.press("#answer-documents button")
        self.window.wait("document.getElementById('unblock-old').checkVisibility()")


class DefaultBrowserTest(DeskTest):
    """The desktop's default browser, where no other one takes a profile: the address comes in a file."""

    def enter(self, kind):
        opener, opened = self.folder / "bin/xdg-open", self.folder / "opened"
        opener.parent.mkdir()
        opener.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
        opener.chmod(0o755)
        program = self.processes.start(
            PROGRAMS / "cie-read", "desk", "--virtual", environment={"DISPLAY": ":9", "PATH": str(opener.parent)})
        wait(lambda: opened.exists() and opened.read_text().endswith("\n"))
        page = Path(opened.read_text().strip())
        self.browse(f"file://{page}", kind)
        self.state("card")
        self.assertEqual(self.window.run("location.hash"), "")
        wait(lambda: not page.exists())
        self.window.quit()
        self.assertEqual(program.wait(PATIENCE), 0)

    def test_chromium(self):
        self.enter(ChromiumWindow)

    def test_firefox(self):
        self.enter(FirefoxWindow)


if __name__ == "__main__":
    unittest.main()
