"""The card call of variant B: the certificate first, then the card's signature of a challenge."""
import secrets
import time

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from flask import Blueprint, Response, request

from ..faults import answers
from ..faults.catalogue import Stage
from .card_call import misbehave
from .completion import accept
from .pages import error_page, own_conversation, single
from .people import PersonError
from .provider import Provider
from .sessions import Challenge, Phase

_LIFE = 60.0


def blueprint(provider: Provider) -> Blueprint:
    """The two endpoints of variant B."""
    routes = Blueprint("challenge", __name__)

    @routes.post("/idp/Authn/X509TLS13First")
    def first() -> Response:
        fault = provider.faults.take(Stage.CARD_CALL)
        if fault is not None:
            provider.journal.note("fault", name=fault)
            answer = misbehave(provider, fault)
            if answer is not None:
                return answer
        form = single(request.form.to_dict(flat=False), {"cert", "authnRequest"})
        conversation = provider.sessions.by_token(form["authnRequest"]) if form else None
        if form is None or conversation is None:
            return answers.text("bad request", 400)
        try:
            certificate = x509.load_der_x509_certificate(bytes.fromhex(form["cert"]))
            person = provider.people.of(certificate)
        except (PersonError, ValueError):
            return answers.text("bad certificate", 400)
        if not provider.authorities.accepts(certificate):
            provider.journal.note("certificate-refused")
            return answers.text("certificate refused", 403)
        challenge = secrets.token_urlsafe(48)
        conversation.challenge = Challenge(challenge, certificate, person, time.monotonic())
        provider.journal.note("challenge-issued", login=provider.journal.tag(conversation.token))
        return answers.text(challenge)

    @routes.get("/idp/Authn/X509MobileTLS13Second")
    def second() -> Response:
        values = single(request.args.to_dict(flat=False), {"conversation", "challenge"})
        conversation = own_conversation(provider, values["conversation"] if values else None)
        if values is None or conversation is None or conversation.phase is not Phase.STARTED:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        with conversation.lock:
            challenge, conversation.challenge = conversation.challenge, None
        if challenge is None or time.monotonic() - challenge.made > _LIFE:
            return error_page(None, 403, "Nessuna sfida in corso.")
        if not _is_signed(challenge, values["challenge"]):
            provider.journal.note("challenge-refused")
            conversation.phase = Phase.DONE
            return error_page(None, 403, "Firma non valida.")
        return accept(provider, conversation, challenge.person)

    return routes


def _is_signed(challenge: Challenge, signature: str) -> bool:
    """RSASSA-PKCS1-v1_5 with SHA-256 over the challenge's bytes, in upper-case hexadecimal."""
    key = challenge.certificate.public_key()
    if not isinstance(key, rsa.RSAPublicKey) or signature != signature.upper():
        return False
    try:
        key.verify(
            bytes.fromhex(signature), challenge.text.encode(), padding.PKCS1v15(), hashes.SHA256())
    except (InvalidSignature, ValueError):
        return False
    return True
