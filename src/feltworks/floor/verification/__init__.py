"""Verifying records, by the file alone (F-16)."""
