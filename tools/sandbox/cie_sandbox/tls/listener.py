"""A threaded HTTPS listener on loopback; each connection has a separate thread and context."""
import socket
import socketserver
import ssl
import sys
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from ..faults.board import FaultBoard
from ..faults.catalogue import Stage
from ..journal import Journal
from . import client_hello
from .alerts import Alert, refuse
from .contexts import ContextMaker, Policy

LOOPBACK = "127.0.0.1"
ALERTS = {
    "refuse-expired": Alert.CERTIFICATE_EXPIRED,
    "refuse-revoked": Alert.CERTIFICATE_REVOKED,
    "refuse-unknown-ca": Alert.UNKNOWN_CA,
    "refuse-bad": Alert.BAD_CERTIFICATE,
}


class Handler(WSGIRequestHandler):
    """Gives the application the client's certificate, and keeps request lines out of the log."""

    protocol_version = "HTTP/1.1"
    timeout: ClassVar[float] = 60
    server: "Listener"

    def make_environ(self) -> dict[str, Any]:
        """The WSGI environment, with what the TLS layer knows."""
        environ: dict[str, Any] = super().make_environ()
        connection: ssl.SSLSocket = self.connection
        environ["wsgi.url_scheme"] = "https"
        environ.pop("SSL_CLIENT_CERT", None)
        environ["sandbox.client_certificate"] = connection.getpeercert(True)
        environ["sandbox.tls_version"] = connection.version()
        environ["sandbox.listener"] = self.server.label
        return environ

    def version_string(self) -> str:
        """The Server header."""
        return "cie-sandbox"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Logs nothing: the applications write the journal, without request lines."""

    def handle(self) -> None:
        """One request; a client that goes away is no error."""
        try:
            BaseHTTPRequestHandler.handle(self)
        except (OSError, ssl.SSLError):
            self.server.journal.note("connection-lost", at=self.server.label)


class Listener(ThreadedWSGIServer):
    """One port. `policy` decides, by the ClientHello, on the kind of connection."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, label: str, port: int, app: Callable[..., Any], policy: Callable[[bool], Policy],
        contexts: ContextMaker, faults: FaultBoard, journal: Journal,
    ) -> None:
        super().__init__(LOOPBACK, port, app, Handler)
        self.label = label
        self.journal = journal
        self.seen: Counter[str] = Counter()
        self._policy = policy
        self._contexts = contexts
        self._faults = faults

    def server_bind(self) -> None:
        """As TCPServer: HTTPServer would look the address up in DNS."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Shakes hands, then lets the handler run."""
        tls = self._shake_hands(request)
        if tls is None:
            return
        try:
            self.RequestHandlerClass(tls, client_address, self)  # type: ignore[arg-type]
            tls.unwrap()
        except (OSError, ValueError):
            pass  # the other side went away without a farewell
        finally:
            tls.close()

    def _shake_hands(self, connection: socket.socket) -> ssl.SSLSocket | None:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            policy = self._policy(client_hello.offers_tls13(client_hello.peek(connection)))
            place = "card" if policy.card_call else self.label
            fault = self._faults.take(Stage.TLS, place)
            if fault is not None:
                self.journal.note("fault", name=fault, at=place)
            if fault == "tls-slow":
                time.sleep(self._faults.slow_seconds)
            if fault in ("tls-close", "tls-slow"):
                return None
            context = self._contexts.make(policy, fault)
            connection.settimeout(30)
            if fault in ALERTS:
                context.verify_mode = ssl.CERT_REQUIRED
                self.journal.note("refused", how=refuse(connection, context, ALERTS[fault]))
                return None
            tls = context.wrap_socket(connection, server_side=True)
            self.seen["handshakes"] += 1
            if tls.getpeercert(True):
                self.seen["certificates"] += 1
            return tls
        except ssl.SSLError as error:
            # The reason is OpenSSL's own word, as in TLSV1_ALERT_UNKNOWN_CA.
            self.seen["failures"] += 1
            self.journal.note("handshake-failed", at=self.label, reason=error.reason or "unknown")
        except OSError:
            self.journal.note("connection-lost", at=self.label)
        return None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An internal error: its type suffices for the log."""
        kind = sys.exc_info()[0]
        self.journal.note("error", at=self.label, kind=kind.__name__ if kind else "unknown")

    def log(self, type: str, message: str, *args: Any) -> None:
        """Prints nothing, because tracebacks can hold data from the wire."""
