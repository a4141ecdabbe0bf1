"""Compares pictures by their pixels: private ones are packed faster than public ones."""

from io import BytesIO

from PIL import Image


def pixels(file: bytes) -> bytes:
    return Image.open(BytesIO(file)).convert("RGBA").tobytes()
