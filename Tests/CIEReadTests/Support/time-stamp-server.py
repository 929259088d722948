"""A time stamp authority on a free port of this machine, by OpenSSL's command: prints its address.

    time-stamp-server.py FOLDER [STATUS]     makes ca.pem in the folder; with a status answers only that
"""
import http.server
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
status = int(sys.argv[2]) if len(sys.argv) > 2 else 200
(folder / "serial").write_text("01\n")
(folder / "tsa.cnf").write_text(f"""
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = keyCertSign
[own]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
serial = {folder}/serial
signer_cert = {folder}/own.pem
signer_key = {folder}/own.key
certs = {folder}/ca.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
""")


def certificate(name, *words):
    subprocess.run(
        ["openssl", "req", "-x509", "-days", "3650", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / f"{name}.key",
         "-out", folder / f"{name}.pem", "-subj", f"/CN={name}", "-config", folder / "tsa.cnf", "-extensions", name, *words],
        check=True, capture_output=True)


certificate("ca")
certificate("own", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        query = self.rfile.read(int(self.headers["Content-Length"]))
        good = status == 200 and self.headers["Content-Type"] == "application/timestamp-query"
        answer = b""
        if good:
            (folder / "query").write_bytes(query)
            answer = subprocess.run(
                ["openssl", "ts", "-reply", "-queryfile", folder / "query", "-section", "tsa", "-config", folder / "tsa.cnf"],
                check=True, capture_output=True).stdout
        self.send_response(200 if good else status if status != 200 else 415)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
