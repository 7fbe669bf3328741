"""Examples have no deadline: how long one takes says more of the machine than of the drawing."""

from hypothesis import settings

settings.register_profile("drawing", deadline=None)
settings.load_profile("drawing")
