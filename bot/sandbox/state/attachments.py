"""Files that were sent: their bytes, and Discord's description of them."""

import mimetypes
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Upload:
    """A file as it came in a multipart body."""

    name: str
    content: bytes
    content_type: str = "application/octet-stream"


def content_type(upload: Upload) -> str:
    """Returns the content type that Discord would report: by the bytes, or else by the name."""
    head = upload.content[:16]
    for mark, found in ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"), (b"\xff\xd8\xff", "image/jpeg")):
        if head.startswith(mark):
            return found
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    guess = mimetypes.guess_type(upload.name)[0] or upload.content_type
    return f"{guess}; charset=utf-8" if guess.startswith("text/") else guess


def picture_size(content: bytes) -> tuple[int, int] | None:
    """Returns the width and height in pixels of a PNG, GIF or WebP picture; None for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        return struct.unpack_from(">II", content, 16)
    if content.startswith(b"GIF8") and len(content) >= 10:
        return struct.unpack_from("<HH", content, 6)
    if content[8:12] == b"WEBP" and len(content) >= 30:
        if content[12:16] == b"VP8X":
            width, height = (int.from_bytes(content[i : i + 3], "little") + 1 for i in (24, 27))
            return width, height
        if content[12:16] == b"VP8L":
            bits = int.from_bytes(content[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def attachment_object(identity: int, upload: Upload, entry: Mapping[str, Any], base: str) -> Json:
    """Describes an attachment as Discord does. `entry` holds the bot's fields (name, description)."""
    name = str(entry.get("filename") or upload.name)
    url = f"{base}/attachments/{identity}/{name}"
    found: Json = {
        "id": str(identity),
        "filename": name,
        "size": len(upload.content),
        "url": url,
        "proxy_url": url,
        "content_type": content_type(upload),
    }
    if entry.get("description"):
        found["description"] = entry["description"]
    if (pixels := picture_size(upload.content)) is not None:
        found["width"], found["height"] = pixels
    return found
