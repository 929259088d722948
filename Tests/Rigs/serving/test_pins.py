"""The costs in tries: one PIN at most a request, none from a page unless the operator allows it, the last one kept."""
import json
import os
import pty
import signal
import threading
import time
import unittest

from desk import Desk
from service import PATIENCE, PIN, PROGRAMS, Connection, ServiceTest, link, sandbox, wait

HASH = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
WRONG = "99999999"


class PINTest(ServiceTest):
    """The card counts it."""

    def test_a_page_may_send_none(self):
        service = self.start()
        self.card.insert()
        for function, object in (("cert", {}), ("sign", {"digests": [HASH]}), ("login", {"link": "https://x.example"})):
            for pin in (PIN, WRONG, "", 12345678):
                answer = service.do(function, {**object, "pin": pin})
                self.assertEqual(answer.status, 400)
                self.assertIn(answer.error, ("pin-refused", "bad-member"))
        # Without a person to ask: no command goes to the card either.
        self.assertEqual(service.do("cert").error, "no-terminal")
        self.assertEqual((self.card.verifications, self.card.tries), (0, 3))

    def test_pin_from_a_page(self):
        service = self.start("--pin-entry", "page")
        self.card.insert()
        signed = service.do("sign", {"pin": PIN, "digests": [HASH, HASH]})
        self.assertEqual((signed.status, len(signed.object["signatures"]), self.card.verifications), (200, 2, 1))
        self.assertEqual(service.do("cert", {"pin": PIN}).object["expired"], False)
        self.assertEqual(self.card.verifications, 2)
        answer = service.do("cert", {"pin": WRONG})
        self.assertEqual((answer.status, answer.error, answer.object["error"]["triesLeft"]), (422, "wrong-pin", 2))
        self.assertEqual(self.card.verifications, 3)
        self.assertEqual(service.do("cert", {"pin": WRONG}).object["error"]["triesLeft"], 1)
        # The last try is the person's own, whatever the request.
        for pin in (WRONG, PIN):
            answer = service.do("cert", {"pin": pin})
            self.assertEqual((answer.status, answer.object["error"]["exit"]), (422, 8))
        self.assertEqual((self.card.verifications, self.card.tries), (4, 1))
        self.assertNotIn(PIN, service.errors.read_text() + signed.body.decode())

    def test_a_card_that_keeps_its_counters_to_itself(self):
        """The card's answer after a wrong PIN counts in the next request."""
        service = self.start("--pin-entry", "page")
        self.card.insert(option="no-counters=6982")
        for left in (2, 1):
            self.assertEqual(service.do("cert", {"pin": WRONG}).object["error"]["triesLeft"], left)
        for pin in (WRONG, PIN):
            answer = service.do("cert", {"pin": pin})
            self.assertEqual((answer.status, answer.error), (422, "last-try-refused"))
        self.assertEqual((self.card.verifications, self.card.tries), (2, 1))
        self.assertEqual(service.do("info").object["pinTriesLeft"], 1)

    def test_a_pin_without_a_whole_request_is_not_shown(self):
        service = self.start("--pin-entry", "page")
        self.card.insert()
        body = json.dumps({"pin": WRONG})
        for length in range(1, len(body)):
            answer = service.do("cert", body[:length])
            self.assertEqual(answer.status, 400)
        self.assertEqual(self.card.verifications, 0)

    def test_client_gone_in_verify(self):
        """A VERIFY in progress is waited for, and no command follows."""
        service = self.start("--pin-entry", "page")
        self.card.insert("delay=1500@20:1")
        client = Connection(service.path)
        client.request("POST", "/v1/cert", json.dumps({"pin": PIN}), {"Content-Type": "application/json"})
        wait(lambda: self.card.verifications == 1 or self.card.commands > 30)
        client.close()
        wait(lambda: not service.is_busy)
        self.assertEqual(self.card.verifications, 1)
        commands = self.card.commands
        time.sleep(0.5)
        self.assertEqual((self.card.verifications, self.card.commands), (1, commands))
        self.assertEqual(service.do("cert", {"pin": PIN}).status, 200)

    def test_card_pulled_in_verify(self):
        service = self.start("--pin-entry", "page")
        self.card.insert("card-removed@20:1")
        answer = service.do("cert", {"pin": PIN})
        self.assertEqual(answer.status, 422)
        self.assertLessEqual(self.card.verifications, 1)

    def test_pin_on_the_terminal_of_the_service(self):
        ours, theirs = pty.openpty()
        probe = [
            PROGRAMS / "cie-read", "serve", "--allow", "status,cert", "--socket", self.folder / "service.sock",
            "--trust", self.folder / "anchors"]
        pid = os.fork()
        if pid == 0:
            os.setsid()
            os.open(os.ttyname(theirs), os.O_RDWR)
            os.dup2(theirs, 0)
            os.execv(probe[0], list(map(str, probe)))
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGTERM)
        os.close(theirs)
        wait(lambda: (self.folder / "service.sock").exists())
        self.card.insert()
        answers = []

        def ask():
            client = Connection(self.folder / "service.sock")
            client.request("POST", "/v1/cert", "{}", {"Content-Type": "application/json"})
            answers.append(client.getresponse().status)
            client.close()

        threading.Thread(target=ask, daemon=True).start()
        shown = b""
        while b"PIN" not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, PIN.encode() + b"\n")
        wait(lambda: answers)
        self.assertEqual((answers, self.card.verifications), ([200], 1))
        os.close(ours)

    def test_login(self):
        place = sandbox(self.processes, self.folder)
        service = self.start(
            "--pin-entry", "page", "--environment", place["environment"], environment={"CURL_CA_BUNDLE": place["ca"]})
        self.card.insert()
        answer = service.do("login", {"pin": PIN, "link": link(place, self.folder)})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.object["completedUrl"].startswith("https://"))
        self.assertEqual(self.card.verifications, 1)
        answer = service.do("login", {"pin": PIN, "link": "https://evil.example/OpenApp"})
        self.assertEqual((answer.status, answer.object["error"]["exit"]), (400, 15))
        self.assertEqual(self.card.verifications, 1)

    def test_a_pinentry_that_falls_back_to_a_terminal(self):
        """The window asks in its page then."""
        program = self.folder / "bin/pinentry"
        program.parent.mkdir()
        for flavor, entry in (("D gnome3:curses", "page"), ("D gnome3", "pinentry"), ("ERR 83886360 Unknown request", "pinentry")):
            end = "" if flavor.startswith("ERR") else "echo OK"
            program.write_text(
                "#!/bin/sh\necho OK\nwhile read -r line; do\n"
                f"  case $line in GETINFO*) echo '{flavor}'; {end or ':'} ;; *) echo OK ;; esac\ndone\n")
            program.chmod(0o755)
            desk = Desk(
                self.processes, self.folder, "--address", "--virtual",
                environment={"DISPLAY": ":9", "PATH": f"{program.parent}:{os.environ['PATH']}"})
            port, desk.token = desk.address()
            desk.port = int(port)
            self.assertEqual(json.loads(desk.ask("GET", "/page.json", by="port").body)["entry"], entry, flavor)
            desk.process.terminate()
            desk.process.wait(PATIENCE)


if __name__ == "__main__":
    unittest.main()
