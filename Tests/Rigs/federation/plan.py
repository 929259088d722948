"""The plan of a federation of four entities: their addresses, keys and metadata, the members of these that anyone reads."""
import base64
import json

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptojwt.jwk.rsa import RSAKey, new_rsa_key

KINDS = ("openid_provider", "openid_relying_party")
LOOPBACK = "http://127.0.0.1:8765/signed-in"
PERSON = {
    "given_name": "Ada", "family_name": "Prova", "birthdate": "1980-01-11", "email": "ada@prova.invalid",
    "https://attributes.eid.gov.it/fiscal_number": "TINIT-PRVGSM80X99Z999G"}


def key(use, algorithm=None):
    """A private key as the package makes it: without the members dp, dq and qi."""
    made = new_rsa_key()
    made.add_kid()
    return {**made.serialize(private=True), "use": use, **({"alg": algorithm} if algorithm else {})}


def complete(jwk):
    """The same key with all private members (RFC 7518 §6.3.2)."""
    numbers = RSAKey(**jwk).private_key().private_numbers()
    more = {"dp": numbers.dmp1, "dq": numbers.dmq1, "qi": rsa.rsa_crt_iqmp(numbers.p, numbers.q)}
    return {**jwk, **{
        name: base64.urlsafe_b64encode(number.to_bytes(128, "big").lstrip(b"\0")).rstrip(b"=").decode()
        for name, number in more.items()}}


def public(keys):
    return {"keys": [{name: jwk[name] for name in ("kty", "n", "e", "kid", "use", "alg") if name in jwk} for jwk in keys]}


def relying_party(address, keys, *redirects):
    return {"openid_relying_party": {
        "application_type": "web", "client_name": "Comune di Prova", "client_id": address, "response_types": ["code"],
        "client_registration_types": ["automatic"], "grant_types": ["refresh_token", "authorization_code"],
        "redirect_uris": redirects, "jwks": public(keys), "userinfo_signed_response_alg": "RS256",
        "userinfo_encrypted_response_alg": "RSA-OAEP", "userinfo_encrypted_response_enc": "A256CBC-HS512"}}


def openid_provider(address, keys, **more):
    return {"openid_provider": {
        "issuer": address, "claims_parameter_supported": True, "client_registration_types_supported": ["automatic"],
        **{name + "_endpoint": f"{address}/{name}" for name in (
            "authorization", "token", "userinfo", "introspection", "revocation")},
        "acr_values_supported": [f"https://www.spid.gov.it/SpidL{level}" for level in (1, 2, 3)],
        "code_challenge_methods_supported": ["S256"], "request_parameter_supported": True,
        "response_types_supported": ["code"], "token_endpoint_auth_methods_supported": ["private_key_jwt"],
        "jwks_uri": address + "/openid_provider/jwks.json", "jwks": public(keys), **more}}


def plan(folder, ports, profile, amended):
    """Writes `plan.json` and the files with keys for `cie-read`; returns the plan."""
    anchor, provider, party = (f"https://127.0.0.1:{port}" for port in ports)
    client, provider = anchor + "/client", provider + "/oidc/op"
    keys, party_keys = ([key("sig", "RS256"), key("enc", "RSA-OAEP")] for _ in range(2))
    provider_keys = [key("sig")]

    def entity(address, kind, metadata, core):
        return {"sub": address, "entity_type": kind, "metadata": metadata, "jwks_fed": [key("sig")], "jwks_core": core,
                "authority_hints": [anchor], "constraints": {}}

    made = {
        "profile": profile, "amended": amended, "user": "ada", "password": "prova", "person": PERSON,
        "marks": {kind: "https://federation.invalid/agreement/" + kind for kind in KINDS},
        "anchor": {**entity(anchor, "federation_entity", {"federation_entity": {
            "federation_fetch_endpoint": anchor + "/fetch"}}, []), "authority_hints": [], "constraints": {"max_path_length": 1}},
        "provider": entity(provider, KINDS[0], openid_provider(
            provider, provider_keys, authorization_response_iss_parameter_supported="iss" in amended), provider_keys),
        "party": entity(party, KINDS[1], relying_party(party, party_keys, party + "/oidc/rp/callback"), party_keys),
        "client": entity(client, KINDS[1], relying_party(
            client, keys, anchor + "/signed-in", LOOPBACK), keys)}
    for name, value in {
            "plan.json": made, "anchor.jwks": public(made["anchor"]["jwks_fed"]), "other.jwks": public(provider_keys),
            "client.jwks": {"keys": [complete(jwk) for jwk in keys]}, "incomplete.jwks": {"keys": keys},
            "signing.jwk": complete(keys[0])}.items():
        (folder / name).touch(0o600)
        (folder / name).write_text(json.dumps(value))
    return made
