"""Signed files whose certificates name addresses of this machine, and the server behind them.

    authorities.py FOLDER

Makes root.pem, which is trusted, an issuer below it, and for each of CASES a file CASE.txt.p7m of a signer whose
certificate has the addresses of the case. Prints the address of the server; "asked" has the paths of all requests.
Beside these: false.txt.p7m is one with a wrong signature, many.txt.p7m has a hundred addresses of lists.
"""
import gzip
import http.server
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])


def openssl(*words, **more):
    return subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, **more).stdout


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(folder / "asked", "a") as asked:
            print(self.path, file=asked)
        words = self.path.strip("/").split("/")
        name, how = words[-1], words[:-1]
        if how and how[0].isdigit() and int(how[0]) in (301, 302, 303, 307, 308):
            count = int(how[1])
            target = "/" + ("/".join([how[0], str(count - 1)]) + "/" if count > 1 else "") + name
            return self.answer(int(how[0]), b"", [("Location", target)])
        if name.startswith(("404", "500")):
            return self.answer(int(name[:3]), b"<html>no</html>")
        body = FILES.get(name, b"<!DOCTYPE html><title>Login</title>")
        if how == ["gz"]:
            return self.answer(200, gzip.compress(body), [("Content-Encoding", "gzip")])
        if how == ["gzfile"]:
            return self.answer(200, gzip.compress(body))
        self.answer(200, body)

    do_POST = do_GET

    def answer(self, code, body, headers=()):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
url = f"http://127.0.0.1:{server.server_port}/"
# Addresses of issuers, then of lists, by case.
CASES = {
    "later": (["404.der", "issuer.der"], ["404.crl", "500.crl", "issuer.crl"]),
    "closed": (["!", "issuer.der"], ["!", "issuer.crl"]),
    "page": (["login.der", "issuer.der"], ["login.crl", "issuer.crl"]),
    "others": (["other.der", "issuer.der"], ["other.crl", "old.crl", "issuer.crl"]),
    "garbage": (["garbage", "empty", "issuer.der"], ["garbage", "empty", "issuer.crl"]),
    "redirect": (["302/1/issuer.der"], ["301/3/issuer.crl"]),
    "redirect307": (["307/2/issuer.der"], ["308/1/issuer.crl"]),
    "pem": (["issuer.pem"], ["pem.crl"]),
    "base64": (["base64.der"], ["base64.crl"]),
    "bundle": (["bundle.p7c"], ["issuer.crl"]),
    "gzip": (["gz/issuer.der"], ["gz/issuer.crl"]),
    "gzfile": (["gzfile/issuer.pem"], ["gzfile/pem.crl"]),
    "far": (["302/4/issuer.der"], ["issuer.crl"]),
    "wrong": (["404.der", "login.der"], ["issuer.crl"]),
    "many": (["issuer.der"], [f"404-{number}.crl" for number in range(100)]),
}
(folder / "index.txt").touch()
(folder / "crlnumber").write_text("01\n")
closed = "http://127.0.0.1:1/x"



sections = []
for case, (issuers, lists) in CASES.items():
    points = "\n".join(f"[{case}{index}]\nfullname = URI:{closed if name == '!' else url + name}" for index, name in enumerate(lists))
    sections.append(f"""[{case}]
keyUsage = critical,digitalSignature,nonRepudiation
authorityInfoAccess = {','.join('caIssuers;URI:' + (closed if name == '!' else url + name) for name in issuers)}
crlDistributionPoints = {','.join(f'{case}{index}' for index in range(len(lists)))}
{points}
""")
(folder / "cnf").write_text(f"""[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = keyCertSign,cRLSign
subjectKeyIdentifier = hash
[issuer]
basicConstraints = critical,CA:TRUE
keyUsage = keyCertSign,cRLSign
subjectKeyIdentifier = hash
crlDistributionPoints = URI:{url}root.crl
[list]
database = {folder}/index.txt
crlnumber = {folder}/crlnumber
default_md = sha256
""" + "".join(sections))


def certificate(name, extensions, above=None, subject=None):
    openssl("req", "-x509", "-days", "3650", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / f"{name}.key", "-out",
            folder / f"{name}.pem", "-subj", subject or f"/C=IT/CN={name}", "-config", folder / "cnf", "-extensions", extensions,
            *(["-CA", folder / f"{above}.pem", "-CAkey", folder / f"{above}.key"] if above else []))


def revocations(name, *validity):
    pem = openssl("ca", "-gencrl", "-config", folder / "cnf", "-name", "list", "-keyfile", folder / f"{name}.key", "-cert",
                  folder / f"{name}.pem", *(validity or ("-crldays", "30")))
    return pem, openssl("crl", "-outform", "DER", input=pem)


certificate("root", "ca")
certificate("issuer", "issuer", "root")
# Of the same name, with another key.
certificate("other", "ca", subject="/C=IT/CN=issuer")
der = {name: openssl("x509", "-in", folder / f"{name}.pem", "-outform", "DER") for name in ("issuer", "other")}
pem_list, der_list = revocations("issuer")
FILES = {
    "issuer.der": der["issuer"], "other.der": der["other"], "issuer.pem": (folder / "issuer.pem").read_bytes(),
    "issuer.crl": der_list, "pem.crl": pem_list, "other.crl": revocations("other")[1], "root.crl": revocations("root")[1],
    "old.crl": revocations("issuer", "-crl_lastupdate", "20240101000000Z", "-crl_nextupdate", "20240201000000Z")[1],
    "base64.der": b"".join((folder / "issuer.pem").read_bytes().split(b"-----")[2].split()),
    "base64.crl": pem_list.split(b"-----")[2],
    "bundle.p7c": openssl("crl2pkcs7", "-nocrl", "-certfile", folder / "issuer.pem", "-certfile", folder / "root.pem", "-outform", "DER"),
    "garbage": b"\x30\x03abc", "empty": b"",
}
(folder / "letter.txt").write_text("Caro ufficio\n")
certificate("shared", "later", "issuer")
for case in CASES:
    openssl("req", "-x509", "-days", "365", "-key", folder / "shared.key", "-out", folder / f"{case}.pem", "-subj", f"/C=IT/CN={case}",
            "-config", folder / "cnf", "-extensions", case, "-CA", folder / "issuer.pem", "-CAkey", folder / "issuer.key")
    openssl("cms", "-sign", "-cades", "-binary", "-nodetach", "-outform", "DER", "-in", folder / "letter.txt", "-signer",
            folder / f"{case}.pem", "-inkey", folder / "shared.key", "-out", folder / f"{case}.txt.p7m")
signed = (folder / "later.txt.p7m").read_bytes()
(folder / "false.txt.p7m").write_bytes(signed[:-1] + bytes([signed[-1] ^ 1]))
(folder / "altered.txt.p7m").write_bytes(signed.replace(b"Caro", b"Cara"))
print(url, flush=True)
server.serve_forever()
