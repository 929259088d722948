"""The service provider's side: the published JSON services, the pages around them, and the last page with the data."""
import secrets
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, request

from .. import buttons
from ..faults.catalogue import Stage
from ..idp.pages import page
from ..sp.response_checks import Rejected, read
from ..ways.faults import ELSEWHERE, place
from ..ways.rules import LOOPBACK_RETURN, is_registered, redirect
from . import metadata
from .context import Pending, Spid
from .names import IdentityProvider, user_data

_OVERSIZED = 1024 * 1024


def add(routes: Blueprint, spid: Spid) -> None:
    """All of it."""

    @routes.before_request
    def status() -> Response | None:
        fault = spid.ways.faults.take(Stage.SPID_STATUS, place())
        if fault is None:
            return None
        spid.ways.journal.note("fault", name=fault, at=place())
        return Response("", int(fault.removeprefix("spid-")))

    @routes.get("/spid/list-providers")
    def list_providers() -> Response:
        return jsonify(
            identityProviders=_listed(spid),
            extraInfo=[
                {"title": "Informazioni sulla sandbox", "url": spid.base},
                {"title": "Non sono servizi veri", "url": spid.base + "metadata"}])

    @routes.get("/spid/auth-spid")
    def auth_spid() -> Response:
        provider, level, return_url = _asked(spid)
        if provider is None or level is None or not _is_ours(return_url):
            return _problem("bad-request", 400)
        identifier, destination, text = spid.client.spid_request(provider.entity_id, level)
        spid.expect(identifier, Pending(provider, level, return_url, request.args.get("state", "")))
        answer = {"xmlAuthRequest": text, "destinationUrl": destination}
        return jsonify(_changed(answer, spid.ways.faults.take(Stage.SPID_REQUEST)))

    @routes.get("/spid/login")
    def login() -> Response:
        provider, level, return_url = _asked(spid)
        binding = request.args.get("binding", "post")
        if provider is None or level is None or not _is_ours(return_url) or binding not in ("post", "redirect"):
            return _refuse(spid, None, "bad-request", 400)
        pending = Pending(provider, level, return_url, request.args.get("state", ""))
        relay_state = secrets.token_urlsafe(16)
        if binding == "redirect":
            identifier, target = spid.client.spid_redirect(provider.entity_id, level, relay_state)
            spid.expect(identifier, pending)
            return redirect(target, 302)
        identifier, destination, text = spid.client.spid_request(provider.entity_id, level)
        spid.expect(identifier, pending)
        return page("post.html", action=destination, field="SAMLRequest", relay_state=relay_state, response=text)

    @routes.get("/spid/")
    def spid_home() -> Response:
        found = spid.providers.values()
        addresses = [f"/spid/login?{urlencode({'entityId': each.entity_id, 'level': 2})}" for each in found]
        listed = [(each.identifier, each.name, address) for each, address in zip(found, addresses, strict=True)]
        return page("spid-home.html", button=buttons.spid(listed), style=buttons.STYLE)

    @routes.get("/spid/metadata")
    def sp_metadata() -> Response:
        made = metadata.service_provider(spid.base, spid.sp_key.certificate.read_bytes())
        return Response(metadata.signed(made, spid.sp_key), content_type="application/samlmetadata+xml")

    @routes.post("/spid/acs")
    def acs() -> Response:
        form = request.form.to_dict(flat=False)
        if any(len(values) != 1 for values in form.values()) or "SAMLResponse" not in form:
            return _refuse(spid, None, "bad-request", 400)
        pending = None
        try:
            root = read(form["SAMLResponse"][0])
            pending = spid.answered(root.get("InResponseTo", ""))
            if pending is None:
                raise Rejected("in-response-to")
            attributes, identifiers = spid.client.judge(
                form["SAMLResponse"][0], root.get("InResponseTo", ""), pending.level, pending.provider.entity_id)
            if not spid.first_time(*identifiers):
                raise Rejected("replay")
            if "fiscalNumber" not in attributes:
                raise Rejected("attributes")
        except Rejected as rejection:
            return _refuse(spid, pending, rejection.reason)
        spid.ways.journal.note("spid-logged-in", person=spid.ways.journal.tag(attributes["fiscalNumber"]))
        code = spid.keep_user(attributes)
        if pending.return_url is None:
            return redirect(f"{spid.base}user?{urlencode({'code': code})}")
        fault = spid.ways.faults.take(Stage.SPID_RETURN)
        target = ELSEWHERE if fault == "spid-return-elsewhere" else pending.return_url
        answer = {} if fault == "spid-return-no-code" else {"code": "x" if fault == "spid-return-wrong-code" else code}
        return redirect(f"{target}?{urlencode(pending.answer(answer))}")

    @routes.get("/spid/user")
    def user() -> Response:
        # A page may be reloaded, and its address copied; a program gets the data once.
        attributes = spid.user(request.args.get("code", ""), is_last=_wants_json())
        if attributes is None:
            return _refuse(spid, None, "unknown-code", 404)
        data = _spoiled(user_data(attributes), spid.ways.faults.take(Stage.SPID_USER))
        return jsonify(data) if _wants_json() else page("spid-user.html", data=data)

    @routes.route("/spid/logout", methods=["GET", "POST"])
    def logout() -> Response:
        return page("logout.html")


