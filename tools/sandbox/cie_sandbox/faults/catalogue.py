"""The faults that the sandbox can show, by name. `--list-faults` prints this table."""
from dataclasses import dataclass
from enum import Enum

from ..saml.errors import CODES
from . import federation, openid, spid, ways


class Stage(Enum):
    """The place in the login where a fault acts."""

    TLS = "TLS handshake (card call, or another listener by @idp, @sp, @ways)"
    CARD_CALL = "answer of the card call (Login2, X509TLS13First)"
    CODICE = "the codice that the card call gives"
    LOGIN_PAGE = "answer of the login page"
    LINK = "the link on the login page"
    COMPLETION = "after the completed URL"
    SAML = "the SAML response"
    SERVICE = "the service provider's own pages"
    WAY = "an answer of the other ways in (of any, or by @tenant, @government or as @tenant/token)"
    TOKEN = "a token signed by one of the ways in (place as above)"
    NATIVE = "native sign-in"
    BANK = "bank and government kit"
    OIDC_DISCOVERY = "OpenID provider: discovery"
    OIDC_KEYS = "OpenID provider: key set"
    OIDC_ANSWER = "OpenID provider: answer of the authorization endpoint"
    OIDC_TOKEN = "OpenID provider: answer of the token endpoint"
    OIDC_ID_TOKEN = "OpenID provider: the ID token"
    OIDC_USERINFO = "OpenID provider: answer of the userinfo endpoint"
    OIDC_DEVICE = "OpenID provider: answer of the device authorization endpoint"
    OIDC_POLL = "OpenID provider: answer while a device asks for its tokens"
    FED_CONFIGURATION = "federation: what the OpenID provider says of itself"
    FED_STATEMENT = "federation: what its superior says of it"
    FED_ANCHOR = "federation: what the anchor says of itself"
    FED_PATH = "federation: what the anchor says of the intermediate"
    SPID_LIST = "SPID: the list of providers"
    SPID_REQUEST = "SPID: the answer of auth-spid"
    SPID_STATUS = "SPID: the status of any step"
    SPID_RESPONSE = "SPID: the SAML response, beside the faults of stage SAML"
    SPID_RETURN = "SPID: the way back to the client"
    SPID_USER = "SPID: the user's data"
    EXCHANGE = "the n-th HTTP exchange since the last clearing, the other ways in included (`after` of them pass)"


@dataclass(frozen=True)
class Fault:
    """One fault of a server."""

    name: str
    stage: Stage
    meaning: str


def _faults(stage: Stage, table: dict[str, str]) -> dict[str, Fault]:
    return {name: Fault(name, stage, meaning) for name, meaning in table.items()}


