"""The servers of the browsers' logins: an nginx that requires the card's certificate, and the sandbox."""
import json
import socket
from pathlib import Path

from card import CARD, ROOT
from processes import Processes
from remote import wait

PORT = 4412
ADDRESS = f"https://localhost:{PORT}/"

# TLS 1.2 alone, and a handshake for each page: nothing is resumed and no connection kept, so each page is a signature.
# Pages bring their icon, because a browser would ask for one.
CONFIGURATION = f"""
daemon off; pid nginx.pid; error_log nginx.error;
events {{}}
http {{
  log_format who '$status $ssl_protocol $ssl_client_verify $ssl_client_s_dn $msec';
  access_log access.log who;
  client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
  ssl_certificate server.pem; ssl_certificate_key server.key;
  ssl_verify_client on; ssl_client_certificate issuer.pem; ssl_verify_depth 2;
  ssl_session_cache off; ssl_session_tickets off; keepalive_timeout 0; default_type text/html;
  server {{
    listen {PORT} ssl; ssl_protocols TLSv1.2;
    error_page 496 =403 @refused;
    location @refused {{
      return 403 '<title>No certificate</title><link rel=icon href="data:,"><h1>No certificate</h1>';
    }}
    location / {{
      return 200 '<title>Logged in</title><link rel=icon href="data:,"><h1>Logged in</h1><p>$ssl_client_s_dn</p>';
    }}
  }}
}}
"""


class Nginx:
    """A server with a certificate of a separate authority, `ca.pem`."""

    def __init__(self, processes: Processes, folder: Path) -> None:
        self._folder = folder
        self.authority = folder / "ca.pem"
        self._make_certificates(processes)
        (folder / "nginx.conf").write_text(CONFIGURATION)
        self._program = processes.start("nginx", "-p", folder, "-c", "nginx.conf")
        wait(lambda: socket.create_connection(("127.0.0.1", PORT), 1).close() or True)

    def _make_certificates(self, processes: Processes) -> None:
        folder = self._folder
        processes.run(
            "openssl", "x509", "-inform", "DER", "-in", CARD / "certificate-issuer.der", "-out", folder / "issuer.pem")
        new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        processes.run(*new, "-keyout", folder / "ca.key", "-out", self.authority, "-subj", "/CN=authority of the test")
        processes.run(
            *new, "-keyout", folder / "server.key", "-out", folder / "server.pem", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE",
            "-CA", self.authority, "-CAkey", folder / "ca.key")

    def welcomed(self) -> list[str]:
        """Its log of requests with the card's certificate, over TLS 1.2: a line for each page, which ends with the
        second."""
        lines = (self._folder / "access.log").read_text().splitlines()
        return [line for line in lines if line.startswith("200 TLSv1.2 SUCCESS")]


class Sandbox:
    """The identity provider and the service provider of tools/sandbox."""

    def __init__(self, processes: Processes, folder: Path) -> None:
        self._log = folder / "sandbox.log"
        certificate, ready = folder / "card.pem", folder / "ready.json"
        processes.run("openssl", "x509", "-inform", "DER", "-in", CARD / "certificate.der", "-out", certificate)
        with self._log.open("w") as log:
            processes.start(
                ROOT / "tools/sandbox/run", "--state", folder / "state", "--client-ca", certificate,
                "--ready-file", ready, stderr=log)
        wait(ready.exists)
        self.ready = json.loads(ready.read_text())
        self.authority = Path(self.ready["ca"])

    def journal(self) -> str:
        """The log of events, without personal data."""
        return self._log.read_text()