def _wants_json() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json"


def _asked(spid: Spid) -> tuple[IdentityProvider | None, int | None, str | None]:
    arguments = request.args.to_dict(flat=False)
    known = set(arguments) <= {"entityId", "level", "returnUrl", "state", "binding"}
    if not known or any(len(values) != 1 for values in arguments.values()):
        return None, None, None
    level = {"1": 1, "2": 2, "3": 3}.get(request.args.get("level", "2"))
    return spid.providers.get(request.args.get("entityId", "")), level, request.args.get("returnUrl")


def _is_ours(url: str | None) -> bool:
    return url is None or is_registered(url, {LOOPBACK_RETURN})


def _listed(spid: Spid) -> list[dict[str, str]]:
    found = [
        {"entityId": provider.entity_id, "identifier": provider.identifier, "name": provider.name}
        for provider in spid.providers.values()]
    match spid.ways.faults.take(Stage.SPID_LIST):
        case "spid-list-empty":
            return []
        case "spid-list-twice":
            return [*found, {**found[0], "name": "Un altro"}]
        case "spid-list-unknown":
            return [*found, {"entityId": ELSEWHERE, "identifier": "sconosciuto", "name": "Gestore sconosciuto"}]
        case "spid-list-escapes":
            return [{**entry, "name": f"\x1b]0;{entry['name']}\x07\u202e"} for entry in found]
        case "spid-list-long":
            return [{**found[0], "entityId": f"{ELSEWHERE}{n}"} for n in range(20_000)]
    return found


def _changed(answer: dict[str, str], fault: str | None) -> dict[str, str]:
    own = answer["destinationUrl"]
    match fault:
        case "spid-wrong-destination":
            return {**answer, "destinationUrl": ELSEWHERE + "sso"}
        case "spid-http-destination":
            return {**answer, "destinationUrl": own.replace("https:", "http:", 1)}
        case "spid-script-destination":
            return {**answer, "destinationUrl": "javascript:alert(1)"}
        case "spid-foreign-request":
            return {**answer, "xmlAuthRequest": _FOREIGN}
        case "spid-oversized":
            return {**answer, "xmlAuthRequest": "A" * _OVERSIZED}
        case "spid-not-base64":
            return {**answer, "xmlAuthRequest": '"><script>'}
    return answer


# An AuthnRequest in base64 by another author, for another service provider.
_FOREIGN = (
    "PHNhbWxwOkF1dGhuUmVxdWVzdCB4bWxuczpzYW1scD0idXJuOm9hc2lzOm5hbWVzOnRjOlNBTUw6Mi4wOnByb3RvY29sIiBJRD0iX2YiLz4=")


def _spoiled(data: dict[str, str], fault: str | None) -> dict[str, object]:
    match fault:
        case "spid-user-no-fiscal-code":
            return {name: value for name, value in data.items() if name != "codiceFiscale"}
        case "spid-user-null":
            return dict.fromkeys(data)
        case "spid-user-bad-date":
            return {**data, "dataNascita": "31/02/1980"}
        case "spid-user-more":
            return {**data, "ruolo": "amministratore"}
        case "spid-user-escapes":
            return {**data, "nome": f"{data['nome']}\x1b[2J"}
    return {**data}


def _problem(error: str, status: int) -> Response:
    response = jsonify(error=error)
    response.status_code = status
    return response


def _refuse(spid: Spid, pending: Pending | None, reason: str, status: int = 403) -> Response:
    spid.ways.journal.note("spid-refused", reason=reason)
    if pending is not None and pending.return_url is not None:
        return redirect(f"{pending.return_url}?{urlencode(pending.answer({'error': reason}))}")
    if _wants_json():
        return _problem(reason, status)
    return page("sp-error.html", status, reason=reason)
