"""Logins through the sandbox: every HTTP exchange of the card's login and of each other method, every kind of fault."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

from .exchanges import try_exchanges
from .program import LAB, ROOT, Persona, Run, left_behind

# A name of the method, the words of its login, and the user and the answer of the person in the browser.
WAYS = (
    ("card", "", "", ""),
    ("service, card", "--method card", "", ""),
    ("email", "--method email --user gelsomina.prova@example.invalid --password-file %/password", "", ""),
    ("oidc", "--open --method oidc", "password", "accept"),
    ("identity-app", "--open --method identity-app", "password", "accept"),
    ("bank", "--open --method bank --provider bankid --provider sabbia", "password", "accept"),
    ("spid", "--open --method spid --provider posteid", "password", "accept"),
    ("token --refresh", "token --refresh", "password", "accept"),
    ("logout", "logout", "password", "accept"))
AFTERWARDS = {"token --refresh", "logout"}


class Sandbox:
    """A separate sandbox, since it counts exchanges for one client."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        issuer = ROOT / "Sources/C/CPersonaData/data/gemalto/certificate-issuer.der"
        subprocess.run(["openssl", "x509", "-inform", "DER", "-in", issuer, "-out", self.folder / "ca.pem"], check=True)
        ready = self.folder / "ready.json"
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [ROOT / "tools/sandbox/run", "--state", self.folder / "state", "--client-ca", self.folder / "ca.pem",
                 "--ready-file", ready, "--slow-seconds", "5"], stderr=log)
        end = time.monotonic() + 300
        while not ready.exists():
            assert self.process.poll() is None and time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.05)
        self.ready = json.loads(ready.read_text())
        users = json.loads(pathlib.Path(self.ready["users"]).read_text())
        self.password = users["password"]["password"]

    def control(self, *options):
        """The control interface."""
        done = subprocess.run(
            ["curl", "-s", "-f", "--tlsv1.3", "--cacert", self.ready["ca"], *options, self.ready["control"] + "fault"],
            capture_output=True, check=True)
        return json.loads(done.stdout)

    def end(self):
        """Ends it."""
        self.process.terminate()
        self.process.wait()


class Attempt:
    """One login, or a later command, in a separate home folder."""

    def __init__(self, sandbox, way, anchors, folder):
        self.sandbox, self.anchors, self.folder = sandbox, anchors, folder
        self.name, self.words, self.user, self.say = way
        home = pathlib.Path(folder)
        person = " ".join(shlex.quote(str(word)) for word in (
            ROOT / "tools/sandbox/person", "--ready", sandbox.folder / "ready.json", "--as", self.user, "--say", self.say))
        (home / "xdg-open").write_text(f"#!/bin/sh\nexec {person} \"$1\" > /dev/null 2>&1\n")
        (home / "xdg-open").chmod(0o755)
        for name, text in (("password", sandbox.password), ("pin", Persona("gemalto").pin)):
            with open(os.open(home / name, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
                file.write(text + "\n")
        self.kind = None
        self.environment = {"HOME": folder, "XDG_STATE_HOME": f"{folder}/state", "PATH": f"{folder}:/usr/bin:/bin"}

    def run(self, *words):
        """The program in this home."""
        return Run(words, environment=self.environment)

    def log_in(self, words):
        """A login by one of the methods."""
        # Long enough for a loaded machine, because no fault is slow here.
        seconds, deadline = ("2", "12") if self.kind in ("slow", "drip", "huge") else ("30", "40")
        common = ["--consent", "yes", "--timeout", seconds, "--deadline", deadline]
        card = ["--virtual", "--pin-file", f"{self.folder}/pin", "--trust", self.anchors,
                "--record", f"{self.folder}/record", "--force"]
        if not words:
            ready = self.sandbox.ready
            return self.run("login", "--sp-url", ready["spLogin"], "--environment", ready["environment"], *common, *card,
                            "--cookies", f"{self.folder}/cookies")
        words = [word.replace("%", self.folder) for word in words.split()]
        service = ["--service", self.sandbox.ready["service"]]
        return self.run("login", *service, *words, *common, *(card if "card" in words else []))

    def do(self, kind=None, after=0):
        """A run of the method with one exchange wrong; the number of its exchanges."""
        self.kind = None
        if self.name in AFTERWARDS:
            self.log_in("--open --method oidc")
        self.sandbox.control("-X", "DELETE")
        self.kind = kind
        if kind:
            # A loop needs its fault at every further exchange.
            count = [] if kind == "redirect-loop" else ["-d", "count=1"]
            self.sandbox.control("-d", f"fault=exchange-{kind}", "-d", f"after={after}", *count)
        run = self.run(*self.words.split()) if self.name in AFTERWARDS else self.log_in(self.words)
        exchanges = self.sandbox.control()["exchanges"]
        self.sandbox.control("-X", "DELETE")
        return run, exchanges

    def broken(self, run):
        """The rules afterwards."""
        found = run.broken((Persona("gemalto").pin, self.sandbox.password))
        found += [f"left behind: {name}" for name in left_behind(self.folder)]
        record = pathlib.Path(self.folder, "record")
        if record.exists() and len(re.findall(r"^> ..20", record.read_text(), re.M)) > 1:
            found.append("a second VERIFY")
        if not self.words:
            has = pathlib.Path(self.folder, "cookies").exists()
            return found + ([f"cookies after exit {run.exit}"] if has != (run.exit == 0) else [])
        status = self.run("status")
        if self.name == "logout":
            # Signed out here, whatever the provider's answer.
            return found + (["still signed in"] if status.exit != 16 else [])
        if self.name == "token --refresh":
            # The session lives on, or is over if the provider ended it.
            return found + ([f"the session says {status.exit}"] if status.exit not in (0, 16) else [])
        if (status.exit == 0) != (run.exit == 0):
            found.append(f"exit {run.exit}, and then the session says {status.exit}")
        return found


def case(sandbox, way, anchors, kind, after):
    """One fault; every fifth time, then a run without it."""
    with tempfile.TemporaryDirectory() as folder:
        attempt = Attempt(sandbox, way, anchors, folder)
        run, _ = attempt.do(kind, after)
        found = attempt.broken(run)
        if after % 5 == 0 and way[0] not in AFTERWARDS:
            again, _ = attempt.do()
            found += [] if again.exit == 0 else [f"the next run ends with {again.exit} {again.error}"]
        return found, run.error or "ok"


def count(sandbox, way, anchors):
    """The exchanges of a run without fault."""
    with tempfile.TemporaryDirectory() as home:
        clean, number = Attempt(sandbox, way, anchors, home).do()
    assert clean.exit == 0 and number, (way, clean.out)
    return number


def main(every, first=0):
    """Tries every n-th case; prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        anchors = f"{folder}/anchors"
        subprocess.run([LAB, "anchors", anchors], check=True, capture_output=True)
        return try_exchanges(
            "program and servers", lambda number: Sandbox(f"{folder}/{number}"), WAYS,
            lambda sandbox, way: count(sandbox, way, anchors),
            lambda sandbox, way, kind, after: case(sandbox, way, anchors, kind, after), every, first)
