"""Starts the federation, plays the person in the browser, and runs the cases. See test-federation and README.md."""
import contextlib
import html
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import requests

import plan

HERE = pathlib.Path(__file__).parent
PROGRAM = pathlib.Path(os.environ["CIE_PROGRAMS"]) / "cie-read"


def certificate(folder):
    """The servers' certificate, which certifies itself."""
    subprocess.run([
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
        "/CN=federation.invalid", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "server.key", "-out",
        folder / "server.pem"], check=True, stderr=subprocess.DEVNULL)


def ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return found


class Federation(contextlib.ExitStack):
    """Anchor, provider and relying party, a process each."""

    def __init__(self, profile="cie", amended=()):
        super().__init__()
        self.folder = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory()))
        certificate(self.folder)
        self.plan = plan.plan(self.folder, ports(3), profile, list(amended))
        self.roots = {"NO_PROXY": "127.0.0.1", **{
            name: str(self.folder / "server.pem") for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")}}
        for role in ("anchor", "provider", "party"):
            log = self.enter_context((self.folder / f"{role}.log").open("w"))
            process = subprocess.Popen(
                [sys.executable, "-B", HERE / "entity.py", role, self.folder], stdout=log, stderr=log,
                env={**os.environ, **self.roots})
            self.callback(process.wait)
            self.callback(process.terminate)
            self.until(role)

    def until(self, role):
        for _ in range(600):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(self.plan[role]["sub"]).port)).close()
            time.sleep(0.1)
        raise SystemExit((self.folder / f"{role}.log").read_text())

    def browser(self):
        session = requests.Session()
        session.trust_env = False
        session.verify = str(self.folder / "server.pem")
        return session

    def visit(self, url, ends, agree=True):
        """Fills the provider's forms; returns the address at which the browser ends, or the status of the page there."""
        browser, form = self.browser(), None
        for _ in range(10):
            answer = browser.post(url, form, headers={"Referer": url}, allow_redirects=False) if form else browser.get(
                url, allow_redirects=False)
            if answer.is_redirect:
                url, form = urllib.parse.urljoin(url, answer.headers["Location"]), None
                if url.startswith(ends):
                    return url, browser
                continue
            found = re.search(r'<form method="POST" action=["\']([^"\']+)', answer.text)
            if answer.status_code != 200 or not found:
                return f"{answer.status_code} at {urllib.parse.urlsplit(url).path}", browser
            url = urllib.parse.urljoin(url, found[1])
            form = {}
            for field in re.findall(r"<input[^>]*>", answer.text):
                name = re.search(r'name="([^"]*)"', field)
                value = re.search(r'value="([^"]*)"', field)
                if name:
                    form[name[1]] = html.unescape(value[1]) if value else ""
            form.update({"username": self.plan["user"], "password": self.plan["password"], "agree": "True" if agree else ""})
        return "too many pages", browser

    def service(self, **more):
        """A description of a service for `cie-read login`; with these members changed."""
        sub = {role: self.plan[role]["sub"] for role in ("anchor", "provider", "client")}
        entry = {
            "method": "oidc", "issuer": sub["provider"], "clientId": sub["client"], "clientKey": "client.jwks",
            "hosts": [urllib.parse.urlsplit(sub["anchor"]).netloc], "trustAnchor": sub["anchor"],
            "trustAnchorKeys": "anchor.jwks", "returnUrl": sub["anchor"] + "/signed-in", "scopes": ["openid"],
            "signedUserInfo": True, **more}
        file = self.folder / "service.json"
        file.write_text(json.dumps({"name": "Comune di Prova", "ca": "server.pem", "methods": [entry]}))
        return file

    def run(self, *words, person=None):
        """Runs `cie-read`; `person` gets the address that a browser would open and returns the one where it ended."""
        opened = self.folder / "opened"
        opened.unlink(missing_ok=True)
        opener = self.folder / "xdg-open"
        opener.write_text(f"#!/bin/sh\nprintf %s \"$1\" > '{opened}.part' && mv '{opened}.part' '{opened}'\n")
        opener.chmod(0o755)
        process = subprocess.Popen(
            [PROGRAM, *words, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={
                **os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "XDG_STATE_HOME": str(self.folder / "state")})
        while person and not opened.exists() and process.poll() is None:
            time.sleep(0.05)
        output, errors = process.communicate((person(opened.read_text()) + "\n") if person and opened.exists() else None)
        try:
            return json.loads(output)
        except ValueError:
            return {"output": output, "errors": errors}
