"""The error codes nr01 to nr25 of the CIE identity provider (italia/cie-eid-saml-docs, codici di errore)."""
from dataclasses import dataclass

REQUESTER, RESPONDER, VERSION = "Requester", "Responder", "VersionMismatch"


@dataclass(frozen=True)
class ErrorCode:
    """One line of the table: either an HTTP page, or a SAML status with an optional second one."""

    number: int
    meaning: str
    http_status: int | None = None
    status: str | None = None
    substatus: str | None = None

    @property
    def name(self) -> str:
        """As in `nr22`."""
        return f"nr{self.number:02d}"

    @property
    def message(self) -> str:
        """The StatusMessage."""
        return f"ErrorCode {self.name}" if self.number else "Authentication failed"


_TABLE = (
    ErrorCode(1, "Autenticazione riuscita", None, "Success"),
    ErrorCode(2, "Sistema non disponibile", 503),
    ErrorCode(3, "Errore di sistema", 500),
    ErrorCode(4, "Formato binding non corretto", 403),
    ErrorCode(5, "Verifica della firma fallita (HTTP-Redirect)", 403),
    ErrorCode(6, "Metodo HTTP non ammesso per questo indirizzo", 403),
    ErrorCode(7, "Verifica della firma fallita (HTTP-POST)", 403),
    ErrorCode(8, "Richiesta SAML non valida", None, REQUESTER),
    ErrorCode(9, "Version assente o diversa da 2.0", None, VERSION),
    ErrorCode(10, "Issuer assente, sconosciuto o errato", 403),
    ErrorCode(11, "ID assente o non valido", None, REQUESTER),
    ErrorCode(12, "RequestedAuthnContext assente o non previsto", None, REQUESTER, "NoAuthnContext"),
    ErrorCode(13, "IssueInstant assente o non valido", None, REQUESTER, "RequestDenied"),
    ErrorCode(14, "Destination assente o errata", None, REQUESTER, "RequestUnsupported"),
    ErrorCode(15, "IsPassive presente e vero", None, REQUESTER, "NoPassive"),
    ErrorCode(16, "AssertionConsumerService non valido", None, REQUESTER, "RequestUnsupported"),
    ErrorCode(17, "NameIDPolicy non valida", None, REQUESTER, "RequestUnsupported"),
    ErrorCode(18, "AttributeConsumingServiceIndex non valido", None, REQUESTER, "RequestUnsupported"),
    ErrorCode(21, "Tempo scaduto durante l'autenticazione", None, RESPONDER, "AuthnFailed"),
    ErrorCode(22, "Consenso negato", None, RESPONDER, "AuthnFailed"),
    ErrorCode(23, "Carta scaduta o revocata", None, RESPONDER, "AuthnFailed"),
    ErrorCode(25, "Operazione annullata", None, RESPONDER, "AuthnFailed"),
)
CODES = {code.number: code for code in _TABLE}
"""By number; 19, 20 and 24 are reserved."""


class Refused(Exception):
    """A request or a login ends with this code."""

    def __init__(self, number: int) -> None:
        super().__init__(CODES[number].name)
        self.code = CODES[number]
