"""How the widgets of a screen are put together into what is written to the terminal."""

from collections.abc import Iterable

from textual._compositor import Compositor
from textual.geometry import Region
from textual.strip import Strip


class FrontCompositor(Compositor):
    """Asks only those widgets for their rows of which something is seen where the screen has changed.

    Textual 8.2 asks every widget whose container reaches there, and also what is behind others: for a line of the chat
    the prompt, the side bar and all containers, with every frame.
    """

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """Widgets that are seen in `crop`, those in front first: where each is, its clip, and its rows within that."""
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            if seen and (crop is None or crop.overlaps(seen)):
                yield region, clip, widget.render_lines(seen.translate(-region.offset))
                if crop is not None and seen.contains_region(crop):
                    return
