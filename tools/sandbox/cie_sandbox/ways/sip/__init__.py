"""The identity app as published by its kit: ask, poll, fetch. Weak by design, and marked so (`insecure`)."""
