"""The service provider's identity."""

ENTITY_ID = "https://sp.cie-sandbox.invalid/not-a-government-service"
