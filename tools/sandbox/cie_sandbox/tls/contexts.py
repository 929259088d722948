"""Server-side TLS contexts, one for each connection: no session is ever resumed, so every card call signs."""
import ssl
from dataclasses import dataclass
from pathlib import Path

from ..state.folder import StateFolder
from .client_authorities import ClientAuthorities
from .signature_algorithms import limit_client_signatures


@dataclass(frozen=True)
class Policy:
    """A listener's policy for one connection."""

    card_call: bool
    certificate: ssl.VerifyMode


class ContextMaker:
    """Makes contexts by policy and TLS fault."""

    def __init__(self, state: StateFolder, authorities: ClientAuthorities) -> None:
        self._state = state
        self._authorities = authorities

    def make(self, policy: Policy, fault: str | None) -> ssl.SSLContext:
        """The context of the next handshake."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._chain(fault), self._state.server_key)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_TICKET | ssl.OP_NO_RENEGOTIATION
        context.num_tickets = 0
        context.set_alpn_protocols(["http/1.1"])
        if policy.card_call:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.verify_mode = policy.certificate
        if fault == "ask-certificate":
            context.verify_mode = ssl.CERT_OPTIONAL
        if fault is None or not fault.startswith("refuse-"):
            self._authorities.load_into(context)
        self._misbehave(context, fault)
        return context

    def _chain(self, fault: str | None) -> Path:
        match fault:
            case "server-expired":
                return self._state.expired
            case "server-wrong-host":
                return self._state.wrong_host
            case "server-unknown-ca":
                return self._state.unknown_ca
            case _:
                return self._state.server

    @staticmethod
    def _misbehave(context: ssl.SSLContext, fault: str | None) -> None:
        match fault:
            case "tls13-only":
                context.maximum_version = ssl.TLSVersion.MAXIMUM_SUPPORTED
                context.minimum_version = ssl.TLSVersion.TLSv1_3
            case "tls11-only":
                context.set_ciphers("ALL:@SECLEVEL=0")
                context.minimum_version = ssl.TLSVersion.TLSv1_1
                context.maximum_version = ssl.TLSVersion.TLSv1_1
            case "pss-only":
                limit_client_signatures(
                    context, "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512")
