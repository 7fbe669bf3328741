"""What is written goes to the disk in order, and who waits for it is told."""

import sqlite3
from contextlib import closing
from pathlib import Path

import anyio

from pitui.ledger import Ledger
from pitui.store.journal import Journal
from tests.store.test_journal import claimed, row


async def test_who_waits_for_a_disk_that_somebody_else_has_is_told(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.write(row(1, "first"))
    told: list[str] = []
    ledger = Ledger(journal, told.append)
    with closing(sqlite3.connect(tmp_path / "prompts.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ledger.write, row(2, "second"))
            with anyio.fail_after(20):
                while not told:  # noqa: ASYNC110 - nobody tells that it was told
                    await anyio.sleep(0.01)
            other.rollback()
    assert "waits for the disk" in told[0]
    ledger.close()
    assert claimed(tmp_path) == ["first", "second"]
