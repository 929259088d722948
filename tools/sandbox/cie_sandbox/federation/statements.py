"""Entity statements, trust marks and the resolved metadata: the statements signed by the federation's entities."""
import time
from dataclasses import dataclass
from typing import Any

from ..faults.catalogue import Stage
from ..oidc.endpoints import metadata
from ..oidc.keys import SigningJWK
from ..oidc.provider import ELSEWHERE, OpenIDProvider
from ..oidc.tokens import Claims, forge, sign
from .policy import applied

STATEMENT = "entity-statement+jwt"
LIFE = 24 * 3600
MARK = "https://cie-sandbox.invalid/trust-mark/openid_provider/public"
_HOUR = 3600
_WEAK = {"other-key": "other-key", "none": "alg-none", "hs256": "hs256", "header-jwk": "header-jwk"}
POLICY: dict[str, dict[str, Any]] = {
    "issuer": {"essential": True},
    "token_endpoint_auth_methods_supported": {"subset_of": ["private_key_jwt"]},
    "id_token_signing_alg_values_supported": {"subset_of": ["RS256", "RS512", "ES256", "ES512", "PS256", "PS512"]},
    "code_challenge_methods_supported": {"superset_of": ["S256"]},
    "request_parameter_supported": {"value": True},
    "op_policy_uri": {"default": "https://cie-sandbox.invalid/policy"},
    "contacts": {"add": ["nobody@cie-sandbox.invalid"]},
    "organization_name": {"one_of": ["CIE SANDBOX", "SANDBOX"]},
    "display_values_supported": {"subset_of": ["popup"]},
}
"""One rule for each operator; the last one removes all of the provider's values, which is legal (§6.1.3.1.5)."""
_FORBIDDING: dict[str, Any] = {
    "policy-forbids": {"token_endpoint_auth_methods_supported": {
        "subset_of": ["tls_client_auth"], "superset_of": ["tls_client_auth"]}},
    "policy-one-of": {"issuer": {"one_of": [ELSEWHERE]}},
    "policy-superset": {"code_challenge_methods_supported": {"superset_of": ["S256", "S512"]}},
    "policy-essential": {"logo_uri": {"essential": True}},
    "policy-malformed": "none",
    "policy-value-add": {"contacts": {"value": ["a@cie-sandbox.invalid"], "add": ["b@cie-sandbox.invalid"]}},
    "policy-value-beyond": {"scopes_supported": {"value": ["openid", "all"], "subset_of": ["openid"]}},
    "policy-one-of-subset": {"organization_name": {"one_of": ["CIE SANDBOX"], "subset_of": ["CIE SANDBOX"]}},
    "policy-null-default": {"op_policy_uri": {"default": None}},
}
_CONSTRAINING: dict[str, Any] = {
    "constraint-excluded": {"naming_constraints": {"permitted": ["localhost"], "excluded": ["localhost"]}},
    "constraint-permitted": {"naming_constraints": {"permitted": [".cie-sandbox.invalid", ".localhost"]}},
    "constraint-type": {"allowed_entity_types": ["openid_relying_party"]},
    "constraint-no-type": {"allowed_entity_types": []},
    "constraint-leaf-type": {"allowed_leaf_entity_types": ["openid_relying_party"]},
    "constraint-malformed": {"naming_constraints": ["localhost"]},
}
CONSTRAINTS: dict[str, Any] = {
    "naming_constraints": {"permitted": ["localhost"], "excluded": [".localhost"]},
    "allowed_entity_types": ["openid_provider"], "allowed_leaf_entity_types": ["openid_provider"],
    "sandbox_constraint": "not known, so passed over (OpenID Federation §6.2)"}
"""The policy of every superior for its subordinates."""


