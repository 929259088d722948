"""The faults of the OpenID provider and of its federation, by the point where they act."""

WEAK_TOKENS = {
    "alg-none": "not signed, alg none",
    "hs256": "HS256 with the public key as the secret",
    "other-key": "signed with a key that is not published, under the kid of one that is",
    "header-jwk": "signed with a foreign key that stands in the header as jwk",
    "header-jku": "the same, and jku leads to it",
    "header-x5u": "the same, and x5u leads to it",
    "unknown-kid": "a kid that is not published",
    "changed": "the claims were changed after they were signed",
    "garbage": "no JWT",
}

DISCOVERY = {
    "oidc-discovery-other-issuer": "names another issuer",
    "oidc-discovery-foreign-endpoints": "endpoints are on another host",
    "oidc-discovery-http-endpoints": "endpoints are http:",
    "oidc-discovery-no-token-endpoint": "token_endpoint is absent",
    "oidc-discovery-no-s256": "proof keys by the method plain only",
}
KEYS = {
    "oidc-keys-empty": "a set without keys",
    "oidc-keys-some-bad": "beside the right key a weak one, one without numbers and one of the future, which is no fault",
}
AUTHORIZATION_ERRORS = (
    "access_denied", "invalid_client", "unauthorized_client", "invalid_request", "invalid_scope",
    "invalid_request_object", "unsupported_response_type", "login_required", "consent_required",
    "request_uri_not_supported", "registration_not_supported", "server_error", "temporarily_unavailable")
AUTHORIZATION = {
    "oidc-answer-wrong-state": "another state",
    "oidc-answer-no-state": "no state",
    "oidc-answer-no-iss": "no iss",
    "oidc-answer-wrong-iss": "the iss of another provider (mix-up)",
    "oidc-answer-no-code": "neither code nor error",
    "oidc-answer-two-codes": "code comes twice",
    "oidc-answer-code-and-error": "a code and an error",
    "oidc-answer-huge": "a code of 64 KiB",
    **{f"oidc-answer-{error.replace('_', '-')}": f"error {error}" for error in AUTHORIZATION_ERRORS},
}
TOKEN_ERRORS = {
    "invalid_client": 401, "invalid_grant": 400, "invalid_request": 400, "unauthorized_client": 400,
    "unsupported_grant_type": 400, "invalid_scope": 400, "server_error": 500, "temporarily_unavailable": 503}
REFRESH = {
    "oidc-token-no-rotation": "a refresh gives the same refresh token again",
    "oidc-token-refresh-id-token": "a refresh gives an ID token for another client",
    "oidc-token-refresh-same": "a refresh gives an ID token of the same sign-in, which is no fault",
    "oidc-token-refresh-other-nonce": "a refresh gives an ID token with another nonce",
    "oidc-token-refresh-other-auth-time": "a refresh gives an ID token of another moment of authentication",
    "oidc-token-refresh-new-azp": "a refresh gives an ID token with an azp, which the first one had not",
    "oidc-token-refresh-lower-acr": "a refresh gives an ID token of a lower level",
}
TOKEN = {
    "oidc-token-wrong-type": "token_type is mac",
    "oidc-token-no-access-token": "no access_token",
    "oidc-token-no-id-token": "no id_token",
    **REFRESH,
    **{f"oidc-token-{error.replace('_', '-')}": f"error {error}, status {status}"
       for error, status in TOKEN_ERRORS.items()},
}
ID_CLAIMS = ("iss", "sub", "aud", "exp", "iat", "nonce", "acr", "at_hash")
ID_TOKEN = {
    **{f"oidc-id-{name}": meaning for name, meaning in WEAK_TOKENS.items()},
    "oidc-id-key-rotated": "signed with a new key, published from now on",
    "oidc-id-wrong-iss": "another iss",
    "oidc-id-wrong-aud": "for another client",
    "oidc-id-two-audiences": "for this client and another, without azp",
    "oidc-id-wrong-azp": "azp is another client",
    "oidc-id-wrong-nonce": "another nonce",
    "oidc-id-expired": "exp an hour ago",
    "oidc-id-issued-later": "iat in an hour",
    "oidc-id-issued-long-ago": "iat a day ago, still valid",
    "oidc-id-not-yet": "nbf in an hour",
    "oidc-id-wrong-at-hash": "at_hash of another access token",
    "oidc-id-lower-acr": "acr one level lower than asked",
    "oidc-id-unknown-acr": "an acr that nobody knows",
    "oidc-id-text-exp": "exp is a text",
    "oidc-id-empty-sub": "an empty sub",
    "oidc-id-critical": "the header has a critical member that nobody knows",
    **{f"oidc-id-no-{name.replace('_', '-')}": f"no {name}" for name in ID_CLAIMS},
}
USERINFO = {
    **{f"oidc-userinfo-{name}": meaning for name, meaning in WEAK_TOKENS.items()},
    "oidc-userinfo-other-sub": "another person's sub",
    "oidc-userinfo-wrong-iss": "another iss",
    "oidc-userinfo-wrong-aud": "for another client",
    "oidc-userinfo-expired": "exp an hour ago",
    "oidc-userinfo-unsigned": "plain JSON",
    "oidc-userinfo-401": "status 401, invalid_token",
}
DEVICE = {
    "oidc-device-foreign-uri": "verification_uri on another host",
    "oidc-device-http-uri": "verification_uri is http:",
    "oidc-device-no-interval": "no interval",
    "oidc-device-long-interval": "an interval of a day",
    "oidc-device-invalid-client": "error invalid_client, status 401",
    "oidc-device-invalid-scope": "error invalid_scope",
}
DEVICE_POLL = {
    "oidc-poll-slow-down": "error slow_down",
    "oidc-poll-pending": "error authorization_pending, whatever the person did",
    "oidc-poll-access-denied": "error access_denied",
    "oidc-poll-expired-token": "error expired_token",
}

MEANINGS = {
    "OIDC_DISCOVERY": DISCOVERY, "OIDC_KEYS": KEYS, "OIDC_ANSWER": AUTHORIZATION, "OIDC_TOKEN": TOKEN,
    "OIDC_ID_TOKEN": ID_TOKEN, "OIDC_USERINFO": USERINFO, "OIDC_DEVICE": DEVICE, "OIDC_POLL": DEVICE_POLL}
