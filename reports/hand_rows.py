"""Turns deals one by one into files that grow: a line of CSV each, or a folder of Parquet parts.

A cell is looked up and not made, which keeps up with the play.
"""

import csv
import importlib.util
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import QuestionError, RunError, name_text

if TYPE_CHECKING:
    from analyzer.engine import Chunk
    from analyzer.files import GrowingFile
    from analyzer.hands import Column

Rows = NDArray[np.int64]
PARTS = "part-*.parquet"
COUNTED = "deal"


class CsvHands:
    """A CSV file: the names, then a line a deal."""

    def __init__(self, file: "GrowingFile", columns: "Sequence[Column]") -> None:
        """Write to this file."""
        self.file, self.columns, self.name = file, columns, file.name
        self._texts = [None if column.words is None else _texts(column) for column in columns]

    def append(self, chunk: "Chunk", rows: Rows) -> None:
        """Add a line for each deal; raises RunError where they cannot all be written."""
        cells = [
            list(map(str, places.tolist())) if texts is None else texts[places].tolist()
            for texts, places in zip(self._texts, _places(self.columns, chunk, rows), strict=True)
        ]
        self.file.append("".join(map("%s\n".__mod__, map(",".join, zip(*cells, strict=True)))).encode())

    def size(self) -> int:
        """Bytes."""
        return self.file.size()

    def cut(self, size: int) -> None:
        """Take back what is beyond so many bytes; a file cut to nothing begins with the names."""
        self.file.cut(size)
        if size == 0:
            self.file.append((",".join(column.name for column in self.columns) + "\n").encode())


def _places(columns: "Sequence[Column]", chunk: "Chunk", rows: Rows) -> "Iterator[Rows]":
    """The places of each column in turn; rows are laid down column by column first, as they are read."""
    by_column = np.asfortranarray(rows)
    return (column.places(chunk.first, by_column) for column in columns)


def _texts(column: "Column") -> NDArray[Any]:
    """The words of a column as CSV has them."""
    assert column.words is not None
    return np.array([_text(word) for word in column.words], object)


def _text(word: object) -> str:
    if word is None:
        return ""
    if isinstance(word, bool):
        return str(word).lower()
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow([word])
    return written.getvalue()


class ParquetHands:
    """A folder of Parquet files, one for each chunk of deals, each whole."""

    def __init__(self, folder: Path, columns: "Sequence[Column]") -> None:
        """Write to this folder, which is made; raises QuestionError where it cannot be, or pyarrow is missing."""
        if importlib.util.find_spec("pyarrow") is None:
            raise QuestionError("Parquet needs pyarrow: pip install 'euchre-lab[parquet]', or write --hands to a .csv")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise QuestionError(f"cannot write --hands {folder}: {error.strerror}") from error
        self.folder, self.columns, self.name = folder, columns, name_text(str(folder.resolve()))
        # All but the number of the deal has few values, and bounds of them would tell nothing.
        repeated = [column.name for column in columns if column.name != COUNTED]
        self._encoding: dict[str, Any] = {
            "use_dictionary": repeated,
            "column_encoding": {COUNTED: "DELTA_BINARY_PACKED"},
            "write_statistics": [COUNTED],
        }

    def append(self, chunk: "Chunk", rows: Rows) -> None:
        """Add a part with a row for each deal; raises RunError where it cannot be written."""
        import pyarrow as pa  # an extra
        import pyarrow.parquet as pq

        places = _places(self.columns, chunk, rows)
        arrays = [_array(column, cells) for column, cells in zip(self.columns, places, strict=True)]
        table = pa.table(arrays, names=[column.name for column in self.columns])
        path = self.folder / f"part-{chunk.first:015}.parquet"
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            pq.write_table(table, part, **self._encoding)
            part.replace(path)
        except OSError as error:
            raise RunError(f"cannot go on writing {self.folder}: {error.strerror or error}") from error
        finally:
            part.unlink(missing_ok=True)

    def size(self) -> int:
        """Parts."""
        return len(list(self.folder.glob(PARTS)))

    def cut(self, size: int) -> None:
        """Take back the parts beyond so many."""
        for path in sorted(self.folder.glob(PARTS))[size:]:
            path.unlink()


def _array(column: "Column", places: Rows) -> Any:
    """A column as Arrow has it: text as a dictionary, integers and booleans with nulls."""
    import pyarrow as pa  # an extra

    if column.words is None:
        return pa.array(places)
    missing = np.array([word is None for word in column.words])
    if column.kind == "text":
        words = [word for word in column.words if word is not None]
        compact = np.cumsum(~missing) - 1
        indices = pa.array(compact[places].astype(np.int32), mask=missing[places])
        return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string()))
    dtype = np.bool_ if column.kind == "boolean" else np.int64
    known: NDArray[Any] = np.array([word or 0 for word in column.words], dtype)
    return pa.array(known[places], mask=missing[places])