@dataclass(frozen=True)
class Federation:
    """The members. The provider is below the anchor, or below the intermediate with the switch for that."""

    provider: OpenIDProvider
    anchor_key: SigningJWK
    intermediate_key: SigningJWK

    @property
    def anchor(self) -> str:
        """The trust anchor's identifier."""
        return self.provider.ways.origin + "/federation/"

    @property
    def intermediate(self) -> str:
        """The intermediate's identifier."""
        return self.anchor + "intermediate/"

    @property
    def with_intermediate(self) -> bool:
        """True if the provider is below it."""
        return self.provider.ways.faults.is_on("fed-intermediate")

    def superior(self, entity: str) -> str | None:
        """The issuer of the statement about an entity."""
        own = self.intermediate if self.with_intermediate else self.anchor
        subordinates = {self.provider.issuer: own}
        if self.with_intermediate:
            subordinates[self.intermediate] = self.anchor
        return subordinates.get(entity)

    def key(self, entity: str) -> SigningJWK:
        """The signing key of an entity."""
        return {self.anchor: self.anchor_key, self.intermediate: self.intermediate_key}.get(
            entity, self.provider.keys.entity)

    def take(self, stage: Stage) -> str:
        """The active fault, without its prefix."""
        return (self.provider.fault(stage) or "").removeprefix("fed-")


def _claims(issuer: str, subject: str, key: SigningJWK) -> Claims:
    now = int(time.time())
    return {"iss": issuer, "sub": subject, "iat": now, "exp": now + LIFE, "jwks": {"keys": [key.public]}}


def _shifted(claims: Claims, fault: str) -> None:
    now = int(time.time())
    if fault.endswith("expired"):
        claims.update(iat=now - 2 * _HOUR, exp=now - _HOUR)
    if fault.endswith("later"):
        claims.update(iat=now + _HOUR)
    if fault.endswith("subject"):
        claims.update(sub=ELSEWHERE)
    if fault.endswith("issuer"):
        claims.update(iss=ELSEWHERE)


def provider_configuration(federation: Federation) -> str:
    """The provider's entity configuration."""
    provider, fault = federation.provider, federation.take(Stage.FED_CONFIGURATION)
    key = provider.keys.entity
    claims = _claims(provider.issuer, provider.issuer, key)
    superior = federation.superior(provider.issuer)
    claims |= {
        "metadata": {
            "openid_provider": {**metadata(provider), "organization_name": "CIE SANDBOX"},
            "federation_entity": {
                "organization_name": "CIE SANDBOX", "homepage_uri": "https://cie-sandbox.invalid/",
                "contacts": ["nobody@cie-sandbox.invalid"],
                "federation_resolve_endpoint": federation.anchor + "resolve"}},
        "authority_hints": [superior], "trust_marks": [{"id": MARK, "trust_mark": trust_mark(federation, fault)}]}
    _shifted(claims, fault if fault.startswith("own-") else "")
    match fault:
        case "own-critical":
            claims["crit"] = ["sandbox"]
            claims["sandbox"] = True
        case "wrong-hint":
            claims["authority_hints"] = [ELSEWHERE]
        case "no-hint":
            del claims["authority_hints"]
        case "many-hints":
            claims["authority_hints"] = [*(f"{ELSEWHERE}{n}" for n in range(1000)), superior]
        case "other-provider":
            claims["metadata"]["openid_provider"]["issuer"] = ELSEWHERE
        case "no-provider":
            del claims["metadata"]["openid_provider"]
        case "no-keys":
            del claims["jwks"]
        case "no-trust-mark":
            del claims["trust_marks"]
    kind = "JWT" if fault == "own-type" else STATEMENT
    return forge(_WEAK.get(fault.removeprefix("own-"), ""), claims, key, provider.keys.stranger, kind)


def trust_mark(federation: Federation, fault: str = "") -> str:
    """The anchor's mark for the provider."""
    now = int(time.time())
    claims = {
        "iss": federation.anchor, "sub": federation.provider.issuer, "id": MARK, "iat": now, "exp": now + LIFE,
        "organization_type": "public"}
    if fault == "mark-expired":
        claims.update(iat=now - 2 * _HOUR, exp=now - _HOUR)
    if fault == "mark-other-subject":
        claims["sub"] = ELSEWHERE
    weakness, key = "other-key" if fault == "mark-other-key" else "", federation.anchor_key
    return forge(
        weakness, claims, key, federation.provider.keys.stranger_to(key), "trust-mark+jwt")


