"""Faults on demand: their names, and which of them are armed."""
