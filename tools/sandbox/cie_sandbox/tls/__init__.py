"""The TLS side: listeners, client certificates, and handshakes that go wrong on demand."""
