"""The page of cie-read serve when another program has taken its port."""
import http.server
import threading

from page_test import PageTest
from processes import stop
from service import Service


class PortTest(PageTest):
    """A page that outlives its service."""

    def test_another_program_at_the_port(self):
        """After the service, a program at its port gets neither the token nor a code."""
        service = Service(self.processes, self.folder, "--page", "--virtual")
        self.browse(f"http://127.0.0.1:{service.port}/#token={service.token}")
        self.state("card")
        self.page.run("document.getElementById('can').value = '123456'")
        stop(service.process)
        self.state("disconnected")
        with impostor(service.port) as asked:
            # The remaining actions of a person, and then those of the page itself.
            self.page.run("for (const element of document.querySelectorAll('button')) element.click()")
            self.page.run("for (const form of document.querySelectorAll('form')) form.requestSubmit()")
            self.page.run("document.getElementById('language').dispatchEvent(new Event('change'))")
            self.page.run("location.reload()")
            self.page.wait("document.title === 'impostor'")
            kept = "JSON.stringify([location.href, {...sessionStorage}, {...localStorage}, document.cookie])"
            self.assertNotIn(service.token, self.page.run(kept))
        self.assertNotIn(service.token, "".join(asked))
        self.assertIn("GET / HTTP/1.1", asked[0])
        self.assertEqual([request for request in asked if "/v1/" in request or "page.json" in request], [])


class impostor:
    """Another program at a port, with a separate page; the requests to it."""

    def __init__(self, port):
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(f"{self.requestline}\n{self.headers}")
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><title>impostor</title>")

            do_POST = do_OPTIONS = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.requests

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
