"""What all tests share: property tests draw the same examples every time."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests multiply small matrices: threads would only wait

# Whoever starts the tests in the background may have Ctrl-C or a hangup ignored, and commands would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for what tests keep: they neither read nor fill the user's."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analyzer.kept.kept_folder", lambda: folder)
        yield folder
