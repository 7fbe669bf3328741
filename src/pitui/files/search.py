"""The process that lists and searches, so that neither can ever hold up the screen: a folder on the network that does
not answer holds this process alone, which can be ended. It answers the latest question, one JSON line each way:

    {"number": 1, "folder": "/work", "query": "src/ab", "used": {"src/a.py": 2.5}, "fresh": true, "path": false}
    {"number": 1, "paths": ["src/ab.py"], "listed": 1204, "searching": false, "limited": false}

`fresh` lists the folder anew if the list is old. With `path` the query is a path of which the name may go on, relative
to the folder or not; ``~`` is home. Without, it is letters of a path below the folder. An answer that is `searching` is
followed by another one.
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from pitui.files.listing import Listing, names_in
from pitui.files.matching import Matches

LIMIT = 50
"""Paths in an answer."""
CHUNK = 20_000
"""Paths that are matched before it is looked whether something else is wanted."""
FRESH_SECONDS = 3.0
TELL_SECONDS = 0.1
IDLE_SECONDS = 300.0
"""So long after the last question the process ends: the list of a large folder takes memory."""

Question = Mapping[str, Any]


class Search:
    def __init__(self) -> None:
        self.questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._listing: Listing | None = None
        self._newer: Listing | None = None

    def serve(self) -> None:
        """Answer until nothing is asked any more."""
        threading.Thread(target=self._read, daemon=True).start()
        try:
            while True:
                self._answer(self.questions.get(timeout=IDLE_SECONDS))
        except (queue.Empty, BrokenPipeError):
            os._exit(0)  # without waiting for a thread that a folder holds

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self.questions.put(json.loads(line))
        os._exit(0)

    def _answer(self, question: Question) -> None:
        folder, query = str(question["folder"]), str(question["query"])
        head, slash, tail = query.rpartition("/")
        if question["path"] or query.startswith(("/", "~", "./", "../")):
            self._answer_from_one_folder(question, head + slash, tail)
            return
        listing = self._listed(folder, fresh=bool(question["fresh"]))
        scope = head + slash if slash and os.path.isdir(os.path.join(folder, head)) else ""
        if scope and listing.done and not self._newer and head not in listing.folders:
            self._answer_from_one_folder(question, scope, tail)  # git ignores it, or it is beyond the limit
            return
        self._answer_from_list(question, scope, tail if scope else query)

    def _listed(self, folder: str, *, fresh: bool) -> Listing:
        listing = self._listing
        if listing is None or listing.folder != folder:
            listing = self._listing = Listing(folder)
            self._newer = None
        elif fresh and listing.done and time.monotonic() - listing.began > FRESH_SECONDS and self._newer is None:
            self._newer = Listing(folder)
        return listing

    def _answer_from_list(self, question: Question, scope: str, query: str) -> None:
        used: Mapping[str, float] = question["used"]
        matches, fed, told = Matches(query, LIMIT, used), 0, time.monotonic()
        while self.questions.empty():
            if self._newer and self._newer.done:
                self._listing, self._newer = self._newer, None
                matches, fed = Matches(query, LIMIT, used), 0
            listing = self._listing
            if listing is None:
                return
            listing.grown.clear()
            done, end = listing.done, min(len(listing.paths), fed + CHUNK)
            if end > fed:
                self._feed(matches, listing, fed, end, scope)
                fed = end
            elif done and not self._newer:
                self._tell(question, matches.paths, listing, searching=False)
                return
            elif done:
                time.sleep(0.01)
            else:
                listing.grown.wait(0.05)
            if time.monotonic() - told > TELL_SECONDS:
                told = time.monotonic()
                self._tell(question, matches.paths, listing, searching=True)

    def _feed(self, matches: Matches, listing: Listing, start: int, end: int, scope: str) -> None:
        paths, lowered = listing.paths[start:end], listing.lowered[start:end]
        if scope:
            within = [number for number, path in enumerate(paths) if path.startswith(scope) and path != scope]
            paths, lowered = [paths[number] for number in within], [lowered[number] for number in within]
        matches.feed(paths, lowered, len(scope))

    def _answer_from_one_folder(self, question: Question, scope: str, query: str) -> None:
        folder = os.path.join(str(question["folder"]), os.path.expanduser(scope))
        names = names_in(folder)
        matches = Matches(query, LIMIT, {}, beginnings=bool(question["path"]))
        matches.feed(names, [name.lower() for name in names])
        self._say(question, [scope + name for name in matches.paths], len(names))

    def _tell(self, question: Question, paths: list[str], listing: Listing, *, searching: bool) -> None:
        there = [_as_it_is(listing.folder, path) for path in paths]
        self._say(question, [path for path in there if path], len(listing.paths), searching, listing.limited)

    def _say(
        self, question: Question, paths: list[str], listed: int, searching: bool = False, limited: bool = False
    ) -> None:
        answer = {"number": question["number"], "paths": paths, "listed": listed}
        answer |= {"searching": searching, "limited": limited}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _as_it_is(folder: str, path: str) -> str:
    """With ``/`` if it is a folder, or leads to one; empty if it is gone, which git does not know yet."""
    full = os.path.join(folder, path)
    if not os.path.lexists(full):
        return ""
    return path if path.endswith("/") or not os.path.isdir(full) else path + "/"


if __name__ == "__main__":
    Search().serve()
