"""The transcript: the whole conversation in one widget."""

from pitui.ui.widgets.transcript.transcript import Transcript

__all__ = ["Transcript"]