CATALOGUE: dict[str, Fault] = {
    **_faults(Stage.TLS, {
        "server-expired": "server certificate of the right authority and host, expired",
        "server-wrong-host": "server certificate for another host",
        "server-unknown-ca": "server certificate of an authority that nobody trusts",
        "tls13-only": "speaks TLS 1.3 only",
        "tls11-only": "speaks TLS 1.1 only",
        "pss-only": "asks for a client signature in RSA-PSS only",
        "refuse-expired": "refuses the client certificate: alert certificate_expired (45)",
        "refuse-revoked": "refuses the client certificate: alert certificate_revoked (44)",
        "refuse-unknown-ca": "refuses the client certificate: alert unknown_ca (48)",
        "refuse-bad": "refuses the client certificate: alert bad_certificate (42)",
        "ask-certificate": "asks for a client certificate where none is due (use @idp or @sp)",
        "tls-close": "closes the connection after the ClientHello",
        "tls-slow": "says nothing after the ClientHello for --slow-seconds",
    }),
    **_faults(Stage.CARD_CALL, {
        "http-403": "status 403",
        "http-500": "status 500",
        "empty": "status 200, empty body",
        "15-digits": "codice of 15 digits",
        "17-digits": "codice of 17 digits",
        "letters": "codice with letters",
        "no-prefix": "16 digits without `codice:`",
        "extra-text": "text after the codice",
        "markup": "an HTML page that contains a codice",
        "other-digits": "codice in digits that are not ASCII",
        "huge-body": "a body of 8 MiB that starts as a good one",
        "endless-body": "a body without end",
        "truncated": "Content-Length says more than comes",
        "slow": "the answer waits for --slow-seconds",
        "slow-body": "the body drips, one byte a second",
        "redirect-once": "307 to the same address with one more parameter",
        "redirect-loop": "307 to itself, for ever",
        "redirect-host": "307 to another host",
        "redirect-http": "307 to http:",
        "redirect-file": "307 to a file: URL",
    }),
    **_faults(Stage.CODICE, {
        "codice-unknown": "a codice of the right form that the server does not know",
        "codice-expired": "a codice whose 60 seconds are over",
    }),
    **_faults(Stage.LOGIN_PAGE, {
        "login-500": "status 500",
        "login-empty": "status 200, empty body",
        "login-error-page": "the page ERRORE",
        "login-huge": "a page of 64 MiB",
        "login-endless": "a page without end",
        "login-slow": "the answer waits for --slow-seconds",
        "login-redirect-loop": "302 to itself, for ever",
        "login-redirect-host": "302 to another host",
        "login-redirect-http": "302 to http:",
    }),
    **_faults(Stage.LINK, {
        "link-foreign-next": "nextUrl on another host",
        "link-foreign-path": "nextUrl with a path that is not one of its own",
        "link-lookalike-host": "the link is on a host that only looks right",
        "link-user-info": "the link has user information before the host",
        "link-repeated-key": "`value` comes twice",
        "link-injected": "`value` carries further parameters",
        "link-named-codice": "`name` is `codice`",
        "link-missing-value": "`value` is absent",
        "link-http": "the link is http:",
    }),
    **_faults(Stage.COMPLETION, {
        "error-nr02": "error page 2, system unavailable",
        "error-nr03": "error page 3, system error, status 500",
        "error-nr23": "SAML error 23, card expired or revoked",
        "consent-unlisted": "the consent page does not say to what",
        "consent-partial": "the consent page shows one attribute, the response has four",
        "consent-button": "the consent form leads to the refusal, its button (formaction) to the consent",
        "consent-skipped": "no consent page: the response at once",
    }),
    **_faults(Stage.SAML, {
        "saml-wrong-signature": "the response was changed after it was signed",
        "saml-wrong-key": "signed with a key that is not in the metadata",
        "saml-unsigned-response": "only the assertion is signed",
        "saml-unsigned-assertion": "only the response is signed",
        "saml-wrapped": "signature wrapping: a forged assertion beside the signed one",
        "saml-two-assertions": "two assertions",
        "saml-expired": "NotOnOrAfter two minutes ago",
        "saml-not-yet": "NotBefore in two minutes",
        "saml-wrong-audience": "another service provider's audience",
        "saml-wrong-destination": "another Destination",
        "saml-wrong-recipient": "another Recipient",
        "saml-wrong-request": "InResponseTo names another request",
        "saml-unsolicited": "no InResponseTo",
        "saml-wrong-issuer": "another issuer",
        "saml-level-1": "the class of level 1, whatever was asked",
        "saml-relay-state": "another RelayState",
        "saml-doctype": "a document type declaration with an entity",
        "saml-huge": "a response of 4 MiB",
        "saml-replayed": "the session's last response once more, in place of a new one",
        "saml-other-receiver": "form and Destination lead to another service provider",
        "saml-garbage": "a response that is no XML",
        "saml-encrypted": "an assertion that only the service provider could read",
        "saml-responder": "status Responder without an error code",
        **{f"saml-{code.name}": f"SAML error {code.number}: {code.meaning}"
           for code in CODES.values() if code.status and code.number != 1},
    }),
    **_faults(Stage.SERVICE, {
        "sp-welcomes-all": "takes any response, unread, and welcomes whoever brings it",
        "sp-still-button": "answers a good response with the page that asks to log in",
        "sp-no-cookie": "opens no session after a good response: no cookie, and a page that welcomes",
        "sp-hand-off": "the login page redirects to a link of somebody else's login",
        "sp-hand-off-link": "the button is such a link",
    }),
    **{name: fault for module in (ways, openid, federation, spid) for stage, table in module.MEANINGS.items()
       for name, fault in _faults(Stage[stage], table).items()},
    **_faults(Stage.EXCHANGE, {
        "exchange-reset": "the connection ends with RST in place of the answer",
        "exchange-cut": "half of the body, then the end",
        "exchange-slow": "nothing for --slow-seconds, then RST",
        "exchange-drip": "the body at a byte a second",
        "exchange-huge": "the right body, then blanks without end",
        "exchange-empty": "status 200, no body",
        "exchange-500": "status 500, no body",
        "exchange-type": "the right body, said to be HTML; HTML said to be JSON",
        "exchange-redirect-host": "307 to another host",
        "exchange-redirect-http": "307 to http:",
        "exchange-redirect-file": "307 to a file: URL",
        "exchange-redirect-loop": "307 to itself",
    }),
}
