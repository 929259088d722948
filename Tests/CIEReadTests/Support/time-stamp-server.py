"""A time stamp authority and an issuer on a free port of this machine, by OpenSSL's commands: prints its address.

    time-stamp-server.py FOLDER [STATUS]

Makes ca.pem, the issuer of the authority and of a holder, and letter.txt.p7m, which the holder signed. With a status
the authority answers only that. OCSP answers 503 while the folder has a file "silent"; with a file "revoked" it says
that the holder's certificate is. A file "fault" with a kind and a number makes the exchange after that many wrong, and
"redirect-loop" all of them from there; "refusal" is a TimeStampResp with words; "exchanges" has their number since it was removed.
"""
import http.server
import pathlib
import socket
import struct
import subprocess
import sys
import time

folder = pathlib.Path(sys.argv[1])
status = int(sys.argv[2]) if len(sys.argv) > 2 else 200


def openssl(*words):
    return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout


def stamp(query):
    (folder / "query").write_bytes(query)
    return openssl("ts", "-reply", "-queryfile", folder / "query", "-section", "tsa", "-config", folder / "services.cnf")


def ocsp(request):
    (folder / "request").write_bytes(request)
    lines = []
    for name in "own", "holder":
        serial = openssl("x509", "-in", folder / f"{name}.pem", "-noout", "-serial").decode().strip().split("=")[1]
        state = "R\t21260101000000Z\t260101000000Z" if name == "holder" and (folder / "revoked").exists() else "V\t21260101000000Z\t"
        lines.append(f"{state}\t{serial}\tunknown\t/CN={name}\n")
    (folder / "index.txt").write_text("".join(lines))
    openssl("ocsp", "-index", folder / "index.txt", "-CA", folder / "ca.pem", "-rsigner", folder / "responder.pem", "-rkey",
            folder / "responder.key", "-reqin", folder / "request", "-respout", folder / "response", "-ndays", "7")
    return (folder / "response").read_bytes()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        types = {"/": ("application/timestamp-query", stamp), "/ocsp": ("application/ocsp-request", ocsp)}
        media, service = types[self.path]
        code = status if self.path == "/" else 503 if (folder / "silent").exists() else 200
        if code == 200 and self.headers["Content-Type"] != media:
            code = 415
        self.answer(code, media.replace("query", "reply").replace("request", "response"), service(body) if code == 200 else b"")

    def do_GET(self):
        self.answer(200, "application/pkix-cert", openssl("x509", "-in", folder / "ca.pem", "-outform", "DER"))

    def answer(self, code, media, body):
        kind = self.fault()
        if kind in ("reset", "slow"):
            time.sleep(5 if kind == "slow" else 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return self.connection.close()
        if kind in LOCATIONS:
            code, body = 307, b""
        if kind == "refusal":
            # rejection (2), PKIFreeText, failInfo with bit 14, timeNotAvailable (RFC 3161 §2.4.2).
            body = bytes.fromhex("301e301c02010230120c10") + b"credit exhausted" + bytes.fromhex("0303010002")
        if kind == "page":
            body = b"\r\n<!DOCTYPE html><title>Login</title>"
        if kind in ("empty", "500"):
            code, body = 200 if kind == "empty" else 500, b""
        self.send_response(code)
        if kind in LOCATIONS:
            self.send_header("Location", LOCATIONS[kind] or url.rstrip("/") + self.path)
        self.send_header("Content-Type", "text/html" if kind == "type" else media)
        if kind not in ("huge", "drip"):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body[:len(body) // 2] if kind == "cut" else b"" if kind == "drip" else body)
            end = time.monotonic() + 120
            for index in range(1 << 30 if kind in ("huge", "drip") else 0):
                if time.monotonic() > end:
                    break
                time.sleep(kind == "drip")
                self.wfile.write(bytes(1 << 16) if kind == "huge" else body[index:index + 1] or b" ")
        except OSError:
            pass  # The client has given up.

    def fault(self):
        """The kind of fault of this exchange, which is counted."""
        (folder / "exchanges").touch()
        count = int((folder / "exchanges").read_text() or 0)
        (folder / "exchanges").write_text(str(count + 1))
        kind, after = (folder / "fault").read_text().split() if (folder / "fault").exists() else ("", -1)
        return kind if count == int(after) or kind == "redirect-loop" and count > int(after) else ""

    def log_message(self, *_):
        pass


# Of a redirect to itself, the address is that of the request.
LOCATIONS = {"redirect-host": "https://elsewhere.invalid/", "redirect-http": "http://elsewhere.invalid/",
             "redirect-file": "file:///etc/hostname", "redirect-loop": None}
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
url = f"http://127.0.0.1:{server.server_port}/"
(folder / "serial").write_text("01\n")
(folder / "services.cnf").write_text(f"""
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = keyCertSign,cRLSign
[own]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
authorityInfoAccess = OCSP;URI:{url}ocsp,caIssuers;URI:{url}ca
[responder]
keyUsage = critical,digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
[holder]
keyUsage = critical,digitalSignature
authorityInfoAccess = OCSP;URI:{url}ocsp,caIssuers;URI:{url}ca
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
for name in "ca", "own", "responder", "holder":
    openssl("req", "-x509", "-days", "3650", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / f"{name}.key",
            "-out", folder / f"{name}.pem", "-subj", f"/CN={name}", "-config", folder / "services.cnf", "-extensions", name,
            *([] if name == "ca" else ["-CA", folder / "ca.pem", "-CAkey", folder / "ca.key"]))
(folder / "letter.txt").write_text("Caro ufficio\n")
openssl("cms", "-sign", "-cades", "-binary", "-nodetach", "-outform", "DER", "-in", folder / "letter.txt", "-signer",
        folder / "holder.pem", "-inkey", folder / "holder.key", "-out", folder / "letter.txt.p7m")
print(url, flush=True)
server.serve_forever()
