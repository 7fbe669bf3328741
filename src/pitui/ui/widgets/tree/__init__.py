"""The widget that shows the tree of a session."""

from pitui.ui.widgets.tree.view import TreeView

__all__ = ["TreeView"]
