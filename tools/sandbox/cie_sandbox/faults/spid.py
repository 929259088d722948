"""The faults of SPID, by the point where they act. Its SAML responses have those of stage SAML as well."""

MEANINGS: dict[str, dict[str, str]] = {
    "SPID_LIST": {
        "spid-list-empty": "no provider",
        "spid-list-twice": "one entity twice, under two names",
        "spid-list-unknown": "a provider of which nobody has heard",
        "spid-list-escapes": "names with terminal escapes and a change of direction",
        "spid-list-long": "twenty thousand providers",
    },
    "SPID_REQUEST": {
        "spid-wrong-destination": "destinationUrl on another host",
        "spid-http-destination": "destinationUrl is http:",
        "spid-script-destination": "destinationUrl is javascript:",
        "spid-foreign-request": "an AuthnRequest of somebody else, not signed",
        "spid-oversized": "an AuthnRequest of 1 MiB",
        "spid-not-base64": "an AuthnRequest that would end an HTML attribute",
    },
    "SPID_STATUS": {
        "spid-201": "status 201, empty body (any step, or as @spid/acs)",
        "spid-202": "status 202, empty body",
        "spid-204": "status 204",
        "spid-206": "status 206, empty body",
        "spid-501": "status 501, empty body",
        "spid-502": "status 502, empty body",
    },
    "SPID_RESPONSE": {
        "spid-nr19": "SAML error 19: too many wrong passwords",
        "spid-nr20": "SAML error 20: no credentials of the level asked for",
        "spid-nr23": "SAML error 23: identity suspended or revoked",
        "spid-no-attributes": "an assertion without attributes",
        "spid-no-fiscal-number": "an assertion without a fiscal code",
        "spid-other-provider": "the issuer is another provider",
    },
    "SPID_RETURN": {
        "spid-return-elsewhere": "the browser is sent to another host",
        "spid-return-no-code": "the browser comes back without a code",
        "spid-return-wrong-code": "the browser comes back with a code that nobody knows",
    },
    "SPID_USER": {
        "spid-user-no-fiscal-code": "the data have no codiceFiscale",
        "spid-user-null": "all fields are null",
        "spid-user-bad-date": "dataNascita is no date",
        "spid-user-more": "the data have a field that nobody knows",
        "spid-user-escapes": "nome ends with a terminal escape",
    },
}
