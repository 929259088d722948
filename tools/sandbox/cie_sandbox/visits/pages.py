"""The pages of a visit: user name and password, the code from the mailbox, consent."""
import secrets
from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response, request

from ..idp.pages import error_page, page
from ..journal import Journal
from .visit import Citizen, Outcome, Step, Visit, VisitBook

_CHOICES = {
    "accept": Outcome.ACCEPTED, "deny": Outcome.DENIED, "cancel": Outcome.CANCELLED, "idle": Outcome.IDLE}
LABELS = {
    "name": "Nome", "familyName": "Cognome", "dateOfBirth": "Data di nascita", "fiscalNumber": "Codice fiscale",
    "email": "Indirizzo e-mail", "mobilePhone": "Telefono", "gender": "Sesso", "placeOfBirth": "Luogo di nascita",
    "address": "Domicilio", "idCard": "Documento", "digitalAddress": "Domicilio digitale"}


class Directory(Protocol):
    """The users who may log in, and the delivery of their codes."""

    def check(self, user: str, password: str) -> Citizen | None:
        """The citizen, if the password is right."""

    def send_code(self, citizen: Citizen, code: str, origin: str) -> None:
        """Puts a message with the code into the mailbox."""

    def card_start(self, back: str) -> str:
        """The page for the login with the card, which returns to this address."""

    def by_card(self, since: float) -> Citizen | None:
        """The person who has logged in with the card since then, in the browser of this request."""


class VisitPages:
    """The forms of one provider, below one path."""

    def __init__(
        self, name: str, prefix: str, cookie: str, directory: Directory, journal: Journal, with_card: bool = True
    ) -> None:
        self.book = VisitBook()
        self._with_card = with_card
        self._name, self._prefix, self._cookie = name, prefix, cookie
        self._directory, self._journal = directory, journal

    def begin(self, visit: Visit) -> Response:
        """The first page of a new visit, with the cookie that binds it to the browser."""
        response = self._show(self.book.add(visit))
        # The request may come by a form of another site, and so may the next one.
        response.set_cookie(
            self._cookie, visit.cookie, path=self._prefix, secure=True, httponly=True, samesite="Lax")
        return response

    def blueprint(self) -> Blueprint:
        """The endpoints of the forms."""
        routes = Blueprint(f"{self._name}_visit", __name__, url_prefix=self._prefix)

        @routes.post("/visit/password")
        def password() -> Response:
            return self._step(Step.PASSWORD, self._password)

        @routes.get("/visit/card")
        def card() -> Response:
            return self._card()

        @routes.post("/visit/code")
        def code() -> Response:
            return self._step(Step.CODE, self._code)

        @routes.post("/visit/consent")
        def consent() -> Response:
            return self._step(Step.CONSENT, self._consent)

        return routes

    def _step(self, step: Step, act: Callable[[Visit], Response]) -> Response:
        form = request.form
        if any(len(values) != 1 for values in form.to_dict(flat=False).values()):
            return error_page(None, 400, "Richiesta non valida.")
        visit = self.book.own(form.get("visit", ""), request.cookies.get(self._cookie), form.get("token", ""))
        if visit is None:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        with visit.lock:
            if visit.step is not step:
                return error_page(None, 400, "Sessione sconosciuta o scaduta.")
            early = _CHOICES.get(form.get("choice", ""))
            if step is not Step.CONSENT and early in (Outcome.CANCELLED, Outcome.IDLE):
                return visit.end(early)
            return act(visit)

    def _card(self) -> Response:
        visit = self.book.of_browser(request.args.get("visit", ""), request.cookies.get(self._cookie))
        if visit is None or not self._with_card:
            return error_page(None, 400, "Sessione sconosciuta o scaduta.")
        with visit.lock:
            citizen = self._directory.by_card(visit.started) if visit.step is Step.PASSWORD else None
            if citizen is None:
                return error_page(None, 403, "Accesso con la carta non eseguito.")
            visit.citizen = citizen
            return self._authenticated(visit)

    def _password(self, visit: Visit) -> Response:
        citizen = self._directory.check(request.form.get("user", ""), request.form.get("password", ""))
        if citizen is None:
            self._journal.note("password-refused", at=self._name)
            return visit.end(Outcome.TOO_MANY_TRIES) if visit.failed() else self._show(visit, 403, wrong=True)
        if citizen.blocked:
            return visit.end(Outcome.BLOCKED)
        if visit.level > 2:
            # A password and a code reach level 2.
            return visit.end(Outcome.LEVEL_UNAVAILABLE)
        visit.citizen, visit.tries = citizen, 0
        if visit.level == 2:
            visit.step, visit.code = Step.CODE, f"{secrets.randbelow(10**6):06d}"
            self._directory.send_code(citizen, visit.code, self._name)
            return self._show(visit)
        return self._authenticated(visit)

    def _code(self, visit: Visit) -> Response:
        if not secrets.compare_digest(visit.code.encode(), request.form.get("code", "").encode()):
            self._journal.note("code-refused", at=self._name)
            return visit.end(Outcome.TOO_MANY_TRIES) if visit.failed() else self._show(visit, 403, wrong=True)
        return self._authenticated(visit)

    def _authenticated(self, visit: Visit) -> Response:
        self._journal.note("authenticated", at=self._name, level=visit.level)
        if not visit.with_consent:
            return visit.end(Outcome.ACCEPTED)
        visit.step = Step.CONSENT
        return self._show(visit)

    def _consent(self, visit: Visit) -> Response:
        outcome = _CHOICES.get(request.form.get("choice", ""))
        if outcome is None:
            return error_page(None, 400, "Richiesta non valida.")
        return visit.end(outcome)

    def _show(self, visit: Visit, status: int = 200, wrong: bool = False) -> Response:
        template = {Step.PASSWORD: "visit-password.html", Step.CODE: "visit-code.html"}.get(
            visit.step, "visit-consent.html")
        citizen = visit.citizen
        attributes = [] if citizen is None else [
            (name, LABELS.get(name, name), citizen.attributes[name])
            for name in visit.wanted if name in citizen.attributes]
        back = f"{request.host_url.rstrip('/')}{self._prefix}/visit/card?visit={visit.identifier}"
        card = self._directory.card_start(back) if self._with_card else None
        return page(
            template, status, visit=visit, prefix=self._prefix, wrong=wrong, attributes=attributes, card=card)
