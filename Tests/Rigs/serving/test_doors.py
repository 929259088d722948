"""Access rules: file permissions at the Unix socket; token, name and origin at the port; sockets of systemd."""
import json
import os
import socket
import subprocess
import unittest

from service import (
    PATIENCE, Service, PROGRAMS, Connection, ServiceTest, connect, exchange, free_port, is_open, keep, status_of, wait)


class DoorTest(ServiceTest):
    """Only the headers are checked, and the request does not reach a card."""

    def status(self, service, *lines, path="/v1/status", method="GET"):
        """The status that a request with these headers gets at the port."""
        head = "".join(f"{line}\r\n" for line in lines)
        return exchange(service.port, f"{method} {path} HTTP/1.1\r\n{head}\r\n")

    def test_the_socket_is_for_its_user_alone(self):
        service = self.start("--virtual", port=False)
        self.assertEqual(service.path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(service.ask("GET", "/v1/status").status, 200)
        # If there are other users.
        users = sum(int(line.split()[2]) for line in open("/proc/self/uid_map"))
        if os.geteuid() == 0 and users > 65534:
            self.folder.chmod(0o755)
            probe = f"import socket; socket.socket(socket.AF_UNIX).connect({str(service.path)!r})"
            stranger = subprocess.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c", probe],
                capture_output=True, text=True)
            self.assertIn("PermissionError", stranger.stderr)
        # No browser connects here: a request with an origin comes from a program that forwards a browser's requests.
        self.assertEqual(service.ask("GET", "/v1/status", headers={"Origin": "https://desk.example"}).status, 403)

    def test_token(self):
        service = self.start("--virtual")
        host = f"Host: 127.0.0.1:{service.port}"
        good = f"Authorization: Bearer {service.token}"
        self.assertEqual(self.status(service, host, good), 200)
        self.assertEqual(self.status(service, host, good.replace("Bearer", "bearer")), 200)
        for line in (
                "X: y", "Authorization: Bearer", "Authorization: Bearer ", f"Authorization: Basic {service.token}",
                f"Authorization: {service.token}", good[:-1], good + "0", good.upper(), good.replace("Bearer ", "Bearer  "),
                "Authorization: Bearer " + "0" * len(service.token)):
            with self.subTest(line):
                self.assertEqual(self.status(service, host, line), 401)
        for path in (f"/v1/status?token={service.token}", f"/v1/status?access_token={service.token}"):
            self.assertEqual(self.status(service, host, path=path), 401)
        # Twice, with the right one in either place.
        self.assertEqual(self.status(service, host, good, "Authorization: Bearer no"), 400)
        self.assertEqual(self.status(service, host, "Authorization: Bearer no", good), 400)
        answer = service.ask("GET", "/v1/status", by="port", headers={"Authorization": "Bearer no"})
        self.assertEqual((answer.status, answer.body, answer.headers["WWW-Authenticate"]), (401, b"", "Bearer"))

    def test_name_of_the_service(self):
        """A page whose server resolves its own name to our address (DNS rebinding)."""
        service = self.start("--virtual", "--page")
        good = f"Authorization: Bearer {service.token}"
        names = [f"127.0.0.1:{service.port}", f"localhost:{service.port}", f"LOCALHOST:{service.port}"]
        for name in names:
            self.assertEqual(self.status(service, f"Host: {name}", good), 200)
        for name in (
                "evil.example", f"evil.example:{service.port}", "127.0.0.1", "localhost", f"127.0.0.1:{service.port + 1}",
                f"127.0.0.1.evil.example:{service.port}", f"[::1]:{service.port}", f"0.0.0.0:{service.port}", "",
                f"127.0.0.1:{service.port}, evil.example", f"127.1:{service.port}"):
            for path in ("/v1/status", "/", "/page.js"):
                with self.subTest(name=name, path=path):
                    self.assertEqual(self.status(service, f"Host: {name}", good, path=path), 421)
        self.assertEqual(self.status(service, good), 421)
        for pair in ((names[0], "evil.example"), ("evil.example", names[0]), (names[0], names[0])):
            self.assertEqual(self.status(service, *(f"Host: {name}" for name in pair), good), 400)

    def test_a_page_has_challenges_answered_for_itself_alone(self):
        service = self.start("--virtual", "--page", "--origin", "https://desk.example:8443")
        challenge = "00" * 32

        def ask(function, object, origin="https://desk.example:8443"):
            headers = {"Origin": origin} if origin else {}
            return service.ask("POST", f"/v1/{function}", json.dumps(object), by="port", headers=headers)
        own = {"challenge": challenge, "evidence": True}
        for audience in ("desk.example", "https://desk.example:8443"):
            answer = ask("nis", {**own, "audience": audience})
            self.assertEqual((answer.status, json.loads(answer.object["evidence"])["audience"]), (200, audience))
        page = f"http://127.0.0.1:{service.port}"
        self.assertEqual(ask("nis", {**own, "audience": "127.0.0.1"}, page).status, 200)
        for function in ("nis", "verify", "read", "cert"):
            for object in ({**own, "audience": "bank.example"}, own, {**own, "audience": "DESK.example"}, {**own, "audience": "127.0.0.1"},
                           {"evidence": True, "audience": "bank.example"}, {"audience": "desk.example", "challenge": challenge},
                           {"challenge": challenge}, {**own, "audience": "desk.example", "evidence": False}, {**own, "audience": 5}):
                with self.subTest(function=function, object=object):
                    answer = ask(function, object)
                    self.assertEqual((answer.status, answer.error in ("foreign-audience", "bad-member")), (400, True), answer.body)
        self.assertEqual(ask("verify", {"challenge": challenge}).error, "foreign-audience")
        # Without a challenge there is nothing to pass on; a judge names what it likes, as does a program with the token.
        self.assertEqual(ask("nis", {}).status, 200)
        self.assertEqual(ask("evidence", {"evidence": "{}", "challenge": challenge, "audience": "bank.example"}).error, "evidence-malformed")
        self.assertEqual(ask("nis", {**own, "audience": "bank.example"}, None).status, 200)

    def test_origin(self):
        service = self.start("--virtual", "--page", "--origin", "https://desk.example")
        host, good = f"Host: 127.0.0.1:{service.port}", f"Authorization: Bearer {service.token}"
        own = f"http://127.0.0.1:{service.port}"
        for origin in ("https://desk.example", own, f"http://localhost:{service.port}"):
            self.assertEqual(self.status(service, host, good, f"Origin: {origin}"), 200)
        for origin in (
                "https://evil.example", "null", "http://desk.example", "https://desk.example:444", "https://desk.example/",
                "https://desk.example.evil.example", "https://DESK.example", "http://127.0.0.1", "file://", ""):
            with self.subTest(origin):
                self.assertEqual(self.status(service, host, good, f"Origin: {origin}"), 403)
        two = ("Origin: https://desk.example", "Origin: https://evil.example")
        self.assertEqual(self.status(service, host, good, *two), 400)
        self.assertEqual(self.status(service, host, good, *reversed(two)), 400)
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            self.assertEqual(self.status(service, host, good, f"Sec-Fetch-Site: {site}"), status, site)
        # The headers with which a browser lets the page of a listed origin read the answer, and no other one.
        answer = service.ask("GET", "/v1/status", by="port", headers={"Origin": "https://desk.example"})
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://desk.example")
        self.assertNotIn("Access-Control-Allow-Credentials", answer.headers)
        asked = service.ask("OPTIONS", "/v1/nis", by="port", headers={
            "Origin": "https://desk.example", "Authorization": "", "Access-Control-Request-Method": "POST"})
        self.assertEqual((asked.status, asked.headers["Access-Control-Allow-Origin"]), (204, "https://desk.example"))
        self.assertEqual(
            self.status(service, host, "Origin: https://evil.example", path="/v1/nis", method="OPTIONS"), 403)

    def test_a_refused_body_is_read_before_the_answer(self):
        """A client that is still sending gets the answer, and no broken pipe in its place (RFC 9112 9.6)."""
        service = self.start("--virtual", "--page")
        host, good, evil = f"Host: 127.0.0.1:{service.port}", f"Authorization: Bearer {service.token}", "Origin: https://evil.example"
        body = b" " * 900_000
        cases = [
            (service.port, [host, good, evil], 403), (service.port, [host], 401), (service.port, ["Host: evil", good], 421),
            (service.port, [host, good, "Sec-Fetch-Site: cross-site"], 403), (service.port, [host, good, good], 400),
            (service.path, [host, evil], 403)]
        for place, lines, status in cases:
            for path in ("/v1/files/1", "/v1/nis"):
                for chunked in (False, True):
                    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
                    head = "\r\n".join([f"POST {path} HTTP/1.1", *lines, "Content-Type: application/octet-stream", length])
                    text = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n" if chunked else body
                    with connect(place, 60) as client:
                        client.sendall(head.encode() + b"\r\n\r\n")
                        for at in range(0, len(text), 65536):
                            client.sendall(text[at:at + 65536])
                        self.assertEqual(status_of(client), status, (lines, path, chunked))
        # A client that asks first gets the answer at once.
        with connect(service.port, 60) as client:
            client.sendall(f"POST /v1/nis HTTP/1.1\r\n{host}\r\n{evil}\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n".encode())
            self.assertEqual(status_of(client), 403)
        self.assertEqual(service.ask("GET", "/v1/status").status, 200)

    def test_without_a_page_its_own_origin_is_none(self):
        service = self.start("--virtual")
        own = {"Origin": f"http://127.0.0.1:{service.port}"}
        self.assertEqual(service.ask("GET", "/v1/status", by="port", headers=own).status, 403)
        self.assertEqual(service.ask("GET", "/", by="port").status, 404)

    def test_page_is_open_and_shut_in(self):
        service = self.start("--virtual", "--page")
        for path in ("/", "/page.css", "/page.js", "/service.js", "/page.json"):
            answer = service.ask("GET", path, by="port", headers={"Authorization": ""})
            self.assertEqual(answer.status, 200)
            self.assertNotIn(service.token.encode(), answer.body)
            policy = answer.headers["Content-Security-Policy"]
            for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "connect-src 'self'"):
                self.assertIn(rule, policy)
            self.assertNotIn("unsafe", policy)
            if path != "/page.json":
                self.assertNotIn(b"://", answer.body)
        for path in ("/page.json/", "/v1/page.json", "/pin", "/../page.js"):
            self.assertIn(service.ask("GET", path, by="port", headers={"Authorization": ""}).status, (400, 401, 404))

    def test_a_socket_that_was_left_behind(self):
        path = self.folder / "service.sock"
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(path))
        service = self.start("--virtual", port=False)
        second = self.processes.run(
            PROGRAMS / "cie-read", "serve", "--virtual", "--allow", "status", "--socket", path, check=False)
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertIn(f"Another program already answers at {path}", second.stderr)
        self.assertNotIn("free space", second.stderr)
        self.assertTrue(is_open(service.path))

    def test_a_place_that_another_program_has(self):
        """The cause is the one that was seen: a program that answers, a file, or a folder without permission."""
        first = self.start("--virtual")
        with socket.socket(socket.AF_UNIX) as full, socket.create_server(("127.0.0.1", 0)) as port:
            full.bind(str(self.folder / "full"))
            full.listen(0)
            waiting = [socket.socket(socket.AF_UNIX) for _ in range(3)]
            for client in waiting:
                client.setblocking(False)
                client.connect_ex(str(self.folder / "full"))
            (self.folder / "plain").write_text("mine")
            (self.folder / "link").symlink_to(self.folder / "none")
            places = {
                ("--socket", str(first.path)): "place-taken", ("--socket", str(self.folder / "full")): "place-taken",
                ("--http", str(port.getsockname()[1])): "place-taken", ("--http", str(first.port)): "place-taken",
                ("--socket", str(self.folder / "plain")): "output-unwritable",
                ("--socket", str(self.folder / "link")): "output-unwritable",
                ("--socket", str(self.folder)): "output-unwritable",
                ("--socket", str(self.folder / "plain" / "below")): "output-unwritable"}
            for (option, place), name in places.items():
                more = () if option == "--socket" else ("--socket", self.folder / "other", "--token-file", self.folder / "token")
                end = self.processes.run(
                    PROGRAMS / "cie-read", "serve", "--virtual", "--allow", "status", option, place, *more, "--json", check=False)
                keep(end.stdout)
                self.assertEqual((end.returncode, json.loads(end.stdout)["error"]["name"]), (1, name), place)
                self.assertIn(place, json.loads(end.stdout)["error"]["what"])
            for client in waiting:
                client.close()
        self.assertEqual(first.ask("GET", "/v1/status").status, 200)

    def test_the_socket_of_a_later_service_is_left_alone(self):
        service = Service(self.processes, self.folder, "--virtual", port=False)
        # Both exist for a moment, so that the second one is another file.
        later = self.folder / "later.sock"
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(later))
            later.rename(service.path)
            service.process.terminate()
            service.process.wait(PATIENCE)
            self.assertTrue(service.path.exists())

    def test_another_file_is_left_alone(self):
        path = self.folder / "file"
        path.write_text("mine")
        end = self.processes.run(
            PROGRAMS / "cie-read", "serve", "--virtual", "--allow", "status", "--socket", path, "--json", check=False)
        self.assertEqual((end.returncode, path.read_text()), (1, "mine"))
        keep(end.stdout)

    def test_token_file(self):
        file = self.folder / "token"
        for text, mode, name in (
                ("a" * 31, 0o600, "bad-token"), ("a" * 40 + "\nb", 0o600, "bad-token"), ("a" * 20 + " " + "a" * 20, 0o600, "bad-token"),
                ("", 0o600, "bad-token"), ("ä" * 32, 0o600, "bad-token"), ("a" * 40, 0o640, "exposed-token"), ("a" * 40, 0o604, "exposed-token")):
            file.write_text(text)
            file.chmod(mode)
            end = self.processes.run(
                PROGRAMS / "cie-read", "serve", "--virtual", "--allow", "status", "--http", str(free_port()), "--token-file", file, check=False)
            self.assertEqual(end.returncode, 64, (text, mode))
            self.assertIn(f"[{name};", end.stderr)

    def activated(self, *listen):
        """The program as started by systemd, at the first connection, with sockets that are open already."""
        token = self.folder / "token"
        token.write_text("t" * 32)
        token.chmod(0o600)
        return self.processes.start(
            "systemd-socket-activate", *(word for place in listen for word in ("--listen", place)), PROGRAMS / "cie-read",
            "serve", "--virtual", "--allow", "status", "--token-file", token)

    def test_sockets_of_systemd(self):
        path, port = self.folder / "passed.sock", free_port()
        self.activated(path, f"127.0.0.1:{port}")
        wait(lambda: is_open(path))
        for place, headers in ((path, {}), (port, {"Authorization": "Bearer " + "t" * 32})):
            connection = Connection(place)
            connection.request("GET", "/v1/status", headers=headers)
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        self.assertEqual(exchange(port, f"GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"), 401)
        # The default socket is not opened beside them.
        self.assertFalse((self.folder / "cie-read.sock").exists())

    def test_a_socket_of_systemd_for_other_machines_is_refused(self):
        port = free_port()
        program = self.activated(f"0.0.0.0:{port}")
        # The connection starts the program.
        wait(lambda: program.poll() is not None or is_open(port))
        self.assertEqual(program.wait(PATIENCE), 64)


if __name__ == "__main__":
    unittest.main()
