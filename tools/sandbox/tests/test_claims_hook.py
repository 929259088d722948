"""The claims provider: an external party adds to the token, or fails to."""
import contextlib
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .rig import Rig, SandboxTest
from .ways import Native, curl, user

KIND = "microsoft.graph.tokenIssuanceStart.provideClaimsForToken"


def provided(**claims: Any) -> bytes:
    """An answer in the published form."""
    return json.dumps({"data": {
        "@odata.type": "microsoft.graph.onTokenIssuanceStartResponseData",
        "actions": [{"@odata.type": KIND, "claims": claims}]}}).encode()


class HookTest(SandboxTest):
    """A provider on loopback, which answers as the test sets it."""

    def setUp(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[], tuple[int, bytes]] = lambda: (200, b"")
        test = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                test.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                status, body = test.answer()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", test.url)
                self.end_headers()
                # A client that waited too long is gone.
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def do_GET(self) -> None:
                # The target of a redirect, which must not be followed.
                self.send_response(200)
                self.end_headers()
                self.wfile.write(provided())

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/claims"
        self.client = Native(self.rig)
        self.hook(self.url)
        self.addCleanup(self.hook, "")

    def hook(self, url: str) -> int:
        """Sets the hook; the status."""
        return curl(self.rig, self.rig.ready["waysControl"] + "claims-hook", form={"url": url}).status

    def test_claims_from_outside(self) -> None:
        self.answer = lambda: (200, provided(
            shoeSize=42, clubs=["nuoto"], iss="https://elsewhere.invalid", sub="x", acr="level-9"))
        said = self.client.judged(self.client.by_password("password"))
        self.assertEqual((said["shoeSize"], said["clubs"], said["given_name"]), (42, ["nuoto"], "GELSOMINA"))
        self.assertNotEqual(said["sub"], "x")
        self.assertNotIn("acr", said)
        asked = self.asked[0]["data"]["authenticationContext"]
        self.assertEqual(asked["user"]["mail"], user(self.rig, "password")["userName"])
        self.assertEqual(asked["clientServicePrincipal"]["appId"], self.client.client)

    def test_no_answer_that_is_one(self) -> None:
        other = json.loads(provided())
        other["data"]["actions"][0]["@odata.type"] = "another"

        def late() -> tuple[int, bytes]:
            time.sleep(2.5)
            return 200, provided()

        answers: list[Callable[[], tuple[int, bytes]]] = [
            lambda: (500, b""), lambda: (200, b"no JSON"), lambda: (200, b"{}"), lambda: (302, b""),
            lambda: (200, json.dumps(other).encode()), lambda: (200, provided() + b" " * 70000), late]
        for answer in answers:
            self.answer = answer
            failed = self.client.by_password("password")
            self.assertEqual((failed.status, failed.error), (500, ("server_error", [1003010], None)))
        self.hook("http://127.0.0.1:9/nobody")
        self.assertEqual(self.client.by_password("password").status, 500)

    def test_loopback_only(self) -> None:
        self.assertEqual(self.hook("https://example.invalid/"), 403)
        rig = Rig("--claims-hook", self.url, like=self.rig)
        self.addCleanup(rig.remove)
        self.answer = lambda: (200, provided(shoeSize=43))
        client = Native(rig)
        self.assertEqual(client.judged(client.by_password("password"))["shoeSize"], 43)
