"""The earlier name of `feltworks.kit.transcript`, for programs that import it from here."""

from feltworks.kit.transcript import Happening, transcript

__all__ = ["Happening", "transcript"]
