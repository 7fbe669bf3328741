"""What is folded: each kind by itself, each block as the person left it."""

from pitui import render
from pitui.session.blocks import Block

FoldState = tuple[bool | None, bool]
"""What was said of one block: folded or open or nothing, and whether all of it is shown."""


class Folds:
    def __init__(self) -> None:
        self._kinds: dict[str, bool] = {}
        self._blocks: dict[int, bool] = {}
        self._whole: set[int] = set()
        self._before: dict[str, tuple[bool | None, dict[int, bool]]] = {}
        """Of each kind that was opened or folded as a whole: what was said of it and of its blocks until then."""

    def __call__(self, block: Block) -> bool:
        """Whether it is folded now."""
        folded = self._blocks.get(block.id)
        if folded is None:
            folded = self._kinds.get(block.kind)
        return render.blocks.folds_by_default(block) if folded is None else folded

    def whole(self, block: Block) -> bool:
        """Whether all of it is shown, however long it is."""
        return block.id in self._whole

    def set(self, block: Block, folded: bool) -> None:
        self._blocks[block.id] = folded

    def set_whole(self, block: Block, whole: bool) -> None:
        if whole:
            self._whole.add(block.id)
        else:
            self._whole.discard(block.id)

    def state(self, block: Block) -> FoldState:
        """What was said of this one, to `restore` it."""
        return self._blocks.get(block.id), block.id in self._whole

    def restore(self, block: Block, state: FoldState) -> None:
        folded, whole = state
        if folded is None:
            self._blocks.pop(block.id, None)
        else:
            self._blocks[block.id] = folded
        self.set_whole(block, whole)

    def toggle_kind(self, kind: str, blocks: list[Block]) -> None:
        """Open all of a kind, and what will come of it, or fold it if none is folded; again, and it is as before."""
        if kind in self._before:
            folded, said = self._before.pop(kind)
            self._forget(kind, blocks)
            self._blocks |= said
        else:
            said = {block.id: self._blocks[block.id] for block in blocks if self._is_said(kind, block)}
            self._before[kind] = self._kinds.get(kind), said
            folded = not self.any_folded(kind, blocks)
            self._forget(kind, blocks)
        if folded is None:
            self._kinds.pop(kind, None)
        else:
            self._kinds[kind] = folded

    def _is_said(self, kind: str, block: Block) -> bool:
        return block.kind == kind and block.id in self._blocks

    def _forget(self, kind: str, blocks: list[Block]) -> None:
        for block in blocks:
            if self._is_said(kind, block):
                del self._blocks[block.id]

    def any_folded(self, kind: str, blocks: list[Block]) -> bool:
        """Whether one of the kind is folded; what new ones will be, when there is none."""
        of_kind = [block for block in blocks if block.kind == kind]
        return any(map(self, of_kind)) if of_kind else self._kinds.get(kind, True)

    def clear(self) -> None:
        """Forget single blocks: another session is open."""
        self._blocks.clear()
        self._whole.clear()
        self._before = {kind: (folded, {}) for kind, (folded, _) in self._before.items()}
