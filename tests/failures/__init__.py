"""The failure programs of ``tests/long`` with their short profiles, and their checker put to the test."""
