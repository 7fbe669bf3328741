"""A busy machine is no fault of what is tested."""

from hypothesis import settings

settings.register_profile("pitui", deadline=None)
settings.load_profile("pitui")
