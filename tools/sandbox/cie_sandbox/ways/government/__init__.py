"""The government kit: methods of a flow, one process through all of it, a bank that identifies a person."""
