"""Refusing a client certificate with an alert of one's choice.

OpenSSL picks the alert by the certificate's fault. Here a handshake that trusts no authority runs
in memory up to OpenSSL's own refusal; in TLS 1.2 that alert is not yet encrypted (RFC 5246 §7.2: the server has
sent no ChangeCipherSpec), so its last byte, the description, can be another one.
"""
import socket
import ssl
from enum import IntEnum

_ALERT_RECORD = bytes((21, 3, 3, 0, 2, 2))


class Alert(IntEnum):
    """Alert descriptions of RFC 5246 §7.2."""

    BAD_CERTIFICATE = 42
    CERTIFICATE_REVOKED = 44
    CERTIFICATE_EXPIRED = 45
    UNKNOWN_CA = 48


def refuse(connection: socket.socket, context: ssl.SSLContext, alert: Alert) -> str:
    """Runs the handshake until the client's certificate is refused; returns its end."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_side=True)
    while True:
        try:
            tls.do_handshake()
            return "unexpected"
        except ssl.SSLWantReadError:
            connection.sendall(outgoing.read())
            data = connection.recv(16384)
            if not data:
                return "closed by the client"
            incoming.write(data)
        except ssl.SSLError as error:
            flight = outgoing.read()
            if flight[-7:-1] == _ALERT_RECORD and isinstance(error, ssl.SSLCertVerificationError):
                flight = flight[:-1] + bytes([alert])
            connection.sendall(flight)
            _linger(connection)
            return alert.name.lower()


def _linger(connection: socket.socket) -> None:
    # Closing with unread bytes would reset the connection and could swallow the alert.
    connection.shutdown(socket.SHUT_WR)
    connection.settimeout(2)
    try:
        while connection.recv(16384):
            pass
    except OSError:
        pass
