#!/usr/bin/env python3
"""The script of RealReaderTests+Watch inside tools/with-pcscd: `cie-read watch` as a service, with a program, with two
readers.

CIE_PROGRAMS names the folder of the built programs. The reader has two slots, the second at port 35964.
"""
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

PROGRAMS = os.environ["CIE_PROGRAMS"]
PATIENCE = 30


def insert(*arguments):
    card = connect(*arguments)
    assert is_taken(card), "the reader takes no card"
    return card


def connect(*arguments):
    return subprocess.Popen(
        [PROGRAMS + "/cie-lab", "virtual-reader", *arguments], stdout=subprocess.PIPE)


def is_taken(card):
    """True once the reader has powered the card, which it may never do."""
    ready, _, _ = select.select([card.stdout], [], [], PATIENCE)
    return bool(ready) and card.stdout.readline() == b"inserted\n"


def insert_for_sure(readers, *arguments):
    """Inserts a card that the service sees: the virtual reader may miss one that comes right after another one left.

    readers: a function that returns the readers by the program.
    """
    for _ in range(10):
        card = connect(*arguments)
        if is_taken(card):
            limit = time.monotonic() + PATIENCE / 3
            while time.monotonic() < limit:
                if any(reader["card"] for reader in readers()):
                    return card
        pull(card)
        time.sleep(1)
    raise AssertionError("the service sees no card")


def pull(card):
    card.kill()
    card.wait()
    card.stdout.close()


class Watch:
    def __init__(self, *arguments, environment=None, output=subprocess.PIPE, errors=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            [PROGRAMS + "/cie-read", "watch", *arguments], stdout=output, stderr=errors,
            env={**os.environ, **(environment or {})})

    def until(self, name):
        """The events up to the next one of this name; a run that hangs is ended."""
        limit = threading.Timer(4 * PATIENCE, self.process.kill)
        limit.start()
        try:
            return self.events_until(name)
        finally:
            limit.cancel()

    def events_until(self, name):
        events = []
        while not events or events[-1]["event"] != name:
            line = self.process.stdout.readline()
            assert line, f"watch ended before {name}: {events}"
            events.append(json.loads(line))
        return events

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        return status


class Manager:
    """The socket of a service manager."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)

    def hear(self):
        return self.socket.recv(100).decode()


class ServiceTests(unittest.TestCase):
    def hears(self, address, name, **variables):
        manager = Manager(address)
        watch = Watch(
            "--reader", "00 00", environment={"NOTIFY_SOCKET": name, **variables})
        first = [manager.hear(), manager.hear()] if variables else [manager.hear()]
        self.assertEqual(watch.end(), 143)
        last = manager.hear()
        while last == "WATCHDOG=1":
            last = manager.hear()
        manager.socket.close()
        return first + [last]

    def test_readiness_and_end_are_told_to_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/notify"
            self.assertEqual(self.hears(path, path), ["READY=1", "STOPPING=1"])

    def test_the_address_may_be_abstract(self):
        self.assertEqual(self.hears("\0cie-watch", "@cie-watch"), ["READY=1", "STOPPING=1"])

    def test_a_watchdog_hears_that_the_watch_is_alive(self):
        words = self.hears("\0cie-dog", "@cie-dog", WATCHDOG_USEC="1000000")
        self.assertEqual(words, ["READY=1", "WATCHDOG=1", "STOPPING=1"])

    def test_a_watchdog_of_another_process_hears_nothing(self):
        manager = Manager("\0cie-other")
        watch = Watch("--reader", "00 00", "--deadline", "2", environment={
            "NOTIFY_SOCKET": "@cie-other", "WATCHDOG_USEC": "200000", "WATCHDOG_PID": "1"})
        self.assertEqual(watch.process.wait(PATIENCE), 0)
        watch.process.stdout.close()
        self.assertEqual([manager.hear(), manager.hear()], ["READY=1", "STOPPING=1"])
        manager.socket.close()


class ReaderTests(unittest.TestCase):
    def test_a_card_is_read_on_the_reader_on_which_it_came(self):
        watch = Watch()
        watch.until("reader-added")
        watch.until("reader-added")
        first = insert("--persona", "nxp")
        self.assertEqual(watch.until("result")[-1]["servicesNumber"], "100200300412")
        second = insert("--persona", "st", "--port", "35964")
        result = watch.until("result")[-1]
        self.assertTrue(result["reader"].endswith("00 01"), result)
        self.assertNotEqual(result["servicesNumber"], "100200300412")
        for card in (second, first):
            pull(card)
            watch.until("card-removed")
        self.assertEqual(watch.end(), 143)

    def test_once_ends_with_the_first_card_and_its_exit_code(self):
        watch = Watch("--once", "--reader", "00 00")
        watch.until("reader-added")
        card = insert("--fault", "card-removed@2")
        try:
            # Gone before it was connected to, or after.
            error = watch.until("result")[-1]["error"]
            self.assertIn(error["exit"], (5, 9))
            self.assertEqual(watch.process.wait(PATIENCE), error["exit"])
        finally:
            watch.process.kill()
            watch.process.stdout.close()
            pull(card)

    def test_only_the_reader_that_is_meant_is_told_of(self):
        watch = Watch("--reader", "00 00", "--do", "none")
        watch.until("reader-added")
        other = insert("--port", "35964")
        meant = insert()
        events = watch.until("card-present")
        self.assertEqual([event["event"] for event in events], ["card-present"])
        self.assertTrue(events[0]["reader"].endswith("00 00"))
        watch.end()
        for card in (other, meant):
            pull(card)

    def test_a_watch_to_which_nobody_listens_ends(self):
        reading, writing = os.pipe()
        watch = Watch("--reader", "00 00", "--do", "none", output=writing, errors=subprocess.PIPE)
        os.close(writing)
        os.read(reading, 1)
        os.close(reading)
        card = insert()
        try:
            # No error, because the receiver is gone.
            self.assertEqual(watch.process.communicate(timeout=PATIENCE)[1], b"")
            self.assertEqual(watch.process.returncode, 1)
        finally:
            watch.process.kill()
            pull(card)


class ProgramTests(unittest.TestCase):
    def test_a_signal_ends_the_program_too(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"echo $$ > {folder}/began; exec sleep 60"
            watch = Watch(
                "--reader", "00 00", "--do", "none", "--exec", "sh", "--", "-c", script)
            card = insert()
            began = pathlib.Path(folder, "began")
            while not (began.exists() and began.read_text()):
                time.sleep(0.02)
            program = int(began.read_text())
            self.assertEqual(watch.end(), 143)
            pull(card)
            with self.assertRaises(ProcessLookupError):
                os.kill(program, 0)

    def test_an_absent_service_is_told_of_once(self):
        watch = Watch("--deadline", "2", environment={"PCSCLITE_CSOCK_NAME": "/proc/nonexistent"})
        lines = watch.process.stdout.read().splitlines()
        self.assertEqual(watch.process.wait(PATIENCE), 0)
        watch.process.stdout.close()
        self.assertEqual([json.loads(line)["event"] for line in lines], ["error"])


if __name__ == "__main__":
    unittest.main()
