"""The identity provider."""
