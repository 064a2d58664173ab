"""Small facts that all workers of a machine share, in one SQLite file that outlives them."""
from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import TypeVar

from gevent.threadpool import ThreadPool

from .errors import ConfigError

T = TypeVar("T")
SCHEMA = """
create table if not exists facts (
  kind text not null, key text not null, value blob not null, until real not null, primary key (kind, key)
) without rowid
"""


def shared_folder() -> Path:
    """Where this user's workers meet; `ConfigError` if it is somebody else's."""
    folder = Path(tempfile.gettempdir()) / f"toolgate-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise ConfigError(f"{folder} belongs to another user; set TMPDIR to a directory of your own")
    return folder


class Store:
    """`get` and `put` by kind and key; what is past its time is as good as gone.

    SQLite blocks, so it runs in a thread of its own while other greenlets go on.
    The file is opened with the first fact, in the worker: a connection must not
    cross a fork.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._pool: ThreadPool | None = None
        self._opened: sqlite3.Connection | None = None

    def get(self, kind: str, key: str) -> bytes | None:
        return self._run(lambda db: self._got(db, kind, key))

    def put(self, kind: str, key: str, value: bytes, seconds: float) -> None:
        """Keep it for so long; an older fact of this key gives way."""
        row = (kind, key, value, time() + seconds)
        self._run(lambda db: db.execute("insert or replace into facts values (?, ?, ?, ?)", row))

    def close(self) -> None:
        if self._opened:
            self._run(lambda db: db.close())
            self._opened = None

    def _run(self, act: Callable[[sqlite3.Connection], T]) -> T:
        if self._pool is None:
            self._pool = ThreadPool(1)
        done: T = self._pool.apply(lambda: act(self._connection()))
        return done

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            path = self._path or shared_folder() / "store.sqlite"
            self._opened = sqlite3.connect(path, isolation_level=None, timeout=10)
            self._opened.execute("pragma journal_mode = wal")
            self._opened.execute(SCHEMA)
            self._opened.execute("delete from facts where until < ?", (time(),))
        return self._opened

    @staticmethod
    def _got(db: sqlite3.Connection, kind: str, key: str) -> bytes | None:
        found = db.execute("select value from facts where kind = ? and key = ? and until > ?", (kind, key, time()))
        row = found.fetchone()
        return bytes(row[0]) if row else None
