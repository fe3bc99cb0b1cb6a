"""That kernels compiled in the project's own way give what plain Python gives, once for each type of arguments."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from kernels import compile as compiling
from kernels import pipeline

pytestmark = pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")

LIST = np.array([3, 1, 4, 1, 5, 9], np.int64)


def add(values: Any, x: int, times: int) -> int:
    return int(values[x] * times + (values[-1] if x & 1 else 0))


def sum_down(values: Any, x: int, times: int) -> int:
    return times if x < 0 else times + values[x] + sum_down(values, x - 1, 2)


def made(decorate: Callable[[Any], Any], open_up: Callable[[Any], Any]) -> tuple[Any, Any]:
    """A kernel, and a door that calls it with numbers written out and with variables."""
    kernel = decorate(add)

    def door(values: Any) -> int:
        return int(kernel(values, 0, 7) + kernel(values, 1, 8) + kernel(values, len(values) - 1, values[2]))

    return kernel, open_up(door)


IN_PYTHON = add(LIST, 0, 7) + add(LIST, 1, 8) + add(LIST, 5, 4)


@pytest.mark.parametrize("open_up", [compiling.door, compiling.hot_door])
def test_a_kernel_is_compiled_once_for_all_numbers_of_a_type(open_up: Callable[[Any], Any]) -> None:
    kernel, door = made(compiling.kernel, open_up)
    assert door(LIST) == IN_PYTHON
    assert [str(each) for each in kernel.signatures[0][1:]] == ["int64", "int64"]
    assert len(kernel.signatures) == 1


def test_a_pasted_kernel_leaves_no_call() -> None:
    kernel, door = made(compiling.pasted, compiling.door)
    assert door(LIST) == IN_PYTHON
    assert kernel.signatures == []


@pytest.mark.parametrize("open_up", [compiling.door, compiling.hot_door])
def test_a_kernel_that_calls_itself_with_a_number_written_out_ends(
    open_up: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = sum_down(LIST, 5, 2)
    kernel = compiling.kernel(sum_down)
    monkeypatch.setitem(globals(), "sum_down", kernel)
    door = open_up(lambda values: kernel(values, 5, 2))
    assert door(LIST) == plain
    assert len(kernel.signatures) == 1


def test_this_numba_is_one_the_pipeline_was_tried_with() -> None:
    assert pipeline.IS_TRIED, f"try {numba.__version__}, then set pipeline.TRIED_TO"


def test_with_a_numba_that_was_not_tried_kernels_are_compiled_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "IS_TRIED", False)
    for open_up in (compiling.door, compiling.hot_door):
        kernel, door = made(compiling.kernel, open_up)
        assert not isinstance(kernel, pipeline.InnerKernel)
        assert door(LIST) == IN_PYTHON


def test_an_index_out_of_range_is_caught_with_bounds_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    monkeypatch.setattr(compiling, "CACHE", None)
    for open_up in (compiling.door, compiling.hot_door):
        kernel = compiling.kernel(add)
        door = open_up(lambda values, x, kernel=kernel: kernel(values, x, 1))
        with pytest.raises(IndexError):
            door(LIST, 6)


# --- the cache ---


kept_add = compiling.kernel(add)


def kept_door(values: Any) -> int:
    return int(kept_add(values, 0, 7) + kept_add(values, 1, 8) + kept_add(values, len(values) - 1, values[2]))


def again(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Any:
    """The door as the next start of the program finds it, its cache in `folder`."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    monkeypatch.setattr(compiling, "CACHE", folder)
    door = compiling.door(kept_door)
    assert door(LIST) == IN_PYTHON
    return door


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("spoil", [lambda text: text[: len(text) // 2], lambda _: b"", lambda _: b"\xff" * 99, None])
def test_a_spoilt_file_of_the_cache_is_compiled_anew_and_replaced(
    kind: str, spoil: Callable[[bytes], bytes] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert again(monkeypatch, tmp_path).stats.cache_hits.total() == 0
    assert again(monkeypatch, tmp_path).stats.cache_hits.total() == 1
    for path in tmp_path.rglob(f"*.{kind}"):
        if spoil is None:
            path.unlink()
        else:
            path.write_bytes(spoil(path.read_bytes()))
    assert again(monkeypatch, tmp_path).stats.cache_hits.total() == 0
    assert again(monkeypatch, tmp_path).stats.cache_hits.total() == 1


def test_a_door_that_cannot_be_kept_answers_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", full)
    again(monkeypatch, tmp_path)
    assert not [*tmp_path.rglob("*.nbc")]


def test_a_door_is_warm_when_all_of_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again(monkeypatch, tmp_path)
    assert compiling.is_warm("kept_door")
    for path in tmp_path.rglob("*.nbc"):
        path.unlink()
    assert not compiling.is_warm("kept_door")
