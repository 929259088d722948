"""The participants, the names of SPID attributes on each side, and its error codes."""
from dataclasses import dataclass

from ..saml.errors import CODES, RESPONDER, ErrorCode

SP_ENTITY_ID = "https://spid-sp.cie-sandbox.invalid/not-a-government-service"
_NAMES = {
    "posteid": "Poste ID", "timid": "TIM id", "namirialid": "Namirial ID", "infocertid": "InfoCert ID",
    "sielteid": "Sielte id", "spiditalia": "SPIDItalia", "arubaid": "Aruba ID"}


@dataclass(frozen=True)
class IdentityProvider:
    """One name under which the identity provider is served, or another provider's."""

    identifier: str
    entity_id: str
    name: str


PROVIDERS = {
    identifier: IdentityProvider(
        identifier, f"https://{identifier}.cie-sandbox.invalid/not-an-identity-provider", f"{name} (sandbox)")
    for identifier, name in _NAMES.items()}
ATTRIBUTES = (
    "spidCode", "name", "familyName", "placeOfBirth", "countyOfBirth", "dateOfBirth", "gender", "companyName",
    "registeredOffice", "fiscalNumber", "ivaCode", "idCard", "mobilePhone", "email", "address", "expirationDate",
    "digitalAddress")
FIELDS = {
    "codiceFiscale": "fiscalNumber", "codiceIdentificativo": "spidCode", "cognome": "familyName",
    "dataNascita": "dateOfBirth", "dataScadenzaIdentita": "expirationDate", "documentoIdentita": "idCard",
    "emailAddress": "email", "emailPec": "digitalAddress", "indirizzoDomicilio": "address",
    "indirizzoSedeLegale": "registeredOffice", "luogoNascita": "placeOfBirth", "nome": "name",
    "numeroTelefono": "mobilePhone", "partitaIva": "ivaCode", "provinciaNascita": "countyOfBirth",
    "ragioneSociale": "companyName", "sesso": "gender"}
"""The published names of the user's data, by attribute."""
_DATES = ("dataNascita", "dataScadenzaIdentita")
_PREFIXED = {"codiceFiscale": "TINIT-", "partitaIva": "VATIT-"}
SPID_CODES = {
    **CODES,
    19: ErrorCode(19, "Credenziali errate, troppi tentativi", None, RESPONDER, "AuthnFailed"),
    20: ErrorCode(20, "Nessuna credenziale del livello richiesto", None, RESPONDER, "AuthnFailed"),
    23: ErrorCode(23, "Identità sospesa o revocata", None, RESPONDER, "AuthnFailed")}
"""CIE leaves 19 and 20 out."""


def user_data(attributes: dict[str, str]) -> dict[str, str]:
    """The seventeen published fields; dates are points in time, as published."""
    data = {}
    for field, attribute in FIELDS.items():
        if attribute in attributes:
            value = attributes[attribute].removeprefix(_PREFIXED.get(field, ""))
            data[field] = f"{value}T00:00:00.000Z" if field in _DATES else value
    return data
