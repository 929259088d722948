"""The memory of the service: no code of a request is in it after the answer, and a request leaves nothing behind."""
import json
import os
import socket
import sys
import time
import unittest
from pathlib import Path

from service import PIN, Connection, Service, ServiceTest, connect, status_of, stop, wait

sys.path.append(str(Path(__file__).resolve().parents[1] / "lab"))
from assuring.program import forms, memory  # noqa: E402

HASH = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
JSON = {"Content-Type": "application/json"}


class MemoryTest(ServiceTest):
    """A search of the whole process, by another one that may."""

    def planted(self):
        """A code that is nowhere yet."""
        self.count = getattr(self, "count", 0) + 1
        return f"73{self.count:02}4918"

    def found(self, service, *codes):
        """The forms of the codes in the process, 100 ms after its last answer."""
        time.sleep(0.1)
        text = memory(service.process.pid)
        self.assertIn(str(service.path).encode(), text)
        return [(code, form) for code in codes for form in (*(form for form in forms(code) if len(form) > 6), code.encode("utf-16-le")) if form in text]

    def raw(self, place, text, end=socket.SHUT_WR):
        """Sends bytes, and breaks the connection; the status, if any."""
        with connect(place, 30) as client:
            try:
                client.sendall(text)
                if end is not None:
                    client.shutdown(end)
                return status_of(client)
            except (ConnectionResetError, BrokenPipeError, IndexError, ValueError):
                return 0

    def test_codes_of_answered_requests(self):
        service = self.start("--pin-entry", "page")
        self.card.insert()
        new = self.planted()
        self.assertEqual(service.do("pin-change", {"pin": PIN, "newPin": new}).status, 200)
        self.assertEqual(self.found(service, new), [])
        self.assertEqual(service.do("cert", {"pin": new}).status, 200)
        self.assertEqual(self.found(service, new), [])
        wrong = self.planted()
        self.assertEqual(service.do("cert", {"pin": wrong}).error, "wrong-pin")
        self.assertEqual(self.found(service, wrong, new), [])
        # On a connection that stays open, with a right PIN, a wrong one and the refusal of the last try.
        connection = Connection(service.path)
        codes = [new] + [self.planted() for _ in range(3)]
        for code in codes:
            connection.request("POST", "/v1/sign", json.dumps({"pin": code, "digests": [HASH]}), JSON)
            connection.getresponse().read()
        self.assertEqual(self.found(service, *codes), [])
        connection.close()
        old = self.planted()
        self.assertNotEqual(service.do("pin-change", {"pin": old, "newPin": "11223344"}).status, 200)
        self.assertEqual(self.found(service, old, *codes), [])

    def test_codes_in_one_piece_and_in_several(self):
        """A head and its body in one packet, in chunks, byte by byte: at the file, and at the port."""
        service = self.start("--pin-entry", "page")
        self.card.insert()
        kind = "Content-Type: application/json\r\n"
        doors = [(service.path, "Host: x\r\n"),
                 (service.port, f"Host: 127.0.0.1:{service.port}\r\nAuthorization: Bearer {service.token}\r\n")]
        for place, host in doors:
            for pieces in ("whole", "chunks", "bytes"):
                pin = self.planted()
                body = json.dumps({"pin": pin, "digests": [HASH]})
                head = f"POST /v1/sign HTTP/1.1\r\n{host}{kind}"
                with connect(place, 30) as client:
                    if pieces == "chunks":
                        chunks = "".join(f"1\r\n{letter}\r\n" for letter in body)
                        client.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n".encode())
                    else:
                        text = f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
                        for piece in [text] if pieces == "whole" else [text[at:at + 1] for at in range(len(text))]:
                            client.sendall(piece)
                    self.assertEqual(status_of(client), 422)
                    # The connection is still open.
                    self.assertEqual(self.found(service, pin), [], (place, pieces))

    def test_codes_of_requests_that_are_not_begun(self):
        service = self.start("--pin-entry", "page", "--virtual", allow="cert,sign,nis,files")
        objects = [
            lambda pin: {"pin": pin, "x": 1}, lambda pin: {"x": pin}, lambda pin: {pin: "x"}, lambda pin: {"pin": int(pin)},
            lambda pin: {"pin": [pin]}, lambda pin: {"pin": {"pin": pin}}, lambda pin: {"puk": pin}, lambda pin: {"digests": [pin]},
            lambda pin: {"pin": pin + "x"}, lambda pin: {"pin": pin * 9}, lambda pin: [pin], lambda pin: pin,
            lambda pin: '{"p\\u0069n":"' + pin + '"}', lambda pin: '{"pin":"' + pin, lambda pin: '{"pin":"' + pin + '"} {}',
            lambda pin: '{"pin":"' + pin + '","pin":"' + pin + '"}', lambda pin: "{'pin':'" + pin + "'}"]
        for function in ("cert", "sign", "nis", "read", "nothing", "cancel", "files", "files/x/password", "files/x"):
            for make in objects:
                pin = self.planted()
                text = make(pin)
                answer = service.do(function, text if isinstance(text, str) else json.dumps(text))
                self.assertGreaterEqual(answer.status, 400, (function, text))
                self.assertEqual(self.found(service, pin), [], (function, text))
        for method, kind in (("PUT", "application/json"), ("POST", "text/plain"), ("DELETE", "application/json")):
            pin = self.planted()
            service.ask(method, "/v1/cert", json.dumps({"pin": pin}), headers={"Content-Type": kind})
            self.assertEqual(self.found(service, pin), [], (method, kind))

    def test_codes_of_refused_requests(self):
        service = self.start("--pin-entry", "page", "--virtual")
        host = f"Host: 127.0.0.1:{service.port}\r\n"
        bearer = f"Authorization: Bearer {service.token}\r\n"
        heads = [
            (service.port, host), (service.port, host + "Authorization: Bearer x\r\n"), (service.port, "Host: evil\r\n" + bearer),
            (service.port, host + bearer + "Origin: https://evil.example\r\n"), (service.port, host + bearer + bearer),
            (service.path, "Host: x\r\nOrigin: https://evil.example\r\n"), (service.path, host + "Transfer-Encoding: x\r\n"),
            (service.path, "X: " + "x" * 20_000 + "\r\n")]
        for place, head in heads:
            pin = self.planted()
            body = json.dumps({"pin": pin})
            text = f"POST /v1/cert HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            self.assertNotEqual(self.raw(place, text.encode(), None), 200, head)
            self.assertEqual(self.found(service, pin), [], head[:80])

    def test_codes_of_broken_connections(self):
        service = self.start("--pin-entry", "page", "--virtual")
        head = "POST /v1/cert HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
        texts = [
            lambda pin: head + "Content-Length: 200\r\n\r\n" + json.dumps({"pin": pin}),
            lambda pin: head + "Content-Length: 99999\r\n\r\n" + json.dumps({"pin": pin}),
            lambda pin: head + "Transfer-Encoding: chunked\r\n\r\n30\r\n" + json.dumps({"pin": pin}),
            lambda pin: head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + json.dumps({"pin": pin}),
            lambda pin: head + "X-Pin: " + pin, lambda pin: "POST /v1/cert?" + json.dumps({"pin": pin}),
            lambda pin: head + "Content-Length: 2\r\n\r\n{}" + json.dumps({"pin": pin}), lambda pin: json.dumps({"pin": pin})]
        for end in (socket.SHUT_WR, socket.SHUT_RDWR):
            for make in texts:
                pin = self.planted()
                self.raw(service.path, make(pin).encode(), end)
                self.assertEqual(self.found(service, pin), [], make(pin))
        # A client that goes while the card is asked.
        for _ in range(3):
            pin = self.planted()
            client = Connection(service.path)
            client.request("POST", "/v1/cert", json.dumps({"pin": pin}), JSON)
            client.close()
            wait(lambda: not service.is_busy)
            self.assertEqual(self.found(service, pin), [])

    def test_it_is_flat_over_many_requests(self):
        """No timer, thread or descriptor of a request is there after it."""
        for words in ((), ("--deadline", "2")):
            service = Service(self.processes, self.folder, *words)
            count = int(os.environ.get("CIE_REQUESTS", 3000))
            connection = Connection(service.path)

            def some(number):
                for _ in range(number):
                    connection.request("POST", "/v1/nis", "{}", JSON)
                    answer = connection.getresponse()
                    self.assertEqual((answer.status, b"no-card" in answer.read()), (422, True))

            some(500)
            before = service.footprint()
            threads = 0
            for _ in range(10):
                some(count // 10)
                threads = max(threads, len(os.listdir(f"/proc/{service.process.pid}/task")))
            after = service.footprint()
            self.assertLess(after[0], before[0] + 1_000, f"{count} requests")
            self.assertLessEqual(after[1], before[1] + 2)
            self.assertLess(threads, 16)
            stop(service.process)
            connection.close()


if __name__ == "__main__":
    unittest.main()
