"""SAML 2.0 as the CIE identity provider speaks it."""
