"""SPID: a service provider with the published JSON services, and identity providers under seven names."""
