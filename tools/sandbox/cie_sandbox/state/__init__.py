"""Keys, certificates and files that the sandbox makes at its first start."""
