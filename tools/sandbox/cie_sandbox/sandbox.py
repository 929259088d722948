"""Combines the parts: state, listeners, applications; serves until it is stopped."""
import shlex
import shutil
import signal
import ssl
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from flask import Flask

from .faults.board import FaultBoard
from .faults.exchanges import with_faults
from .idp.app import card_only, front
from .idp.people import People
from .idp.provider import ENTITY_ID, Provider
from .journal import Journal
from .options import Options
from .ready import chosen, write_all
from .saml import metadata, names, xml
from .saml.response import SigningKey
from .saml.signature import fill
from .sp.app import application
from .sp.entity import ENTITY_ID as SP_ENTITY_ID
from .state.folder import StateFolder
from .tls.client_authorities import ClientAuthorities
from .tls.contexts import ContextMaker, Policy
from .tls.listener import Listener
from .ways.app import application as ways_application
from .ways.context import Ways
from .ways.keys import Keys
from .ways.mailbox import Mailbox
from .ways.users import Users

if TYPE_CHECKING:
    from .sp.client import SAMLClient


def _browser_policy(offers_tls13: bool) -> Policy:
    # A client that offers TLS 1.2 at most may be the card call: a certificate is requested, not required.
    if offers_tls13:
        return Policy(False, ssl.CERT_NONE)
    return Policy(True, ssl.CERT_OPTIONAL)


def _card_policy(offers_tls13: bool) -> Policy:
    # A browser, which offers TLS 1.3, may have no card: it gets a page about it, not a failed handshake.
    return Policy(True, ssl.CERT_OPTIONAL if offers_tls13 else ssl.CERT_REQUIRED)


def _sp_policy(_offers_tls13: bool) -> Policy:
    return Policy(False, ssl.CERT_NONE)


class Sandbox:
    """One running sandbox."""

    def __init__(self, options: Options, state: StateFolder, is_new: bool) -> None:
        self._options = options
        self._journal = Journal(sys.stderr)
        self._faults = FaultBoard(options.slow_seconds)
        for text in options.faults:
            self._faults.arm_text(text)
        for name in options.switches:
            self._faults.switch(name)
        self._authorities = ClientAuthorities.load(options.client_ca, options.allow_real_cards)
        people = People(options.personas)
        self._state = state
        self._journal.note("state", keys="made" if is_new else "kept")
        contexts = ContextMaker(self._state, self._authorities)
        self._listeners = [
            Listener(label, port, _not_ready, policy, contexts, self._faults, self._journal)
            for label, port, policy in (
                ("idp", options.port_idp, _browser_policy),
                ("card", options.port_mtls, _card_policy),
                ("sp", options.port_sp, _sp_policy),
                ("ways", options.port_ways, _sp_policy))]
        idp_port, card_port, self._sp_port, ways_port = (listener.port for listener in self._listeners)
        self._provider = Provider(
            port=idp_port, card_port=card_port,
            key=SigningKey(self._state.idp_key, self._state.idp),
            stranger=SigningKey(self._state.server_key, self._state.server),
            people=people, authorities=self._authorities, faults=self._faults,
            journal=self._journal)
        self._client: Future[SAMLClient] = Future()
        self._ways = Ways(
            port=ways_port, sp_base=f"https://localhost:{self._sp_port}/", state=state, people=people,
            users=Users(people, state.root / "ways-users.json"), mailbox=Mailbox(state.root / "mailbox"),
            keys=Keys(state.root / "ways"), faults=self._faults, journal=self._journal,
            claims_hook=options.claims_hook, saml_library=self._client,
            spid_metadata=[path.read_bytes() for path in options.spid_idp_metadata],
            oidc_clients=[path.read_bytes() for path in options.oidc_client])
        self._join()

    def _join(self) -> None:
        """Introduces service providers and identity provider to each other, and mounts the applications."""
        provider, state = self._provider, self._state
        consumer = f"https://localhost:{self._sp_port}/acs"
        provider.metadata = _signed(
            metadata.identity_provider(ENTITY_ID, provider.base, state.idp.read_bytes()),
            provider.key)
        own = _signed(
            metadata.service_provider(
                SP_ENTITY_ID, consumer, f"https://localhost:{self._sp_port}/logout",
                state.sp.read_bytes()),
            SigningKey(state.sp_key, state.sp))
        certificates = state.root / "service-providers"
        shutil.rmtree(certificates, ignore_errors=True)
        certificates.mkdir(mode=0o700)
        sources = [(own, True)]
        sources += [(path.read_bytes(), True) for path in self._options.sp_metadata]
        sources += [(path.read_bytes(), False) for path in self._options.generic_sp_metadata]
        for data, strict in sources:
            found = metadata.read_service_provider(data, certificates, strict)
            provider.service_providers[found.entity_id] = found
        applications: list[Flask] = [
            front(provider, self._counters), card_only(provider, self._counters),
            application(
                self._sp_port, self._client, own, self._faults, self._journal, self._counters,
                self._ways.sp_sessions, self._ways.origin + "/oidc/"),
            ways_application(self._ways, self._counters)]
        for listener, app in zip(self._listeners, applications, strict=True):
            app.jinja_env.globals["environment_file"] = str(chosen(state))
            app.jinja_env.filters["shell"] = shlex.quote
            listener.app = with_faults(app, self._faults)

    def _load_client(self) -> None:
        try:
            from .sp.client import SAMLClient
            self._client.set_result(SAMLClient(
                f"https://localhost:{self._sp_port}/acs", self._state.sp_key, self._state.sp,
                self._provider.metadata))
        except Exception as error:
            self._journal.note("error", kind=type(error).__name__)
            self._client.set_exception(error)

    def _counters(self) -> dict[str, dict[str, int]]:
        return {listener.label: dict(listener.seen) for listener in self._listeners}

    def run(self) -> None:
        """Serves until SIGINT or SIGTERM."""
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        for listener in self._listeners:
            threading.Thread(target=listener.serve_forever, daemon=True).start()
        ready = self._options.ready_file
        write_all(
            self._provider, self._state, f"https://localhost:{self._sp_port}/",
            self._options.method, self._ways, ready)
        self._journal.note("ready", **{f"{item.label}_port": item.port for item in self._listeners})
        threading.Thread(target=self._load_client, daemon=True).start()
        stop.wait()
        if ready is not None:
            Path(ready).unlink(missing_ok=True)
        self._journal.note("stopped")


def _not_ready(_environ: object, start_response: Callable[..., object]) -> list[bytes]:
    start_response("503 Service Unavailable", [("Content-Length", "0")])
    return []


def _signed(entity: tuple[Element, str], key: SigningKey) -> bytes:
    root, identifier = entity
    return fill(
        xml.write(root), f"{names.MD}:EntityDescriptor", identifier, key.key, key.certificate)
