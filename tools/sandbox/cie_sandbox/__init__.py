"""A sandbox of the 'Entra con CIE' login: identity provider and service provider on loopback."""
