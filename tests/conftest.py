"""What all tests share: property tests draw the same examples every time."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("repeatable")
