"""The input of clients: too much, too slow, too often, and malformed HTTP or JSON."""
import socket
import threading
import unittest

from service import Connection, Events, ServiceTest, connect, exchange, status_of, wait

HEAD = "POST /v1/{} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


class RequestTest(ServiceTest):
    """At the Unix socket, where no client is refused by its identity."""

    def test_paths_methods_and_types(self):
        service = self.start("--virtual", allow="status,nis")
        for path in ("/v1/nothing", "/v1/", "/v1", "/v2/nis", "/v1/nis/", "/v1/nis%00", "/v1/%6eis", "//v1/nis", "/v1/serve",
                     "/V1/nis", "/", "/page.js", "/v1/../v1/nis"):
            answer = service.ask("POST", path, {})
            self.assertEqual((answer.status, answer.error), (404, "unknown-path"), path)
        for function in ("info", "verify", "read", "cert", "sign", "login"):
            answer = service.do(function)
            self.assertEqual((answer.status, answer.error), (403, "function-not-allowed"), function)
        for method, path in (("GET", "/v1/nis"), ("PUT", "/v1/nis"), ("DELETE", "/v1/status"), ("POST", "/v1/status"),
                             ("POST", "/v1/events"), ("GET", "/v1/cancel")):
            answer = service.ask(method, path)
            self.assertEqual((answer.status, answer.error), (405, "wrong-method"), path)
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx"):
            answer = service.do("nis", headers={"Content-Type": kind})
            self.assertEqual((answer.status, answer.error), (415, "wrong-media-type"), kind)
        self.assertEqual(service.do("nis", headers={"Content-Type": "application/json; charset=utf-8"}).status, 200)
        # Without members there need be no body, and nothing to declare.
        self.assertEqual(exchange(service.path, HEAD.format("nis") + "Content-Length: 0\r\n\r\n"), 200)
        self.assertIn("allowed: status, nis.", service.errors.read_text())

    def test_events_are_part_of_the_status(self):
        service = self.start("--virtual", allow="nis")
        for path in ("/v1/status", "/v1/events"):
            self.assertEqual(service.ask("GET", path).error, "function-not-allowed")

    def test_objects(self):
        service = self.start("--virtual", "--pin-entry", "page")
        for text in ("[]", "null", "1", '"x"', "{", "{}{}", "{'a':1}", '{"a":1,}', "\x00", "nis", '{"requireProved":tru}',
                     '{"requireProved":true,"requireProved":true}', "[" * 5000, '{"a":' * 3000, '{"requireProved":"\ud800"}'):
            answer = service.do("nis", text.encode("utf-8", "surrogatepass"))
            self.assertEqual((answer.status, answer.error), (400, "malformed-request"), text[:40])
        for function, object in (
                ("nis", {"x": 1}), ("nis", {"requireProved": 1}), ("nis", {"requireProved": None}), ("info", {"can": "223606"}),
                ("nis", {"pin": "12345678"}), ("verify", {"only": "dg1"}), ("verify", {"only": [1]}), ("read", {"can": 223606}),
                ("sign", {"pin": "12345678", "digests": ["00"]}), ("sign", {"pin": "12345678", "digests": []}),
                ("sign", {"pin": "12345678", "digests": ["00" * 32] * 17}), ("cancel", {"x": 1}),
                ("sign", {"pin": "12345678", "digests": ["00" * 32], "algorithm": "md5"})):
            answer = service.do(function, object)
            self.assertEqual((answer.status, answer.error), (400, "bad-member"), (function, object))
        # A misspelt member is named, unless it could be a code.
        for object, name in (({"cna": "223606"}, "cna"), ({"12345678": ""}, "?")):
            self.assertIn(f": {name}.", service.do("read", object).object["error"]["what"])
        for function, object, name in (
                ("read", {"can": "22360"}, "can-length"), ("read", {"can": "22360x"}, "can-not-digits"), ("read", {}, "can-missing"),
                ("verify", {"can": "223606", "only": ["dg3"]}, "protected-data-group"), ("verify", {"challenge": "zz"}, "bad-challenge"),
                ("evidence", {"evidence": "{}", "require": []}, "unknown-part"), ("evidence", {"evidence": "{}", "require": ["chip"]}, "unknown-part"),
                ("evidence", {"evidence": "{}", "maxAge": -5}, "bad-member"), ("evidence", {"evidence": "{}", "require": "ias"}, "bad-member"),
                ("verify", {"only": ["dg1"]}, "groups-without-access-code"), ("login", {"pin": "12345678"}, "no-start"),
                ("cert", {}, "pin-missing"), ("cert", {"pin": "1234567"}, "pin-length"), ("cert", {"pin": "1234567x"}, "pin-not-digits"),
                ("cert", '{"pin":"1234567\\u0038"}', "pin-length"), ("cert", '{"p\\u0069n":"12345678"}', "pin-not-digits"),
                ("cert", {"pin": 12345678}, "bad-member")):
            answer = service.do(function, object)
            self.assertEqual((answer.status, answer.error), (400, name), (function, object))

    def test_too_much(self):
        service = self.start("--virtual")
        self.assertEqual(service.do("nis", b" " * 16000 + b"{}").status, 200)
        self.assertEqual(exchange(service.path, HEAD.format("nis") + "Content-Length: 16385\r\n\r\n"), 413)
        self.assertEqual(exchange(service.path, HEAD.format("nis") + "Content-Length: 99999999999999999999999\r\n\r\n"), 413)
        self.assertEqual(exchange(service.path, HEAD.format("nis") + "Content-Length: -1\r\n\r\n"), 400)
        chunked = HEAD.format("nis") + "Transfer-Encoding: chunked\r\n\r\n"
        block = "1000\r\n" + " " * 4096 + "\r\n"
        self.assertEqual(exchange(service.path, chunked + block + "2\r\n{}\r\n0\r\n\r\n"), 200)
        self.assertEqual(exchange(service.path, chunked + block * 5 + "0\r\n\r\n"), 413)
        # Endless input is cut.
        self.assertEqual(exchange(service.path, chunked + block * 1000), 0)
        self.assertEqual(exchange(service.path, "GET /v1/status HTTP/1.1\r\nHost: x\r\nX: " + "x" * 20000 + "\r\n\r\n"), 431)
        self.assertIn(exchange(service.path, "GET /" + "x" * 20000 + " HTTP/1.1\r\nHost: x\r\n\r\n"), (0, 414))
        both = HEAD.format("nis") + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        self.assertEqual(exchange(service.path, both), 400)
        self.assertEqual(exchange(service.path, HEAD.format("nis") + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "), 400)

    def test_not_http(self):
        service = self.start("--virtual")
        texts = [
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512) + b"\r\n\r\n", b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"nis\r\n\r\n",
            b"GET /v1/status\r\n\r\n", b"GET /v1/status HTTP/9.9\r\nHost: x\r\n\r\n", b"\x00" * 64 + b"\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", bytes(range(256)) + b"\r\n\r\n"]
        for text in texts:
            with connect(service.path, 30) as client:
                client.sendall(text)
                client.shutdown(socket.SHUT_WR)
                try:
                    self.assertNotEqual(status_of(client), 200, text[:40])
                except (ConnectionResetError, ValueError, IndexError):
                    pass
        self.assertEqual(service.ask("GET", "/v1/status").status, 200)

    def test_several_requests_on_a_connection(self):
        service = self.start("--virtual")
        connection = Connection(service.path)
        for _ in range(20):
            connection.request("POST", "/v1/nis", "{}", {"Content-Type": "application/json"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, len(answer.read()) > 100), (200, True))
        connection.close()

    def test_a_thousand_connections(self):
        service = self.start("--virtual")
        for by in ("socket", "port"):
            self.assertEqual(service.ask("GET", "/v1/status", by=by).status, 200)
        before = service.footprint()
        statuses = []

        def one(place, head):
            try:
                statuses.append(exchange(place, f"GET /v1/status HTTP/1.1\r\nConnection: close\r\n{head}\r\n", 60))
            except OSError:
                statuses.append(0)

        doors = [(service.path, "Host: x\r\n"),
                 (service.port, f"Host: 127.0.0.1:{service.port}\r\nAuthorization: Bearer {service.token}\r\n")]
        for place, head in doors:
            statuses.clear()
            threads = [threading.Thread(target=one, args=(place, head)) for _ in range(1000)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(statuses.count(200) + statuses.count(0), 1000)
            # The rest was closed without an answer, and no client was left waiting.
            self.assertGreater(statuses.count(200), 0, place)
        self.assertEqual(service.ask("GET", "/v1/status").status, 200)
        # The last ones may still be closing.
        wait(lambda: service.footprint()[1] <= before[1] + 1)
        self.assertLess(service.footprint()[0], before[0] + 20_000)

    def test_slow_and_half_open_ones_are_cut(self):
        """A byte a second does not keep a connection, and does not delay other clients."""
        service = self.start("--virtual")
        slow = [connect(service.path) for _ in range(100)]
        silent = [connect(service.path) for _ in range(100)]
        half = [connect(service.path) for _ in range(20)]
        for client in half:
            client.sendall((HEAD.format("nis") + "Content-Length: 10\r\n\r\n{").encode())
        for client in slow:
            client.sendall(b"GET /v1/status HTTP/1.1\r\n")
        events = Events(service)
        left = list(slow)

        def all_are_cut():
            self.assertEqual(service.ask("GET", "/v1/status").status, 200)
            for client in list(left):
                try:
                    client.sendall(b"X: y\r\n")
                except OSError:
                    left.remove(client)
            return not left

        wait(all_are_cut, pause=0.5)
        for client in silent + half:
            try:
                self.assertIn(client.recv(1), (b"", b"H"))
            except ConnectionResetError:
                pass
        # A listener of events is not slow.
        self.assertFalse(events.answer.isclosed())
        events.close()
        for client in slow + silent + half:
            client.close()


if __name__ == "__main__":
    unittest.main()
