"""The authorization endpoint: request, login, consent, and the answer by query or form."""
import secrets
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

from flask import Blueprint, Response, jsonify, request

from ..faults.catalogue import Stage
from ..faults.openid import AUTHORIZATION_ERRORS
from ..idp.pages import error_page, page, redirect
from ..visits.pages import VisitPages
from ..visits.people import UserDirectory
from ..visits.visit import Outcome, Visit
from ..ways.rules import own_hands
from .provider import ELSEWHERE, OpenIDProvider
from .request_object import USER_CLAIMS, AuthorizationRequest, BadRedirect, Refusal, read
from .store import Code, Grant

_ERRORS = {
    Outcome.DENIED: "access_denied", Outcome.CANCELLED: "access_denied", Outcome.IDLE: "access_denied",
    Outcome.TOO_MANY_TRIES: "access_denied", Outcome.BLOCKED: "access_denied",
    Outcome.LEVEL_UNAVAILABLE: "access_denied"}
_OUTCOMES = {"approve": Outcome.ACCEPTED, "deny": Outcome.DENIED, "cancel": Outcome.CANCELLED, "idle": Outcome.IDLE}
Answer = list[tuple[str, str]]


def add(routes: Blueprint, provider: OpenIDProvider, directory: UserDirectory) -> None:
    """The endpoint, its pages, and the control interface's shortcut through them."""
    pages = VisitPages("oidc", "/oidc", "sandbox_oidc", directory, provider.ways.journal)
    routes.register_blueprint(pages.blueprint())

    @routes.route("/oidc/authorize", methods=["GET", "POST"])
    def authorize() -> Response:
        values = (request.form if request.method == "POST" else request.args).to_dict(flat=False)
        if request.method == "POST" and request.args:
            return error_page(None, 400, "Richiesta non valida.")
        return _guarded(provider, values, lambda asked: pages.begin(_visit(provider, asked)))

    @routes.post("/sandbox/oidc")
    def shortcut() -> Response:
        outcome = _OUTCOMES.get(request.form.get("outcome", "approve"))
        citizen = directory.named(request.form.get("user", ""))
        if not own_hands():
            return error_page(None, 403)
        if outcome is None or citizen is None:
            return Response("unknown outcome or user\n", 400, content_type="text/plain")
        values = parse_qs(urlsplit(request.form.get("url", "")).query, keep_blank_values=True)

        def finish(asked: AuthorizationRequest) -> Response:
            visit = _visit(provider, asked)
            visit.citizen = citizen
            return visit.end(outcome)

        answered = _guarded(provider, values, finish)
        if "Location" not in answered.headers:
            return answered
        return jsonify(returnUrl=answered.headers["Location"])


def _guarded(
    provider: OpenIDProvider, values: dict[str, list[str]], go_on: Callable[[AuthorizationRequest], Response]
) -> Response:
    try:
        asked = read(
            values, provider.clients, provider.issuer, provider.ways.faults.is_on("oidc-lenient"))
    except BadRedirect:
        provider.ways.journal.note("oidc-refused", why="redirect-uri")
        return error_page(None, 400, "Richiesta non valida: client o indirizzo di ritorno sconosciuto.")
    except Refusal as refusal:
        provider.ways.journal.note("oidc-refused", why=refusal.error)
        answer = [("error", refusal.error), ("iss", provider.issuer)]
        if refusal.state is not None:
            answer.insert(1, ("state", refusal.state))
        return _send(refusal.redirect_uri, refusal.response_mode, answer)
    return go_on(asked)


def _visit(provider: OpenIDProvider, asked: AuthorizationRequest) -> Visit:
    return Visit(
        "Entra con OpenID", asked.client.name, asked.level, [USER_CLAIMS[name] for name in asked.user_claims()],
        lambda visit, outcome: _answer(provider, asked, visit, outcome),
        with_consent="consent" in asked.prompt)


def _answer(provider: OpenIDProvider, asked: AuthorizationRequest, visit: Visit, outcome: Outcome) -> Response:
    fault = (provider.fault(Stage.OIDC_ANSWER) or "").removeprefix("answer-")
    error = _ERRORS.get(outcome) or _named(fault)
    answer: Answer = [("error", error)] if error else [("code", _code(provider, asked, visit).text)]
    answer += [("state", asked.state), ("iss", provider.issuer)]
    provider.ways.journal.note("oidc-answered", error=error, fault=fault or None)
    return _send(asked.redirect_uri, asked.response_mode, _changed(answer, fault))


def _named(fault: str) -> str | None:
    error = fault.replace("-", "_")
    return error if error in AUTHORIZATION_ERRORS else None


def _code(provider: OpenIDProvider, asked: AuthorizationRequest, visit: Visit) -> Code:
    assert visit.citizen is not None
    grant = Grant(asked.client, visit.citizen, asked.scope, asked.user_claims(), asked.level, asked.nonce)
    code = Code(secrets.token_urlsafe(32), grant, asked)
    provider.store.codes[code.text] = code
    return code


def _changed(answer: Answer, fault: str) -> Answer:
    def without(name: str) -> Answer:
        return [(key, value) for key, value in answer if key != name]

    match fault:
        case "wrong-state":
            return [*without("state"), ("state", secrets.token_urlsafe(32))]
        case "no-state":
            return without("state")
        case "no-iss":
            return without("iss")
        case "wrong-iss":
            return [*without("iss"), ("iss", ELSEWHERE)]
        case "no-code":
            return without("code")
        case "two-codes":
            return [("code", secrets.token_urlsafe(32)), *answer]
        case "code-and-error":
            return [("error", "access_denied"), *answer]
        case "huge":
            return [*without("code"), ("code", "x" * 65536)]
    return answer


def _send(redirect_uri: str, response_mode: str, answer: Answer) -> Response:
    if response_mode == "form_post":
        return page("form-post.html", action=redirect_uri, fields=answer)
    return redirect(f"{redirect_uri}?{urlencode(answer)}", 303)
