"""The other ways in: native sign-in, identity app, banks, and what stands beside them on one listener."""
