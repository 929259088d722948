"""The endpoints of native sign-in, its discovery, and its entry in the service description."""
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, request

from ..context import Ways
from ..faults import ELSEWHERE
from ..rules import error, own_hands
from ..service import Entry
from ..tokens import key_set
from . import grants, registration, steps
from .errors import Refused, answer
from .forms import CHALLENGE_TYPES, SCOPES
from .service import KEY, Tenant


def blueprint(ways: Ways) -> Blueprint:
    """All endpoints below `/tenant/`, and `/sandbox/claims-hook`."""
    routes = Blueprint("tenant", __name__)
    tenant = Tenant(ways, hook=ways.claims_hook)

    def post(path: str, endpoint: str, step: Callable[[Tenant], Response]) -> None:
        routes.add_url_rule("/tenant" + path, endpoint, lambda: step(tenant), methods=["POST"])

    post("/oauth2/v2.0/initiate", "initiate", steps.initiate)
    post("/oauth2/v2.0/challenge", "challenge", steps.challenge)
    post("/oauth2/v2.0/introspect", "introspect", steps.introspect)
    post("/oauth2/v2.0/token", "token", grants.token)
    post("/register/v1.0/introspect", "register-introspect", registration.introspect)
    post("/register/v1.0/challenge", "register-challenge", registration.challenge)
    post("/register/v1.0/continue", "register-continue", registration.proceed)

    @routes.errorhandler(Refused)
    def refuse(refused: Refused) -> Response:
        ways.journal.note("refused", way="tenant", code=refused.problem.number)
        return answer(refused, tenant.authority + "error")

    @routes.get("/tenant/v2.0/.well-known/openid-configuration")
    def configuration() -> Response:
        fault = tenant.fault(*DISCOVERY_FAULTS)
        keys = tenant.authority + "discovery/v2.0/keys"
        if fault == "native-keys-host":
            keys = ELSEWHERE + "keys"
        elif fault == "native-keys-http":
            keys = keys.replace("https:", "http:", 1)
        return jsonify({
            "issuer": ELSEWHERE + "v2.0" if fault == "native-issuer-host" else tenant.issuer,
            "token_endpoint": tenant.authority + "oauth2/v2.0/token", "jwks_uri": keys,
            "response_types_supported": ["code"], "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"], "scopes_supported": sorted(SCOPES),
            "challenge_types_supported": sorted(CHALLENGE_TYPES)})

    @routes.get("/tenant/discovery/v2.0/keys")
    def keys() -> Response:
        return jsonify({"keys": []} if tenant.fault("native-keys-none") else key_set(ways, KEY))

    @routes.get("/tenant/error")
    def explain() -> Response:
        return Response(
            "The numbers of errors are those of the published tables.\n", content_type="text/plain")

    @routes.post("/sandbox/claims-hook")
    def set_hook() -> Response:
        url = request.form.get("url", "")
        if not own_hands() or url and urlsplit(url).hostname not in ("localhost", "127.0.0.1"):
            return error(403, "loopback-only")
        tenant.hook = url or None
        return jsonify(hook=bool(url))

    return routes


DISCOVERY_FAULTS = ("native-issuer-host", "native-keys-host", "native-keys-http")


def entries(ways: Ways) -> list[Entry]:
    """Native sign-in in the service description."""
    return [{
        "method": "email", "authority": ways.base + "tenant/",
        "clientId": ways.keys.identifier("tenant-client"), "challengeTypes": ["oob", "password"],
        "scopes": ["openid", "profile", "email", "offline_access"]}]