def anchor_configuration(federation: Federation) -> str:
    """The anchor's entity configuration."""
    fault, key = federation.take(Stage.FED_ANCHOR), federation.anchor_key
    if fault == "anchor-other-key":
        key = federation.provider.keys.stranger_to(key)
    own = federation.anchor
    entity = {
        "organization_name": "CIE SANDBOX – not a government service", "federation_fetch_endpoint": own + "fetch",
        "federation_list_endpoint": own + "list", "federation_resolve_endpoint": own + "resolve",
        "federation_trust_mark_status_endpoint": own + "trust_mark_status"}
    if fault == "anchor-no-fetch":
        del entity["federation_fetch_endpoint"]
    if fault == "anchor-foreign-fetch":
        entity["federation_fetch_endpoint"] = ELSEWHERE + "fetch"
    claims = _claims(own, own, key)
    claims |= {
        "metadata": {"federation_entity": entity}, "trust_mark_issuers": {MARK: [own]},
        "constraints": {"max_path_length": 1, "allowed_leaf_entity_types": ["openid_provider"]}}
    if fault == "anchor-hints":
        claims["authority_hints"] = [federation.provider.issuer]
    _shifted(claims, "expired" if fault == "anchor-expired" else "")
    return sign(claims, key, STATEMENT)


def intermediate_configuration(federation: Federation) -> str:
    """The intermediate's entity configuration."""
    own = federation.intermediate
    claims = _claims(own, own, federation.intermediate_key)
    claims |= {
        "metadata": {"federation_entity": {
            "organization_name": "CIE SANDBOX", "federation_fetch_endpoint": own + "fetch",
            "federation_list_endpoint": own + "list"}},
        "authority_hints": [federation.anchor]}
    return sign(claims, federation.intermediate_key, STATEMENT)


def subordinate_statement(federation: Federation, superior: str, subject: str) -> str:
    """A superior's statement about its direct subordinate."""
    key = federation.key(superior)
    stranger = federation.provider.keys.stranger_to(key)
    is_provider = subject == federation.provider.issuer
    fault = federation.take(Stage.FED_STATEMENT) if is_provider else ""
    claims = _claims(superior, subject, stranger if fault == "other-jwks" else federation.key(subject))
    if is_provider:
        claims["constraints"] = {**CONSTRAINTS, **_CONSTRAINING.get(fault, {})}
        claims["metadata_policy"] = {"openid_provider": POLICY}
        if fault in _FORBIDDING:
            change = _FORBIDDING[fault]
            claims["metadata_policy"] = {
                "openid_provider": {**POLICY, **change} if isinstance(change, dict) else change}
        if fault == "policy-critical":
            claims["metadata_policy"]["openid_provider"] = {**POLICY, "issuer": {"essential": True, "sandbox": 1}}
            claims["metadata_policy_crit"] = ["sandbox"]
    else:
        length = 0 if federation.take(Stage.FED_PATH) == "path-length" else 1
        claims["constraints"] = {**CONSTRAINTS, "max_path_length": length}
    _shifted(claims, "" if fault.startswith(("policy", "constraint")) else fault)
    return forge(_WEAK.get(fault, ""), claims, key, stranger, STATEMENT)


def resolved(federation: Federation, chain: list[str]) -> Claims:
    """The provider's metadata after the chain's policies. Raises ValueError if a policy forbids them."""
    provider, now = federation.provider, int(time.time())
    stated = {**metadata(provider), "organization_name": "CIE SANDBOX"}
    return {
        "iss": federation.anchor, "sub": provider.issuer, "iat": now, "exp": now + _HOUR,
        "metadata": {"openid_provider": applied(POLICY, stated)}, "trust_chain": chain,
        "trust_marks": [{"id": MARK, "trust_mark": trust_mark(federation)}]}
