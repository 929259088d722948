"""The federation's endpoints, and the service description that names the anchor."""
import json
from typing import Any

from flask import Blueprint, Response, jsonify, request

from ..faults.catalogue import Stage
from ..oidc.provider import OpenIDProvider
from ..oidc.tokens import sign
from ..ways.context import Ways
from ..ways.keys import write_private
from . import statements
from .statements import MARK, STATEMENT, Federation, subordinate_statement

ANCHOR_KEYS = "federation-anchor.jwks"
_ERRORS = {
    "fed-not-found": ("not_found", 404), "fed-invalid-request": ("invalid_request", 400),
    "fed-unavailable": ("temporarily_unavailable", 503)}
_ANSWERS = frozenset({*_ERRORS, "fed-html"})


def blueprint(ways: Ways) -> Blueprint:
    """Below `/federation/`, and the provider's own configuration below `/oidc/`."""
    routes = Blueprint("federation", __name__)
    provider = OpenIDProvider.of(ways)
    federation = Federation(provider, provider.keys.anchor, provider.keys.intermediate)
    write_private(
        ways.state.root / ANCHOR_KEYS, (json.dumps({"keys": [federation.anchor_key.public]}) + "\n").encode())

    @routes.get("/oidc/.well-known/openid-federation")
    def provider_configuration() -> Response:
        return _statement(statements.provider_configuration(federation))

    @routes.get("/federation/.well-known/openid-federation")
    def anchor_configuration() -> Response:
        return _statement(statements.anchor_configuration(federation))

    @routes.get("/federation/intermediate/.well-known/openid-federation")
    def intermediate_configuration() -> Response:
        return _statement(statements.intermediate_configuration(federation))

    @routes.get("/federation/fetch")
    def fetch() -> Response:
        return _fetched(federation, federation.anchor)

    @routes.get("/federation/intermediate/fetch")
    def intermediate_fetch() -> Response:
        return _fetched(federation, federation.intermediate)

    @routes.get("/federation/list")
    def subordinates() -> Response:
        return _listed(federation, federation.anchor)

    @routes.get("/federation/intermediate/list")
    def intermediate_subordinates() -> Response:
        return _listed(federation, federation.intermediate)

    @routes.get("/federation/resolve")
    def resolve() -> Response:
        return _resolved(federation)

    @routes.route("/federation/trust_mark_status", methods=["GET", "POST"])
    def trust_mark_status() -> Response:
        values = request.values
        if not {"id", "sub"} <= set(values):
            return _error("invalid_request", 400)
        return jsonify(active=values["id"] == MARK and values["sub"] == provider.issuer)

    return routes


def _statement(text: str, kind: str = STATEMENT) -> Response:
    return Response(text, 200, content_type=f"application/{kind}")


def _error(error: str, status: int) -> Response:
    response = jsonify(error=error, error_description="Richiesta respinta.")
    response.status_code = status
    return response


def _fetched(federation: Federation, superior: str) -> Response:
    subject = request.args.get("sub")
    if subject is None or request.args.get("iss", superior) != superior:
        return _error("invalid_request", 400)
    if federation.superior(subject) != superior:
        return _error("not_found", 404)
    if subject == federation.provider.issuer:
        fault = federation.provider.fault(Stage.FED_STATEMENT, _ANSWERS)
        if fault == "fed-html":
            return Response("<!doctype html><p>SANDBOX</p>", 200, content_type="text/html; charset=utf-8")
        if fault is not None:
            return _error(*_ERRORS[fault])
    return _statement(subordinate_statement(federation, superior, subject))


def _listed(federation: Federation, superior: str) -> Response:
    wanted = request.args.get("entity_type")
    found = [
        entity for entity, kind in (
            (federation.provider.issuer, "openid_provider"), (federation.intermediate, "federation_entity"))
        if federation.superior(entity) == superior and wanted in (None, kind)]
    return jsonify(found)


def _resolved(federation: Federation) -> Response:
    arguments = request.args
    provider = federation.provider
    anchor = arguments.get("trust_anchor", arguments.get("anchor"))
    if "sub" not in arguments or anchor is None:
        return _error("invalid_request", 400)
    if anchor != federation.anchor or arguments["sub"] != provider.issuer:
        return _error("not_found", 404)
    chain = [statements.provider_configuration(federation)]
    entity = provider.issuer
    while entity != federation.anchor:
        superior = federation.superior(entity) or federation.anchor
        chain.append(subordinate_statement(federation, superior, entity))
        entity = superior
    chain.append(statements.anchor_configuration(federation))
    try:
        claims = statements.resolved(federation, chain)
    except ValueError:
        return _error("invalid_metadata", 400)
    return _statement(sign(claims, federation.anchor_key, "resolve-response+jwt"), "resolve-response+jwt")


def entries(_ways: Ways) -> list[dict[str, object]]:
    """Empty, because it is about the OpenID provider."""
    return []


def with_anchor(description: dict[str, Any], ways: Ways) -> dict[str, Any]:
    """The description, with the anchor in the entry for `oidc`: the provider is trusted as far as the anchor states."""
    anchor = {"trustAnchor": ways.origin + "/federation/", "trustAnchorKeys": ANCHOR_KEYS}
    methods = [
        {**entry, **anchor} if entry["method"] == "oidc" else entry for entry in description["methods"]]
    return {**description, "methods": methods}
