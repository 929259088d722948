"""`cie-read desk`: its window, its ticket, its files, and the end of both."""
import json
import re
import subprocess
import unittest
from pathlib import Path

from desk import Desk
from service import PATIENCE, PIN, PROGRAMS, Events, ServiceTest, keep, wait

SAMPLES = Path(__file__).resolve().parents[3] / "Tests/CIEReadTests/SignedFiles"
WRONG = "99999999"


class DeskTest(ServiceTest):
    """Most tests take the address, in place of a window."""

    def start(self, *words, pin_entry="page", **more):
        desk = Desk(self.processes, self.folder, "--address", "--pin-entry", pin_entry, *words, **more).enter()
        self.addCleanup(lambda: desk.process.poll() is None and desk.process.terminate())
        return desk

    def test_a_ticket_works_once(self):
        desk = self.start("--virtual")
        self.assertEqual(desk.ask("GET", "/v1/status", by="port").object["functions"][-1], "open-browser")
        token = desk.token
        for ticket in (desk.ticket, "", "0" * 64, desk.ticket.lower()):
            answer = desk.exchange(ticket)
            self.assertEqual((answer.status, answer.error), (403, "ticket-used"))
        for header in ({}, {"Authorization": f"Bearer {desk.ticket}"}):
            self.assertEqual(desk.ask("GET", "/v1/status", by="port", headers=header).status, 401)
        desk.token = token
        self.assertEqual(desk.ask("GET", "/v1/status", by="port").status, 200)
        self.assertEqual(self.processes.find(desk.ticket) + self.processes.find(token), [])
        self.assertNotIn(desk.ticket, desk.errors.read_text())

    def test_another_origin_or_name_gets_no_token(self):
        desk = Desk(self.processes, self.folder, "--address", "--virtual")
        desk.port, ticket = desk.address()
        for headers, status in (
                ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Host": "evil.example"}, 421),
                ({"Sec-Fetch-Site": "cross-site"}, 403)):
            self.assertEqual(desk.exchange(ticket, **headers).status, status)
        # None of them has used it up.
        answer = desk.exchange(ticket, Origin=f"http://127.0.0.1:{desk.port}")
        self.assertEqual(answer.status, 200)
        # Paths come by the socket of this user alone, where no page gets to.
        desk.token = answer.object["token"]
        self.assertEqual(desk.do("open", {"paths": ["/etc/hostname"]}).error, "unknown-path")
        self.assertEqual(desk.list(), [])
        desk.process.terminate()
        self.assertEqual(desk.process.wait(PATIENCE), 143)
        self.assertFalse(desk.path.exists())

    def test_it_ends_with_the_last_stream(self):
        desk = self.start("--virtual")
        second = Events(desk, by="port")
        desk.events.close()
        # A reload takes a moment; another stream keeps it.
        with self.assertRaises(subprocess.TimeoutExpired):
            desk.process.wait(12)
        second.close()
        self.assertEqual(desk.process.wait(PATIENCE), 0)
        self.assertFalse(desk.path.exists())

    def test_it_ends_with_a_page_that_never_listened(self):
        desk = Desk(self.processes, self.folder, "--address", "--virtual")
        desk.port, ticket = desk.address()
        self.assertEqual(desk.exchange(ticket).status, 200)
        self.assertEqual(desk.process.wait(PATIENCE), 0)

    def test_its_language_is_that_of_the_desktop(self):
        desk = self.start("--virtual", "--language", "it")
        words = {query: desk.ask("GET", f"/page.json{query}", by="port", headers={"Accept-Language": "de"}).body for query in ("", "?lang=fr")}
        self.assertEqual([json.loads(body)["language"] for body in words.values()], ["it", "fr"])

    def test_a_heartbeat(self):
        desk = self.start("--virtual")
        wait(lambda: desk.events.beats > 1)

    def test_a_second_start_brings_its_files(self):
        desk = self.start("--virtual")
        letter = self.folder / "letter.txt"
        letter.write_text("A letter.\n")
        words = PROGRAMS / "cie-read", "desk", letter
        self.assertIn("already open", self.processes.run(*words).stdout)
        wait(lambda: "files" in desk.events.names())
        self.assertEqual([(row["path"], row["size"]) for row in desk.list()], [(str(letter), 10)])
        # The person may have closed the page: there is a new address, whose ticket is another.
        wait(lambda: len(desk.output.read_text().split()) == 2)
        self.assertNotEqual(desk.address(0)[1], desk.address(1)[1])
        again = self.processes.run(*words, "--json").stdout
        self.assertTrue(json.loads(again)["ok"])
        keep(again)
        self.assertEqual([row["check"] for row in desk.list()], [False])
        self.processes.run(*words, "--check")
        self.assertEqual([[row["check"] for row in desk.list()] for _ in range(2)], [[True], [False]])
        missing = self.processes.run(PROGRAMS / "cie-read", "desk", self.folder / "none", check=False)
        self.assertEqual(missing.returncode, 64)

    def test_no_screen_and_no_browser(self):
        dialog, shown = self.folder / "zenity", self.folder / "shown"
        dialog.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {shown}\n")
        dialog.chmod(0o755)
        for environment, words in (({}, "There is no screen"), ({"DISPLAY": ":9", "PATH": str(self.folder)}, "none is installed")):
            program = self.processes.start(
                PROGRAMS / "cie-read", "desk", environment=environment, stderr=(self.folder / "none").open("w"))
            self.assertEqual(program.wait(PATIENCE), 64)
            text = (self.folder / "none").read_text()
            self.assertIn(words, text)
            self.assertIn("cie-read help", text)
            # A start from the desktop has no terminal: a window says it, if a program can show one.
            self.assertEqual(shown.exists(), bool(environment))
            if shown.exists():
                self.assertRegex(shown.read_text(), f"^--error[\\s\\S]*{words}[\\s\\S]*cie-read help")
            self.assertFalse((self.folder / "cie-read-desk.sock").exists())

    def test_encrypted_pdfs(self):
        desk = self.start("--virtual", "--check", SAMPLES / "signed.pdf")
        self.assertEqual([row["check"] for row in desk.list()], [True])
        locked = self.folder / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "àpri", "owner", "256", "--", SAMPLES / "unsigned.pdf", locked], check=True)
        number = desk.send(locked)

        def row():
            return next(row for row in desk.list() if row["file"] == number)
        self.assertEqual((row()["error"]["name"], row()["check"]), ("pdf-needs-password", False))
        self.assertEqual(desk.do(f"files/{number}/password", {"password": 1}).error, "bad-member")
        desk.do(f"files/{number}/password", {"password": "apri"})
        self.assertEqual(row()["error"]["name"], "pdf-wrong-password")
        self.assertEqual(desk.do(f"files/{number}/password", {"password": "àpri"}).object["file"], number)
        self.assertEqual((row()["error"], row()["pages"]), (None, 1))
        signed = desk.do("sign-files", {"files": [number], "pin": PIN, "mark": "top"}).object["documents"][0]
        # The signed file is as encrypted as the original, whose password it has here.
        judged = desk.do("check-files", {"files": [signed["file"]]}).object["files"][0]
        self.assertEqual((judged["error"], len(judged["signatures"])), (None, 1))
        copy = self.folder / "copy.pdf"
        copy.write_bytes(desk.ask("GET", f"/v1/files/{signed['file']}", by="port").body)
        again = desk.do("check-files", {"files": [desk.send(copy)]}).object["files"][0]
        self.assertEqual((again["error"]["name"], signed["error"]), ("pdf-needs-password", None))

    def test_twenty_files_are_one_verify(self):
        desk = self.start()
        self.card.insert()
        numbers = [desk.send(SAMPLES / "unsigned.pdf", f"{number}.pdf") for number in range(18)]
        numbers += [desk.send(SAMPLES / "letter.txt"), desk.send(SAMPLES / "letter.txt.p7m")]
        rows = desk.list()
        self.assertEqual([row["signatures"] for row in rows[-3:]], [0, 0, 1])
        self.assertEqual((rows[0]["pages"], rows[0]["path"], len(rows[0]["digest"])), (1, None, 64))
        signed = desk.do("sign-files", {"files": numbers, "pin": PIN, "reason": "test", "mark": "top-left", "page": "first"})
        documents = signed.object["documents"]
        self.assertEqual((signed.status, len(documents)), (200, 20), signed.object)
        self.assertEqual((self.card.verifications, self.card.signatures), (1, 20))
        self.assertEqual([row["digest"] for row in documents], [row["digest"] for row in rows])
        # In memory, and whole.
        self.assertEqual({path.suffix for path in self.folder.rglob("*.p*") if path.suffix in (".pdf", ".p7m")}, set())
        for document, name in ((documents[0], "0-signed.pdf"), (documents[18], "letter.txt.p7m")):
            self.assertEqual(document["out"], name)
            file = self.folder / f"got-{name}"
            answer = desk.ask("GET", f"/v1/files/{document['file']}", by="port")
            self.assertEqual(answer.headers["Content-Disposition"], "attachment")
            file.write_bytes(answer.body)
            judged = self.processes.run(PROGRAMS / "cie-read", "check", file, "--json", check=False)
            self.assertEqual(json.loads(judged.stdout)["files"][0]["outcome"], "could-not-check")
        checked = desk.do("check-files", {"files": [row["file"] for row in documents]}).object["files"]
        self.assertEqual({row["outcome"] for row in checked}, {"could-not-check"})
        self.assertEqual([len(row["signatures"]) for row in checked[-3:]], [1, 1, 2])
        inside = desk.do("extract", {"files": [documents[18]["file"]]}).object["file"]
        self.assertEqual(
            desk.ask("GET", f"/v1/files/{inside}", by="port").body, (SAMPLES / "letter.txt").read_bytes())
        self.assertEqual(desk.do(f"files/{inside}/forget").status, 200)
        self.assertEqual(desk.ask("GET", f"/v1/files/{inside}", by="port").error, "unknown-file")

    def test_files_of_the_command_line_are_signed_beside_themselves(self):
        letter = self.folder / "a letter.txt"
        letter.write_text("A letter.\n")
        desk = self.start("--virtual", letter)
        number = desk.list()[0]["file"]
        for name in ("a letter.txt.p7m", "a letter-2.txt.p7m"):
            document = desk.do("sign-files", {"files": [number], "pin": PIN}).object["documents"][0]
            self.assertEqual(document["out"], str(self.folder / name))
            self.assertTrue((self.folder / name).exists())
        self.assertEqual(desk.list()[1]["path"], str(self.folder / "a letter.txt.p7m"))

    def test_only_what_was_shown_is_signed(self):
        letter = self.folder / "letter.txt"
        letter.write_text("A letter.\n")
        desk = self.start(letter)
        self.card.insert()
        number = desk.send(SAMPLES / "letter.txt", "other.txt")
        self.assertEqual(desk.do("sign-files", {"files": [number], "pin": PIN}).error, "not-as-shown")
        rows = desk.list()
        letter.write_text("Another letter.\n")
        answer = desk.do("sign-files", {"files": [row["file"] for row in rows], "pin": PIN})
        self.assertEqual([row["error"] and row["error"]["name"] for row in answer.object["documents"]], ["not-as-shown", None])
        self.assertEqual((self.card.verifications, self.card.signatures), (1, 1))
        self.assertEqual(desk.list()[0]["size"], 16)
        self.assertEqual(desk.do("sign-files", {"files": [rows[0]["file"]], "pin": PIN}).status, 200)

    def test_uploads_have_limits(self):
        desk = self.start("--virtual")
        for object, name in (
                ({"name": "x"}, "bad-member"), ({"name": "", "size": 1}, "bad-member"),
                ({"name": "x", "size": -1}, "bad-member"), ({"name": "x", "size": 1 << 40}, "upload-too-large"),
                ({"name": "x", "size": "1"}, "bad-member")):
            answer = desk.do("files", object)
            self.assertEqual((answer.status, answer.error), (400, name))
        number = desk.do("files", {"name": "../../etc/passwd\n", "size": 4}).object["file"]
        binary = {"Content-Type": "application/octet-stream"}
        self.assertEqual(desk.do(f"files/{number}", b"12345", headers=binary).error, "upload-too-large")
        self.assertEqual(desk.do(f"files/{number}", b"123").status, 415)
        self.assertEqual(desk.do(f"files/{number}", b"1" * ((1 << 20) + 1), headers=binary).status, 413)
        self.assertEqual(desk.do("info", b"{" + b" " * (16 << 10) + b"}").status, 413)
        # Only whole ones.
        self.assertEqual(desk.list(), [])
        self.assertEqual(desk.do("sign-files", {"files": [number], "pin": PIN}).error, "bad-member")
        desk.do(f"files/{number}", b"1234", headers=binary)
        self.assertNotIn("/", desk.list()[0]["name"])
        self.assertEqual(desk.do("sign-files", {"files": [number, number], "pin": PIN}).error, "bad-member")

    def test_a_card_pulled_while_it_signs(self):
        desk = self.start()
        numbers = [desk.send(SAMPLES / "letter.txt", f"{number}.txt") for number in range(3)]
        desk.list()
        for step in (1, 10, 20, 30, 40):
            self.card.insert(f"card-removed@{step}")
            answer = desk.do("sign-files", {"files": numbers, "pin": PIN})
            self.assertFalse(answer.object["ok"], step)
            self.assertLessEqual(self.card.verifications, 1)
            for document in answer.object.get("documents", []):
                self.assertEqual(document["file"] is None, document["error"] is not None)
            self.card.pull()
        self.card.insert()
        self.assertEqual(desk.do("sign-files", {"files": numbers, "pin": PIN}).status, 200)

    def test_pin(self):
        desk = self.start()
        self.card.insert()
        for new, name in (("1234567", "new-pin-length"), ("11111111", "new-pin-weak"), (PIN, "new-pin-unchanged")):
            self.assertEqual(desk.do("pin-change", {"pin": PIN, "newPin": new}).error, name)
        self.assertEqual(self.card.verifications, 0)
        self.assertEqual(desk.do("pin-change", {"pin": PIN, "newPin": "27182845"}).status, 200)
        for left in (2, 1):
            self.assertEqual(desk.do("cert", {"pin": WRONG}).object["error"]["triesLeft"], left)
        # The last try is spent when the person has agreed, and not before.
        for function, object in (("cert", {}), ("pin-change", {"newPin": "31415927"})):
            self.assertEqual(desk.do(function, {"pin": WRONG, **object}).error, "last-try-refused")
        self.assertEqual(self.card.tries, 1)
        answer = desk.do("cert", {"pin": WRONG, "allowLastTry": True})
        self.assertEqual((answer.status, answer.object["error"]["exit"]), (422, 8))
        # In a window no commands are typed.
        self.assertNotIn("cie-read", answer.object["error"]["do"])
        self.assertEqual(self.card.tries, 0)
        puk = re.search(r"^puk: *(.*)$", (Path(__file__).resolve().parents[3] / "Sources/C/CPersonaData/data/gemalto/persona.txt").read_text(), re.M)
        self.assertEqual(desk.do("pin-unblock", {"newPin": "31415927"}).error, "puk-missing")
        self.assertEqual(desk.do("pin-unblock", {"puk": puk.group(1), "newPin": "31415927"}).status, 200)
        self.assertEqual(desk.do("cert", {"pin": "31415927"}).status, 200)

    def test_errors_are_in_the_language_of_the_listener(self):
        desk = self.start()
        events = Events(desk, by="port", language="it")
        self.card.insert()
        wait(lambda: "card-present" in events.names())
        self.assertEqual([event["family"] for event in events.list if event["event"] == "card-present"], ["gemalto"])
        self.card.stop_service()
        wait(lambda: "error" in events.names() and "error" in desk.events.names())
        texts = [next(event["error"]["what"] for event in one.list if event["event"] == "error") for one in (events, desk.events)]
        self.assertNotEqual(*texts)
        events.close()
        self.card.pull()
        self.card.start_service()
        wait(lambda: desk.ask("GET", "/v1/status").status == 200)
        self.card.insert()
        wait(lambda: desk.do("info").status == 200)

    def test_help(self):
        desk = self.start("--virtual")
        found = desk.do("doctor").object
        self.assertEqual(found["headline"], "No problems found.")
        self.assertIn(("card", None, None), [(row["name"], row["command"], row["repair"]) for row in found["findings"]])
        # A browser that has been started, and its module.
        (self.folder / ".pki/nssdb").mkdir(parents=True)
        for repair in ("chromium", None):
            found = desk.do("doctor").object
            self.assertEqual([row["repair"] for row in found["findings"] if row["name"] == "browser"], [repair])
            self.assertEqual("one thing" in found["headline"], repair is not None)
            self.assertEqual(desk.do("register", {"what": "chromium", "on": True}).status, 200)
        self.assertTrue(desk.do("report").object["report"].startswith("cie-read report 1\n"))
        looked = desk.do("register", {"what": "desktop"}).object
        self.assertEqual({row["state"] for row in looked["registrations"] if row["program"] == "desktop"}, {"absent"})
        changed = desk.do("register", {"what": "desktop", "on": True}).object
        self.assertEqual((changed["command"], {row["state"] for row in changed["registrations"]}), ("browser install", {"registered"}))
        changed = desk.do("register", {"what": "desktop", "on": False}).object
        self.assertEqual((changed["command"], {row["state"] for row in changed["registrations"]}), ("browser remove", {"absent"}))
        for object in ({}, {"what": "openssl"}, {"what": "firefox", "on": "yes"}):
            self.assertEqual(desk.do("register", object).error, "bad-member")


if __name__ == "__main__":
    unittest.main()
