"""The errors of native sign-in, each with its number and the JSON that carries it."""
import datetime
import uuid
from dataclasses import dataclass

from flask import Response, jsonify, request


@dataclass(frozen=True)
class Problem:
    """One line of the table: OAuth word, number, sub-error, and the text for people."""

    word: str
    number: int
    text: str
    suberror: str | None = None
    status: int = 400


class Refused(Exception):
    """A step ends in an error; some errors carry the token of the next step."""

    def __init__(self, problem: Problem, continuation_token: str | None = None) -> None:
        super().__init__(problem.word)
        self.problem = problem
        self.continuation_token = continuation_token


USER_NOT_FOUND = Problem("user_not_found", 50034, "The user account does not exist in this tenant.")
INVALID_CREDENTIALS = Problem("invalid_grant", 50126, "Invalid user name or password.")
NO_PASSWORD = Problem("invalid_request", 500222, "This user has no password.")
RESET_REQUIRED = Problem("invalid_grant", 50142, "The password must be reset first.")
BAD_PARAMETER = Problem("invalid_request", 90100, "A parameter is empty, repeated or not valid.")
INVALID_CONTACT = Problem("invalid_request", 901001, "The contact for verification is not valid.")
WRONG_CODE = Problem("invalid_grant", 50181, "The code is not the right one.", "invalid_oob_value")
EXPIRED_CHAIN = Problem("expired_token", 552003, "The continuation token is unknown, used or expired.")
BLOCKED = Problem("invalid_grant", 50053, "The account is blocked.")
PROVIDER_BLOCKED = Problem(
    "access_denied", 550024, "The verification provider refuses this contact.", "provider_blocked_by_rep")
UNKNOWN_CLIENT = Problem("unauthorized_client", 700016, "No application of this tenant has this identifier.")
UNSUPPORTED = Problem("unsupported_challenge_type", 901007, "The list of challenge types lacks redirect.")
INTROSPECT = Problem("invalid_request", 550021, "Ask for the methods first.", "introspect_required")
MFA = Problem("invalid_grant", 50076, "A second factor is required.", "mfa_required")
REGISTRATION = Problem("invalid_grant", 50079, "A strong method must be registered.", "registration_required")
UNSUPPORTED_GRANT = Problem("unsupported_grant_type", 70003, "This grant type is not known here.")
INVALID_SCOPE = Problem("invalid_scope", 70011, "The scope is not one of this application.")
REFRESH_EXPIRED = Problem("invalid_grant", 700082, "The refresh token has expired or was used.")
TOO_EARLY = Problem("too_many_requests", 50196, "A new code may be asked for later.", None, 429)
HOOK_FAILED = Problem("server_error", 1003010, "The claims provider gave no answer that is one.", None, 500)


def _sub(suberror: str, number: int) -> Problem:
    return Problem("invalid_grant", number, f"Refused: {suberror}.", suberror)


ON_DEMAND: dict[str, Problem] = {
    "native-password-too-weak": _sub("password_too_weak", 1000510),
    "native-password-too-short": _sub("password_too_short", 1000511),
    "native-password-too-long": _sub("password_too_long", 1000512),
    "native-password-is-invalid": _sub("password_is_invalid", 1000513),
    "native-password-recently-used": _sub("password_recently_used", 1000514),
    "native-password-banned": _sub("password_banned", 1000515),
    "native-attribute-refused": _sub("attribute_validation_failed", 1000516),
    "native-invalid-contact": INVALID_CONTACT,
    "native-provider-blocked": PROVIDER_BLOCKED,
    "native-introspect-required": INTROSPECT,
    "native-registration-required": REGISTRATION,
    "native-reset-required": RESET_REQUIRED,
    "native-chain-expired": EXPIRED_CHAIN,
    "native-unknown-error": Problem("error_of_another_time", 424242, "An error that no table has.", "sub_of_it"),
}
"""Errors that a fault gives at any step, among them those that no sign-in step can have."""


def answer(refused: Refused, error_uri: str) -> Response:
    """The error as JSON; the client's correlation identifier is returned."""
    problem, given = refused.problem, request.headers.get("client-request-id", "")
    try:
        correlation = str(uuid.UUID(given))
    except ValueError:
        correlation = str(uuid.uuid4())
    now = datetime.datetime.now(datetime.timezone.utc)
    body: dict[str, object] = {
        "error": problem.word, "error_description": f"AADSTS{problem.number}: {problem.text}",
        "error_codes": [problem.number], "error_uri": f"{error_uri}?code={problem.number}",
        "timestamp": now.strftime("%Y-%m-%d %H:%M:%SZ"), "trace_id": str(uuid.uuid4()),
        "correlation_id": correlation}
    if problem.suberror is not None:
        body["suberror"] = problem.suberror
    if refused.continuation_token is not None:
        body["continuation_token"] = refused.continuation_token
    if problem is BAD_PARAMETER:
        body["inner_errors"] = [{"error": "invalid_parameter", "error_description": problem.text}]
    response = jsonify(body)
    response.status_code = problem.status
    if problem.status == 429:
        response.headers["Retry-After"] = "1"
    return response
