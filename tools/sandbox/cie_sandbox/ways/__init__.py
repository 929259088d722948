"""The other sign-in methods: native sign-in, identity app, banks, and their common parts on one listener."""
